import type { Voice } from '../../../uix/morfo/index.js';
import { RECORD_EVENTS } from '../record-events.js';

/** What the panel tells of its own, and what a person does in its frame. */
export const panelVoice = {
	name: 'copilot-panel',
	events: {
		offer: RECORD_EVENTS.offer,
		send: { family: 'commit', verb: 'submit' },
		stop: { family: 'commit', verb: 'cancel' }
	}
} as const satisfies Voice;
