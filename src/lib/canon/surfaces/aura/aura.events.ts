import type { Voice } from '../../../uix/morfo/index.js';
import { RECORD_EVENTS } from '../record-events.js';

/** What Aura tells: its own share, and that of any surface that is not mounted. */
export const auraVoice = {
	name: 'aura',
	events: RECORD_EVENTS
} as const satisfies Voice;
