import { defineMorfo } from '../../../uix/morfo/index.js';
import { activityVoice } from './activity.events.js';

/**
 * One act of an agent, from the first character of its arguments to what came of it: line, sign and words say the same.
 * It is told, not announced: what needs the person is said by the announcer.
 */
export const activityMorfo = defineMorfo({
	...activityVoice,
	states: ['arriving', 'planned', 'waiting', 'acting', 'done', 'refused', 'failed', 'left'],
	parts: {
		root: {
			element: 'div',
			role: 'group',
			attributes: {
				'data-surface': ['activity'],
				'data-state': ['arriving', 'planned', 'waiting', 'acting', 'done', 'refused', 'failed', 'left'],
				'data-agent': 'id of the agent that acts; --ax-agent-hue is set in its style'
			},
			aria: { 'aria-label': 'what the act does, and what became of it' }
		},
		act: { element: 'p' },
		what: { element: 'span' },
		word: { element: 'span' },
		flag: {
			element: 'span',
			attributes: { 'data-fact': ['taint', 'own'] }
		},
		arriving: { element: 'code' },
		values: { element: 'ul' },
		value: { element: 'li' },
		more: { element: 'li' },
		result: { element: 'p' },
		why: { element: 'p' },
		note: { element: 'p' }
	},
	consumers: {
		'data-surface': ['eidos', 'component'],
		'data-state': ['eidos', 'component'],
		'data-agent': ['eidos', 'component'],
		'data-fact': ['eidos', 'component']
	}
});
