import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { currentCause, type Actor } from '../../src/lib/actor/index.js';
import {
	EngineAgent,
	verify,
	type AgentEvent,
	type AgentOptions,
	type AgentTransport,
	type Run,
	type TurnEvent
} from '../../src/lib/agent/index.js';
import {
	defineManifest,
	done,
	refuse,
	unknown,
	type ActResult
} from '../../src/lib/agent/capability/index.js';
import { person } from '../../src/lib/testing/index.js';
import { bench } from '../fixtures/engine.js';

/** A text into which an agent may write, and which shows what is coming. */
class Letter {
	body = 'Dear Ms. Meyer,';
	#version = 0;
	readonly ghosts = new Map<string, Record<string, unknown>>();
	readonly told: { partial: Record<string, unknown> | undefined; run: string; step: string; cause: Actor }[] =
		[];
	/** Ids of the steps that were performed, with the ghost found by then. */
	readonly done: { step: string; ghost: unknown }[] = [];
	/** What the next call does instead of writing. */
	next: (() => ActResult) | undefined;
	available: true | string = true;
	onpaint: (() => void) | undefined;

	get version(): number {
		return this.#version;
	}

	write(text: string): void {
		this.body += text;
		this.#version += 1;
	}

	paint(partial: Record<string, unknown> | undefined, { run, step }: { run: string; step: string }): void {
		this.told.push({ partial, run, step, cause: currentCause() });
		if (partial) this.ghosts.set(step, partial);
		else this.ghosts.delete(step);
		this.onpaint?.();
	}

	/** The bytes of all that is committed. */
	get bytes(): string {
		return JSON.stringify([this.body, this.#version]);
	}

	/** How often paint was taken away, by step. */
	get taken(): Record<string, number> {
		const out: Record<string, number> = {};
		for (const { partial, step } of this.told) if (!partial) out[step] = (out[step] ?? 0) + 1;
		return out;
	}

	get painted(): (Record<string, unknown> | undefined)[] {
		return this.told.map(({ partial }) => partial);
	}
}

const text = z.strictObject({
	after: z.string().describe('Behind what').optional(),
	text: z.string().max(500).describe('What to write'),
	tone: z.object({ warm: z.boolean() }).describe('How').optional()
});

const letterManifest = defineManifest<Letter>()({
	kind: 'letter',
	description: 'A letter',
	reads: {
		body: {
			description: 'Its text',
			read: (letter) => letter.body,
			version: (letter) => letter.version,
			trust: 'user',
			sensitivity: 'page'
		}
	},
	acts: {
		append: {
			description: 'Writes behind the text',
			args: text,
			effect: 'reversible',
			touches: ['body'],
			stream: 'text',
			available: (letter) => letter.available,
			paint: (letter, partial, call) => letter.paint(partial, call),
			perform(letter, args, { step }) {
				const instead = letter.next?.();
				letter.next = undefined;
				if (instead) return instead;
				letter.done.push({ step, ghost: letter.ghosts.get(step) });
				letter.ghosts.delete(step);
				letter.write(args.text);
				return done();
			}
		},
		plain: {
			description: 'The same, all at once',
			args: text,
			effect: 'reversible',
			touches: ['body'],
			perform(letter, args) {
				letter.write(args.text);
				return done();
			}
		},
		count: {
			description: 'Counts words',
			args: text,
			effect: 'none',
			stream: 'text',
			paint: (letter, partial, call) => letter.paint(partial, call),
			perform: (_, args) => done(args.text.split(' ').length)
		}
	},
	undo: () => ({ undone: 1, kept: [] })
});

type Script = Parameters<typeof bench>[0];

function desk(script: Script, options: Partial<AgentOptions> = {}) {
	const letter = new Letter();
	const made = bench(script, { policy: { ceiling: 'auto' }, ...options });
	made.dispose();
	const unmount = made.registry.register(letterManifest, letter, { id: 'letter', label: 'Letter' });
	if (unmount.refused) throw new Error(unmount.refused.text);
	const paints: Extract<AgentEvent, { type: 'paint' }>[] = [];
	made.engine.on((event) => {
		if (event.type === 'paint') paints.push(event);
	});
	return { ...made, letter, unmount, paints, settle: () => calm(made.settle) };
}

/** Streams of many events take many ticks. */
const calm = async (settle: () => Promise<void>) => {
	for (let i = 0; i < 12; i++) await settle();
};

const append = (value: string, more: object = {}) => ({
	instance: 'letter',
	act: 'append',
	args: { text: value, ...more }
});

const TOOL = 'letter__append';

/** The events of one call whose arguments arrive unit by unit. */
function spelled(raw: string, { id = 'c1', name = TOOL, pieces = 1 } = {}): TurnEvent[] {
	const out: TurnEvent[] = [{ type: 'call.start', id, name }];
	for (let from = 0; from < raw.length; from += pieces)
		out.push({ type: 'call.args', id, delta: raw.slice(from, from + pieces) });
	return [...out, { type: 'call.end', id, verdict: 'complete', raw }];
}

/** Turns told event by event; one that ends in `hang` never ends. */
function wire(...turns: readonly (readonly (TurnEvent | 'hang')[])[]): AgentTransport {
	let opened = 0;
	return {
		name: 'wire',
		async *open(_, signal) {
			for (const event of turns[opened++] ?? [{ type: 'end', reason: 'stop' } as const]) {
				if (event !== 'hang') yield event;
				else
					await new Promise<void>((resolve) => {
						if (signal.aborted) resolve();
						else signal.addEventListener('abort', () => resolve(), { once: true });
					});
			}
		}
	};
}

const calls: TurnEvent = { type: 'end', reason: 'calls' };
const stop: TurnEvent = { type: 'end', reason: 'stop' };
const RAW = '{"instance":"letter","after":"b1","text":"Hi \\u00e9\\ud83d\\udc4d","tone":{"warm":true}}';

afterEach(() => {
	vi.restoreAllMocks();
});

describe('S2-98 what is coming is painted while it streams', () => {
	test('S2-98 from the first sign of the text on, with what else is whole by then, and gone once it is done', async () => {
		const { engine, letter, paints } = desk(wire([...spelled(RAW), calls], [stop]));
		const before = letter.bytes;
		let early: string | undefined;
		letter.onpaint = () => (early ??= letter.bytes);
		const run = engine.run('write', { by: person });
		expect((await run.returned).kind).toBe('completed');
		expect(early).toBe(before);
		const after = 'b1';
		expect(letter.painted).toEqual([
			{ after, text: '' },
			{ after, text: 'H' },
			{ after, text: 'Hi' },
			{ after, text: 'Hi ' },
			{ after, text: 'Hi é' },
			{ after, text: 'Hi é👍' },
			{ after, text: 'Hi é👍', tone: { warm: true } },
			undefined
		]);
		const [step] = run.state.steps;
		expect(step!.status).toBe('confirmed');
		expect(letter.body).toBe('Dear Ms. Meyer,Hi é👍');
		for (const told of letter.told) {
			expect(told).toMatchObject({
				run: run.id,
				step: step!.id,
				cause: { kind: 'agent', id: 'ada', run: run.id, step: step!.id }
			});
			expect(Object.isFrozen(told.partial) && Object.isFrozen(told.partial?.tone ?? Object.freeze({}))).toBe(
				true
			);
		}
		expect(paints.map(({ partial }) => partial ?? undefined)).toEqual(letter.painted);
		expect(paints.at(-1)!.partial).toBeNull();
		expect(paints.every((event) => event.step === step!.id && event.run === run.id)).toBe(true);
		// The act itself found its ghost, and took it away in its own write.
		expect(letter.done).toMatchObject([{ step: step!.id, ghost: { text: 'Hi é👍' } }]);
	});

	test('S2-98 nothing of it is recorded: the journal is that of a call that came at once', async () => {
		const told = async (pieces: number | undefined) => {
			const { engine, letter } = desk([{ calls: [{ ...append('One. Two. Three.'), pieces }] }, {}]);
			const run = engine.run('write', { by: person });
			await run.returned;
			expect(verify(run.journal)).toEqual([]);
			return { journal: JSON.stringify(run.journal), times: letter.told.length };
		};
		const whole = await told(undefined);
		const pieces = await told(1);
		expect(pieces.journal).toBe(whole.journal);
		expect(whole.times).toBe(2);
		expect(pieces.times).toBeGreaterThan(10);
	});

	test('S2-98 in pieces of any size each picture is a beginning of what is written in the end', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.string({ unit: 'binary', maxLength: 40 }),
				fc.integer({ min: 1, max: 9 }),
				async (value, pieces) => {
					const { engine, letter } = desk([{ calls: [{ ...append(value), pieces }] }, {}]);
					await engine.run('write', { by: person }).returned;
					expect(letter.body).toBe(`Dear Ms. Meyer,${value}`);
					const seen = letter.painted.slice(0, -1).map((partial) => partial!.text as string);
					expect(
						seen.every((one, i) => value.startsWith(one) && one.length >= (seen[i - 1]?.length ?? 0))
					).toBe(true);
					expect(seen.at(-1)).toBe(value);
					expect(letter.taken).toEqual({ [letter.done[0]!.step]: 1 });
				}
			),
			{ numRuns: 30 }
		);
	});

	test('S2-98 the id is that of the step, whatever else is called in the turn', async () => {
		const read = '{"instance":"letter","text":"a b"}';
		const first = spelled('{"instance":"letter","text":"one"}', { id: 'a' });
		const { engine, letter } = desk(
			wire(
				[
					...spelled(read, { id: 'r', name: 'letter__count' }),
					...spelled('{}', { id: 'x', name: 'no_such_tool' }),
					...spelled('{"instance":"letter","read":"body"}', { id: 'p', name: 'pull' }),
					{ type: 'call.start', id: 't', name: 'search', executed: 'there' },
					...first.slice(0, -2),
					// Two calls at the same time, and one whose id comes again.
					...spelled('{"instance":"letter","text":"two"}', { id: 'b' }),
					...first.slice(-2),
					...spelled('{"instance":"letter","text":"three"}', { id: 'a' }),
					...spelled('{"instance":"letter","text":"four"}', { id: 'q', name: 'letter__plain' }),
					calls
				],
				[stop]
			)
		);
		const run = engine.run('write', { by: person });
		await run.returned;
		const { steps } = run.state;
		expect(steps.map(({ args }) => (args as { text: string }).text)).toEqual(['one', 'two', 'three', 'four']);
		expect(new Set(steps.map(({ id }) => id)).size).toBe(4);
		for (const [i, value] of ['one', 'two', 'three'].entries()) {
			const { id } = steps[i]!;
			const pictures = letter.told.filter(({ step }) => step === id).map(({ partial }) => partial?.text);
			expect(pictures.at(-2)).toBe(value);
			expect(pictures.at(-1)).toBeUndefined();
			expect(letter.taken[id]).toBe(1);
		}
		expect(Object.keys(letter.taken)).toHaveLength(3);
	});

	test('S2-98 a participant that was only painted in is told of the end of the run', async () => {
		const ended: string[] = [];
		const made = bench(wire([...spelled(RAW).slice(0, -3), 'hang']), { policy: { ceiling: 'auto' } });
		const letter = new Letter();
		made.registry.register({ ...letterManifest, ended: (_, run) => void ended.push(run) }, letter, {
			id: 'letter',
			label: 'Letter'
		});
		const run = made.engine.run('write', { by: person });
		await calm(made.settle);
		expect(letter.ghosts.size).toBe(1);
		await run.stop('enough', person);
		expect(letter.ghosts.size).toBe(0);
		expect(ended).toEqual([run.id]);
	});
});

describe('S2-98 at every prefix of a stream what is committed is nothing', () => {
	const whole = spelled(RAW);
	const tails: Record<string, readonly (TurnEvent | 'hang')[]> = {
		'the line goes dead': [],
		'an error': [{ type: 'error', reason: { code: 'provider', text: 'no' }, retryable: false }],
		'an end without the end of the call': [calls],
		'the length ran out': [{ type: 'end', reason: 'length' }],
		'a refusal': [
			{ type: 'refusal', category: 'x', text: 'I will not.' },
			{ type: 'end', reason: 'refusal' }
		],
		'the call is cut': [{ type: 'call.end', id: 'c1', verdict: 'incomplete', raw: RAW.slice(0, 60) }, calls],
		'the call is invalid': [
			{ type: 'call.end', id: 'c1', verdict: 'invalid', raw: `${RAW.slice(0, 60)}]` },
			calls
		]
	};
	const acts: Record<string, (run: Run, engine: EngineAgent) => unknown> = {
		'the person stops': (run) => run.stop('enough', person),
		'the person corrects': (run) => run.steer('shorter', person),
		'another run takes its place': (_, engine) => engine.run('other', { by: person, whenBusy: 'supersede' }),
		'the engine is disposed of': (_, engine) => engine.dispose(),
		'the page is closed': (_, engine) => engine.abandon()
	};
	/** Nothing is shown any more, and what was shown was taken away once. */
	const clean = (letter: Letter, at: string) => {
		expect(letter.ghosts.size, at).toBe(0);
		const steps = new Set(letter.told.map(({ step }) => step));
		expect(letter.taken, at).toEqual(Object.fromEntries([...steps].map((step) => [step, 1])));
		expect(letter.painted.length === 0 || letter.painted.at(-1) === undefined, at).toBe(true);
	};

	test.each(Object.keys(tails))('S2-98 cut anywhere: %s', async (name) => {
		let shown = 0;
		for (let count = 0; count < whole.length; count++) {
			const { engine, letter, settle } = desk(wire([...whole.slice(0, count), ...tails[name]!], [stop]));
			const before = letter.bytes;
			const seen = new Set<string>();
			letter.onpaint = () => seen.add(letter.bytes);
			engine.run('write', { by: person });
			await settle();
			shown += letter.told.length;
			expect(letter.bytes, `${count}`).toBe(before);
			expect([...seen].every((bytes) => bytes === before)).toBe(true);
			clean(letter, `after ${count} events`);
			await engine.dispose();
			clean(letter, `after ${count} events, disposed`);
		}
		expect(shown).toBeGreaterThan(100);
	});

	test.each(Object.keys(acts))('S2-98 in the middle of the stream: %s', async (name) => {
		let shown = 0;
		for (let count = 0; count <= whole.length; count++) {
			const { engine, letter, settle } = desk(wire([...whole.slice(0, count), 'hang'], [stop], [stop]));
			const before = letter.bytes;
			const run = engine.run('write', { by: person });
			await settle();
			shown += letter.told.length;
			const late = letter.ghosts.size;
			acts[name]!(run, engine);
			expect(letter.ghosts.size, 'at once').toBe(0);
			expect(late === 0 || letter.painted.at(-1) === undefined).toBe(true);
			await settle();
			expect(letter.bytes).toBe(before);
			clean(letter, `after ${count} events`);
		}
		expect(shown).toBeGreaterThan(100);
	});

	test('S2-98 a turn that is tried again is painted anew, under the same step', async () => {
		const { engine, letter, clock, settle } = desk(wire(whole.slice(0, -8), [...whole, calls], [stop]));
		const run = engine.run('write', { by: person });
		await settle();
		expect(letter.ghosts.size).toBe(0);
		const first = letter.told.length;
		expect(letter.told.at(-1)).toMatchObject({ partial: undefined });
		await clock.advance(1000);
		expect((await run.returned).kind).toBe('completed');
		expect(letter.told[first]!.partial).toEqual({ after: 'b1', text: '' });
		expect(new Set(letter.told.map(({ step }) => step))).toEqual(new Set([run.state.steps[0]!.id]));
		expect(Object.values(letter.taken)).toEqual([2]);
	});
});

describe('S2-98 painted until the step is settled, in whatever way', () => {
	const one = [{ calls: [{ ...append('Hello'), pieces: 3 }] }, {}];
	const review = { policy: { ceiling: 'review' as const } };
	const open = (run: Run) => run.state.reviews.find(({ status }) => status === 'open')!.id;
	const once = (letter: Letter, run: Run) => expect(letter.taken).toEqual({ [run.state.steps[0]!.id]: 1 });

	test('S2-98 it stands while the card is open; approved, the act finds it', async () => {
		const { engine, letter, settle } = desk(one, review);
		const run = engine.run('write', { by: person });
		await settle();
		expect([...letter.ghosts.values()]).toEqual([{ text: 'Hello' }]);
		run.decide({ review: open(run), verdict: 'approve' }, person);
		await run.returned;
		expect(letter.done).toEqual([{ step: run.state.steps[0]!.id, ghost: { text: 'Hello' } }]);
		once(letter, run);
	});

	test.each<[string, (run: Run, clock: { advance(ms: number): Promise<void> }) => unknown]>([
		['rejected', (run) => run.decide({ review: open(run), verdict: 'reject' }, person)],
		['superseded', (run) => run.steer('shorter', person)],
		['stopped', (run) => run.stop('enough', person)],
		['expired', (_, clock) => clock.advance(25 * 60 * 60 * 1000)]
	])('S2-98 taken away: %s', async (_, what) => {
		const { engine, letter, clock, settle } = desk(one, review);
		const before = letter.bytes;
		const run = engine.run('write', { by: person });
		await settle();
		expect(letter.ghosts.size).toBe(1);
		await what(run, clock);
		await settle();
		expect(letter.ghosts.size).toBe(0);
		expect(letter.bytes).toBe(before);
		once(letter, run);
	});

	test('S2-98 taken away: refused by the schema, by a rule about the arguments', async () => {
		const long = desk([{ calls: [{ ...append('x'.repeat(501)), pieces: 50 }] }, {}]);
		const first = long.engine.run('write', { by: person });
		await first.returned;
		expect(first.state.steps).toMatchObject([{ status: 'refused', reasons: [{ code: 'args-invalid' }] }]);
		once(long.letter, first);
		const ruled = desk(one, {
			policy: {
				ceiling: 'auto',
				rules: [
					{
						verdict: 'deny',
						act: 'append',
						when: ({ args }) => (args as { text: string }).text === 'Hello',
						reason: 'not that'
					}
				]
			}
		});
		const second = ruled.engine.run('write', { by: person });
		await second.returned;
		expect(second.state.steps).toMatchObject([{ status: 'refused', reasons: [{ code: 'denied' }] }]);
		expect(ruled.letter.told.length).toBeGreaterThan(1);
		once(ruled.letter, second);
		expect(ruled.letter.done).toEqual([]);
	});

	test.each<[string, () => ActResult]>([
		['refused', () => refuse('full', 'No room.')],
		['unknown', () => unknown('lost', 'Nobody knows.')],
		[
			'thrown',
			() => {
				throw new Error('broken');
			}
		]
	])('S2-98 taken away: the act itself came to nothing (%s)', async (_, instead) => {
		const { engine, letter } = desk(one);
		letter.next = instead;
		const run = engine.run('write', { by: person });
		await run.returned;
		expect(run.state.steps[0]!.status).not.toBe('confirmed');
		expect(letter.ghosts.size).toBe(0);
		once(letter, run);
	});

	test('S2-98 a proposal stays painted until the run returns', async () => {
		const { engine, letter } = desk(
			[{ calls: [{ ...append('Hello'), pieces: 3 }] }, { say: 'That is what I would write.' }],
			{ policy: { ceiling: 'suggest' } }
		);
		let seen = 0;
		engine.subscribe(({ kind }) => {
			if (kind === 'step.closed') seen = letter.ghosts.size;
		});
		const run = engine.run('write', { by: person });
		expect((await run.returned).kind).toBe('proposed');
		expect(seen).toBe(1);
		expect(letter.ghosts.size).toBe(0);
		once(letter, run);
	});

	test('S2-98 it stands while a question of the same turn is open, and goes when that is declined', async () => {
		const { engine, letter, settle } = desk([
			{
				calls: [{ ...append('Hello'), pieces: 3 }],
				control: [{ name: 'ask', args: { text: 'Which tone?' } }]
			},
			{}
		]);
		const run = engine.run('write', { by: person });
		await settle();
		expect(letter.ghosts.size).toBe(1);
		run.decline(run.state.questions[0]!.id, 'none', person);
		await run.returned;
		expect(letter.ghosts.size).toBe(0);
		expect(Object.values(letter.taken)).toEqual([1]);
	});

	test('S2-98 what was cut goes at once, though the rest of its turn waits for an answer', async () => {
		const asks = spelled('{"text":"Which tone?"}', { id: 'q', name: 'ask' });
		const { engine, letter, settle } = desk(
			wire([...asks, ...spelled(RAW).slice(0, -5), { type: 'end', reason: 'length' }], [stop])
		);
		const run = engine.run('write', { by: person });
		await settle();
		expect(run.state.questions).toMatchObject([{ status: 'open' }]);
		expect(letter.told.length).toBeGreaterThan(3);
		expect(letter.ghosts.size).toBe(0);
		expect(Object.values(letter.taken)).toEqual([1]);
	});

	test('S2-98 a component that was exchanged meanwhile is painted in no more', async () => {
		const { engine, registry, letter, settle } = desk(wire([...spelled(RAW), calls], [stop]));
		const other = new Letter();
		letter.onpaint = () => {
			if (letter.told.length === 3)
				registry.register(letterManifest, other, { id: 'letter', label: 'Letter' });
		};
		engine.run('write', { by: person });
		await settle();
		expect(letter.painted).toEqual([
			{ after: 'b1', text: '' },
			{ after: 'b1', text: 'H' },
			{ after: 'b1', text: 'Hi' },
			undefined
		]);
		expect(other.told).toEqual([]);
	});
});

describe('S2-98 painted only where the call could become a step', () => {
	const script = [{ calls: [{ ...append('Hello'), pieces: 2 }] }, {}];
	const never = async (made: ReturnType<typeof desk>, options: Parameters<EngineAgent['run']>[1] = {}) => {
		await made.engine.run('write', { by: person, ...options }).returned;
		expect(made.letter.told).toEqual([]);
		expect(made.paints).toEqual([]);
	};

	test('S2-98 not what a rule denies whatever the arguments', async () => {
		const deny = { verdict: 'deny' as const, reason: 'closed' };
		await never(desk(script, { policy: { ceiling: 'auto', rules: [{ ...deny, act: 'append' }] } }));
		await never(desk(script, { policy: { ceiling: 'auto', rules: [{ ...deny, instance: 'letter' }] } }));
		const other = desk(script, { policy: { ceiling: 'auto', rules: [{ ...deny, act: 'plain' }] } });
		await other.engine.run('write', { by: person }).returned;
		expect(other.letter.told.length).toBeGreaterThan(1);
	});

	test('S2-98 not out of scope, not in nobody, not where it is not available or does not stream', async () => {
		// The tool is there for the sake of another letter; that the run may not use this one is found out late.
		const scoped = desk(wire([...spelled(RAW), calls], [stop]));
		scoped.registry.register(letterManifest, scoped.letter, { id: 'other', label: 'Other' });
		await never(scoped, { instances: ['other'] });
		await never(desk(wire([...spelled(RAW.replace('"letter"', '"nobody"')), calls], [stop])));
		await never(desk(wire([...spelled(RAW.replace('"letter"', '7')), calls], [stop])));
		await never(desk([{ calls: [{ ...append('Hello'), act: 'plain', pieces: 2 }] }, {}]));
		await never(desk([{ calls: [{ ...append('Hello'), act: 'count', pieces: 2 }] }, {}]));
		const closed = desk(wire([...spelled(RAW), calls], [stop]));
		closed.engine.on(({ type }) => {
			if (type === 'call.start') closed.letter.available = 'not now';
		});
		await never(closed);
		const there = spelled(RAW).map((event) =>
			event.type === 'call.start' ? { ...event, executed: 'there' as const } : event
		);
		await never(desk(wire([...there, stop])));
	});

	test('S2-98 not where the text is no text, or the arguments are no object', async () => {
		for (const raw of ['{"instance":"letter","text":["a"]}', '["letter","text"]', '"letter"', '12'])
			await never(desk(wire([...spelled(raw), calls], [stop])));
	});

	test('S2-98 from where the instance is known on', async () => {
		const raw = '{"text":"Hello","instance":"letter","after":"b2"}';
		const { engine, letter } = desk(wire([...spelled(raw), calls], [stop]));
		await engine.run('write', { by: person }).returned;
		expect(letter.painted).toEqual([{ text: 'Hello' }, { text: 'Hello', after: 'b2' }, undefined]);
	});

	test('S2-98 an instance that is named again was not the one; a text that is begun again is another', async () => {
		const twice = desk(
			wire([...spelled('{"instance":"letter","text":"ab","instance":"x","text":"c"}'), calls], [stop])
		);
		await twice.engine.run('write', { by: person }).returned;
		expect(twice.letter.painted).toEqual([{ text: '' }, { text: 'a' }, { text: 'ab' }, undefined]);
		const again = desk(wire([...spelled('{"instance":"letter","text":"ab","text":"c"}'), calls], [stop]));
		await again.engine.run('write', { by: person }).returned;
		expect(again.letter.painted).toEqual([
			{ text: '' },
			{ text: 'a' },
			{ text: 'ab' },
			{ text: '' },
			{ text: 'c' },
			undefined
		]);
		expect(again.letter.body).toBe('Dear Ms. Meyer,c');
	});

	test('S2-98 the whole text at the end wins over what came before it, also where nothing came', async () => {
		const at = (raw: string, delta: string): TurnEvent[] => [
			{ type: 'call.start', id: 'c', name: TOOL },
			...(delta === '' ? [] : [{ type: 'call.args' as const, id: 'c', delta }]),
			{ type: 'call.end', id: 'c', verdict: 'complete', raw },
			calls
		];
		const raw = '{"instance":"letter","text":"right"}';
		const silent = desk(wire(at(raw, ''), [stop]));
		await silent.engine.run('write', { by: person }).returned;
		expect(silent.letter.painted).toEqual([{ text: 'right' }, undefined]);
		const other = desk(wire(at(raw, '{"instance":"letter","text":"wrong"}'), [stop]));
		await other.engine.run('write', { by: person }).returned;
		expect(other.letter.painted).toEqual([{ text: 'wrong' }, { text: 'right' }, undefined]);
		const elsewhere = desk(wire(at('{"instance":"x","text":"right"}', raw), [stop]));
		await elsewhere.engine.run('write', { by: person }).returned;
		expect(elsewhere.letter.painted).toEqual([{ text: 'right' }, undefined]);
	});

	test('S2-98 any name of an argument stays a name', async () => {
		const raw = '{"instance":"letter","__proto__":{"polluted":1},"text":"a"}';
		const { engine, letter } = desk(wire([...spelled(raw), calls], [stop]));
		await engine.run('write', { by: person }).returned;
		const [partial] = letter.painted;
		expect(Object.getPrototypeOf(partial)).toBe(Object.prototype);
		expect(Object.keys(partial!)).toEqual(['__proto__', 'text']);
		expect(letter.taken).toEqual({ [letter.told[0]!.step]: 1 });
	});
});

describe('S2-98 a fault of a painter is its own', () => {
	test('S2-98 reported once; the run goes on, and the paint is taken away', async () => {
		const report = vi.spyOn(console, 'error').mockImplementation(() => {});
		const { engine, letter } = desk([{ calls: [{ ...append('Hello'), pieces: 2 }] }, {}]);
		letter.onpaint = () => {
			throw new Error('no canvas');
		};
		const run = engine.run('write', { by: person });
		expect((await run.returned).kind).toBe('completed');
		expect(letter.body).toBe('Dear Ms. Meyer,Hello');
		expect(letter.painted.at(-1)).toBeUndefined();
		expect(report).toHaveBeenCalledTimes(1);
	});

	test('S2-98 one that stops the run is heeded at once', async () => {
		const { engine, letter } = desk(wire([...spelled(RAW), calls], [stop]));
		letter.onpaint = () => {
			const { run } = letter.told[0]!;
			if (letter.told.length === 3) void engine.get(run)!.stop('enough', person);
		};
		const run = engine.run('write', { by: person });
		expect((await run.returned).kind).toBe('interrupted');
		expect(letter.painted).toEqual([
			{ after: 'b1', text: '' },
			{ after: 'b1', text: 'H' },
			{ after: 'b1', text: 'Hi' },
			undefined
		]);
		expect(verify(run.journal)).toEqual([]);
	});
});
