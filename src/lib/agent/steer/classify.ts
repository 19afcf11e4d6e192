import type { Update } from '../protocol/run-state.js';

/** A phrase as rules look at it: without case, accents and the marks around it. */
const plain = (text: string): string =>
	text
		.toLowerCase()
		.normalize('NFD')
		.replace(/\p{M}+/gu, '')
		.replace(/[’`]/g, "'")
		.replace(/[^\p{L}\p{N}'?]+/gu, ' ')
		.trim();

/** What may stand around a bare word of command without changing it. */
const FILLED =
	'(?: (?:it|this|that|now|please|all|everything|working|there|right|away|at once|for now|ya|ahora|por favor|todo|eso|esto|a minute|a moment|a second|a bit|un momento|un minuto|un segundo|un poco|mismo))*';
const bare = (words: string): RegExp => new RegExp(`^(?:please |por favor )?(?:${words})${FILLED}$`, 'u');

const STOP = bare(
	'stop|cancel|abort|quit|halt|enough|never ?mind|forget(?: about)?|leave|drop|call(?: it)? off|para|parate|detente|alto|basta|cancela|cancelalo|cancelar|olvidalo|dejalo|deten|parar|detenerte|pararlo'
);
const PAUSE = bare(
	'pause|wait|hold on|hold|hang on|one moment|just a moment|just a second|pausa|espera|esperate|esperar|aguarda|un momento|un segundo'
);
/** Words of command with more behind them: they may mean the run, or what it works on. */
const OPEN =
	/^(?:please |por favor )?(?:stop|cancel|abort|quit|pause|wait|hold|forget|para|deten|cancela|olvida|espera|pausa)\b/u;
/** What to stop doing is a correction: stop using, deja de usar. */
const ENDING = /^(?:stop|quit) (?!the |a |an )\p{L}+ing\b|^(?:deja|para) de \p{L}+/u;
/** A wait that is taken back in the same breath. */
const HESITATION =
	/^(?:no |oh |hmm |eh )?(?:wait|hold on|stop|hang on|espera|para|un momento|no)\s*[,:;.!–—-]+\s*(?=\S)/iu;
const POLITE =
	/^(?:please |por favor )?(?:can|could|would|will) you (?:please )?|^(?:please |por favor )?(?:me )?(?:puedes|podrias|quieres) (?:por favor )?/u;
const GOAL =
	/^(?:new (?:task|goal|job)|nueva (?:tarea|meta)|nuevo objetivo)\b|^(?:forget (?:that|it|this|about that)|never ?mind|olvidalo|dejalo|olvida eso|deja eso) \S+ \S+/u;
const ASKS =
	/^(?:status|progress|any (?:news|progress)|how (?:far|is it|are you|much|many|long)|what (?:have|are|did|is|has)|are you|have you|did you|is it|que (?:llevas|has|haces|tal)|como (?:va|vas)|cuanto|cuantos|has (?:terminado|hecho)|estas|ya (?:esta|terminaste)|estado|avance)\b/u;

/**
 * What a message to a live run means, by fixed rules alone: a bare "stop" cancels, a bare "wait" pauses, a question asks for
 * progress, "new task" sets another goal, what tells how something is to be corrects the course. English and Spanish.
 * @returns undefined where the words can mean the run as well as what it works on: that is asked, never guessed
 * @since 0.1.0
 */
export function classify(text: string): Update | undefined {
	const kind = kindOf(text);
	return kind && { kind, text };
}

function kindOf(text: string): Update['kind'] | undefined {
	const said = plain(text);
	if (!/[\p{L}\p{N}?]/u.test(said)) return undefined;
	const words = said.replace(/\?/g, '').trim();
	if (STOP.test(words)) return 'cancel';
	if (PAUSE.test(words)) return 'pause';
	const asked = words.replace(POLITE, '');
	// A request in the form of a question is a request.
	if (asked !== words) return kindOf(asked);
	if (said.includes('?') || ASKS.test(words)) return 'progress';
	if (GOAL.test(words)) return 'goal';
	if (ENDING.test(words)) return 'correction';
	const rest = text.trim().replace(HESITATION, '');
	if (rest !== text.trim()) return kindOf(rest) ?? 'correction';
	return OPEN.test(words) ? undefined : 'correction';
}
