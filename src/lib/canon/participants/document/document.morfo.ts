import { defineMorfo } from '../../../uix/morfo/index.js';

/**
 * A document that an agent may write in beside the person. The markup stays the editor's: the contract names only what the
 * participant adds to it.
 */
export const documentMorfo = defineMorfo({
	name: 'document',
	states: ['idle', 'busy'],
	parts: {
		root: {
			element: 'div',
			attributes: {
				'data-participant': ['document'],
				'data-state': ['idle', 'busy'],
				'data-event-verb': 'stamped for the hold of an emission'
			},
			aria: { 'aria-busy': 'true while an agent writes' }
		},
		block: {
			element: 'p',
			attributes: {
				'data-block': 'id of the block, which stays with it through editing, saving and copying'
			},
			unstyled: 'It is the editor’s own block; the id is for addressing.'
		},
		comment: {
			element: 'span',
			attributes: { 'data-comment': 'id of the comment on this text' },
			unstyled: 'How comments look is the app’s business.'
		},
		'agent-text': {
			element: 'span',
			attributes: {
				'data-agent': 'id of the agent that wrote the words; --ax-agent-hue is set in its style',
				'data-run': 'id of the run it wrote them in',
				'data-name': 'what people call the agent',
				'data-version': 'version of the agent',
				'data-at': 'when, in ms since 1970'
			},
			aria: { 'aria-description': 'who wrote it, in HTML that leaves the editor' }
		},
		'agent-block': {
			element: 'p',
			attributes: {
				'data-state': ['whole', 'part'],
				'data-by': 'id of the agent whose words come first in the block; --ax-agent-hue is set in its style',
				'data-initial': 'initial of that agent, or how many agents wrote in the block'
			},
			aria: { 'aria-description': 'who wrote it, once a block' }
		},
		ghost: {
			element: 'span',
			attributes: {
				'data-shape': ['inline', 'block'],
				'data-by': 'id of the agent that is writing; --ax-agent-hue is set in its style'
			},
			aria: { 'aria-hidden': 'true' }
		}
	},
	events: {
		insert: { family: 'edit', verb: 'insert', allowedFamilies: ['delegate'] },
		rewrite: { family: 'edit', verb: 'change', allowedFamilies: ['delegate'] },
		remove: { family: 'edit', verb: 'remove', allowedFamilies: ['delegate'] },
		move: { family: 'edit', verb: 'change', allowedFamilies: ['delegate'] },
		format: { family: 'edit', verb: 'change', allowedFamilies: ['delegate'] },
		comment: { family: 'edit', verb: 'insert', allowedFamilies: ['delegate'] },
		accept: { family: 'commit', verb: 'apply', intent: 'affirm', allowedFamilies: ['delegate'] },
		undo: { family: 'edit', verb: 'undo', intent: 'reverse', allowedFamilies: ['delegate'] },
		redo: { family: 'edit', verb: 'redo', allowedFamilies: ['delegate'] }
	},
	consumers: {
		'data-participant': ['eidos', 'component'],
		'data-state': ['eidos', 'component', 'test'],
		'data-event-verb': ['sema', 'test'],
		'data-block': ['component', 'app'],
		'data-comment': ['component', 'app'],
		'data-agent': ['eidos', 'app'],
		'data-run': ['component', 'app'],
		'data-name': ['component', 'app'],
		'data-version': ['component', 'app'],
		'data-at': ['component', 'app'],
		'data-by': ['eidos', 'test'],
		'data-initial': ['eidos', 'test'],
		'data-shape': ['eidos', 'test']
	}
});
