import type { Voice } from '../../../uix/morfo/index.js';
import { turnLineVoice } from '../aura/turn-line.events.js';

/** What a person does in a conversation once there is one. */
export const talkVoice = {
	name: 'copilot-panel',
	events: {
		// What waits and what runs is pressed here as it is in the turn line.
		...turnLineVoice.events,
		steer: { family: 'edit', verb: 'change' },
		level: { family: 'edit', verb: 'change' },
		again: { family: 'commit', verb: 'submit' },
		open: { family: 'navigate', verb: 'open' }
	}
} as const satisfies Voice;
