import { render, screen } from '@testing-library/svelte';
import { userEvent } from '@testing-library/user-event';
import { flushSync } from 'svelte';
import { describe, expect, it, vi } from 'vitest';
import type { Question } from '../../src/lib/agent/protocol/run-state.js';
import { Aura } from '../../src/lib/canon/surfaces/aura/index.js';
import { ActiveAgent } from '../../src/lib/agent/active/index.js';
import { PERSON, type Emission } from '../../src/lib/uix/index.js';
import { bench, send, write } from '../fixtures/engine.js';
import { Late, late } from '../../src/lib/canon/surfaces/late/late.svelte.js';
import { ReviewCard } from '../../src/lib/canon/surfaces/review-card/index.js';
import { four, run } from '../fixtures/runs.js';
import { StandIn } from '../fixtures/stand-in.svelte.js';

const ALL = '../../src/lib/canon/surfaces/late/parts.js';

const asked: Question = {
	id: 'q1',
	run: 'run-1',
	from: { kind: 'agent', id: 'ada', name: 'Ada' },
	text: 'Which account?',
	reason: 'question',
	status: 'open'
};
const asking = run(four().steps, [], {
	state: 'escalated',
	activity: 'waiting',
	escalations: [{ code: 'question', text: 'Asked.' }],
	questions: [asked]
});

/** The bodies themselves. */
const real = () => vi.importActual<typeof import('../../src/lib/canon/surfaces/late/parts.js')>(ALL);
const offline = () =>
	vi.doMock(ALL, () => {
		throw new Error('offline');
	});

describe('the bodies come with the first run', { timeout: 20_000 }, () => {
	it('are not there before it', async () => {
		render(Aura, { agent: new StandIn().active });
		flushSync();
		await new Promise((resolve) => setTimeout(resolve));
		expect(late.now).toBeUndefined();
		expect(late.failed).toBe(false);
	});

	it('S2-73 while the rest of the turn line is missing it says who waits, stops, and is asked for again', async () => {
		offline();
		const agent = new StandIn(asking);
		agent.pending = [{ kind: 'question', question: asked }];
		const { container } = render(Aura, { agent: agent.active });
		flushSync();
		const line = container.querySelector('[data-surface="turn-line"]')!;
		expect(line.getAttribute('data-state')).toBe('waiting');
		expect(line.textContent).toContain('Ada');
		const again = await screen.findByRole('button', { name: 'Try again' });
		expect(line.textContent).toContain('could not be loaded, and nothing is decided');
		await userEvent.click(again);
		expect(await screen.findByRole('button', { name: 'Try again' })).toBe(again);
		await userEvent.click(screen.getByRole('button', { name: 'Stop Ada' }));
		expect(agent.called.map(({ verb }) => verb)).toEqual(['stop']);
		expect(document.querySelector('form')).toBeNull();
	});

	it('S2-121 where a card did not come, who waits is said, nothing is decided, and a person can try again or stop', async () => {
		offline();
		const agent = new StandIn(four());
		render(ReviewCard, { agent: agent.active });
		flushSync();
		const words = screen.getByRole('article');
		expect(words.textContent?.trim().replace(/\s+/g, ' ')).toMatch(
			/^Ada is waiting for your review of 4 changes in invoice, order and outbox\. .*Stop Ada$/
		);
		const again = await screen.findByRole('button', { name: 'Try again' });
		expect(words.textContent).toContain('could not be loaded, and nothing is decided');
		await userEvent.click(screen.getByRole('button', { name: 'Stop Ada' }));
		expect(agent.called.map(({ verb }) => verb)).toEqual(['stop']);
		again.focus();
		await userEvent.click(again);
		expect(document.activeElement).toBe(again);
		late.now = await real();
		const title = await screen.findByRole('heading', {
			level: 2,
			name: 'Review 4 steps before anything happens'
		});
		expect(screen.queryByRole('article')).toBeNull();
		// Whoever had the focus in the words has it in the card, and on nothing that decides.
		await vi.waitFor(() => expect(document.activeElement).toBe(title));
		late.now = undefined;
	});

	it('S2-07 plan, warn+risk, review and authorize are told once and in order although the card never came', async () => {
		vi.doMock(ALL, () => {
			throw new Error('offline');
		});
		const table = bench([{ calls: [write('amount', '1280'), send('ada@example.org')] }, { say: 'Done.' }]);
		const agent = new ActiveAgent(table.engine);
		const heard: string[] = [];
		const onemit = ({ family, verb, intent }: Emission) =>
			heard.push([`${family}.${verb}`, intent].filter(Boolean).join('+'));
		const first = render(ReviewCard, { agent, onemit });
		flushSync();
		const run = agent.run('Set the amount and send it', { by: PERSON });
		await table.settle();
		expect(heard).toEqual(['delegate.plan', 'signal.warn+risk', 'delegate.review']);
		// Whoever leaves and comes back hears nothing twice.
		first.unmount();
		render(ReviewCard, { agent, onemit });
		flushSync();
		await table.settle();
		expect(heard).toHaveLength(3);
		run.decide({ review: run.state.reviews[0]!.id, verdict: 'approve' }, PERSON);
		await table.settle();
		await run.returned;
		expect(heard.slice(3)).toEqual(['delegate.authorize']);
		expect(table.sheet.sent).toEqual(['ada@example.org']);
	});

	it('are asked for once while they come, and anew after they did not', async () => {
		vi.doUnmock(ALL);
		let tries = 0;
		const mine = new Late(() => {
			tries++;
			return tries === 1 ? Promise.reject(new Error('offline')) : real();
		});
		await Promise.all([mine.load(), mine.load()]);
		expect([tries, mine.failed, mine.now]).toEqual([1, true, undefined]);
		await mine.load();
		await mine.load();
		expect([tries, mine.failed]).toEqual([2, false]);
		expect(mine.now).toHaveProperty('QuestionForm');
	});
});
