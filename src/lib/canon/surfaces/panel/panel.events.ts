import type { Voice } from '../../../uix/morfo/index.js';
import { RECORD_EVENTS } from '../record-events.js';

/** What the conversation tells of its own, and what a person does in it. */
export const panelVoice = {
	name: 'copilot-panel',
	events: {
		offer: RECORD_EVENTS.offer,
		send: { family: 'commit', verb: 'submit' },
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
