import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Fault } from '$lib/agent/adapters/wire/fault.js';
import { Names } from '$lib/agent/adapters/wire/names.js';
import { Turn } from '$lib/agent/adapters/wire/turn.js';
import type { EndReason, TurnEvent } from '$lib/agent/protocol/turn.js';
import { asking } from '../fixtures/served-stream.js';

const TOOLS = ['sheet.write', 'sheet__read'].map((name) => ({ name, description: '', schema: {} }));
const request = asking({ tools: TOOLS });

/** A turn told as one says, to its end. */
function told(tell: (turn: Turn) => void, fault?: Fault, names = new Names(TOOLS)): readonly TurnEvent[] {
	const turn = new Turn(request, names, 'small');
	tell(turn);
	return [...turn.take(), ...turn.close(fault)];
}
const last = (tell: (turn: Turn) => void, fault?: Fault): TurnEvent => told(tell, fault).at(-1)!;
const only = <T extends TurnEvent['type']>(events: readonly TurnEvent[], type: T) =>
	events.filter((event): event is Extract<TurnEvent, { type: T }> => event.type === type);
const lost = new Fault('network', 'Lost.');

describe('the end', () => {
	test.each<[readonly EndReason[], EndReason]>([
		[['stop'], 'stop'],
		[['filter', 'stop'], 'filter'],
		[['stop', 'length', 'calls'], 'length'],
		[['length', 'pause', 'length'], 'pause'],
		[['interrupt', 'pause'], 'interrupt'],
		[['refusal', 'interrupt', 'stop'], 'refusal']
	])('S2-23 of %j it is %s that counts', (reasons, counts) => {
		for (const order of [reasons, reasons.toReversed()])
			expect(last((turn) => order.forEach((reason) => turn.end(reason)))).toEqual({
				type: 'end',
				reason: counts
			});
	});

	test('S2-23 with calls to answer it is calls whatever the wire calls it, without any it is stop', () => {
		const call = (turn: Turn, there = false) => {
			turn.start(0, 'a', 'sheet__read', there);
			turn.endCall(0);
		};
		expect(last((turn) => (call(turn), turn.end('stop', 'stop')))).toEqual({
			type: 'end',
			reason: 'calls',
			raw: 'stop'
		});
		expect(last((turn) => turn.end('calls'))).toEqual({ type: 'end', reason: 'stop' });
		expect(last((turn) => (call(turn, true), turn.end('calls')))).toEqual({ type: 'end', reason: 'stop' });
		expect(last((turn) => (call(turn), turn.end('length')))).toEqual({ type: 'end', reason: 'length' });
	});

	test('S2-23 without a word of the wire it is cut; a fault comes before any end', () => {
		expect(last((turn) => turn.text('Hel'))).toMatchObject({
			reason: { code: 'truncated' },
			retryable: true
		});
		expect(last((turn) => turn.refuse('I w'))).toMatchObject({ reason: { code: 'truncated' } });
		expect(last((turn) => turn.end('stop'), lost)).toEqual(lost.event);
		expect(last((turn) => turn.fail(new Fault('provider', 'No.')))).toMatchObject({
			reason: { code: 'provider' }
		});
	});

	test('S2-23 an interrupt ends the turn', () => {
		const events = told((turn) => {
			turn.tell({ type: 'interrupt', id: 'i', reason: 'approval' });
			turn.end('stop');
		});
		expect(events.map(({ type }) => type)).toEqual(['interrupt', 'end']);
		expect(events.at(-1)).toMatchObject({ reason: 'interrupt' });
	});
});

describe('a refusal', () => {
	test('S2-23 is told once, whole, and is how the turn ended', () => {
		const events = told((turn) => {
			turn.text('Well. ');
			for (const delta of ['I ', 'will ', undefined, 'not.'])
				turn.refuse(delta, delta === 'I ' ? 'cyber' : 7);
			turn.end('stop', 'stop');
		});
		expect(events).toEqual([
			{ type: 'text', delta: 'Well. ' },
			{ type: 'refusal', category: 'cyber', text: 'I will not.' },
			{ type: 'end', reason: 'refusal', raw: 'stop' }
		]);
	});

	test('S2-23 without a word is told too; where the turn fails, half of one is not', () => {
		expect(told((turn) => turn.end('refusal'))).toMatchObject([
			{ type: 'refusal', category: '', text: '' },
			{ type: 'end', reason: 'refusal' }
		]);
		expect(told((turn) => turn.refuse('I w'), lost)).toEqual([lost.event]);
	});
});

describe('an echo', () => {
	test('S2-23 is told once, whole, before the end, under the name of who wrote it', () => {
		const events = told((turn) => {
			turn.echo([1]);
			turn.text('Hi');
			turn.echo([1, 2]);
			turn.end('stop');
		});
		expect(events.map(({ type }) => type)).toEqual(['text', 'reasoning', 'end']);
		expect(events[1]).toEqual({ type: 'reasoning', echo: { by: 'small', value: [1, 2] } });
	});

	test('S2-23 of a turn that failed is none', () => {
		expect(told((turn) => turn.echo([1]), lost)).toEqual([lost.event]);
	});
});

describe('a call', () => {
	const ended = (tell: (turn: Turn) => void, fault?: Fault, names?: Names) =>
		only(told(tell, fault, names), 'call.end').map(({ id, verdict, raw }) => [id, verdict, raw]);

	test('S2-98 begins, comes in pieces and is over; pieces joined are the whole', () => {
		const events = told((turn) => {
			turn.start(0, 'a', 'sheet__read');
			for (const delta of ['', '{"a"', undefined, ':1', '}']) turn.args(0, delta);
			turn.endCall(0);
			turn.end('calls');
		});
		expect(events).toEqual([
			{ type: 'call.start', id: 'a', name: 'sheet__read', executed: 'here' },
			{ type: 'call.args', id: 'a', delta: '{"a"' },
			{ type: 'call.args', id: 'a', delta: ':1' },
			{ type: 'call.args', id: 'a', delta: '}' },
			{ type: 'call.end', id: 'a', verdict: 'complete', raw: '{"a":1}' },
			{ type: 'end', reason: 'calls' }
		]);
	});

	test('S2-23 is here if its tool is of the request, there if the wire says so, and unknown otherwise', () => {
		const wire = new Names(TOOLS).out('sheet.write');
		const events = told((turn) => {
			turn.start(0, 'a', wire);
			turn.start(1, 'b', wire, true);
			turn.start(2, 'c', 'nobody');
			turn.start(3, 'd', undefined);
		});
		expect(only(events, 'call.start').map(({ name, executed }) => [name, executed])).toEqual([
			['sheet.write', 'here'],
			['sheet.write', 'there'],
			['nobody', undefined],
			['', undefined]
		]);
	});

	test('S2-23 that nobody ended is incomplete, even where it parses', () => {
		const cut = (turn: Turn): void => {
			turn.start(0, 'a', 'sheet__read');
			turn.args(0, '{"a":1}');
			turn.end('length');
		};
		expect(ended(cut)).toEqual([['a', 'incomplete', '{"a":1}']]);
		expect(ended(cut, lost)).toEqual([['a', 'incomplete', '{"a":1}']]);
		expect(ended((turn) => (cut(turn), turn.endCall(0)))).toEqual([['a', 'complete', '{"a":1}']]);
	});

	test('S2-23 of a wire without a word for it is over with a turn that ended well, and with no other', () => {
		const open = (reason: EndReason) => (turn: Turn) => {
			turn.start(0, 'a', 'sheet__read');
			turn.args(0, '{}');
			turn.end(reason, undefined, true);
		};
		expect(ended(open('stop'))).toEqual([['a', 'complete', '{}']]);
		expect(ended(open('length'))).toEqual([['a', 'incomplete', '{}']]);
		expect(ended(open('stop'), lost)).toEqual([['a', 'incomplete', '{}']]);
	});

	test('S2-23 without arguments has none: {}, and blanks alone are not told', () => {
		expect(ended((turn) => (turn.start(0, 'a', ''), turn.endCall(0)))).toEqual([['a', 'complete', '{}']]);
		const events = told((turn) => {
			turn.start(0, 'a', '');
			turn.args(0, ' \n');
			turn.endCall(0);
			turn.start(1, 'b', '');
			for (const delta of [' ', '{', ' ', '}']) turn.args(1, delta);
			turn.endCall(1);
		});
		expect(only(events, 'call.end').map(({ raw }) => raw)).toEqual(['{}', ' { }']);
		expect(only(events, 'call.args').map(({ id, delta }) => [id, delta])).toEqual([
			['b', ' {'],
			['b', ' '],
			['b', '}']
		]);
	});

	test('S2-23 whose text is said again whole is what stands there; an empty one says nothing', () => {
		const whole = (said: unknown) =>
			ended((turn) => {
				turn.start(0, 'a', '');
				turn.args(0, '{"a":');
				turn.whole(0, said);
				turn.endCall(0);
			});
		expect(whole('{"a":1}')).toEqual([['a', 'complete', '{"a":1}']]);
		expect(whole('{"b":2}')).toEqual([['a', 'complete', '{"b":2}']]);
		expect(whole('')).toEqual([['a', 'incomplete', '{"a":']]);
		expect(whole(undefined)).toEqual([['a', 'incomplete', '{"a":']]);
		expect(ended((turn) => (turn.start(0, 'a', ''), turn.value(0, { a: 1 }), turn.endCall(0)))).toEqual([
			['a', 'complete', '{"a":1}']
		]);
	});

	test('S2-23 has an id of its own, minted where the wire has none', () => {
		const events = told((turn) => {
			['a', 'a', 'a-2', '', undefined, 7, 'call-1'].forEach((id, key) => turn.start(key, id, ''));
		});
		const ids = only(events, 'call.start').map(({ id }) => id);
		expect(new Set(ids).size).toBe(ids.length);
		expect(ids[0]).toBe('a');
		const many = told((turn) => {
			for (let key = 0; key < 20_000; key += 1) turn.start(key, 'same', '');
		});
		expect(new Set(only(many, 'call.start').map(({ id }) => id)).size).toBe(20_000);
	});

	test('S2-23 that takes the key of another is another; the one before it was cut and is deaf', () => {
		const events = told((turn) => {
			turn.start(0, 'a', '');
			turn.args(0, '{');
			turn.start(1, 'b', '');
			turn.start(0, 'c', '');
			turn.args(0, '{}');
			turn.end('stop', undefined, true);
		});
		expect(only(events, 'call.end')).toMatchObject([
			{ id: 'a', verdict: 'incomplete', raw: '{' },
			{ id: 'b', raw: '{}' },
			{ id: 'c', raw: '{}' }
		]);
	});

	test('S2-23 that is over hears nothing more, nor does one that never began', () => {
		const events = told((turn) => {
			turn.start(0, 'a', '');
			turn.endCall(0);
			for (const key of [0, 9]) {
				turn.args(key, '{"x":1}');
				turn.whole(key, '{"x":1}');
				turn.result(key, 'x');
				turn.endCall(key);
			}
		});
		expect(events.map(({ type }) => type)).toEqual(['call.start', 'call.end', 'error']);
	});

	test('S2-23 that was executed there has a result, and asks for no answer', () => {
		const events = told((turn) => {
			turn.start(0, 'a', 'search', true);
			turn.result(0, undefined, true);
			turn.end('stop');
		});
		expect(events.slice(1)).toEqual([
			{ type: 'call.end', id: 'a', verdict: 'complete', raw: '{}' },
			{ type: 'call.result', id: 'a', content: null, failed: true },
			{ type: 'end', reason: 'stop' }
		]);
	});

	test('S2-23 of a strict tool is told whole, without what its schema does not know', () => {
		const names = new Names(TOOLS);
		names.setPrune('sheet__read', (value) => ({ ...(value as object), b: undefined }) as never);
		const events = told(
			(turn) => {
				for (const [key, said] of ['{"a":1,"b":null}', '{"a":1,"b":nul'].entries()) {
					turn.start(key, `${key}`, 'sheet__read');
					turn.args(key, said);
					turn.endCall(key);
				}
			},
			undefined,
			names
		);
		expect(only(events, 'call.args')).toEqual([]);
		expect(only(events, 'call.end').map(({ verdict, raw }) => [verdict, raw])).toEqual([
			['complete', '{"a":1}'],
			['incomplete', '{"a":1,"b":nul']
		]);
	});
});

describe('usage', () => {
	const usages = (tell: (turn: Turn) => void, fault?: Fault) =>
		only(told(tell, fault), 'usage').map(({ usage }) => usage);

	test('S2-23 each replaces the one before, and what is whole is left alone', () => {
		expect(
			usages((turn) => {
				turn.usage({ input: 9, output: 1 }, false);
				turn.usage({ input: 9, output: 5, cacheRead: 4 });
				turn.end('stop');
			}).at(-1)
		).toEqual({ input: 9, output: 5, cacheRead: 4 });
	});

	test('S2-23 that a broken turn did not tell whole is estimated and marked, and never less than was told', () => {
		const broken = (output: number) => (turn: Turn) => {
			turn.usage({ input: 9, output }, false);
			turn.text('x'.repeat(40));
		};
		expect(usages(broken(1), lost).at(-1)).toEqual({ input: 9, output: 10, estimated: true });
		expect(usages(broken(30), new Fault('aborted', 'Stopped.')).at(-1)).toEqual({
			input: 9,
			output: 30,
			estimated: true
		});
	});
});

test('S2-23 whatever a wire tells in whatever order: one end, last; every call over once; whole ones parse', () => {
	const key = fc.nat(3);
	const piece = fc.constantFrom('', ' ', '{', '}', '{}', '"a":1', ',', 'x', '{"a":1}');
	const steps = fc.array(
		fc.oneof(
			fc.tuple(key, fc.constantFrom('a', 'b', ''), fc.boolean()).map(
				([at, id, there]) =>
					(turn: Turn) =>
						turn.start(at, id, 'sheet__read', there)
			),
			fc.tuple(key, piece).map(
				([at, said]) =>
					(turn: Turn) =>
						turn.args(at, said)
			),
			key.map((at) => (turn: Turn) => turn.endCall(at)),
			key.map((at) => (turn: Turn) => turn.result(at, null)),
			fc
				.constantFrom<EndReason>('stop', 'calls', 'length', 'refusal')
				.map((reason) => (turn: Turn) => turn.end(reason, undefined, true)),
			fc.constantFrom(
				(turn: Turn) => turn.refuse('no'),
				(turn: Turn) => turn.echo(1),
				(turn: Turn) => turn.fail(lost)
			)
		),
		{ maxLength: 25 }
	);
	fc.assert(
		fc.property(steps, fc.option(fc.constant(lost)), (all, fault) => {
			const events = told((turn) => all.forEach((step) => step(turn)), fault ?? undefined);
			const isOver = ({ type }: TurnEvent) => type === 'end' || type === 'error';
			expect(events.filter(isOver)).toEqual([events.at(-1)]);
			const starts = only(events, 'call.start').map(({ id }) => id);
			expect(new Set(starts).size).toBe(starts.length);
			const ends = only(events, 'call.end');
			expect(ends.map(({ id }) => id).sort()).toEqual([...starts].sort());
			expect(only(events, 'refusal').length).toBeLessThanOrEqual(1);
			for (const { id, verdict, raw } of ends) {
				const joined = only(events, 'call.args').flatMap((one) => (one.id === id ? [one.delta] : []));
				if (joined.length > 0) expect(joined.join('')).toBe(raw);
				if (verdict === 'complete') expect(() => JSON.parse(raw) as unknown).not.toThrow();
			}
		}),
		{ numRuns: 500 }
	);
});
