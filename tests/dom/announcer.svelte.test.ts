import { cleanup, render } from '@testing-library/svelte';
import { flushSync } from 'svelte';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { RunState } from '../../src/lib/agent/protocol/run-state.js';
import {
	Announcer,
	setVerbosity,
	type Phrase,
	type Verbosity
} from '../../src/lib/canon/surfaces/announcer/index.js';
import { four, run, setField } from '../fixtures/runs.js';
import { late } from '../../src/lib/canon/surfaces/late/late.svelte.js';
import { StandIn } from '../fixtures/stand-in.svelte.js';

beforeAll(() => late.load());

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
	cleanup();
	vi.useRealTimers();
	delete (document as { ariaNotify?: unknown }).ariaNotify;
	setVerbosity('states');
	localStorage.clear();
});

function announce(agent: StandIn, verbosity: Verbosity | undefined = 'all') {
	const said: Phrase[] = [];
	const { container } = render(Announcer, {
		agent: agent.active,
		verbosity,
		onannounce: (phrase: Phrase) => said.push(phrase)
	});
	flushSync();
	const texts = () => said.map(({ text }) => text);
	const region = (part: 'polite' | 'assertive') =>
		container.querySelector(`[data-part='${part}']`)?.textContent;
	return { said, texts, region };
}

const show = (agent: StandIn, ...runs: RunState[]) => {
	agent.show(...runs);
	flushSync();
};

const STEPS = Array.from({ length: 200 }, (_, n) => setField(`s${n}`, `f${n}`, `Field ${n}`, 0, n));
const thinking = run([], [], { state: 'offered', activity: 'thinking' });
const planned = run(STEPS, [], { state: 'planned', activity: 'thinking' });
const acting = (done: number): RunState =>
	run(
		STEPS.map((step, index) => ({
			...step,
			status:
				index < done
					? ('confirmed' as const)
					: index === done
						? ('dispatched' as const)
						: ('granted' as const)
		})),
		[],
		{ state: 'acting', activity: 'acting' }
	);
const returned = run(
	STEPS.map((step) => ({ ...step, status: 'confirmed' as const })),
	[],
	{
		state: 'returned',
		activity: 'idle',
		outcome: { kind: 'completed', effects: [], spent: thinking.budget.spent }
	}
);

describe('the voice of a document', () => {
	it('S2-107 a start is one polite phrase with the name of the agent, at once', () => {
		const agent = new StandIn();
		const { texts, region } = announce(agent);
		show(agent, thinking);
		expect(texts()).toEqual(['Ada: started on “Read the letter and fill in the invoice”.']);
		expect(region('polite')).toBe(texts()[0]);
		expect(region('assertive')).toBe('');
	});

	it('S2-107 200 acts in 2 seconds are at most 2 phrases, and the last one is true', () => {
		const agent = new StandIn();
		const { texts } = announce(agent);
		show(agent, thinking);
		show(agent, planned);
		for (let done = 0; done < 200; done++) {
			show(agent, acting(done));
			vi.advanceTimersByTime(10);
		}
		show(agent, returned);
		vi.advanceTimersByTime(30_000);
		expect(texts().length).toBeLessThanOrEqual(2);
		expect(texts().at(-1)).toBe('Ada: returned control to you. 200 done. Undo is available.');
	});

	it('S2-107 progress is told at its latest and not more often than every 3 seconds', () => {
		const agent = new StandIn();
		const { said } = announce(agent);
		show(agent, thinking);
		for (let done = 0; done < 100; done++) {
			show(agent, acting(done));
			vi.advanceTimersByTime(100);
		}
		const progress = said.filter((phrase) => phrase.class === 'progress').map(({ text }) => text);
		expect(progress.length).toBeGreaterThan(1);
		expect(progress.length).toBeLessThanOrEqual(3);
		expect(progress[0]).toBe('Ada: 30 of 200 in invoice.');
	});

	it('S2-107 what needs the person interrupts, one at a time', () => {
		const agent = new StandIn();
		const { texts, region } = announce(agent);
		show(agent, {
			...acting(1),
			state: 'escalated',
			activity: 'waiting',
			escalations: [
				{ code: 'budget.acts', text: '' },
				{ code: 'drift', text: '' }
			]
		});
		const urgent = () => texts().filter((text) => text.includes('waiting'));
		expect(urgent()).toHaveLength(1);
		expect(region('assertive')).toBe(urgent()[0]);
		vi.advanceTimersByTime(1_000);
		flushSync();
		expect(urgent()).toHaveLength(2);
		expect(region('assertive')).toBe(urgent()[1]);
	});

	it('says nothing of what no longer needs the person when its turn comes', () => {
		const agent = new StandIn();
		const { texts } = announce(agent);
		const waits = (...codes: string[]): RunState => ({
			...acting(1),
			state: 'escalated',
			activity: 'waiting',
			escalations: codes.map((code) => ({ code, text: '' }))
		});
		show(agent, waits('budget.acts', 'drift'));
		show(agent, waits('budget.acts'));
		vi.advanceTimersByTime(30_000);
		expect(texts().filter((text) => text.includes('keeps changing'))).toEqual([]);
	});

	it.each<[Verbosity, readonly string[]]>([
		['off', []],
		['states', ['state', 'needs-you']],
		['all', ['state', 'needs-you', 'progress']]
	])('%s says no more than was asked for', (verbosity, classes) => {
		const agent = new StandIn();
		const { said } = announce(agent, verbosity);
		show(agent, thinking);
		show(agent, acting(1));
		vi.advanceTimersByTime(5_000);
		show(agent, four());
		vi.advanceTimersByTime(5_000);
		expect([...new Set(said.map((phrase) => phrase.class))].sort()).toEqual([...classes].sort());
	});

	it('uses ariaNotify where it is there, and the regions never at the same time', () => {
		const ariaNotify = vi.fn();
		Object.assign(document, { ariaNotify });
		const agent = new StandIn();
		const { texts, region } = announce(agent);
		show(agent, thinking);
		show(agent, four());
		vi.advanceTimersByTime(5_000);
		expect(ariaNotify.mock.calls).toEqual([
			[texts()[0], { priority: 'normal' }],
			[texts()[1], { priority: 'normal' }],
			[texts()[2], { priority: 'high' }]
		]);
		// What was planned is told before the review it led to.
		expect(texts()[1]).toContain('planned 4 steps');
		expect([region('polite'), region('assertive')]).toEqual(['', '']);
	});

	it('falls back to the regions where ariaNotify is refused', () => {
		Object.assign(document, {
			ariaNotify: () => {
				throw new DOMException('Not allowed', 'NotAllowedError');
			}
		});
		const agent = new StandIn();
		const { texts, region } = announce(agent);
		show(agent, thinking);
		expect(region('polite')).toBe(texts()[0]);
	});

	it('S2-80 is heard inside an open modal dialog, and outside of it again once it is closed', () => {
		const agent = new StandIn();
		const { region } = announce(agent);
		const dialog = document.body.appendChild(document.createElement('dialog'));
		dialog.setAttribute('open', '');
		render(Announcer, { target: dialog, props: { agent: agent.active, verbosity: 'all' } });
		flushSync();
		show(agent, thinking);
		const inside = (part: string) => dialog.querySelector(`[data-part='${part}']`)?.textContent;
		expect(inside('polite')).toContain('Ada: started on');
		expect(region('polite')).toBe('');
		dialog.removeAttribute('open');
		show(agent, four());
		vi.advanceTimersByTime(5_000);
		flushSync();
		expect(region('assertive')).toContain('Ada needs your review');
		expect(inside('assertive')).toBe('');
		dialog.remove();
	});

	it('is one per document: two announcers of one agent say it once, in one place', () => {
		const agent = new StandIn();
		const first = announce(agent);
		const second = announce(agent);
		show(agent, thinking);
		expect([...first.texts(), ...second.texts()]).toHaveLength(1);
		const spoken = [...document.querySelectorAll("[data-part='polite']")].map((region) => region.textContent);
		expect(spoken.filter((text) => text !== '')).toHaveLength(1);
	});

	it('never changes the focus or the selection', () => {
		const field = document.body.appendChild(document.createElement('input'));
		field.value = 'what I write';
		field.focus();
		field.setSelectionRange(2, 5);
		const agent = new StandIn();
		announce(agent);
		for (const state of [thinking, planned, four(), acting(3), returned]) {
			show(agent, state);
			vi.advanceTimersByTime(4_000);
		}
		expect(document.activeElement).toBe(field);
		expect([field.selectionStart, field.selectionEnd]).toEqual([2, 5]);
		field.remove();
	});
});

describe('two announcers of one agent', () => {
	it('S2-107 say it once, and the second goes on when the first is gone, without a repetition', () => {
		const agent = new StandIn();
		const heard: string[] = [];
		const mounted = ['first', 'second'].map((name) =>
			render(Announcer, {
				agent: agent.active,
				onannounce: ({ text }: Phrase) => heard.push(`${name} ${text}`)
			})
		);
		flushSync();
		show(agent, thinking);
		expect(heard).toEqual(['first Ada: started on “Read the letter and fill in the invoice”.']);
		mounted[0]!.unmount();
		flushSync();
		show(agent, four());
		vi.advanceTimersByTime(5_000);
		const since = heard.slice(1);
		expect(since.some((text) => text.startsWith('second Ada needs your review'))).toBe(true);
		expect(since.filter((text) => !text.startsWith('second ') || text.includes('started on'))).toEqual([]);
	});
});

describe('how much is said', () => {
	function heardAt(verbosity?: Verbosity): string[] {
		const agent = new StandIn();
		const heard: string[] = [];
		const { unmount } = render(Announcer, {
			agent: agent.active,
			verbosity,
			onannounce: (phrase: Phrase) => heard.push(phrase.class)
		});
		flushSync();
		show(agent, acting(3));
		vi.advanceTimersByTime(10_000);
		unmount();
		return [...new Set(heard)].sort();
	}

	it('S2-107 is remembered in the browser, unless a prop says otherwise', () => {
		expect(heardAt()).toEqual(['state']);
		setVerbosity('all');
		expect(localStorage.getItem('ax-announcer')).toBe('all');
		expect(heardAt()).toEqual(['progress', 'state']);
		expect(heardAt('off')).toEqual([]);
		setVerbosity('off');
		expect(heardAt()).toEqual([]);
	});

	it('works where storage is switched off', () => {
		const set = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
			throw new Error('denied');
		});
		setVerbosity('all');
		expect(heardAt()).toEqual(['progress', 'state']);
		set.mockRestore();
	});
});

describe('a goal', () => {
	it('is shortened for ears, between words', () => {
		const agent = new StandIn();
		const { texts } = announce(agent);
		show(agent, { ...thinking, goal: 'Compare every order with its invoice and '.repeat(8) });
		expect(texts()[0]).toMatch(/^Ada: started on “Compare .{60,120} [a-z]+…”\.$/);
	});
});
