import type { Voice } from '../../../uix/morfo/index.js';

/** An act is shown; what happened to it others tell. */
export const activityVoice = {
	name: 'activity',
	events: {}
} as const satisfies Voice;
