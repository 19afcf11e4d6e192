import { defineMorfo } from '../../../uix/morfo/index.js';
import { turnLineVoice } from './turn-line.events.js';

/**
 * Who acts now? One line with a seat for the person and each agent; whoever has the turn stands on it. Sticky at the top,
 * docked at the bottom on narrow screens, and wherever something runs, Stop is in it.
 */
export const turnLineMorfo = defineMorfo({
	...turnLineVoice,
	states: ['idle', 'thinking', 'acting', 'waiting', 'paused', 'failed', 'refused', 'returned'],
	parts: {
		root: {
			element: 'div',
			role: 'group',
			attributes: {
				'data-surface': ['turn-line'],
				'data-state': ['idle', 'thinking', 'acting', 'waiting', 'paused', 'failed', 'refused', 'returned'],
				'data-agent': 'id of the agent that has the turn; --ax-agent-hue is set in its style'
			},
			aria: { 'aria-label': 'Who acts now' }
		},
		question: { element: 'span' },
		seats: { element: 'ol' },
		seat: {
			element: 'li',
			attributes: {
				'data-kind': ['agent', 'person', 'outside', 'rule'],
				'data-state': ['idle', 'thinking', 'acting', 'waiting', 'paused', 'failed', 'refused', 'returned'],
				'data-agent': 'id of the agent that sits here'
			},
			aria: { 'aria-current': 'true on the seat that has the turn' }
		},
		mark: {
			element: 'span',
			attributes: { 'data-kind': ['agent', 'person', 'outside', 'rule'] },
			aria: { 'aria-hidden': 'true' }
		},
		name: { element: 'b' },
		status: { element: 'span' },
		counter: { element: 'span' },
		actions: { element: 'span' },
		action: {
			element: 'button',
			attributes: {
				'data-action': [
					'stop',
					'pause',
					'resume',
					'renew',
					'undo',
					'redo',
					'review',
					'answer',
					'accept',
					'decline',
					'settle'
				]
			},
			aria: { 'aria-disabled': 'true while it does not apply any more and still has the focus' },
			keyboard: { Enter: 'does what it says', Space: 'does what it says' }
		},
		'action-label': { element: 'span' },
		said: { element: 'p' },
		why: { element: 'p' },
		detail: { element: 'span' },
		needs: { element: 'ul', attributes: { 'data-need': ['review'] } },
		need: { element: 'li' },
		reason: { element: 'p' },
		note: { element: 'p', role: 'status' }
	},
	consumers: {
		'data-surface': ['eidos', 'component'],
		'data-state': ['eidos', 'component'],
		'data-agent': ['eidos', 'component'],
		'data-kind': ['eidos', 'component'],
		'data-action': ['component', 'eidos'],
		'data-need': ['component', 'eidos']
	}
});
