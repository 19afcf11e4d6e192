import type { Voice } from '../../../uix/morfo/index.js';

/** What the Announcer says of itself. */
export const announcerVoice = {
	name: 'announcer',
	events: { announced: { family: 'signal', verb: 'inform' } }
} as const satisfies Voice;
