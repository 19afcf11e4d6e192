import { defineMorfo } from '../../../uix/morfo/index.js';

/**
 * A form that an agent may fill in beside the person. The markup stays the app's: the contract names only what the
 * participant writes on it, so that a field somebody else wrote can be told from the person's own.
 */
export const formMorfo = defineMorfo({
	name: 'form',
	states: ['idle', 'busy'],
	parts: {
		root: {
			element: 'form',
			attributes: {
				'data-participant': ['form'],
				'data-state': ['idle', 'busy'],
				'data-event-verb': 'stamped for the hold of an emission'
			},
			aria: { 'aria-busy': 'true while an agent fills in' }
		},
		field: {
			element: 'div',
			attributes: {
				'data-by':
					'id of the agent that wrote the value, --ax-agent-hue in its style; absent when it is the person’s own'
			}
		},
		by: { element: 'small' },
		was: { element: 'span' }
	},
	events: {
		fill: { family: 'edit', verb: 'change', allowedFamilies: ['delegate'] },
		clear: { family: 'edit', verb: 'clear', allowedFamilies: ['delegate'] },
		submit: { family: 'commit', verb: 'submit', intent: 'affirm', allowedFamilies: ['delegate'] },
		undo: { family: 'edit', verb: 'undo', intent: 'reverse', allowedFamilies: ['delegate'] },
		redo: { family: 'edit', verb: 'redo', allowedFamilies: ['delegate'] }
	},
	consumers: {
		'data-participant': ['eidos', 'component'],
		'data-state': ['component', 'test'],
		'data-event-verb': ['sema', 'test'],
		'data-by': ['eidos', 'component']
	}
});
