import type { Voice } from '../../../uix/morfo/index.js';

/** What a person does in a conversation once there is one. */
export const talkVoice = {
	name: 'copilot-panel',
	events: {
		steer: { family: 'edit', verb: 'change' },
		stop: { family: 'commit', verb: 'cancel' },
		pause: { family: 'edit', verb: 'change' },
		resume: { family: 'edit', verb: 'change' },
		renew: { family: 'commit', verb: 'apply' },
		undo: { family: 'edit', verb: 'undo', intent: 'reverse' },
		redo: { family: 'edit', verb: 'redo' },
		accept: { family: 'commit', verb: 'apply' },
		decline: { family: 'commit', verb: 'cancel' },
		settle: { family: 'commit', verb: 'submit' },
		review: { family: 'navigate', verb: 'open' },
		answer: { family: 'navigate', verb: 'open' },
		level: { family: 'edit', verb: 'change' },
		again: { family: 'commit', verb: 'submit' },
		open: { family: 'navigate', verb: 'open' }
	}
} as const satisfies Voice;
