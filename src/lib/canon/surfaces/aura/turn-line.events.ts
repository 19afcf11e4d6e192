import type { Voice } from '../../../uix/morfo/index.js';

/** What a person does in the turn line. */
export const turnLineVoice = {
	name: 'turn-line',
	events: {
		stop: { family: 'commit', verb: 'cancel' },
		pause: { family: 'edit', verb: 'change' },
		resume: { family: 'edit', verb: 'change' },
		renew: { family: 'commit', verb: 'apply' },
		undo: { family: 'edit', verb: 'undo', intent: 'reverse' },
		redo: { family: 'edit', verb: 'redo' },
		review: { family: 'navigate', verb: 'open' },
		answer: { family: 'navigate', verb: 'open' },
		accept: { family: 'commit', verb: 'apply' },
		decline: { family: 'commit', verb: 'cancel' },
		settle: { family: 'commit', verb: 'submit' }
	}
} as const satisfies Voice;
