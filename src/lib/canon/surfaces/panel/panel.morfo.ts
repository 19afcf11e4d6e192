import { defineMorfo } from '../../../uix/morfo/index.js';
import { panelVoice } from './panel.events.js';
import { talkVoice } from './talk.events.js';

const LINES = ['idle', 'thinking', 'acting', 'waiting', 'paused', 'failed', 'refused', 'returned'] as const;

/**
 * A conversation with an agent. In reading order: who acts now, the transcript (a log that is never read by itself), what the
 * agent may do and has spent, and the composer, from which Stop is two steps of Tab away at most.
 */
export const panelMorfo = defineMorfo({
	name: panelVoice.name,
	events: { ...panelVoice.events, ...talkVoice.events },
	states: ['none', 'empty', 'open'],
	parts: {
		root: {
			element: 'section',
			attributes: {
				'data-surface': ['copilot-panel'],
				'data-state': ['none', 'empty', 'open'],
				'data-agent': 'id of the agent; --ax-agent-hue is set in its style'
			},
			aria: { 'aria-label': 'whose conversation it is' }
		},
		head: { element: 'header' },
		mark: {
			element: 'span',
			attributes: { 'data-kind': ['agent', 'person', 'outside', 'rule'] },
			aria: { 'aria-hidden': 'true' }
		},
		title: { element: 'h2' },
		empty: { element: 'div' },
		about: { element: 'p' },
		suggestions: { element: 'ul' },
		reach: { element: 'p' },

		bar: { element: 'div', attributes: { 'data-state': LINES } },
		status: { element: 'p' },
		counter: { element: 'span' },
		threads: { element: 'nav' },
		thread: { element: 'li', attributes: { 'data-state': LINES } },
		goal: { element: 'bdi' },
		plan: { element: 'details' },
		counts: { element: 'span' },
		steps: { element: 'ol' },
		step: { element: 'li', attributes: { 'data-state': 'what became of the step' } },

		log: { element: 'div' },
		scroll: {
			element: 'div',
			role: 'log',
			aria: { 'aria-live': 'off', 'aria-label': 'what was said and done' },
			keyboard: { Arrows: 'scroll' }
		},
		runs: { element: 'ol' },
		run: { element: 'li', attributes: { 'data-state': LINES } },
		entries: { element: 'ol' },
		entry: {
			element: 'li',
			attributes: {
				'data-kind': ['agent', 'person', 'outside', 'rule', 'act', 'question'],
				'data-state': 'of a question: whether it was answered'
			}
		},
		message: {
			element: 'article',
			attributes: { 'data-kind': ['agent', 'person', 'outside', 'rule'], 'data-agent': 'id of the agent' },
			aria: { 'aria-label': 'author and time' }
		},
		author: { element: 'p' },
		who: { element: 'b' },
		time: { element: 'time' },
		words: { element: 'div' },
		ask: { element: 'p' },
		word: { element: 'span' },
		need: { element: 'div', attributes: { 'data-state': ['waiting', 'offer'] } },
		reason: { element: 'p' },
		outcome: { element: 'div', attributes: { 'data-state': [...LINES, 'queued'] } },
		below: { element: 'button' },

		facts: { element: 'div' },
		fact: { element: 'details', attributes: { 'data-fact': ['level', 'budget'] } },
		value: { element: 'span' },
		levels: { element: 'fieldset' },
		level: {
			element: 'label',
			attributes: { 'data-fact': ['above'] },
			keyboard: { Arrows: 'move between the levels' }
		},
		means: { element: 'small' },
		meters: { element: 'div' },
		meter: {
			element: 'div',
			role: 'meter',
			attributes: { 'data-state': ['acting', 'waiting'] },
			aria: { 'aria-valuetext': 'how much of how much; said when it is nearly spent' }
		},

		composer: { element: 'div' },
		label: { element: 'label', unstyled: 'the base look paints every label of a surface' },
		ways: { element: 'fieldset' },
		way: { element: 'label', keyboard: { Arrows: 'move between now and after this run' } },
		files: { element: 'ul' },
		file: { element: 'li' },
		size: { element: 'span' },
		input: {
			element: 'textarea',
			aria: { 'aria-describedby': 'the keys, and what came of the last press' },
			keyboard: {
				Enter: 'sends, except while an input method is at work',
				'Shift+Enter': 'starts a new line'
			}
		},
		actions: { element: 'div' },
		action: {
			element: 'button',
			attributes: {
				'data-action': [
					'send',
					'stop',
					'attach',
					'suggest',
					'list',
					'new',
					'open',
					'below',
					'own',
					'remove',
					'undo',
					'redo',
					'again',
					'withdraw',
					'pause',
					'resume',
					'renew',
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
		keys: { element: 'small' },
		note: { element: 'p', role: 'status' }
	},
	consumers: {
		'data-surface': ['eidos', 'component'],
		'data-state': ['eidos', 'component'],
		'data-agent': ['eidos', 'component'],
		'data-kind': ['eidos', 'component'],
		'data-fact': ['eidos', 'component'],
		'data-action': ['component', 'eidos']
	}
});
