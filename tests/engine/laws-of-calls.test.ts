import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { refuse } from '../../src/lib/agent/capability/index.js';
import type { Run, TurnEvent } from '../../src/lib/agent/index.js';
import { person } from '../../src/lib/testing/index.js';
import { laboratory, set } from '../fixtures/lab.js';
import { events } from '../fixtures/transports.js';

const NAME = 'lab__set';
const END: TurnEvent = { type: 'end', reason: 'calls' };
const begin = (raw: string, size: number): TurnEvent[] => [
	{ type: 'call.start', id: 'a', name: NAME },
	...(raw.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []).map((delta): TurnEvent => ({
		type: 'call.args',
		id: 'a',
		delta
	}))
];
const close = (verdict: 'complete' | 'incomplete' | 'invalid', raw: string): TurnEvent => ({
	type: 'call.end',
	id: 'a',
	verdict,
	raw
});

/** The ways a stream can stop short behind `raw`: none of them is an explicit end of the arguments. */
const CUTS: Record<string, (raw: string) => readonly (TurnEvent | { throws: string })[]> = {
	'nothing more comes': () => [],
	'the turn ends': () => [END],
	'the turn ends for length': () => [{ type: 'end', reason: 'length' }],
	'the turn stops': () => [{ type: 'end', reason: 'stop' }],
	'the turn is filtered': () => [{ type: 'end', reason: 'filter' }],
	'the call is said to be incomplete': (raw) => [close('incomplete', raw), END],
	'the call is said to be invalid': (raw) => [close('invalid', raw), END],
	'the wire breaks': () => [{ throws: 'socket closed' }],
	'an error comes': () => [
		{ type: 'error', reason: { code: 'provider', text: 'overloaded' }, retryable: false }
	],
	'another call of the same id begins': () => [{ type: 'call.start', id: 'a', name: NAME }, END]
};

/** Plays one turn, then the model stops; everything may run without a person. */
async function play(turn: readonly (TurnEvent | { throws: string })[]) {
	const made = laboratory(events(turn));
	const before = JSON.stringify(made.lab.cells);
	const run = made.engine.run('go', { by: person });
	for (let i = 0; i < 6 && !run.state.outcome; i++) await made.clock.advance(5000);
	return { run, executed: made.lab.log, changed: JSON.stringify(made.lab.cells) !== before };
}

function nothing({
	run,
	executed,
	changed
}: {
	run: Run;
	executed: readonly unknown[];
	changed: boolean;
}): void {
	expect(executed).toEqual([]);
	expect(changed).toBe(false);
	expect(run.state.effects).toEqual([]);
	expect(run.journal.filter(({ kind }) => /^effect\.|^act\.|^step\.granted/.test(kind))).toEqual([]);
}

const RAW = JSON.stringify({ instance: 'lab', key: 'a', value: '{"x": [1, "\\u0041"]} é' });

describe('I10 nothing runs before the explicit end of its arguments, a strict parse and its schema', () => {
	test('I10 the whole call runs, exactly once, however it was cut into pieces', async () => {
		for (const size of [1, 7, 1000]) {
			const { run, executed } = await play([...begin(RAW, size), close('complete', RAW), END]);
			expect(executed).toHaveLength(1);
			expect(run.state.effects.map(({ status }) => status)).toEqual(['confirmed']);
		}
	});

	test.each(Object.keys(CUTS))(
		'I10 at every sign of the stream, where %s, nothing was executed',
		async (how) => {
			for (let at = 0; at <= RAW.length; at++) {
				const raw = RAW.slice(0, at);
				nothing(await play([...begin(raw, 3), ...CUTS[how]!(raw)]));
			}
		},
		60_000
	);

	test('I10 at every sign of the stream an end that claims to be explicit does not make a whole of a part', async () => {
		for (let at = 0; at < RAW.length; at++) {
			const raw = RAW.slice(0, at);
			nothing(await play([...begin(raw, 3), close('complete', raw), END]));
			// Nor does a text that differs from what was streamed and parses no better.
			nothing(await play([...begin(RAW, 3), close('complete', raw), END]));
		}
	}, 60_000);

	test('I10 what is nearly JSON is repaired by nobody', async () => {
		for (const raw of [
			`${RAW},`,
			`${RAW}${RAW}`,
			`\`\`\`json\n${RAW}\n\`\`\``,
			RAW.replaceAll('"', "'"),
			RAW.replace('"instance"', 'instance'),
			`${RAW.slice(0, -1)},}`,
			`// go\n${RAW}`,
			`[${RAW}]`,
			JSON.stringify(RAW),
			'null',
			''
		])
			nothing(await play([...begin(raw, 5), close('complete', raw), END]));
	});

	test('I10 what parses and does not fit its schema runs neither', async () => {
		const good = { instance: 'lab', key: 'a', value: 'x' };
		await fc.assert(
			fc.asyncProperty(
				fc.constantFrom('instance', 'key', 'value', 'more'),
				fc.oneof(
					fc.integer(),
					fc.boolean(),
					fc.constant(null),
					fc.array(fc.string()),
					fc.dictionary(fc.string(), fc.string())
				),
				async (field, value) => {
					const raw = JSON.stringify({ ...good, [field]: value });
					nothing(await play([...begin(raw, 9), close('complete', raw), END]));
				}
			),
			{ numRuns: Number(process.env.RUNS ?? 60) }
		);
		for (const field of Object.keys(good)) {
			const { [field as keyof typeof good]: _left, ...rest } = good;
			const raw = JSON.stringify(rest);
			nothing(await play([...begin(raw, 9), close('complete', raw), END]));
		}
	});

	test('I10 a cut call beside a whole one: the whole one alone runs', async () => {
		const whole = JSON.stringify({ instance: 'lab', key: 'b', value: 'y' });
		for (let at = 0; at <= RAW.length; at += 5) {
			const raw = RAW.slice(0, at);
			const { executed } = await play([
				{ type: 'call.start', id: 'w', name: NAME },
				{ type: 'call.end', id: 'w', verdict: 'complete', raw: whole },
				...begin(raw, 3),
				close('incomplete', raw),
				END
			]);
			expect(executed.map(({ args }) => args)).toEqual([{ key: 'b', value: 'y' }]);
		}
	});
});

describe('I22 refusal, denial, expiry and cancel are four contents', () => {
	type Made = ReturnType<typeof laboratory>;
	const WAYS: Record<
		string,
		{ ceiling: 'auto' | 'review'; before?(made: Made): void; then?(run: Run, made: Made): unknown }
	> = {
		refusal: { ceiling: 'auto', before: ({ lab }) => lab.next.push(() => refuse('full', 'No room')) },
		denial: {
			ceiling: 'review',
			then: (run) => run.decide({ review: run.state.reviews[0]!.id, verdict: 'reject', reason: 'No' }, person)
		},
		expiry: { ceiling: 'review', then: (_, { clock }) => clock.advance(25 * 3_600_000) },
		cancel: { ceiling: 'review', then: (run) => run.stop(undefined, person) }
	};

	/** What the model is told of the call in the next run of the thread. */
	async function toldOf(way: keyof typeof WAYS) {
		const { ceiling, before, then } = WAYS[way]!;
		const made = laboratory(
			({ messages }) =>
				messages.some(({ role }) => role === 'result') ? { say: 'Ok.' } : { calls: [set('a', 'x')] },
			{ policy: { ceiling } }
		);
		before?.(made);
		const run = made.engine.run('go', { by: person });
		await made.settle();
		await then?.(run, made);
		await made.settle();
		expect(run.state.outcome, way).toBeDefined();
		const next = made.engine.run('and now?', { by: person, thread: run.state.thread });
		await made.settle();
		expect(next.state.outcome?.kind).toBe('answered');
		const results = made.requests.at(-1)!.messages.filter((message) => message.role === 'result');
		expect(results).toHaveLength(1);
		expect(made.lab.cells.a).toBe('1');
		return results[0]!;
	}

	test('I22 none is like another, none is an exception, none reads as success', async () => {
		const told = await Promise.all(Object.keys(WAYS).map(toldOf));
		const codes = told.map(({ content }) => {
			const { refused, ...more } = content as { refused?: { code: string }; code?: string };
			return refused?.code ?? more.code;
		});
		expect(codes).toEqual(['full', 'rejected', 'skipped', 'withdrawn']);
		expect(told.map(({ performative }) => performative)).toEqual(['refuse', 'refuse', 'cancel', 'cancel']);
		for (const { content } of told) expect(content).not.toHaveProperty('done');
		// What a success looks like.
		const made = laboratory([{ calls: [set('a', 'x')] }]);
		await made.engine.run('go', { by: person }).returned;
		expect(made.requests.at(-1)!.messages.at(-1)).toMatchObject({
			performative: 'inform',
			content: { done: true }
		});
	});
});
