import type { Voice } from '../../../uix/morfo/index.js';

/** What a person does in a trail; what is told there has happened already. */
export const runTrailVoice = {
	name: 'run-trail',
	events: {
		undo: { family: 'edit', verb: 'undo', intent: 'reverse' },
		redo: { family: 'edit', verb: 'redo' }
	}
} as const satisfies Voice;
