import { defineMorfo } from '../../../uix/morfo/index.js';

/** Stands in the place of a surface whose body is not there yet: says who waits, and what can be done meanwhile. */
export const lateMorfo = defineMorfo({
	name: 'late',
	events: {},
	states: ['coming', 'failed'],
	parts: {
		root: {
			element: 'article',
			attributes: {
				'data-surface': ['late'],
				'data-state': ['coming', 'failed'],
				'data-for': 'name of the surface it stands for'
			},
			aria: { 'aria-labelledby': 'the title' }
		},
		title: { element: 'p' },
		action: { element: 'button', attributes: { 'data-action': ['try-again', 'stop'] } }
	},
	consumers: {
		'data-surface': ['eidos', 'component'],
		'data-state': ['eidos', 'component'],
		'data-for': ['component', 'app'],
		'data-action': ['component', 'app']
	}
});
