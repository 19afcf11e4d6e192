import { expect, test } from 'vitest';
import { z } from 'zod';
import { currentCause } from '../../src/lib/actor/index.js';
import { defineManifest, done } from '../../src/lib/agent/capability/index.js';
import type { EngineAgent, Run } from '../../src/lib/agent/index.js';
import { person } from '../../src/lib/testing/index.js';
import { bench, write } from '../fixtures/engine.js';

/** A participant whose act makes the engine act again, in a loop that no orchestrator sees. */
class Echo {
	count = 0;
	readonly begun: Run[] = [];
	constructor(readonly again: () => EngineAgent) {}
	ring(): void {
		this.count += 1;
		this.begun.push(this.again().call(currentCause(), 'echo', 'ring', {}));
	}
}

const echoManifest = defineManifest<Echo>()({
	kind: 'echo',
	description: 'Rings again when it is rung',
	reads: {},
	acts: {
		ring: {
			description: 'Ring',
			args: z.strictObject({}),
			effect: 'reversible',
			locks: (echo) => [`ring-${echo.count}`],
			perform: (echo) => (echo.ring(), done())
		}
	},
	undo: () => ({ undone: 0, kept: [] })
});

test('S2-42 a loop through direct provider calls draws on one budget and stops, with control at the person', async () => {
	const { engine, registry, settle } = bench(
		[{ calls: [{ instance: 'echo', act: 'ring', args: {} }] }, { say: 'Rung.' }],
		{ policy: { ceiling: 'auto' }, budget: { acts: 5 } }
	);
	const echo: Echo = new Echo(() => engine);
	registry.register(echoManifest, echo, { id: 'echo', label: 'Echo' });
	const run = engine.run('Ring', { by: person });
	for (let i = 0; i < 20; i++) await settle();
	expect(echo.count).toBe(5);
	expect(echo.begun.every(({ state }) => state.root === run.id)).toBe(true);
	expect(engine.pending).toContainEqual({ kind: 'budget', run: echo.begun.at(-1)!.id });
});

test('S2-113 what was taken back before it ran costs no act', async () => {
	const { engine, sheet, settle } = bench([{ calls: [write('amount', '1')] }, { say: 'Done.' }]);
	const run = engine.run('Write', { by: person });
	await settle();
	sheet.write('amount', '7');
	run.decide({ review: run.state.reviews[0]!.id, verdict: 'approve' }, person);
	await settle();
	expect(run.state.effects.map(({ status }) => status)).toEqual(['withdrawn']);
	expect(run.state.budget.spent).toMatchObject({ acts: 0, actsPerInstance: 0 });
	run.decide({ review: run.state.reviews[1]!.id, verdict: 'approve' }, person);
	await run.returned;
	expect(run.state.budget.spent).toMatchObject({ acts: 1, actsPerInstance: 1 });
});

test('S2-78 a pull of a private read waits for the question that stands, and asks no second one', async () => {
	const { engine, settle, requests } = bench([
		{ control: [{ name: 'pull', args: { instance: 'sheet', read: 'diary' } }] },
		{ say: 'Read.' }
	]);
	const run = engine.run('Read my diary', { by: person });
	await settle();
	expect(run.state).toMatchObject({ state: 'escalated', escalations: [{ code: 'consent' }] });
	expect(run.state.questions).toHaveLength(1);
	expect(run.answer(run.state.questions[0]!.id, ['#sheet.diary'], person)).toEqual({ ok: true });
	await run.returned;
	expect(run.state.questions).toHaveLength(1);
	expect(JSON.stringify(requests[1]!.messages)).toContain('dear diary');
});

test('S2-83 the goal of a caller from outside is a stranger’s word', async () => {
	const { engine, settle } = bench([], { policy: { ceiling: 'auto' } });
	const run = engine.call({ kind: 'outside', id: 'browser' }, 'sheet', 'write', {
		key: 'city',
		value: 'Rome'
	});
	await settle();
	expect(run.state.label.integrity).toBe('untrusted');
	expect(run.state.outcome?.kind).toBe('completed');
});
