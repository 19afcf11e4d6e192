import { describe, expect, it } from 'vitest';
import {
	createRegistry,
	EngineAgent,
	verify,
	type AgentTransport,
	type TurnRequest
} from '../../src/lib/agent/index.js';
import { person } from '../../src/lib/testing/index.js';
import { Sheet, sheetManifest } from '../fixtures/sheet.js';

interface Turn {
	calls?: readonly { act: string; args: object }[];
	text?: string;
}

/** All that the app gives: one function from a request to events, calling the tools it is offered. */
function transport(turns: readonly Turn[]) {
	const requests: TurnRequest[] = [];
	const model: AgentTransport = {
		name: 'of the page',
		async *open(request) {
			const { calls = [], text } = turns[requests.push(request) - 1] ?? {};
			const wait = () => new Promise((resolve) => setTimeout(resolve));
			if (text) yield { type: 'text', delta: text };
			for (const [index, { act, args }] of calls.entries()) {
				await wait();
				const id = `${requests.length}-${index}`;
				const { name } = request.tools.find((tool) => tool.act === act)!;
				yield { type: 'call.start', id, name };
				await wait();
				const raw = JSON.stringify({ instance: 'sheet', ...args });
				yield { type: 'call.end', id, verdict: 'complete', raw };
			}
			yield { type: 'end', reason: calls.length ? 'calls' : 'stop' };
		}
	};
	return { model, requests };
}

describe('S2-36 the loop runs where the app runs', () => {
	it('S2-36 S2-81 in a page, with nothing but a transport: turns, tools, a review and the way back', async () => {
		const asked = () =>
			performance
				.getEntriesByType('resource')
				.filter((entry) =>
					/fetch|xmlhttprequest|beacon/.test((entry as PerformanceResourceTiming).initiatorType)
				).length;
		const before = asked();
		const { model, requests } = transport([
			{ calls: [{ act: 'sum', args: { a: 'amount', b: 'amount' } }] },
			{
				calls: [
					{ act: 'write', args: { key: 'amount', value: '7' } },
					{ act: 'write', args: { key: 'city', value: 'Vigo' } }
				]
			},
			{ text: 'Done.' }
		]);
		const sheet = new Sheet();
		const registry = createRegistry();
		registry.register(sheetManifest, sheet, { id: 'sheet', label: 'Sheet' });
		const engine = new EngineAgent({
			identity: { id: 'ada', name: 'Ada', description: 'keeps sheets' },
			transport: model,
			registry
		});
		engine.subscribe(() => {
			const [wait] = engine.pending;
			if (wait?.kind === 'review')
				queueMicrotask(() => run.decide({ review: wait.review.id, verdict: 'approve' }, person));
		});
		const run = engine.run('Correct the sheet', { by: person });
		expect(await run.returned).toMatchObject({ kind: 'completed', text: 'Done.' });
		expect(sheet.cells).toMatchObject({ amount: '7', city: 'Vigo' });
		expect(requests).toHaveLength(3);
		expect(requests[1]!.messages.at(-1)).toMatchObject({ role: 'result', performative: 'inform' });
		expect(verify(run.journal)).toEqual([]);
		expect(await engine.undo(run.id, person)).toMatchObject({ ok: true });
		expect(sheet.cells).toMatchObject({ amount: '1200', city: 'Bilbao' });
		// No server had a part in it.
		expect(asked()).toBe(before);
	});

	it('S2-36 an app that decides nothing still gets control back when it stops', async () => {
		const { model } = transport([{ calls: [{ act: 'write', args: { key: 'amount', value: '7' } }] }]);
		const sheet = new Sheet();
		const registry = createRegistry();
		registry.register(sheetManifest, sheet, { id: 'sheet', label: 'Sheet' });
		const engine = new EngineAgent({
			identity: { id: 'ada', name: 'Ada', description: 'keeps sheets' },
			transport: model,
			registry
		});
		const reviewed = new Promise<void>((resolve) => {
			engine.subscribe(({ kind }) => kind === 'review.opened' && resolve());
		});
		const run = engine.run('Correct the sheet', { by: person });
		await reviewed;
		await run.stop('no', person);
		expect((await run.returned).kind).toBe('interrupted');
		expect(sheet.log).toEqual([]);
	});
});
