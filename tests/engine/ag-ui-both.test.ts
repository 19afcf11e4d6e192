import { afterEach, describe, expect, test } from 'vitest';
import { agUi } from '../../src/lib/agent/adapters/ag-ui.js';
import { agUiServer, type AgUiServerOptions } from '../../src/lib/agent/adapters/ag-ui-server.js';
import type { AgentOptions, Pending } from '../../src/lib/agent/index.js';
import { person } from '../../src/lib/testing/index.js';
import { listen } from '../fixtures/ag-ui-peer.js';
import { bench, write } from '../fixtures/engine.js';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
	for (const one of open.splice(0)) await one.close();
});

/** Every read of the page may leave without a question. */
const FREE: Partial<AgentOptions> = { consent: { allow: ['#sheet.diary'] } };

interface Stage {
	server?: Partial<AgUiServerOptions>;
	/** Of the engine behind the server. */
	behind?: Partial<AgentOptions>;
	/** Is the page's sheet mounted, of the same manifest as the server's? */
	mounted?: boolean;
}

/** Our own client in front of our own server, each with an engine, over a real socket. */
async function both(script: Parameters<typeof bench>[0], { server, behind, mounted = true }: Stage = {}) {
	// Each has its own clock.
	const there = bench(script, { patience: { reviewMs: 1e12 }, ...behind });
	const served = await listen(agUiServer({ engine: there.engine, who: () => person, ...server }));
	open.push(served);
	const here = bench(agUi({ url: served.url }), FREE);
	if (!mounted) here.dispose();
	const run = here.engine.run('Write the amount', { by: person });
	const questions = () =>
		here.engine.pending.flatMap((item: Pending) => (item.kind === 'question' ? [item.question] : []));
	/** Time passes on both sides until something is so. */
	async function until<T>(what: () => T): Promise<T> {
		for (let i = 0; i < 400 && !what(); i += 1) {
			await new Promise((next) => setTimeout(next, 2));
			await there.clock.advance(100);
			await here.clock.advance(100);
		}
		expect(what()).toBeTruthy();
		return what();
	}
	return {
		here,
		there,
		run,
		until,
		/** The question that waits, or that comes. */
		async asked() {
			await until(() => questions().length > 0);
			expect(here.engine.pending).toHaveLength(1);
			return questions()[0]!;
		},
		/** The wire rests: nothing more is sent by itself. */
		async rested() {
			for (let i = 0; i < 20; i += 1) {
				await new Promise((next) => setTimeout(next, 2));
				await there.clock.advance(100);
				await here.clock.advance(100);
			}
			return here.requests.length;
		}
	};
}

const SCRIPT = [{ say: 'I write it.', calls: [write('amount', '7')] }, { say: 'It is written.' }];

describe('S2-101 what a server of ours asks, a page of ours puts to the person', () => {
	test('S2-101 an answer that is refused comes back as a question, with the reason, and is not sent by itself', async () => {
		const it = await both(SCRIPT, { mounted: false });
		const first = await it.asked();
		expect(first.text).toContain('sheet.write\nIts values are not shown here');
		expect(first.text).not.toContain('amount');
		expect(it.run.answer(first.id, { approved: true }, person).ok).toBe(true);
		await it.until(() => it.here.requests.length === 2);
		const second = await it.asked();
		expect(second.id).not.toBe(first.id);
		expect(second.text).toContain('Its values were not shown here');
		expect(await it.rested()).toBe(2);
		expect(it.there.sheet.log).toEqual([]);
		// It can still be declined, and what is answered then is the second question.
		expect(it.run.answer(second.id, { approved: false }, person).ok).toBe(true);
		await it.until(() => it.run.state.outcome);
		expect(it.here.requests[2]!.resume).toMatchObject([{ payload: { approved: false } }]);
		expect(it.there.engine.runs[0]!.steps).toMatchObject([{ status: 'rejected' }]);
	});

	test('S2-101 a step that is shown is approved, and carried out over there', async () => {
		const it = await both(SCRIPT, { mounted: false, server: { reveal: () => true } });
		const { id, text } = await it.asked();
		expect(text).toBe(
			[
				'sheet.write {"key":"amount","value":"7"}',
				'amount: "1200" → "7"',
				'The level asks for a review.'
			].join('\n')
		);
		expect(it.run.answer(id, { approved: true }, person).ok).toBe(true);
		await it.until(() => it.run.state.outcome);
		expect(it.there.sheet.cells.amount).toBe('7');
		expect(it.run.state.outcome).toMatchObject({ kind: 'answered', text: 'It is written.', effects: [] });
		expect(it.here.requests).toHaveLength(2);
	});

	test('S2-110 what the server calls of its own is no call of the page, though both have the same manifest', async () => {
		const it = await both(SCRIPT, { server: { reveal: () => true } });
		const { id } = await it.asked();
		expect(it.run.state.reviews).toEqual([]);
		expect(it.run.answer(id, { approved: true }, person).ok).toBe(true);
		await it.until(() => it.run.state.outcome);
		expect(it.run.state.outcome).toMatchObject({ kind: 'answered', text: 'It is written.' });
		expect(it.run.state.steps).toEqual([]);
		expect(it.here.sheet.log).toEqual([]);
		expect(it.there.sheet.cells.amount).toBe('7');
	});

	test('S2-110 nor is one that nobody is asked about and that waits behind another', async () => {
		const rules = [{ verdict: 'ask', act: 'write', args: { key: 'due' }, reason: 'A date.' }] as const;
		const calls = [write('due', 'now'), write('amount', '7')];
		const it = await both([{ calls }, { say: 'Both.' }], {
			server: { reveal: () => true },
			behind: { policy: { ceiling: 'auto', rules } }
		});
		const { id } = await it.asked();
		expect(it.there.engine.runs[0]!.reviews).toMatchObject([{ steps: [expect.anything()] }]);
		expect(it.there.sheet.cells.amount).toBe('1200');
		expect(it.run.answer(id, { approved: true }, person).ok).toBe(true);
		await it.until(() => it.run.state.outcome);
		expect(it.run.state.outcome).toMatchObject({ kind: 'answered', text: 'Both.' });
		expect(it.run.state.steps).toEqual([]);
		expect(it.here.sheet.log).toEqual([]);
		expect(it.there.sheet.cells).toMatchObject({ amount: '7', due: 'now' });
	});
});
