import type { Voice } from '../../../uix/morfo/index.js';
import { RECORD_EVENTS } from '../record-events.js';

/** What the form of a question tells. */
export const questionVoice = {
	name: 'question-card',
	events: {
		escalate: RECORD_EVENTS.escalate,
		answer: { family: 'commit', verb: 'submit' },
		decline: { family: 'commit', verb: 'cancel' }
	}
} as const satisfies Voice;
