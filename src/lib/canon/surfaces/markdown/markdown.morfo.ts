import { defineMorfo } from '../../../uix/morfo/index.js';
import { markdownVoice } from './markdown.events.js';

/**
 * What an agent wrote, as prose: headings below those of the page, lists, tables, code. Nothing in it is markup of the page,
 * nothing is loaded by itself, and a link leads only where the app allows it and says where.
 */
export const markdownMorfo = defineMorfo({
	...markdownVoice,
	states: ['streaming', 'whole', 'inert'],
	parts: {
		root: {
			element: 'div',
			attributes: { 'data-surface': ['markdown'], 'data-state': ['streaming', 'whole', 'inert'] }
		},
		task: { element: 'span' },
		host: { element: 'bdi' },
		written: { element: 'span' },
		code: { element: 'div' },
		'code-bar': { element: 'div' },
		language: { element: 'bdi' },
		region: {
			element: 'div',
			role: 'region',
			aria: { 'aria-label': 'what it holds; a region, and in the order of Tab, only where it overflows' },
			keyboard: { Arrows: 'scroll' }
		},
		control: { element: 'span' },
		cell: { element: 'td', attributes: { 'data-align': ['start', 'center', 'end'] } },
		picture: { element: 'span' },
		action: {
			element: 'button',
			attributes: { 'data-action': ['copy', 'load'] },
			keyboard: { Enter: 'does what it says', Space: 'does what it says' }
		},
		note: { element: 'span', role: 'status' }
	},
	consumers: {
		'data-surface': ['eidos', 'component'],
		'data-state': ['eidos', 'component'],
		'data-align': ['eidos', 'component'],
		'data-action': ['eidos', 'component']
	}
});
