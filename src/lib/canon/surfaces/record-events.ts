import type { MorfoEvent } from '../../uix/morfo/index.js';
import type { RecordEvent } from '../../mount/index.js';

/** What records mean, in the words of the vocabulary: one meaning, whichever surface tells it. */
export const RECORD_EVENTS = {
	offer: { family: 'delegate', verb: 'offer' },
	plan: { family: 'delegate', verb: 'plan' },
	risk: { family: 'signal', verb: 'warn', intent: 'risk' },
	review: { family: 'delegate', verb: 'review' },
	authorize: { family: 'delegate', verb: 'authorize' },
	act: { family: 'delegate', verb: 'act' },
	processing: { family: 'sustain', verb: 'processing' },
	applied: { family: 'commit', verb: 'apply', intent: 'affirm' },
	escalate: { family: 'delegate', verb: 'escalate' },
	returned: { family: 'delegate', verb: 'return' }
} as const satisfies Record<RecordEvent, MorfoEvent>;
