import { afterEach, expect, test } from 'vitest';
import { agUi } from '../../src/lib/agent/adapters/ag-ui.js';
import { agUiServer, type AgUiServerOptions } from '../../src/lib/agent/adapters/ag-ui-server.js';
import type { AgentOptions } from '../../src/lib/agent/index.js';
import { person } from '../../src/lib/testing/index.js';
import { listen } from '../fixtures/ag-ui-peer.js';
import { bench, write } from '../fixtures/engine.js';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
	for (const one of open.splice(0)) await one.close();
});

async function both(script: Parameters<typeof bench>[0], more: Partial<AgUiServerOptions> = {}, options: Partial<AgentOptions> = {}, local: Partial<AgentOptions> = {}) {
	const there = bench(script, { patience: { reviewMs: 1e12 }, ...options });
	const served = await listen(agUiServer({ engine: there.engine, who: () => person, ...more }));
	open.push(served);
	const here = bench(agUi({ url: served.url }), local);
	async function until(what: () => unknown) {
		for (let i = 0; i < 400 && !what(); i += 1) {
			await new Promise((next) => setTimeout(next, 2));
			await there.clock.advance(100);
			await here.clock.advance(100);
		}
		return what();
	}
	return { here, there, until };
}

test('withheld', async () => {
	const it = await both([{ say: 'I write.', calls: [write('amount', '7')] }, { say: 'Done.' }]);
	const run = it.here.engine.run('Write', { by: person });
	await it.until(() => it.here.engine.pending.length);
	console.log(JSON.stringify(it.here.engine.pending, null, 1), run.state.state, run.state.steps);
	const [q] = it.here.engine.pending as any;
	for (const p of it.here.engine.pending as any) if (p.review) console.log(run.decide({ review: p.review.id, verdict: 'approve' }, person));
	for (const p of it.here.engine.pending as any) if (p.question) console.log(run.answer(p.question.id, { approved: true }, person));
	await it.until(() => run.state.outcome || it.here.engine.pending.length);
	console.log(run.state.state, run.state.outcome, it.here.requests.length, JSON.stringify(it.here.engine.pending), it.here.sheet.cells, it.there.sheet.cells);
});
test('revealed', async () => {
	const it = await both([{ say: 'I write.', calls: [write('amount', '7')] }, { say: 'Done.' }], { reveal: () => true }, {}, {registry: undefined});
	it.here.dispose();
	const run = it.here.engine.run('Write', { by: person });
	await it.until(() => it.here.engine.pending.length);
	console.log(JSON.stringify(it.here.engine.pending, null, 1));
	const [q] = it.here.engine.pending as any;
	console.log(run.answer(q.question.id, { approved: true }, person));
	await it.until(() => run.state.outcome);
	console.log(run.state.state, run.state.outcome, it.here.requests.length, it.there.sheet.cells);
});
