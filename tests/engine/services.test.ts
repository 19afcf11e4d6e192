import { afterEach, describe, expect, test } from 'vitest';
import {
	createRegistry,
	EngineAgent,
	verify,
	type AgentOptions,
	type Run,
	type RunState
} from '../../src/lib/agent/index.js';
import { scripted } from '../../src/lib/agent/adapters/scripted.js';
import { memoryStore } from '../../src/lib/agent/stores/memory.js';
import { person } from '../../src/lib/testing/index.js';
import { type Kind, Service, serviceManifest } from '../fixtures/service.js';

const KINDS: readonly Kind[] = ['ok', 'late', 'lost', 'blind', 'dedup', 'refusing'];
const COURSES = ['straight', 'stop', 'steer', 'crash, resume', 'crash, return', 'take-over'] as const;
type Course = (typeof COURSES)[number];

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
	for (const one of open.splice(0)) await one.close();
});

const until = async (what: () => unknown, why: string): Promise<void> => {
	for (let i = 0; i < 600; i++) {
		if (what()) return;
		await new Promise((resolve) => setTimeout(resolve, 10));
	}
	throw new Error(`It never came to it that ${why}.`);
};

/** A page over one service: what stands on it, and the engine of its tab. */
function page(
	service: Service,
	store = memoryStore(),
	more: Partial<AgentOptions> = {},
	retentionMs = 60_000
) {
	const registry = createRegistry();
	registry.register(serviceManifest(service.kind, { retentionMs }), service, { id: 'desk', label: 'Desk' });
	const transport = scripted((request) =>
		request.messages.some((one) => one.role === 'result' || (one.role === 'user' && one.text === 'no more'))
			? { say: 'That is that.' }
			: { calls: [{ instance: 'desk', act: 'order', args: { what: 'paper' } }] }
	);
	const identity = { id: 'ada', name: 'Ada', description: 'orders' };
	const patience = { settleMs: 50 };
	const engine = new EngineAgent({ identity, transport, registry, store, patience, ...more });
	open.push({ close: () => engine.dispose() });
	return { engine, store, registry };
}

const approve = (run: Run): void => {
	const review = run.state.reviews.find(({ status }) => status === 'open');
	if (review) run.decide({ review: review.id, verdict: 'approve' }, person);
};

const settled = ({ effects }: RunState): boolean =>
	effects.length > 0 && effects.every(({ status }) => !['intended', 'dispatched'].includes(status));

/** What the ledger says is what the service did. */
function check(engine: EngineAgent, id: string, { done }: Service): void {
	const run = engine.get(id)!;
	for (const { operation, status } of run.state.effects) {
		const count = done.filter((one) => one === operation).length;
		if (status === 'confirmed') expect(count, `confirmed ${operation}`).toBe(1);
		if (status === 'failed' || status === 'withdrawn') expect(count, `${status} ${operation}`).toBe(0);
		expect(count, operation).toBeLessThanOrEqual(1);
		if (status !== 'unknown') continue;
		expect(engine.pending).toContainEqual({ kind: 'unknown-effect', run: id, operation });
	}
	// Nothing was done that no entry tells of.
	const known = new Set(run.state.effects.map(({ operation }) => operation));
	expect(done.filter((operation) => !known.has(operation))).toEqual([]);
	expect(verify(run.journal)).toEqual([]);
}

/** What is known in the end, by what the service is and what happened on the way. */
function expected(kind: Kind, course: Course): readonly string[] {
	if (kind === 'refusing' && course === 'straight') return ['failed'];
	if (kind === 'blind') return ['unknown'];
	// The receiver knows.
	if (kind === 'lost') return ['confirmed'];
	if (course === 'straight') return kind === 'late' ? ['confirmed', 'unknown'] : ['confirmed'];
	return ['confirmed', 'unknown', 'failed'];
}

async function play(kind: Kind, course: Course): Promise<void> {
	const service = await new Service(kind).open();
	open.push(service);
	const first = page(service);
	let { engine } = first;
	await engine.ready;
	const run = engine.run('Order paper', { by: person });
	const { id } = run;
	await until(() => run.state.reviews.length > 0, 'somebody is asked');
	const other = course === 'take-over' ? page(service, first.store) : undefined;
	await other?.engine.ready;
	if (course !== 'straight') {
		const asked = new Promise<void>((resolve) => {
			const off = engine.subscribe(({ kind: what }) => {
				if (what !== 'effect.dispatched') return;
				off();
				resolve();
			});
		});
		approve(run);
		await asked;
		await until(() => service.asked.length > 0, 'the service is asked');
	} else approve(run);
	if (course === 'stop') await run.stop('enough', person);
	if (course === 'steer') await run.steer({ kind: 'correction', text: 'no more' }, person);
	if (course.startsWith('crash')) {
		engine.abandon();
		await new Promise((resolve) => setTimeout(resolve, 20));
		const recovery = course === 'crash, resume' ? 'resume' : 'return';
		({ engine } = page(service, first.store, { recovery }));
		await engine.ready;
	}
	if (course === 'take-over') {
		const there = other!.engine.get(id)!;
		// A quick service has answered by now.
		const { ok, refused } = there.resume(person);
		expect(ok || refused?.code === 'run-over' || refused?.code === 'illegal-transition').toBe(true);
		await until(() => !there.state.elsewhere, 'it is brought here');
		({ engine } = other!);
	}
	const after = engine.get(id)!;
	for (let i = 0; i < 4 && !settled(after.state); i++) {
		await until(
			() => settled(after.state) || after.state.reviews.some(({ status }) => status === 'open'),
			`${course} of ${kind} is settled`
		);
		if (!settled(after.state)) approve(after);
	}
	// A late answer, a probe: what can still be known is.
	if (kind === 'late') await new Promise((resolve) => setTimeout(resolve, 2 * service.lateMs));
	if (kind === 'lost')
		await until(() => after.state.effects[0]?.status !== 'unknown', 'the receiver has been asked');
	check(engine, id, service);
	const [effect] = after.state.effects;
	expect(expected(kind, course)).toContain(effect!.status);
	const { operation } = effect!;
	if (effect!.status === 'unknown') {
		expect(after.settle(operation, 'done', { kind: 'app', id: 'app' })).toMatchObject({ ok: false });
		expect(after.settle(operation, service.done.length > 0 ? 'done' : 'not-done', person)).toEqual({
			ok: true
		});
	}
	await after.returned;
	check(engine, id, service);
}

describe('services over loopback', () => {
	for (const kind of KINDS)
		for (const course of COURSES)
			test(`S3-18 S3-19 S3-23 S3-34 S3-36 I13 ${kind}: ${course}`, () => play(kind, course), 20_000);

	test('S3-20 S3-21 a receiver that deduplicates is asked again with the same key, and only while it promises to', async () => {
		const service = await new Service('dedup').open();
		open.push(service);
		const { engine } = page(service);
		const run = engine.run('Order paper', { by: person });
		await until(() => run.state.reviews.length > 0, 'somebody is asked');
		approve(run);
		const outcome = await run.returned;
		expect(outcome.kind).toBe('completed');
		expect(service.asked).toHaveLength(2);
		expect(new Set(service.asked).size).toBe(1);
		expect(service.done).toHaveLength(1);

		const brief = await new Service('dedup').open();
		open.push(brief);
		const short = page(brief, memoryStore(), {}, 50);
		const past = short.engine.run('Order paper', { by: person });
		await until(() => past.state.reviews.length > 0, 'somebody is asked');
		approve(past);
		await until(() => settled(past.state), 'it is settled');
		expect(past.state.effects).toMatchObject([{ status: 'unknown' }]);
		expect(brief.asked).toHaveLength(1);
	}, 20_000);

	test('S3-22 S3-23 an id alone is no promise: without a declaration nothing is sent again', async () => {
		const service = await new Service('blind').open();
		open.push(service);
		const { engine } = page(service);
		const run = engine.run('Order paper', { by: person });
		await until(() => run.state.reviews.length > 0, 'somebody is asked');
		approve(run);
		await until(() => settled(run.state), 'it is settled');
		expect(run.state).toMatchObject({ state: 'escalated', escalations: [{ code: 'unknown-effect' }] });
		expect(service.asked).toHaveLength(1);
	}, 20_000);

	test('S3-17 a stop after the work says that it came too late, and the work stays done', async () => {
		const service = await new Service('ok').open();
		open.push(service);
		const { engine } = page(service);
		const run = engine.run('Order paper', { by: person });
		await until(() => run.state.reviews.length > 0, 'somebody is asked');
		approve(run);
		await run.returned;
		const [operation] = run.state.effects.map((one) => one.operation);
		expect(await run.stop('too late', person)).toMatchObject({ late: true, confirmed: [operation] });
		expect(run.state.outcome?.kind).toBe('completed');
	}, 20_000);
});
