import { describe, expect, test } from 'vitest';
import {
	EngineAgent,
	type AgentTransport,
	type TurnEvent,
	type TurnRequest
} from '../../src/lib/agent/index.js';
import { SharedState } from '../../src/lib/agent/engine/shared.js';
import { person } from '../../src/lib/testing/index.js';
import { bench } from '../fixtures/engine.js';
import { events, writes } from '../fixtures/transports.js';

const end = (reason: 'stop' | 'calls' = 'stop'): TurnEvent => ({ type: 'end', reason });
const snapshot = (state: unknown, revision?: number): TurnEvent =>
	({ type: 'state.snapshot', state, ...(revision === undefined ? {} : { revision }) }) as TurnEvent;
const delta = (patch: unknown, revision?: number): TurnEvent =>
	({ type: 'state.delta', patch, ...(revision === undefined ? {} : { revision }) }) as TurnEvent;
const put = (path: string, value: unknown) => ({ op: 'add', path, value });
const AUTO = { policy: { ceiling: 'auto' as const } };

function start(transport: AgentTransport, options = {}) {
	const made = bench(transport, { ...AUTO, ...options });
	const run = made.engine.run('Go', { by: person, thread: 'th' });
	return { ...made, run };
}

/** Lets a run go as far as it goes without a person. */
async function rest({ clock }: { clock: { advance(ms: number): Promise<void> } }): Promise<void> {
	for (let i = 0; i < 5; i += 1) await clock.advance(10);
}

describe('S2-25 S2-99 the state of the other side', () => {
	test('S2-25 snapshots and changes are applied, and the next request gives it back', async () => {
		const made = start(
			events(
				[
					snapshot({ rows: [1] }, 1),
					delta([put('/rows/-', 2)], 2),
					...writes('a', 'amount', '1'),
					delta([put('/done', true)], 3),
					end('calls')
				],
				[delta([put('/rows/-', 3)], 4), end()]
			)
		);
		await rest(made);
		expect(made.requests.map(({ state }) => state)).toEqual([undefined, { rows: [1, 2], done: true }]);
		expect(made.run.state.shared).toEqual({
			by: 'events',
			value: { rows: [1, 2, 3], done: true },
			revision: 4,
			label: { integrity: 'untrusted', confidentiality: 'public', origins: ['imported'], sources: ['events'] }
		});
		expect(made.run.state.label).toMatchObject({ integrity: 'untrusted' });
		expect(made.run.state.label.sources).toContain('events');
	});

	test('S2-25 a first change begins with nothing; any value may be the state', async () => {
		const made = start(events([delta([put('/a', 1)]), end()]));
		await rest(made);
		expect(made.run.state.shared?.value).toEqual({ a: 1 });
		for (const value of [null, 0, false, '', [1]]) {
			const one = start(events([snapshot({ a: 1 }), snapshot(value), end()]));
			await rest(one);
			expect(one.run.state.shared?.value).toEqual(value);
		}
	});

	test('S2-25 a run without such a side has none', async () => {
		const made = start(events([{ type: 'text', delta: 'Hi' }, end()]));
		await rest(made);
		expect(made.run.state).not.toHaveProperty('shared');
		expect(made.run.state.label.integrity).toBe('trusted');
	});

	const broken: readonly [what: string, ...TurnEvent[]][] = [
		['a change that does not fit', snapshot({ a: 1 }), delta([{ op: 'replace', path: '/b', value: 1 }])],
		['a test that fails', snapshot({ a: 1 }), delta([{ op: 'test', path: '/a', value: 2 }])],
		['a change that is none', snapshot({ a: 1 }), delta('x')],
		['a number that was skipped', snapshot({ a: 1 }, 1), delta([put('/b', 1)], 3)]
	];
	test.for(broken)(
		'S2-99 %s: nothing of the turn runs, a new state is asked for, then both hold the same',
		async ([, ...sent]) => {
			const made = start(
				events(
					[...writes('a', 'amount', '666'), ...sent, ...writes('b', 'amount', '667'), end('calls')],
					[snapshot({ a: 2, b: 2 }, 3), ...writes('c', 'amount', '7'), end('calls')],
					[end()]
				)
			);
			await rest(made);
			expect(made.sheet.log).toHaveLength(1);
			expect(JSON.stringify(made.run.state.steps)).not.toContain('666');
			expect(made.requests.map(({ resync, state }) => resync ?? state)).toEqual([
				undefined,
				true,
				{ a: 2, b: 2 }
			]);
			expect(made.run.journal.filter(({ kind }) => kind === 'turn.failed')).toHaveLength(1);
			expect(made.run.state.shared?.value).toEqual({ a: 2, b: 2 });
			expect(made.run.state.outcome?.kind).toBe('completed');
		}
	);

	test('S2-99 after a second time a person decides, and it is tried again', async () => {
		const lost = [snapshot({}), delta([{ op: 'remove', path: '/x' }]), end()];
		const made = start(events(lost, lost, [snapshot({ whole: true }), end()]));
		await rest(made);
		expect(made.run.state).toMatchObject({ state: 'escalated', escalations: [{ code: 'desync' }] });
		expect(made.engine.pending.filter(({ kind }) => kind === 'escalation')).toMatchObject([
			{ reason: { code: 'desync' } }
		]);
		expect(made.requests).toHaveLength(2);
		made.run.resume(person);
		await rest(made);
		expect(made.requests.at(-1)).toMatchObject({ resync: true });
		expect(made.run.state.shared?.value).toEqual({ whole: true });
		expect(made.run.state.outcome?.kind).toBe('answered');
	});

	test('S2-99 where all of it was asked for, a change of what nobody holds is out of step too', async () => {
		const made = start(
			events([delta([{ op: 'remove', path: '/x' }]), end()], [delta([put('/x', 1)]), end()])
		);
		await rest(made);
		expect(made.run.state.escalations).toMatchObject([{ code: 'desync' }]);
	});

	test('S2-25 a change that came before is not made twice', () => {
		const shared = new SharedState({ state: [], revision: 1 });
		expect(shared.take(delta([put('/-', 'a')], 2) as never)).toBeUndefined();
		expect(shared.take(delta([put('/-', 'a')], 2) as never)).toBeUndefined();
		expect(shared.take(delta([put('/-', 'b')], 3) as never)).toBeUndefined();
		expect(shared.end()).toEqual({ state: ['a', 'b'], revision: 3 });
		expect(shared.take(delta([], 5) as never)).toContain('5');
	});

	test('S2-25 a state nobody can write down is out of step', () => {
		const shared = new SharedState({ state: {} });
		const deep = '/a'.repeat(90);
		const nest = (n: number): unknown => (n === 0 ? 1 : { a: nest(n - 1) });
		expect(
			shared.take(delta([put('/a', nest(95)), { op: 'move', from: '/a', path: '/b' }]) as never)
		).toBeUndefined();
		expect(
			shared.take(
				delta([
					put('/a', nest(89)),
					{ op: 'move', from: '/b', path: `${deep}/x` },
					{ op: 'copy', from: '/a', path: '/c' }
				]) as never
			) ?? ''
		).toContain('nothing under');
		const full = new SharedState({ state: { b: nest(150) as never, a: nest(89) as never } });
		full.take(
			delta([
				{ op: 'replace', path: deep.slice(0, -2), value: {} },
				{ op: 'move', from: '/b', path: `${deep.slice(0, -2)}/x` }
			]) as never
		);
		expect(full.end()).toContain('nesting');
	});

	test('S2-99 a failed turn leaves the state as it was', async () => {
		const fail: TurnEvent = { type: 'error', reason: { code: 'provider', text: 'no' }, retryable: false };
		const made = start(events([snapshot({ a: 1 }), fail]));
		await rest(made);
		expect(made.run.state).not.toHaveProperty('shared');
	});

	test('S2-99 it survives a reload, and the thread', async () => {
		const made = start(events([snapshot({ a: 1 }, 7), end()]));
		await rest(made);
		const requests: TurnRequest[] = [];
		const transport: AgentTransport = {
			name: 'events',
			open(request, signal) {
				requests.push(request);
				return events([delta([put('/b', 2)], 8), end()]).open(request, signal);
			}
		};
		const again = EngineAgent.restore(
			{ ...made.options, transport },
			JSON.parse(JSON.stringify(made.engine.snapshot())) as never
		);
		expect(again.runs[0]!.shared).toMatchObject({ value: { a: 1 }, revision: 7 });
		const next = again.run('More', { by: person, thread: 'th' });
		await rest(made);
		expect(requests[0]).toMatchObject({ state: { a: 1 } });
		expect(next.state.shared).toMatchObject({ value: { a: 1, b: 2 }, revision: 8 });
		const apart = again.run('Else', { by: person, thread: 'another' });
		await rest(made);
		expect(apart.state.outcome).toBeDefined();
		expect(requests[1]).not.toHaveProperty('state');
	});

	test('S2-99 no other model is shown it', async () => {
		const made = start(events([snapshot({ secret: 'of theirs' }), end()]));
		await rest(made);
		const requests: TurnRequest[] = [];
		const other: AgentTransport = {
			name: 'another',
			open(request, signal) {
				requests.push(request);
				return events([end()]).open(request, signal);
			}
		};
		const again = EngineAgent.restore({ ...made.options, transport: other }, made.engine.snapshot());
		again.run('More', { by: person, thread: 'th' });
		await rest(made);
		expect(requests).toHaveLength(1);
		expect(JSON.stringify(requests[0])).not.toContain('of theirs');
	});
});
