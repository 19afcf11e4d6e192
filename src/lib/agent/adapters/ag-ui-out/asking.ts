import type { Issue, Preview, Step } from '../../protocol/run-state.js';
import type { Reason } from '../../protocol/words.js';
import { type AgUiInterrupt, OURS } from './event.js';

/** An answer that changed nothing, and why. @since 0.1.0 */
export interface AgUiRefusal {
	interruptId: string;
	reason: Reason;
	issues?: unknown;
}

const said = (value: unknown): string => JSON.stringify(value) ?? '';

function changeOf(preview: Preview): string[] {
	if (preview.kind === 'note') return [preview.text];
	const { kind } = preview;
	if (kind === 'text') return [`${said(preview.before)} → ${said(preview.after)}`];
	return preview.fields.map(({ label, before, after }) => `${label}: ${said(before)} → ${said(after)}`);
}

/**
 * What a person reads of a step: what it does, with which values and why that is asked. A client that shows nothing but the
 * message of an interrupt shows what is approved.
 */
export function stepText(step: Step, reasons: readonly Reason[], withheld: boolean): string {
	const { instance, act, args, preview } = step;
	const does = `${instance}.${act}`;
	const lines = withheld
		? [
				does,
				'Its values are not shown here: it can be rejected here, and approved only where they are shown.'
			]
		: [`${does} ${said(args)}`, ...(preview ? changeOf(preview) : [])];
	return [...lines, ...reasons.map(({ text }) => text)].join('\n');
}

/** An interrupt that is asked again because its answer was refused: why stands before what is asked. */
export function askedAgain(interrupt: AgUiInterrupt, refusal: AgUiRefusal): AgUiInterrupt {
	const { message = '', metadata } = interrupt;
	const { reason, issues = [] } = refusal;
	const { code, text } = reason;
	const faults = Object.values(issues as Record<string, Issue | readonly Issue[]>)
		.flat()
		.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
	return {
		...interrupt,
		message: [[`The answer was not taken: ${text}`, ...faults].join(' '), message].filter(Boolean).join('\n'),
		metadata: { [OURS]: { ...(metadata[OURS] as object), refused: { code, text } } }
	};
}
