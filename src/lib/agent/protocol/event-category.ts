import type { AgentEvent } from './turn.js';

/** What an event is about: how a turn goes, what is said, what is called, what is shared, what is the app's own. @since 0.1.0 */
export type EventCategory = 'lifecycle' | 'message' | 'tool call' | 'state' | 'custom';

/**
 * The category of every event of a turn, in the five that AG-UI sorts its own into.
 * @see https://docs.ag-ui.com, concepts, events
 * @since 0.1.0
 */
export const EVENT_CATEGORY: { readonly [T in AgentEvent['type']]: EventCategory } = Object.freeze({
	end: 'lifecycle',
	error: 'lifecycle',
	interrupt: 'lifecycle',
	usage: 'lifecycle',
	text: 'message',
	reasoning: 'message',
	refusal: 'message',
	source: 'message',
	activity: 'message',
	'call.start': 'tool call',
	'call.args': 'tool call',
	'call.end': 'tool call',
	'call.result': 'tool call',
	paint: 'tool call',
	'state.snapshot': 'state',
	'state.delta': 'state',
	custom: 'custom'
});
