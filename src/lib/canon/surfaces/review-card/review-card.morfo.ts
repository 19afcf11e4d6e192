import { defineMorfo } from '../../../uix/morfo/index.js';
import { reviewCardVoice } from './review-card.events.js';

/**
 * What an agent proposes, before anything happens. In reading order: who asks, what the person had said, what cannot be
 * undone, the steps with their exact values and a decision each, how far it goes, and last the buttons. Nothing is
 * decided by default, approve is never focused first.
 */
export const reviewCardMorfo = defineMorfo({
	...reviewCardVoice,
	states: ['open', 'stale', 'later', 'proposed', 'settled', 'expired', 'superseded'],
	parts: {
		root: {
			element: 'article',
			attributes: {
				'data-surface': ['review-card'],
				'data-state': ['open', 'stale', 'later', 'proposed', 'settled', 'expired', 'superseded'],
				'data-agent': 'id of the agent that asks; --ax-agent-hue is set in its style'
			},
			role: 'region',
			aria: { 'aria-label': 'agent and act', 'aria-describedby': 'the risk, or that all can be undone' },
			keyboard: { Escape: 'later: decides nothing, folds the card to a strip and gives focus back' }
		},
		asks: { element: 'p' },
		mark: {
			element: 'span',
			attributes: { 'data-kind': ['agent', 'person', 'outside', 'rule'] },
			aria: { 'aria-hidden': 'true' }
		},
		who: { element: 'b' },
		time: { element: 'time' },
		title: { element: 'h2' },
		order: { element: 'blockquote' },
		'order-version': { element: 'span' },
		risk: { element: 'p' },
		calm: { element: 'p' },
		void: { element: 'p' },
		changes: { element: 'table', role: 'table' },
		steps: { element: 'ol', attributes: { 'data-many': 'present where there are many' } },
		overview: { element: 'div' },
		group: { element: 'li', attributes: { 'data-effect': ['none', 'reversible', 'irreversible'] } },
		'group-head': { element: 'div' },
		'group-title': { element: 'h3' },
		'group-note': { element: 'span' },
		step: {
			element: 'li',
			attributes: {
				'data-verdict': ['approve', 'edit', 'reject'],
				'data-effect': ['none', 'reversible', 'irreversible'],
				'data-asks': ['person', 'policy'],
				'data-number': 'its place in the plan, from 1',
				'data-progress': ['undecided', 'ready', 'unchecked', 'invalid']
			}
		},
		'step-head': { element: 'div' },
		'step-title': { element: 'h3' },
		'verdict-note': { element: 'span' },
		'effect-note': { element: 'span' },
		about: { element: 'p' },
		values: { element: 'table', role: 'table', attributes: { 'data-shape': ['exact'] } },
		field: { element: 'th', role: 'rowheader' },
		now: { element: 'td', role: 'cell' },
		after: {
			element: 'td',
			role: 'cell',
			attributes: { 'data-by': 'person: the value is the person’s own' }
		},
		none: { element: 'i' },
		exact: { element: 'td', role: 'cell' },
		origin: { element: 'small', attributes: { 'data-fact': ['source', 'taint'] } },
		sign: { element: 'span' },
		diff: {
			element: 'div',
			attributes: { 'data-by': 'person: what came is the person’s own' }
		},
		'note-value': { element: 'p' },
		facts: { element: 'ul' },
		fact: {
			element: 'li',
			attributes: {
				'data-fact': ['source', 'taint', 'undo', 'amends', 'scope', 'cost', 'weak', 'why', 'policy']
			}
		},
		gone: { element: 'p' },
		sure: { element: 'label' },
		verdict: { element: 'fieldset' },
		choice: {
			element: 'label',
			attributes: { 'data-choice': ['approve', 'edit', 'reject'] },
			keyboard: { Arrows: 'move between approve, edit, reject' }
		},
		amend: { element: 'div', role: 'group' },
		'amend-title': { element: 'p' },
		entry: { element: 'div' },
		label: { element: 'label' },
		option: { element: 'label' },
		input: { element: 'input', aria: { 'aria-invalid': 'true while the value does not fit' } },
		hint: { element: 'small' },
		'amend-note': { element: 'p' },
		reason: { element: 'div' },
		error: { element: 'p' },
		scope: { element: 'dl' },
		'scope-row': { element: 'div' },
		full: { element: 'details' },
		actions: { element: 'footer' },
		action: {
			element: 'button',
			attributes: {
				'data-action': [
					'decide',
					'edit',
					'approve-reversible',
					'approve-group',
					'reject-group',
					'reject-all',
					'confirm-reject',
					'back',
					'later',
					'review-again',
					'keep-open',
					'next',
					'filter',
					'fold',
					'show-all'
				]
			},
			aria: { 'aria-disabled': 'true while it cannot be done; the note says why' }
		},
		note: { element: 'p' },
		settled: { element: 'div' }
	},
	consumers: {
		'data-surface': ['eidos', 'component'],
		'data-state': ['eidos', 'component'],
		'data-agent': ['eidos', 'component'],
		'data-kind': ['eidos', 'component'],
		'data-verdict': ['eidos', 'component'],
		'data-effect': ['eidos', 'component'],
		'data-asks': ['eidos', 'component'],
		'data-progress': ['eidos', 'component'],
		'data-number': ['component', 'app'],
		'data-many': ['eidos', 'component'],
		'data-shape': ['eidos', 'component'],
		'data-by': ['eidos', 'component'],
		'data-fact': ['eidos', 'component'],
		'data-choice': ['eidos', 'component'],
		'data-action': ['eidos', 'component']
	}
});
