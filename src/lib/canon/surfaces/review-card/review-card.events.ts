import type { Voice } from '../../../uix/morfo/index.js';
import { RECORD_EVENTS } from '../record-events.js';

const { plan, risk, review, authorize } = RECORD_EVENTS;

/** What the ReviewCard tells. */
export const reviewCardVoice = {
	name: 'review-card',
	events: { plan, risk, review, authorize }
} as const satisfies Voice;
