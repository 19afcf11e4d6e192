import { defineMorfo } from '../../../uix/morfo/index.js';

/**
 * What an agent proposes, before anything happens. In reading order: who asks, what the person had said, what cannot be
 * undone, the steps with their exact values and a decision each, how far it goes, and last the buttons. Nothing is
 * decided by default, approve is never focused first.
 */
export const reviewCardMorfo = defineMorfo({
	name: 'review-card',
	states: ['open', 'stale', 'settled'],
	parts: {
		root: {
			element: 'article',
			attributes: {
				'data-surface': ['review-card'],
				'data-state': ['open', 'stale', 'settled'],
				'data-agent': 'id of the agent that asks; --ax-agent-hue is set in its style'
			},
			aria: { 'aria-labelledby': 'the title', 'aria-describedby': 'the risk, where there is one' },
			keyboard: { Escape: 'later: leaves the card open and gives focus back' }
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
		changes: { element: 'table', role: 'table' },
		steps: { element: 'ol' },
		step: {
			element: 'li',
			attributes: {
				'data-verdict': ['approve', 'edit', 'reject'],
				'data-effect': ['none', 'reversible', 'irreversible'],
				'data-asks': ['person', 'policy']
			}
		},
		'step-head': { element: 'div' },
		'step-title': { element: 'h3' },
		'verdict-note': { element: 'span' },
		'effect-note': { element: 'span' },
		values: { element: 'table', role: 'table' },
		field: { element: 'th', role: 'rowheader' },
		now: { element: 'td', role: 'cell' },
		after: {
			element: 'td',
			role: 'cell',
			attributes: { 'data-by': 'person: the value is the person’s own' }
		},
		exact: { element: 'td', role: 'cell' },
		diff: { element: 'p' },
		'note-value': { element: 'p' },
		facts: { element: 'ul' },
		fact: {
			element: 'li',
			attributes: { 'data-fact': ['source', 'taint', 'undo', 'scope', 'weak', 'policy'] }
		},
		sure: { element: 'label' },
		verdict: { element: 'fieldset' },
		choice: {
			element: 'label',
			attributes: { 'data-choice': ['approve', 'edit', 'reject'] },
			keyboard: { Arrows: 'move between approve, edit, reject' }
		},
		amend: { element: 'div' },
		reason: { element: 'div' },
		error: { element: 'p' },
		scope: { element: 'dl' },
		'scope-row': { element: 'div' },
		actions: { element: 'footer' },
		action: {
			element: 'button',
			attributes: {
				'data-action': ['decide', 'approve-reversible', 'reject-all', 'later', 'review-again', 'keep-open']
			},
			aria: { 'aria-disabled': 'true while it cannot be done; the note says why' }
		},
		note: { element: 'p' },
		settled: { element: 'div' }
	},
	events: {
		plan: { family: 'delegate', verb: 'plan' },
		risk: { family: 'signal', verb: 'warn', intent: 'risk' },
		review: { family: 'delegate', verb: 'review' },
		authorize: { family: 'delegate', verb: 'authorize' }
	},
	consumers: {
		'data-surface': ['eidos', 'component'],
		'data-state': ['eidos', 'component'],
		'data-agent': ['eidos', 'component'],
		'data-kind': ['eidos', 'component'],
		'data-verdict': ['eidos', 'component'],
		'data-effect': ['eidos', 'component'],
		'data-asks': ['eidos', 'component'],
		'data-by': ['eidos', 'component'],
		'data-fact': ['eidos', 'component'],
		'data-choice': ['eidos', 'component'],
		'data-action': ['eidos', 'component']
	}
});
