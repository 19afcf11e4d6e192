import { defineMorfo } from '../../../uix/morfo/index.js';
import { questionVoice } from './question.events.js';

/**
 * What an agent needs to know to go on: a form made from the schema of its question. Declining is always possible and
 * nothing is answered by default.
 */
export const questionMorfo = defineMorfo({
	...questionVoice,
	states: ['open', 'later'],
	parts: {
		root: {
			element: 'form',
			attributes: {
				'data-surface': ['question-card'],
				'data-state': ['open', 'later'],
				'data-agent':
					'id of the agent whose run it waits in; --ax-agent-hue in its style is that of the agent that asks'
			},
			aria: { 'aria-labelledby': 'the title' },
			keyboard: { Escape: 'later: leaves the question open and gives focus back' }
		},
		asks: { element: 'p' },
		mark: {
			element: 'span',
			attributes: { 'data-kind': ['agent', 'person', 'outside', 'rule'] },
			aria: { 'aria-hidden': 'true' }
		},
		who: { element: 'b' },
		run: { element: 'small' },
		title: { element: 'h2' },
		text: { element: 'p' },
		choices: { element: 'fieldset' },
		option: { element: 'label' },
		entry: { element: 'div' },
		label: { element: 'label' },
		input: { element: 'input', aria: { 'aria-invalid': 'true while the answer does not fit' } },
		hint: { element: 'small' },
		error: { element: 'p' },
		actions: { element: 'footer' },
		action: {
			element: 'button',
			attributes: { 'data-action': ['answer', 'decline', 'later', 'again'] }
		},
		note: { element: 'p' }
	},
	consumers: {
		'data-surface': ['eidos', 'component'],
		'data-state': ['eidos', 'component'],
		'data-agent': ['eidos', 'component'],
		'data-kind': ['eidos', 'component'],
		'data-action': ['eidos', 'component']
	}
});
