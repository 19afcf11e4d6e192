import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-svelte';
import { z } from 'zod';
import '../../src/lib/styles.css';
import { ActiveAgent } from '../../src/lib/agent/active/index.js';
import type { ScriptedTurn } from '../../src/lib/agent/adapters/scripted.js';
import { defineManifest, done } from '../../src/lib/agent/capability/index.js';
import { late } from '../../src/lib/canon/surfaces/late/late.svelte.js';
import { ReviewCard } from '../../src/lib/canon/surfaces/review-card/index.js';
import { bench, send, write } from '../fixtures/engine.js';

// The card comes late.
beforeAll(() => late.load(), 30_000);

const root = () => document.querySelector<HTMLElement>('[data-surface="review-card"]');
const state = () => root()?.dataset.state;
const action = (name: string) => root()!.querySelector<HTMLElement>(`[data-action="${name}"]`)!;
const choice = (number: number, verdict: string) =>
	root()!
		.querySelectorAll('[data-part="step"]')
		[number - 1]!.querySelector<HTMLInputElement>(`[data-choice="${verdict}"] input`)!;

const sent: string[] = [];
const outbox = defineManifest<string[]>()({
	kind: 'outbox',
	description: 'Mail that leaves',
	reads: {},
	acts: {
		send: {
			description: 'Sends a mail',
			args: z.strictObject({ to: z.email('Write an address, for example iker@example.org') }),
			perform(box, { to }) {
				box.push(to);
				return done();
			}
		}
	}
});

async function delegate(script: readonly ScriptedTurn[]) {
	const table = bench(script);
	table.registry.register(outbox, sent, { id: 'outbox', label: 'Outbox' });
	sent.length = 0;
	const agent = new ActiveAgent(table.engine);
	const heard: string[] = [];
	await render(ReviewCard, {
		agent,
		onemit: ({ family, verb, intent }) => heard.push(`${family}.${verb}${intent ? `+${intent}` : ''}`)
	});
	const run = agent.run('Set the amount and send it', { by: { kind: 'human', id: 'person' } });
	await table.settle();
	await expect.poll(state).toBe('open');
	return { ...table, agent, run, heard };
}

beforeEach(() => page.viewport(1000, 800));

describe('S2-07 a reviewed run, decided on the card', () => {
	it('does what was approved, by the person, and tells plan, risk, review, authorize in this order', async () => {
		const { sheet, run, heard, settle } = await delegate([
			{ calls: [write('amount', '1280'), send('ada@example.org')] },
			{ say: 'Done.' }
		]);
		expect(sheet.cells.amount).toBe('1200');
		expect(heard).toEqual(['delegate.plan', 'signal.warn+risk', 'delegate.review']);
		await userEvent.click(action('approve-reversible'));
		expect(choice(2, 'approve').disabled).toBe(true);
		await userEvent.click(root()!.querySelector('[data-part="sure"]')!);
		await userEvent.click(choice(2, 'approve'));
		await userEvent.click(action('decide'));
		await settle();
		const outcome = await run.returned;
		expect(outcome.kind).toBe('completed');
		expect(sheet.cells.amount).toBe('1280');
		expect(sheet.sent).toEqual(['ada@example.org']);
		expect(outcome.effects.map(({ decidedBy, how }) => [decidedBy.kind, how])).toEqual([
			['human', 'person'],
			['human', 'person']
		]);
		expect(heard.slice(3).every((event) => event === 'delegate.authorize')).toBe(true);
		expect(heard.length).toBeGreaterThan(3);
		await expect.poll(state).toBe('settled');
		expect(root()!.textContent).toContain('You approved 2 of 2 steps');
	});

	it('S2-122 a correction and a rejection: the value of the person runs, the rest does not, and the model hears why', async () => {
		const { sheet, run, requests, settle } = await delegate([
			{ calls: [write('amount', '1280'), send('ada@example.org')] },
			{ say: 'Understood.' }
		]);
		await userEvent.click(choice(1, 'edit'));
		const fields = root()!.querySelectorAll<HTMLInputElement>('[data-part="amend"] input');
		await userEvent.fill(fields[1]!, '1300');
		await userEvent.click(choice(2, 'reject'));
		await userEvent.fill(root()!.querySelector('[data-part="reason"] input')!, 'Not to her.');
		await userEvent.click(action('decide'));
		await settle();
		await run.returned;
		expect(sheet.cells.amount).toBe('1300');
		expect(sheet.sent).toEqual([]);
		expect(JSON.stringify(requests[1]!.messages)).toContain('Not to her.');
		await expect.poll(state).toBe('settled');
		expect(root()!.textContent).toContain('(your value)');
	});

	it('S2-121 an edit that the schema refuses comes back to its field, nothing is decided', async () => {
		const { run, settle } = await delegate([
			{ calls: [{ instance: 'outbox', act: 'send', args: { to: 'ada@example.org' } }] },
			{ say: 'Done.' }
		]);
		await userEvent.click(action('edit'));
		const field = root()!.querySelector<HTMLInputElement>('[data-part="amend"] input')!;
		await userEvent.fill(field, 'nobody');
		await userEvent.click(root()!.querySelector('[data-part="sure"]')!);
		await userEvent.click(action('decide'));
		await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true');
		expect(field.value).toBe('nobody');
		expect(root()!.textContent).toContain('Not accepted: Write an address, for example iker@example.org');
		expect(run.state.state).toBe('reviewing');
		await userEvent.fill(field, 'iker@example.org');
		await userEvent.click(root()!.querySelector('[data-part="sure"]')!);
		await userEvent.click(action('decide'));
		await settle();
		await run.returned;
		expect(sent).toEqual(['iker@example.org']);
	});
});

describe('S2-87 what was reviewed changes before it is approved', () => {
	it('S2-88 nothing runs, the card shows what changed and asks again', async () => {
		const { sheet, run, settle } = await delegate([{ calls: [write('amount', '1280')] }, { say: 'Done.' }]);
		sheet.write('amount', '1250');
		await userEvent.click(action('decide'));
		await settle();
		await expect.poll(state).toBe('stale');
		expect(sheet.cells.amount).toBe('1250');
		const cells = [
			...root()!.querySelectorAll('[data-part="changes"] :is([data-part="now"], [data-part="after"])')
		];
		expect(cells.map(({ textContent }) => textContent.trim())).toEqual(['1200', '1250']);
		await userEvent.click(action('review-again'));
		await expect.poll(state).toBe('open');
		await userEvent.click(action('decide'));
		await settle();
		await run.returned;
		expect(sheet.cells.amount).toBe('1280');
	});
});
