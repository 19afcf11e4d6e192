import { defineMorfo } from '../../../uix/morfo/index.js';
import { announcerVoice } from './announcer.events.js';

/**
 * Says who acts now, to ears. Two live regions that exist from the start, are never seen and never carry markup: one
 * waits its turn, one may interrupt and is kept for what needs the person.
 */
export const announcerMorfo = defineMorfo({
	...announcerVoice,
	states: ['off', 'states', 'all'],
	parts: {
		root: {
			element: 'div',
			attributes: { 'data-surface': ['announcer'], 'data-state': ['off', 'states', 'all'] }
		},
		polite: { element: 'div', role: 'status', aria: { 'aria-live': 'polite', 'aria-atomic': 'true' } },
		assertive: { element: 'div', role: 'alert', aria: { 'aria-live': 'assertive', 'aria-atomic': 'true' } }
	},
	consumers: {
		'data-surface': ['eidos', 'component'],
		'data-state': ['component', 'test']
	}
});
