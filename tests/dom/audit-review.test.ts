import { virtual } from '@guidepup/virtual-screen-reader';
import { render, screen, within } from '@testing-library/svelte';
import { flushSync } from 'svelte';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { actingAs } from '../../src/lib/actor/index.js';
import { ActiveAgent } from '../../src/lib/agent/active/index.js';
import type { ScriptedTurn } from '../../src/lib/agent/adapters/scripted.js';
import { defineManifest, done } from '../../src/lib/agent/capability/index.js';
import { Announcer, type Phrase } from '../../src/lib/canon/surfaces/announcer/index.js';
import { late } from '../../src/lib/canon/surfaces/late/late.svelte.js';
import { ReviewCard } from '../../src/lib/canon/surfaces/review-card/index.js';
import { PERSON } from '../../src/lib/uix/index.js';
import { bench, send, write } from '../fixtures/engine.js';
import { four, many, oneFinal, textDiff } from '../fixtures/runs.js';
import { Stub } from '../fixtures/stub-agent.svelte.js';

// The card comes late.
beforeAll(() => late.load(), 30_000);

const root = () => document.querySelector<HTMLElement>('[data-surface="review-card"]')!;
const action = (name: string) => root().querySelector<HTMLButtonElement>(`[data-action="${name}"]`)!;
const radio = (number: number, verdict: string) =>
	root().querySelector<HTMLInputElement>(`[data-number="${number}"] [data-choice="${verdict}"] input`)!;
const box = () => root().querySelector<HTMLInputElement>('[data-part="sure"] input')!;
/** As a person's hand would; a script's click decides nothing. */
const press = (element: HTMLElement) => {
	actingAs(PERSON, () => element.click());
	flushSync();
};
const type = (field: HTMLInputElement, text: string) => {
	field.value = text;
	actingAs(PERSON, () => field.dispatchEvent(new Event('input', { bubbles: true })));
	flushSync();
};
const textOf = (element: Element | null | undefined) => element?.textContent?.replace(/\s+/g, ' ').trim();
/** What an element is described by, as ears get it. */
const description = (element: Element) =>
	(element.getAttribute('aria-describedby') ?? '')
		.split(' ')
		.map((id) => textOf(id === '' ? null : document.getElementById(id)))
		.join(' ');

const post = defineManifest<string[]>()({
	kind: 'outbox',
	description: 'Mail that leaves',
	reads: {},
	acts: {
		post: {
			description: 'Sends a mail',
			args: z.strictObject({ to: z.email('Write an address, for example iker@example.org') }),
			perform(sent, { to }) {
				sent.push(to);
				return done();
			}
		}
	}
});

async function delegate(...calls: NonNullable<ScriptedTurn['calls']>) {
	const table = bench([{ calls }, { say: 'Done.' }], { consent: { allow: ['sheet', 'outbox'] } });
	const sent: string[] = [];
	table.registry.register(post, sent, { id: 'outbox', label: 'Outbox' });
	const agent = new ActiveAgent(table.engine);
	const phrases: Phrase[] = [];
	render(Announcer, { agent, onannounce: (phrase) => phrases.push(phrase) });
	render(ReviewCard, { agent });
	flushSync();
	const run = agent.run('Set the amount and send it', { by: PERSON });
	const settle = async () => {
		await table.settle();
		// Changes reach the surfaces once a frame.
		await new Promise((resolve) => setTimeout(resolve, 40));
		flushSync();
	};
	await settle();
	return { ...table, sent, run, phrases, settle };
}

describe('audit of the ReviewCard, with an accessibility tree', () => {
	it('audit 13 the card is a region named by agent and act, and its risk is its description', () => {
		render(ReviewCard, { agent: new Stub(four()).active });
		flushSync();
		const card = screen.getByRole('region', {
			name: 'Ada asks you to review 4 steps: Set Amount in Invoice and 3 more'
		});
		expect(description(card)).toBe(
			'1 step cannot be undone. Step 4: Send mail in Outbox. Text that is not trusted may have led to this.'
		);
		expect(within(card).getByRole('heading', { level: 2 }).textContent).toContain('Review 4 steps');
	});

	it('audit 14 an act that cannot be undone has no way to run but through its own box, one that can has', async () => {
		const { sheet, run, settle } = await delegate(write('amount', '1280'), send('ada@example.org'));
		press(action('approve-reversible'));
		expect(radio(1, 'approve').checked).toBe(true);
		for (const way of [radio(2, 'approve'), action('decide')]) press(way);
		expect(radio(2, 'approve').checked).toBe(false);
		expect(run.state.state).toBe('reviewing');
		press(box());
		press(radio(2, 'approve'));
		// Taken back, the approval falls with the tick.
		press(box());
		press(action('decide'));
		expect(run.state.state).toBe('reviewing');
		expect(sheet.sent).toEqual([]);
		press(box());
		press(radio(2, 'approve'));
		press(action('decide'));
		await settle();
		await run.returned;
		expect([sheet.cells.amount, sheet.sent]).toEqual(['1280', ['ada@example.org']]);
	});

	it('audit 14 what can be undone needs no box', async () => {
		const { sheet, run, settle } = await delegate(write('amount', '1280'));
		expect(box()).toBeNull();
		press(action('decide'));
		await settle();
		await run.returned;
		expect(sheet.cells.amount).toBe('1280');
	});

	it('audit 15 focus, typing and Enter in a field approve nothing, and no button sends a form', async () => {
		const { sheet, run } = await delegate(write('amount', '1280'), write('due', '2027'));
		press(radio(1, 'edit'));
		for (const element of root().querySelectorAll<HTMLElement>('button, input, [tabindex]')) element.focus();
		const field = root().querySelectorAll<HTMLInputElement>('[data-part="amend"] input')[1]!;
		type(field, '1300');
		for (const kind of ['keydown', 'keyup'] as const)
			actingAs(PERSON, () => field.dispatchEvent(new KeyboardEvent(kind, { key: 'Enter', bubbles: true })));
		flushSync();
		expect(run.state.state).toBe('reviewing');
		expect(sheet.cells.amount).toBe('1200');
		expect(root().querySelector('form, button:not([type="button"])')).toBeNull();
	});

	it('audit 18 what went and came are deletions and insertions, and named so in words', () => {
		render(ReviewCard, { agent: new Stub(textDiff()).active });
		flushSync();
		expect(screen.getAllByRole('deletion').map(textOf)).toContain('[removed] 30');
		expect(screen.getAllByRole('insertion').map(textOf)).toContain('[added] 45');
		render(ReviewCard, { agent: new Stub(four()).active });
		flushSync();
		const row = screen.getAllByRole('row').find((one) => textOf(one)?.startsWith('Amount'))!;
		expect(within(row).getByRole('deletion').textContent).toBe('1,200.00 €');
		expect(within(row).getByRole('insertion').textContent).toBe('1,280.00 €');
	});

	it('audit 19 a plan gone stale is announced, and approve is off with its reason until the person looked', async () => {
		const { sheet, phrases, settle } = await delegate(write('amount', '1280'));
		sheet.write('amount', '1250');
		press(action('decide'));
		await settle();
		await vi.waitFor(() => expect(root().dataset.state).toBe('stale'));
		await vi.waitFor(() =>
			expect(phrases.map(({ text }) => text).join('\n')).toContain(
				'Ada needs a new review: something changed, your approval is void and nothing was done'
			)
		);
		expect(phrases.filter(({ text }) => text.includes('approval is void'))).toHaveLength(1);
		expect(action('decide').getAttribute('aria-disabled')).toBe('true');
		expect(action('decide').disabled).toBe(false);
		expect(description(action('decide'))).toBe('Approve is off: this plan was made for the old value.');
		press(action('decide'));
		await settle();
		expect(sheet.cells.amount).toBe('1250');
		press(action('review-again'));
		expect(action('decide').getAttribute('aria-disabled')).toBeNull();
	});

	it('audit 19 a screen reader comes over the reason while it is off, and over none when it is not', async () => {
		const { sheet, settle } = await delegate(write('amount', '1280'));
		const heard = async () => {
			await virtual.start({ container: root() });
			for (let i = 0; i < 200 && !/^end of region/.test(await virtual.lastSpokenPhrase()); i++)
				await virtual.next();
			const log = (await virtual.spokenPhraseLog()).join('\n');
			await virtual.stop();
			return log;
		};
		expect(await heard()).not.toMatch(/Approve.*disabled/);
		sheet.write('amount', '1250');
		press(action('decide'));
		await settle();
		await vi.waitFor(() => expect(root().dataset.state).toBe('stale'));
		expect(await heard()).toMatch(
			/button, Approve.*Approve is off: this plan was made for the old value\..*disabled/
		);
	});

	it('audit 20 the time to decide is a day, can be extended, and its end approves nothing', async () => {
		const { sheet, run, clock, settle } = await delegate(write('amount', '1280'));
		const until = () => run.state.reviews[0]!.expiresAt!;
		expect(until() - clock.now()).toBe(24 * 60 * 60 * 1000);
		await clock.advance(60 * 60 * 1000);
		const before = until();
		press(action('keep-open'));
		await settle();
		expect(until() - before).toBe(60 * 60 * 1000);
		await clock.advance(24 * 60 * 60 * 1000);
		await settle();
		expect((await run.returned).reason?.code).toBe('expired');
		expect(sheet.cells.amount).toBe('1200');
		await vi.waitFor(() => expect(root().dataset.state).toBe('expired'));
		expect(textOf(root())).toContain('The time to decide ran out. Nothing was done.');
	});

	it('audit 21 a refused value is named in words with what would fit, at its field, which is invalid and described', async () => {
		const { sent, run, settle } = await delegate({
			instance: 'outbox',
			act: 'post',
			args: { to: 'ada@example.org' }
		});
		press(action('edit'));
		const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'To' });
		expect(field.getAttribute('aria-invalid')).not.toBe('true');
		type(field, 'nobody');
		press(box());
		press(action('decide'));
		await settle();
		expect(field.getAttribute('aria-invalid')).toBe('true');
		expect(description(field)).toContain('Not accepted: Write an address, for example iker@example.org');
		expect(field.value).toBe('nobody');
		expect([run.state.state, sent]).toEqual(['reviewing', []]);
	});

	it('audit 22 what stands on a button is in its name, and of one step the name says what will happen', () => {
		render(ReviewCard, { agent: new Stub(oneFinal()).active });
		flushSync();
		expect(screen.getByRole('button', { name: 'Approve: Send mail in Outbox' })).toBe(action('decide'));
		for (const button of screen.getAllByRole('button')) {
			const shown = [...button.childNodes]
				.filter((node) => !(node instanceof Element && node.matches('[data-part="unseen"], [aria-hidden]')))
				.map(({ textContent }) => textContent)
				.join('')
				.trim();
			expect(within(root()).getAllByRole('button', { name: (name) => name.startsWith(shown) })).toContain(
				button
			);
		}
	});
});

describe('S2-65 what a person said about a review outlives its card', () => {
	it('left in the middle and mounted again, the card has every verdict, value, tick and reason', () => {
		const agent = new Stub(four());
		const first = render(ReviewCard, { agent: agent.active });
		flushSync();
		press(radio(1, 'approve'));
		press(radio(2, 'edit'));
		type(root().querySelector<HTMLInputElement>('[data-part="amend"] input')!, '2027-01-15');
		press(radio(3, 'reject'));
		type(root().querySelector<HTMLInputElement>('[data-number="3"] [data-part="reason"] input')!, 'Not now.');
		press(box());
		first.unmount();
		expect(agent.decisions).toEqual([]);
		render(ReviewCard, { agent: agent.active });
		flushSync();
		expect(
			[1, 2, 3].map((n) => root().querySelector(`[data-number="${n}"]`)?.getAttribute('data-verdict'))
		).toEqual(['approve', 'edit', 'reject']);
		expect(box().checked).toBe(true);
		press(radio(4, 'approve'));
		press(action('decide'));
		expect(agent.decisions[0]?.decision).toEqual({
			review: 'review-1',
			steps: {
				s1: { verdict: 'approve' },
				s2: { verdict: 'edit', args: { values: { due: '2027-01-15' } } },
				s3: { verdict: 'reject', reason: 'Not now.' },
				s4: { verdict: 'approve' }
			}
		});
	});

	it('another agent has a desk of its own', () => {
		const one = render(ReviewCard, { agent: new Stub(four()).active });
		flushSync();
		press(radio(1, 'approve'));
		one.unmount();
		render(ReviewCard, { agent: new Stub(four()).active });
		flushSync();
		expect(root().querySelector('[data-verdict]')).toBeNull();
	});
});

describe('S2-65 more steps than anybody looks through, by keyboard', () => {
	it('the next one that waits gets the focus, its group opened, and nothing is decided by that', () => {
		const agent = new Stub(many(30));
		render(ReviewCard, { agent: agent.active });
		flushSync();
		expect(screen.queryByRole('radio')).toBeNull();
		expect(description(action('approve-group'))).toContain('only once you have opened them');
		press(action('next'));
		return vi.waitFor(() => {
			expect(document.activeElement).toBe(radio(1, 'approve'));
			expect(agent.decisions).toEqual([]);
		});
	});
});
