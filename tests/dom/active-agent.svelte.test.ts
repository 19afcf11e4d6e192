import { flushSync } from 'svelte';
import { describe, expect, it, vi } from 'vitest';
import { ActiveAgent, defineActiveAgent } from '../../src/lib/agent/active/index.js';
import { scripted, type ScriptedTurn } from '../../src/lib/agent/adapters/scripted.js';
import { EngineAgent } from '../../src/lib/agent/engine/engine.js';
import { memoryStore } from '../../src/lib/agent/stores/memory.js';
import { PERSON } from '../../src/lib/uix/index.js';
import { Counter, counterManifest } from '../fixtures/counter.js';

const identity = { id: 'ada', name: 'Ada', description: 'Counts' };
const add = (...by: number[]): ScriptedTurn => ({
	calls: by.map((n) => ({ instance: 'counter', act: 'add', args: { by: n } }))
});

function agentOf(turns: readonly ScriptedTurn[], level: 'review' | 'auto' = 'auto') {
	const agent = defineActiveAgent({
		identity,
		transport: scripted(turns),
		policy: { ceiling: level },
		consent: { allow: ['counter'] }
	});
	const counter = new Counter();
	agent.engine.registry.register(counterManifest, counter, { id: 'counter', label: 'Counter' });
	return { agent, counter };
}

/** Notes every value that an effect sees. */
function watch<T>(read: () => T): { seen: T[]; stop: () => void } {
	const seen: T[] = [];
	const stop = $effect.root(() => {
		$effect(() => void seen.push(read()));
	});
	flushSync();
	return { seen, stop };
}
const settle = async (until: () => boolean) => {
	await vi.waitFor(() => {
		flushSync();
		expect(until()).toBe(true);
	});
};

it('S2-91 a run that was found open is shown without a further record', async () => {
	const store = memoryStore();
	const open = (recovery: 'return' | 'resume') => {
		const agent = defineActiveAgent({ identity, transport: scripted(() => add(1)), store, recovery });
		agent.engine.registry.register(counterManifest, new Counter(), { id: 'counter', label: 'Counter' });
		return agent;
	};
	const first = open('return');
	await first.engine.ready;
	const run = first.run('Count', { by: PERSON });
	await vi.waitFor(() => expect(run.state.state).toBe('reviewing'));
	first.engine.abandon();
	await new Promise((resolve) => setTimeout(resolve));
	const second = open('resume');
	let seen: string | undefined;
	const stop = $effect.root(() => {
		$effect(() => void (seen = second.current?.id));
	});
	await vi.waitFor(() => expect(seen).toBe(run.id));
	stop();
	await second.dispose();
});

describe('S2-16 S2-17 ActiveAgent', () => {
	it('is made by a factory, over an engine of its own or over one that stands', () => {
		const { agent } = agentOf([]);
		expect(agent).toBeInstanceOf(ActiveAgent);
		expect(agent.engine).toBeInstanceOf(EngineAgent);
		expect(new ActiveAgent(agent.engine).engine).toBe(agent.engine);
	});

	it('has verbs that may be destructured', async () => {
		const { agent, counter } = agentOf([add(2), { say: 'Done' }]);
		const { run, get, undo, subscribe } = agent;
		const kinds: string[] = [];
		subscribe((record) => kinds.push(record.kind));
		const started = run('Count', { by: PERSON });
		expect(get(started.id)).toBe(started);
		expect((await started.returned).kind).toBe('completed');
		expect(counter.count).toBe(2);
		expect(kinds).toContain('run.ended');
		expect((await undo(started.id, PERSON)).ok).toBe(true);
		expect(counter.count).toBe(0);
	});

	it('reads the present outside of effects', () => {
		const { agent } = agentOf([{ hang: true }]);
		const run = agent.run('Count', { by: PERSON });
		expect(agent.current?.id).toBe(run.id);
		expect(agent.runs).toHaveLength(1);
	});

	it('S2-35 shows effects the end state, coalesced: far fewer looks than records', async () => {
		const { agent } = agentOf([add(...Array.from({ length: 30 }, (_, n) => n + 1)), { say: 'Done' }]);
		let records = 0;
		agent.subscribe(() => records++);
		const { seen, stop } = watch(() => agent.current?.state);
		await agent.run('Count', { by: PERSON }).returned;
		await settle(() => seen.at(-1) === 'returned');
		expect(records).toBeGreaterThan(90);
		expect(seen.length).toBeLessThan(records / 4);
		stop();
	});

	it('touches only the run that changed', async () => {
		const { agent } = agentOf([{ say: 'One' }, { say: 'Two' }]);
		const first = agent.run('One', { by: PERSON });
		await first.returned;
		const before = watch(() => agent.runs.find(({ id }) => id === first.id));
		await settle(() => before.seen.at(-1)?.state === 'returned');
		const state = before.seen.at(-1);
		await agent.run('Two', { by: PERSON }).returned;
		await settle(() => agent.runs.length === 2);
		expect(before.seen.every((one) => one === undefined || one.id === first.id)).toBe(true);
		expect(before.seen.at(-1)).toBe(state);
		before.stop();
	});

	it('lists what waits for a person, and no longer when it is decided', async () => {
		const { agent, counter } = agentOf([add(1), { say: 'Done' }], 'review');
		const { seen, stop } = watch(() => agent.pending.map(({ kind }) => kind));
		const run = agent.run('Count', { by: PERSON });
		await settle(() => seen.at(-1)?.[0] === 'review');
		const [waiting] = agent.pending;
		if (waiting?.kind !== 'review') throw new Error('a review should wait');
		expect(run.decide({ review: waiting.review.id, verdict: 'approve' }, PERSON)).toEqual({ ok: true });
		await run.returned;
		await settle(() => seen.at(-1)?.length === 0);
		expect(counter.count).toBe(1);
		stop();
	});

	it('is about the live run, else the one that ended last', async () => {
		const { agent } = agentOf([{ say: 'One' }, { hang: true }]);
		const first = agent.run('One', { by: PERSON });
		await first.returned;
		expect(agent.current?.id).toBe(first.id);
		const second = agent.run('Two', { by: PERSON });
		const queued = agent.run('Three', { by: PERSON });
		expect(agent.current?.id).toBe(second.id);
		await second.stop(undefined, PERSON);
		await queued.stop(undefined, PERSON);
		await queued.returned;
		const { seen, stop } = watch(() => agent.current?.id);
		await settle(() => seen.at(-1) === agent.current?.id);
		expect([second.id, queued.id]).toContain(agent.current?.id);
		stop();
	});

	it('S2-49 tells what the app allows and what the person set, also while nothing runs', async () => {
		const { agent } = agentOf([], 'review');
		const { seen, stop } = watch(() => agent.levels);
		expect(seen.at(-1)).toEqual({ ceiling: 'review', user: 'review' });
		expect(agent.setLevel('suggest').ok).toBe(true);
		flushSync();
		expect(seen.at(-1)).toEqual({ ceiling: 'review', user: 'suggest' });
		// Refused: only a person raises it, and nothing is told.
		expect(agent.setLevel('auto').ok).toBe(false);
		flushSync();
		expect(seen).toHaveLength(2);
		expect(agent.setLevel('auto', PERSON).ok).toBe(true);
		expect(agent.levels).toEqual({ ceiling: 'review', user: 'auto' });
		stop();
	});

	it('lets go of the engine when it is disposed of', async () => {
		const { agent } = agentOf([{ hang: true }]);
		const run = agent.run('Count', { by: PERSON });
		const { seen, stop } = watch(() => agent.current?.state);
		await agent.dispose();
		flushSync();
		expect(run.state.state).toMatch(/returned|cancelled/);
		expect(seen.at(-1)).toBe(run.state.state);
		stop();
	});
});
