import { defineMorfo } from '../../../uix/morfo/index.js';
import { runTrailVoice } from './run-trail.events.js';

const STATES = [
	'arriving',
	'planned',
	'waiting',
	'acting',
	'done',
	'refused',
	'failed',
	'left',
	'said'
] as const;

/**
 * What an agent did, for whoever wants to know: a region with headings and one list a turn, every line a sentence with the
 * exact record behind it. Nothing in it is announced.
 */
export const runTrailMorfo = defineMorfo({
	...runTrailVoice,
	states: ['none', 'empty', 'open'],
	parts: {
		root: {
			element: 'section',
			attributes: {
				'data-surface': ['run-trail'],
				'data-state': ['none', 'empty', 'open'],
				'data-agent': 'id of the agent; --ax-agent-hue is set in its style'
			},
			aria: { 'aria-labelledby': 'the title' }
		},
		head: { element: 'header' },
		title: { element: 'h2' },
		summary: { element: 'p' },
		tools: { element: 'div' },
		tool: { element: 'label' },
		actions: { element: 'span' },
		action: {
			element: 'button',
			attributes: { 'data-action': ['undo', 'redo', 'copy', 'copy-hash', 'more'] },
			keyboard: { Enter: 'does what it says', Space: 'does what it says' }
		},
		note: { element: 'p', role: 'status' },
		empty: { element: 'p' },
		part: { element: 'section' },
		heading: { element: 'h3' },
		lines: { element: 'ol', unstyled: 'a list as the base look paints it' },
		line: { element: 'li', attributes: { 'data-state': STATES } },
		time: { element: 'time' },
		mark: {
			element: 'span',
			attributes: { 'data-kind': ['agent', 'person', 'outside', 'rule'] },
			aria: { 'aria-hidden': 'true' }
		},
		what: { element: 'p' },
		who: { element: 'b', unstyled: 'the base look paints what is bold' },
		word: { element: 'span' },
		quote: { element: 'blockquote' },
		record: { element: 'details' },
		facts: { element: 'dl' },
		fact: { element: 'div' },
		hash: { element: 'code' }
	},
	consumers: {
		'data-surface': ['eidos', 'component'],
		'data-state': ['eidos', 'component'],
		'data-agent': ['eidos', 'component'],
		'data-kind': ['eidos', 'component'],
		'data-action': ['eidos', 'component']
	}
});
