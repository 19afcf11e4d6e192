import type { Update } from '../protocol/run-state.js';

const STOP = /^(stop|cancel|abort|never mind|para|detente|cancela|olv[ií]dalo)\b/iu;
const PAUSE = /^(pause|wait|hold on|pausa|espera)\b/iu;

/**
 * What a message to a live run means, by fixed rules alone: "stop" cancels, "wait" pauses, a question asks for progress,
 * anything else corrects the course. An app that knows better gives the kind itself.
 * @since 0.1.0
 */
export function classify(text: string): Update {
	const said = text.trim();
	if (STOP.test(said)) return { kind: 'cancel', text };
	if (PAUSE.test(said)) return { kind: 'pause', text };
	return { kind: said.endsWith('?') ? 'progress' : 'correction', text };
}
