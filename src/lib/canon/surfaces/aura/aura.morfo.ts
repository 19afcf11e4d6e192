import { defineMorfo } from '../../../uix/morfo/index.js';
import { auraVoice } from './aura.events.js';
import { INTENTS } from '../../../uix/sema/index.js';

/**
 * The line around a participant that says who acts in it and how it stands: solid acts, double waits for the person,
 * dashed is paused, dotted failed, ink is back with the person. It lies over the edge of its host and never over what one
 * types in. Its own elements hold nothing of the app; the host is the app's element or a wrapper around it.
 */
export const auraMorfo = defineMorfo({
	...auraVoice,
	states: ['idle', 'thinking', 'acting', 'waiting', 'paused', 'failed', 'refused', 'returned'],
	parts: {
		root: {
			element: 'div',
			role: 'group',
			attributes: {
				'data-surface': ['aura'],
				'data-state': ['idle', 'thinking', 'acting', 'waiting', 'paused', 'failed', 'refused', 'returned'],
				'data-shape': ['frame', 'block'],
				'data-agent': 'id of the agent; --ax-agent-hue is set in its style',
				'data-event-verb': 'stamped for the hold of an emission',
				'data-event-intent': INTENTS
			},
			aria: { 'aria-label': 'who acts, in which instance' }
		},
		host: {
			element: 'div',
			attributes: { 'data-aura-host': ['frame', 'block'] }
		},
		ring: { element: 'div', aria: { 'aria-hidden': 'true' } },
		stroke: { element: 'i', aria: { 'aria-hidden': 'true' } },
		flag: {
			element: 'p',
			attributes: { 'data-place': ['on', 'above'] }
		},
		who: { element: 'span' },
		mark: {
			element: 'span',
			attributes: { 'data-kind': ['agent', 'person', 'outside', 'rule'] },
			aria: { 'aria-hidden': 'true' }
		},
		what: { element: 'span' },
		status: { element: 'span' },
		counter: { element: 'span' },
		actions: { element: 'span' },
		action: {
			element: 'button',
			attributes: { 'data-action': ['stop', 'review', 'resume', 'why', 'undo'] },
			keyboard: { Enter: 'does what it says', Space: 'does what it says' }
		}
	},
	consumers: {
		'data-surface': ['eidos', 'component'],
		'data-state': ['eidos', 'component'],
		'data-shape': ['eidos', 'component'],
		'data-agent': ['eidos', 'component'],
		'data-event-verb': ['sema', 'test'],
		'data-event-intent': ['sema', 'eidos'],
		'data-aura-host': ['eidos', 'component'],
		'data-place': ['eidos', 'component'],
		'data-kind': ['eidos', 'component'],
		'data-action': ['component', 'eidos']
	}
});
