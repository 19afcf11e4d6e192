import { render, screen } from '@testing-library/svelte';
import { flushSync } from 'svelte';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { type ActiveAgent, defineActiveAgent } from '../../src/lib/agent/active/index.js';
import { scripted } from '../../src/lib/agent/adapters/scripted.js';
import type { Level } from '../../src/lib/agent/protocol/words.js';
import type { Phrase } from '../../src/lib/canon/surfaces/announcer/index.js';
import { type Emission, PERSON } from '../../src/lib/uix/index.js';
import { Counter } from '../fixtures/counter.js';
import { late } from '../../src/lib/canon/surfaces/late/late.svelte.js';
import WholePage from './fixtures/WholePage.svelte';

beforeAll(() => late.load());

function page(level: Level, more: object = {}) {
	const agent = defineActiveAgent({
		identity: { id: 'ada', name: 'Ada', description: 'Counts' },
		transport: scripted([
			{
				say: 'I add.',
				calls: [
					{ instance: 'provider', act: 'add', args: { by: 1 } },
					{ instance: 'closure', act: 'add', args: { by: 1 } }
				]
			},
			{ say: 'Added twice.' }
		]),
		policy: { ceiling: level },
		consent: { allow: ['counter', 'exposed:closure'] }
	});
	const heard: Emission[] = [];
	const said: Phrase[] = [];
	const counter = new Counter();
	const view = render(WholePage, {
		agent,
		counter,
		onemit: (emission: Emission) => heard.push(emission),
		onannounce: (phrase: Phrase) => said.push(phrase),
		...more
	});
	flushSync();
	const words = () =>
		heard.map(({ component, family, verb, intent }) =>
			[`${component}:`, `${family}.${verb}`, intent].filter(Boolean).join(' ')
		);
	return { ...view, agent, counter, heard, said, words };
}
function approve(agent: ActiveAgent): void {
	const [waiting] = agent.pending;
	if (waiting?.kind !== 'review') throw new Error('a review should wait');
	const report = agent
		.get(waiting.review.run)
		?.decide({ review: waiting.review.id, verdict: 'approve' }, PERSON);
	expect(report).toEqual({ ok: true });
}
const seen = (check: () => void) =>
	vi.waitFor(() => {
		flushSync();
		check();
	});

describe('a whole run on a page, with the real engine', () => {
	it('S2-07 emits the canonical sequence of a reviewed run, in that order', async () => {
		const { agent, counter, words } = page('review');
		const run = agent.run('Add twice', { by: PERSON });
		await seen(() => expect(agent.pending).toHaveLength(1));
		approve(agent);
		expect((await run.returned).kind).toBe('completed');
		expect(counter.count).toBe(1);
		expect(screen.getByRole('button', { name: 'Count 2' })).toBeTruthy();
		const told = words().filter((word) => !word.startsWith('announcer'));
		// Every grant is told when it is given; the second act repeats act, processing and apply.
		expect(told.filter((word, at) => told.indexOf(word) === at)).toEqual([
			'review-card: delegate.plan',
			'review-card: signal.warn risk',
			'review-card: delegate.review',
			'review-card: delegate.authorize',
			'aura: delegate.act',
			'aura: sustain.processing',
			'aura: commit.apply affirm',
			'aura: delegate.return'
		]);
		expect(told.filter((word) => word === 'aura: delegate.act')).toHaveLength(2);
		expect(told.filter((word) => word === 'aura: commit.apply affirm')).toHaveLength(2);
		expect(told.at(-1)).toBe('aura: delegate.return');
	});

	it('S2-107 says to ears that it needs the person and that control is back', async () => {
		const { agent, said } = page('review');
		const run = agent.run('Add twice', { by: PERSON });
		await seen(() =>
			expect(said.map(({ text }) => text)).toContain('Ada needs your review: 2 steps. Press F8 to go there.')
		);
		approve(agent);
		await run.returned;
		await vi.waitFor(
			() => expect(said.at(-1)?.text).toBe('Ada: returned control to you. 2 done. Undo is available.'),
			{ timeout: 5_000 }
		);
		expect(new Set(said.map(({ key }) => key)).size).toBe(said.length);
	});

	it('S2-09 names whose turn it is all the way, and offers undo after it', async () => {
		const { agent } = page('review');
		const run = agent.run('Add twice', { by: PERSON });
		await seen(() => {
			expect(screen.getByRole('button', { name: 'Stop Ada' })).toBeTruthy();
			expect(agent.pending).toHaveLength(1);
		});
		approve(agent);
		await run.returned;
		await seen(() => expect(screen.getByRole('button', { name: 'Undo this run' })).toBeTruthy());
		expect(screen.getByText('You have control again')).toBeTruthy();
		await agent.undo(run.id, PERSON);
		await seen(() => expect(screen.getByRole('button', { name: 'Redo this run' })).toBeTruthy());
	});

	it('never moves the focus or the selection while it works', async () => {
		const { agent } = page('auto');
		const field = document.body.appendChild(document.createElement('input'));
		field.value = 'what I write';
		field.focus();
		field.setSelectionRange(2, 5);
		await agent.run('Add twice', { by: PERSON }).returned;
		await seen(() => expect(screen.getByRole('button', { name: 'Undo this run' })).toBeTruthy());
		expect(document.activeElement).toBe(field);
		expect([field.selectionStart, field.selectionEnd]).toEqual([2, 5]);
		field.remove();
	});

	it('S2-09 an offer starts only when it is accepted, and is emitted', async () => {
		const { agent, words } = page('auto');
		const run = agent.offer('Add twice');
		await seen(() => expect(screen.getByRole('button', { name: 'Let Ada begin' })).toBeTruthy());
		expect(words()[0]).toBe('aura: delegate.offer');
		expect(run.accept(PERSON).ok).toBe(true);
		expect((await run.returned).kind).toBe('completed');
	});

	it('S2-08 S2-126 under auto plans, authorizes and acts once each and in order, though states pass in one tick', async () => {
		const { agent, heard, words, unmount } = page('auto');
		const run = agent.run('Add twice', { by: PERSON });
		expect((await run.returned).kind).toBe('completed');
		await seen(() => expect(words().at(-1)).toBe('aura: delegate.return'));
		const told = words().filter((word) => /delegate/.test(word));
		expect(told.filter((word, at) => told.indexOf(word) === at)).toEqual([
			'review-card: delegate.plan',
			'aura: delegate.authorize',
			'aura: delegate.act',
			'aura: delegate.return'
		]);
		expect(told.filter((word) => word.endsWith('delegate.plan'))).toHaveLength(1);
		expect(told.filter((word) => word.endsWith('delegate.return'))).toHaveLength(1);
		// One act for each step, by its name.
		const acts = heard.filter(({ verb }) => verb === 'act').map(({ cause }) => cause?.step);
		expect(acts).toHaveLength(2);
		expect(new Set(acts).size).toBe(2);
		unmount();

		// Another page of the same agent tells nothing of it again.
		const again: Emission[] = [];
		render(WholePage, {
			agent,
			counter: new Counter(),
			onemit: (emission: Emission) => again.push(emission),
			onannounce: () => {}
		});
		await seen(() => expect(screen.getByText('You have control again')).toBeTruthy());
		expect(again).toEqual([]);
	});

	it('S2-128 says, when it is stopped in review, that nothing was done', async () => {
		const { agent, counter, said } = page('review');
		const run = agent.run('Add twice', { by: PERSON });
		await seen(() => expect(agent.pending).toHaveLength(1));
		await run.stop(undefined, PERSON);
		await vi.waitFor(() => expect(said.at(-1)?.text).toMatch(/^Ada was cancelled before it did anything/), {
			timeout: 5_000
		});
		expect(counter.count).toBe(0);
	});

	it('S2-07 emits nothing of what happened before the page was there', async () => {
		const first = page('auto');
		const run = first.agent.run('Add twice', { by: PERSON });
		await run.returned;
		first.unmount();
		const second = page('auto', { agent: first.agent });
		await seen(() => expect(screen.getByRole('button', { name: 'Undo this run' })).toBeTruthy());
		expect(second.words()).toEqual([]);
		expect(second.said).toEqual([]);
	});
});
