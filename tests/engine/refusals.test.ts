import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Actor, ActorKind } from '../../src/lib/actor/index.js';
import { escalate, refuse, retry, unknown } from '../../src/lib/agent/capability/index.js';
import {
	type AgentOptions,
	codes,
	EngineAgent,
	fold,
	type JournalStore,
	type Level,
	type Reason,
	type Run,
	type RunOptions,
	verify
} from '../../src/lib/agent/index.js';
import type { ScriptedTurn } from '../../src/lib/agent/adapters/scripted.js';
import { admit } from '../../src/lib/agent/gate/admit.js';
import { memoryStore } from '../../src/lib/agent/stores/memory.js';
import { person } from '../../src/lib/testing/index.js';
import { Lab, laboratory, labManifest, lab as call, look, set, share, wire } from '../fixtures/lab.js';

const LEVELS: readonly Level[] = ['suggest', 'review', 'auto'];
const ACTORS: readonly Actor[] = (['human', 'agent', 'rule', 'app', 'outside'] as ActorKind[]).map(
	(kind) => ({
		kind,
		id: kind
	})
);
const ROBOT = ACTORS[1]!;
const PULL = (read: string): NonNullable<ScriptedTurn['control']>[number] => ({
	name: 'pull',
	args: { instance: 'diary', read }
});
const ASK = { name: 'ask', args: { text: 'Well?' } };

// What nobody awaits and nobody catches is a rejection all the same.
const unhandled: unknown[] = [];
const note = (error: unknown) => void unhandled.push(error);
beforeAll(() => void process.on('unhandledRejection', note));
afterAll(() => {
	process.off('unhandledRejection', note);
	expect(unhandled).toEqual([]);
});

/** Every code that stands anywhere in a value: reasons of records, of states, of reports. */
function codesIn(value: unknown, found = new Set<string>()): Set<string> {
	if (typeof value !== 'object' || value === null) return found;
	const { code, reason } = value as { code?: unknown; reason?: unknown };
	if (typeof code === 'string') found.add(code);
	if (typeof reason === 'string') found.add(reason);
	for (const part of Object.values(value)) codesIn(part, found);
	return found;
}

type Made = ReturnType<typeof laboratory>;
type Options = NonNullable<Parameters<typeof laboratory>[1]>;

/** Governed: the records hold, and the run has ended or waits for something that has a name. Nothing else is a state. */
function governed({ engine }: Pick<Made, 'engine'>, run: Run): void {
	expect(verify(run.journal)).toEqual([]);
	expect(fold(run.journal)).toEqual(run.state);
	const { outcome, state, activity } = run.state;
	const waits = engine.pending.length > 0 || activity === 'thinking' || activity === 'paused';
	expect([state, outcome !== undefined || waits || !run.state.turns.length]).toEqual([state, true]);
}

/** One world of a test: the level is set in one of three places, the rest is as the witness says. */
interface World {
	level: Level;
	lab(script: Parameters<typeof laboratory>[0], options?: Options): Made;
	run(made: Made, options?: RunOptions): Run;
}
const worlds = LEVELS.flatMap((level) =>
	(['ceiling', 'user', 'run'] as const).map((place): [string, World] => [
		`${level} (${place})`,
		{
			level,
			lab: (script, { policy, ...options } = {}) =>
				laboratory(script, {
					...options,
					policy: {
						ceiling: place === 'ceiling' ? level : 'auto',
						...(place === 'user' ? { user: level } : {}),
						...policy
					}
				}),
			run: ({ engine }, options) =>
				engine.run('go', { by: person, ...(place === 'run' ? { level } : {}), ...options })
		}
	])
);

interface Witness {
	/** At which levels the refusal is met; at the others the world is only to stay governed. */
	at?: readonly Level[];
	/** Everything that was said, besides what the engine recorded. */
	meet(world: World): Promise<{ made: Pick<Made, 'engine' | 'requests'>; run?: Run; said?: unknown }>;
}

/** Approves every review that opens, as often as one does. */
async function agree(made: Made, run: Run, verdict: 'approve' | 'reject' = 'approve', times = 6) {
	await made.settle();
	for (let i = 0; i < times; i++) {
		const open = run.state.reviews.find(({ status }) => status === 'open');
		if (!open) return;
		run.decide({ review: open.id, verdict }, person);
		await made.settle();
	}
}
const acting = (
	calls: ScriptedTurn['calls'],
	options: Options = {},
	more: (made: Made) => void = () => undefined
): Witness['meet'] => {
	return async (world) => {
		const made = world.lab([{ calls }, {}], options);
		more(made);
		const run = world.run(made);
		await agree(made, run);
		return { made, run };
	};
};
const deciding =
	(
		say: (run: Run, made: Made) => unknown,
		turn: ScriptedTurn = { calls: [set('a', 'x')] },
		options: Options = {}
	): Witness['meet'] =>
	async (world) => {
		const made = world.lab([turn, {}], options);
		const run = world.run(made);
		await made.settle();
		return { made, run, said: await say(run, made) };
	};
/** A registration that is refused. */
const registering =
	(...manifests: unknown[]): Witness['meet'] =>
	async (world) => {
		const made = world.lab([{}]);
		const said = manifests.map((manifest) =>
			made.registry.register(manifest as never, new Lab(), { id: 'new', label: 'New' })
		);
		return { made, said: [said.map(({ refused }) => refused), made.registry.problems] };
	};
const LAB = labManifest();
const changed = (change: object) => ({
	...LAB,
	acts: { ...LAB.acts, set: { ...LAB.acts.set, ...change } }
});
const ACTS: readonly Level[] = ['review', 'auto'];
const spent = (budget: AgentOptions['budget'], turns?: (index: number) => ScriptedTurn): Witness['meet'] => {
	return async (world) => {
		const made = world.lab(
			(_request, index) =>
				turns?.(index) ?? { calls: [look(`${index}`)], usage: { input: 900, output: 900, cost: 0.3 } },
			{ budget }
		);
		const run = world.run(made);
		await agree(made, run);
		return { made, run };
	};
};
const store = (over: Partial<JournalStore>): JournalStore => ({ ...memoryStore(), ...over }) as JournalStore;

const WITNESSES: Readonly<Record<string, Witness>> = {
	// registration
	'description-missing': { meet: registering({ ...LAB, description: '' }) },
	'id-clash': { meet: registering({ ...LAB, kind: 'one' }, { ...LAB, kind: 'other' }) },
	'reversible-without-undo': { meet: registering({ ...LAB, undo: undefined }) },
	'touch-unknown': { meet: registering(changed({ touches: ['nothing'] })) },
	args: {
		meet: registering(changed({ args: z.object({ instance: z.string() }) }), null, 7, { ...LAB, kind: 5 })
	},
	'schema-async': {
		meet: async (world) => {
			const asynchronous = {
				'~standard': {
					version: 1,
					vendor: 'x',
					validate: () => Promise.resolve({ value: {} }),
					jsonSchema: { input: () => ({ type: 'object', properties: {} }), output: () => ({}) }
				}
			};
			const made = world.lab([{ calls: [set('a', 'x')] }, {}], {
				change: { set: { args: asynchronous as never } }
			});
			const run = world.run(made);
			await agree(made, run);
			return { made, run };
		}
	},
	'not-json': {
		meet: async (world) => {
			const made = world.lab([{}]);
			const run = made.engine.call(person, 'lab', 'set', { key: new Map() });
			await run.returned;
			return { made, run };
		}
	},
	'read-async': {
		meet: registering({
			...LAB,
			reads: { ...LAB.reads, cells: { ...LAB.reads.cells, read: async () => ({}) } }
		})
	},
	'version-unstable': {
		meet: registering({
			...LAB,
			reads: { ...LAB.reads, cells: { ...LAB.reads.cells, version: () => Math.random() } }
		})
	},
	'parent-cycle': {
		meet: async (world) => {
			const made = world.lab([{}]);
			for (const [id, parent] of [
				['one', 'two'],
				['two', 'one']
			] as const)
				made.registry.register({ ...LAB, kind: id } as never, new Lab(), { id, label: id, parent });
			return { made, said: made.registry.problems };
		}
	},
	// call
	'unknown-act': { meet: acting([{ ...set('a', 'x'), name: 'constructor' }]) },
	'unknown-instance': { meet: acting([{ ...set('a', 'x'), instance: 'ghost' }]) },
	'args-invalid': { meet: acting([call('set', { key: 'a' })]) },
	'args-incomplete': {
		meet: async (world) => {
			const made = world.lab({
				name: 'cut',
				open: () =>
					(async function* () {
						yield { type: 'call.start', id: '1', name: 'lab__set' } as const;
						yield { type: 'call.end', id: '1', verdict: 'incomplete', raw: '{"key' } as const;
						yield { type: 'end', reason: 'length' } as const;
					})()
			});
			const run = world.run(made);
			await made.settle();
			return { made, run };
		}
	},
	undisclosed: {
		meet: async (world) => {
			const made = world.lab([{ calls: [{ ...set('a', 'x'), instance: 'lab2', name: 'lab__set' }] }, {}]);
			// It came after the turn had named its instances.
			made.engine.subscribe(
				({ kind }) =>
					kind === 'turn.opened' && made.registry.register(LAB, new Lab(), { id: 'lab2', label: 'Second' })
			);
			const run = world.run(made);
			await agree(made, run);
			return { made, run };
		}
	},
	// gate
	scope: {
		meet: async (world) => {
			const made = world.lab(
				[{ control: [{ name: 'pull', args: { instance: 'mail', read: 'letter' } }] }, {}],
				{
					tainted: true
				}
			);
			const run = world.run(made, { instances: ['lab'] });
			await made.settle();
			return { made, run };
		}
	},
	unavailable: {
		meet: async (world) => {
			const made = world.lab([{}]);
			made.lab.available = 'closed';
			const run = made.engine.call(person, 'lab', 'look', { value: 'x' });
			await run.returned;
			return { made, run };
		}
	},
	'instance-gone': {
		at: ['review'],
		meet: deciding(async (run, made) => {
			made.unmount();
			await agree(made, run);
		})
	},
	'not-ready': {
		meet: async (world) => {
			const made = world.lab([{}]);
			made.registry.register({ ...LAB, kind: 'late' } as never, () => undefined, {
				id: 'late',
				label: 'Late'
			});
			const run = made.engine.call(person, 'late', 'set', { key: 'a', value: 'x' });
			await run.returned;
			return { made, run };
		}
	},
	denied: {
		meet: acting([set('a', 'x')], { policy: { rules: [{ verdict: 'deny', reason: 'No.' }] } })
	},
	stale: {
		at: ['auto'],
		meet: async (world) => {
			const made = world.lab([{ calls: [set('a', 'x')] }, {}]);
			made.engine.subscribe(({ kind }) => kind === 'turn.closed' && made.lab.put('a', 'faster'));
			const run = world.run(made);
			await agree(made, run);
			return { made, run };
		}
	},
	drift: {
		at: ['review'],
		meet: deciding(async (run, made) => {
			made.lab.put('a', 'faster');
			await agree(made, run);
		})
	},
	superseded: {
		at: ['review'],
		meet: deciding(async (run, made) => {
			await run.steer({ kind: 'correction', text: 'Rather b' }, person);
			await made.settle();
		})
	},
	consent: { meet: deciding(() => undefined, { control: [PULL('page')] }, { diary: true }) },
	level: { at: ['review'], meet: acting([set('a', 'x')]) },
	irreversible: { at: ACTS, meet: acting([wire('x')]) },
	tainted: { at: ACTS, meet: acting([share('a', 'x y z')], { tainted: true }) },
	protected: {
		at: ACTS,
		meet: acting([share('a', 'x y z')], { diary: true, consent: { allow: ['diary'] } })
	},
	rule: {
		at: ACTS,
		meet: acting([set('a', 'x')], { policy: { rules: [{ verdict: 'ask', reason: 'Twice.' }] } })
	},
	'suggest-only': { at: ['suggest'], meet: acting([set('a', 'x')]) },
	'run-over': {
		meet: async (world) => {
			const made = world.lab([{}]);
			const run = world.run(made);
			await run.returned;
			const said = [
				run.pause(person),
				run.resume(person),
				run.renew({ acts: 1 }, person),
				run.accept(person),
				await made.engine.undo('nothing', person)
			];
			return { made, run, said };
		}
	},
	stopping: {
		at: ACTS,
		meet: acting([set('a', 'x')], {}, (made) => {
			made.engine.subscribe(
				({ kind, run }) => void (kind === 'effect.dispatched' && made.engine.get(run)!.stop('now', person))
			);
		})
	},
	locked: {
		at: ACTS,
		meet: acting([set('a', 'x')], { locks: { acquire: () => Promise.reject(new Error('taken')) } })
	},
	// decision
	'person-required': {
		meet: deciding((run) => [run.renew({ acts: 1 }, ROBOT), run.accept(ROBOT)], { hang: true })
	},
	'review-unknown': { meet: deciding((run) => run.decide({ review: 'x', verdict: 'approve' }, person)) },
	'review-settled': {
		at: ['review'],
		meet: deciding(async (run, made) => {
			const { id } = run.state.reviews[0] ?? { id: 'x' };
			run.decide({ review: id, verdict: 'approve' }, person);
			const again = run.decide({ review: id, verdict: 'approve' }, person);
			await made.settle();
			return again;
		})
	},
	'decision-incomplete': {
		at: ['review'],
		meet: deciding((run) => run.decide({ review: run.state.reviews[0]?.id ?? 'x', steps: {} }, person))
	},
	'question-unknown': {
		meet: deciding((run) => [run.answer('x', 'y', person), run.decline('x', 'y', person)], { hang: true })
	},
	'question-settled': {
		meet: deciding(
			(run) => {
				const { id } = run.state.questions[0]!;
				run.answer(id, 'yes', person);
				return [run.answer(id, 'yes', person), run.decline(id, 'no', person)];
			},
			{ control: [ASK] }
		)
	},
	'answer-invalid': {
		meet: deciding((run) => run.answer(run.state.questions[0]!.id, { a: 1 }, person), { control: [ASK] })
	},
	'operation-unknown': { meet: deciding((run) => run.settle('x', 'done', person)) },
	rejected: {
		at: ['review'],
		meet: deciding(async (run, made) => agree(made, run, 'reject'))
	},
	declined: {
		meet: deciding(
			async (run, made) => {
				run.decline(run.state.questions[0]!.id, 'not now', person);
				await made.settle();
			},
			{ control: [ASK] }
		)
	},
	expired: {
		at: ['review'],
		meet: deciding(
			(_run, made) => made.clock.advance(1000),
			{ calls: [set('a', 'x')] },
			{ patience: { reviewMs: 10 } }
		)
	},
	'illegal-transition': { meet: deciding((run) => [run.resume(person), run.accept(person)], { hang: true }) },
	// act
	threw: {
		at: ACTS,
		meet: acting([set('a', 'x')], {}, ({ lab }) => {
			lab.next.push(() => {
				throw new Error('broken');
			});
		})
	},
	timeout: {
		at: ACTS,
		meet: async (world) => {
			const made = world.lab([{ calls: [set('a', 'x')] }, {}]);
			made.lab.next.push(() => new Promise(() => undefined));
			const run = world.run(made);
			await agree(made, run);
			await made.clock.advance(40_000);
			return { made, run };
		}
	},
	'unknown-effect': {
		at: ACTS,
		meet: acting([share('a', 'x')], {}, ({ lab }) => {
			lab.next.push(() => unknown('lost', 'The line broke.'));
		})
	},
	'not-done': {
		at: ACTS,
		meet: async (world) => {
			const made = world.lab([{ calls: [share('a', 'x')] }, {}], {
				change: { share: { probe: async () => 'not-done' } }
			});
			made.lab.next.push(() => new Promise(() => undefined));
			const run = world.run(made);
			await agree(made, run);
			await made.clock.advance(40_000);
			return { made, run };
		}
	},
	'retry-exhausted': {
		at: ACTS,
		meet: acting([set('a', 'x')], {}, ({ lab }) => {
			for (let i = 0; i < 4; i++) lab.next.push(() => retry('busy', 'Busy.'));
		})
	},
	'result-invalid': {
		at: ACTS,
		meet: acting([set('a', 'x')], { change: { set: { result: z.object({ n: z.number() }) } } }, ({ lab }) => {
			lab.next.push(() => ({ kind: 'done', value: { n: 'many' } }));
		})
	},
	'predecessor-failed': {
		at: ['review'],
		meet: acting([set('a', 'x'), set('b', 'y')], {}, ({ lab }) => {
			lab.next.push(() => refuse('no', 'No.'));
		})
	},
	withdrawn: {
		at: ['review'],
		meet: deciding((run) => run.stop('enough', person))
	},
	skipped: {
		at: ['review'],
		meet: deciding(
			(_run, made) => made.clock.advance(1000),
			{ calls: [set('a', 'x')] },
			{ patience: { reviewMs: 10 } }
		)
	},
	// budget
	'budget.acts': { meet: spent({ acts: 1 }) },
	'budget.turns': { meet: spent({ turns: 2 }) },
	'budget.tokens': { meet: spent({ tokens: 3000 }) },
	'budget.cost': { meet: spent({ cost: 0.5 }) },
	'budget.actsPerInstance': { meet: spent({ actsPerInstance: 1 }) },
	'budget.actsPerMinute': { meet: spent({ actsPerMinute: 1 }) },
	'budget.ms': {
		meet: async (world) => {
			const made = world.lab((_request, index) => (index === 0 ? { hang: true } : {}), {
				budget: { ms: 100 }
			});
			const run = world.run(made);
			await made.clock.advance(1000);
			return { made, run };
		}
	},
	// run
	'run-live': {
		meet: async (world) => {
			const made = world.lab([{ hang: true }]);
			const run = world.run(made);
			const other = world.run(made, { whenBusy: 'refuse' });
			return { made, run, said: [await other.returned, await made.engine.undo(run.id, person)] };
		}
	},
	server: {
		meet: async (world) => {
			const made = world.lab([{}], { inert: true });
			const run = world.run(made);
			const said = [
				await run.returned,
				await made.engine.call(person, 'lab', 'set', {}).returned,
				await made.engine.offer('go').returned
			];
			return { made, run, said };
		}
	},
	disposed: {
		meet: async (world) => {
			const made = world.lab([{}]);
			await made.engine.dispose();
			const said = [
				await world.run(made).returned,
				await made.engine.call(person, 'lab', 'set', {}).returned
			];
			return { made, said };
		}
	},
	stall: {
		meet: async (world) => {
			const made = world.lab(() => ({ calls: [look('the same')] }));
			const run = world.run(made);
			await made.settle();
			return { made, run };
		}
	},
	paused: { meet: deciding((run) => run.pause(person), { hang: true }) },
	question: { meet: deciding(() => undefined, { control: [ASK] }) },
	auth: {
		at: ACTS,
		meet: acting([set('a', 'x')], {}, ({ lab }) => {
			lab.next.push(() => escalate({ text: 'Sign in', reason: 'auth', url: 'https://app.example' }));
		})
	},
	store: {
		meet: async (world) => {
			const made = world.lab([{ hang: true }], {
				store: store({ append: () => Promise.reject(new Error('full')) })
			});
			await made.settle();
			const run = world.run(made);
			await made.clock.advance(60_000);
			return { made, run };
		}
	},
	owner: {
		meet: async (world) => {
			const made = world.lab([{ hang: true }], { store: store({ append: async () => 'fenced' }) });
			await made.settle();
			const run = world.run(made);
			await made.clock.advance(60_000);
			return { made, run };
		}
	},
	interrupted: { meet: deciding((run) => run.stop('enough', person), { hang: true }) },
	recovery: {
		meet: async (world) => {
			const made = world.lab([{ hang: true }]);
			world.run(made);
			await made.settle();
			const engine = EngineAgent.restore(made.options, made.engine.snapshot());
			await engine.ready;
			return { made: { ...made, engine } };
		}
	}
};

/** Codes of governance that no surroundings of an engine lead to, each with why. */
const UNREACHABLE: Readonly<Record<string, string>> = {
	'grant-used': 'The door is only opened for a step that holds a grant of its own; driven at the door below.',
	'duplicate-commitment':
		'One conductor carries a run, so an operation is not under way twice; driven at the door below.',
	budget: 'The kind of an escalation, told with the limit that is spent; never a refusal by itself.'
};
/** What the tables of codes hold besides governance. */
const OTHER_GROUPS = ['turn', 'record'];

describe('S0-04 S0-43 no refusal throws, and none rejects a promise', () => {
	const met = new Set<string>();

	describe.each(worlds)('under the level %s', (_name, world) => {
		test.each(Object.entries(WITNESSES))('S0-04 S0-43 %s', async (code, { at = LEVELS, meet }) => {
			const { made, run, said } = await meet(world);
			const runs = made.engine.runs.map(({ id }) => made.engine.get(id)!);
			for (const one of runs) governed(made, one);
			const found = codesIn([
				said,
				made.requests,
				...runs.map(({ state, journal }) => [state, journal.map(({ data }) => data)])
			]);
			if (at.includes(world.level)) {
				expect([...found]).toContain(code);
				met.add(code);
			}
			expect(run?.id ?? '').toBeTypeOf('string');
			expect(unhandled).toEqual([]);
		});
	});

	test('S0-04 S0-43 every code of governance was met, or says why it cannot be', () => {
		const all = Object.entries(codes).flatMap(([code, { group }]) =>
			OTHER_GROUPS.includes(group) ? [] : [code]
		);
		expect([...met, ...Object.keys(UNREACHABLE)].sort()).toEqual(all.sort());
	});

	test('S0-04 the door itself: a permission that is none, one of another step, an operation that is under way', async () => {
		const made = laboratory([{ calls: [set('a', 'x')] }, {}]);
		const run = made.engine.run('go', { by: person });
		await run.returned;
		const entry = (made.registry as unknown as { entry(id: string): never }).entry('lab');
		const [step] = run.state.steps;
		const memory = { step, expect: new Map() };
		const granted = {
			...memory,
			grant: { step: step!.id, expires: Infinity, operation: 'o', how: 'policy' }
		};
		const facts = {
			run: { over: false, escalations: new Map(), effects: new Map() },
			entry,
			versions: [],
			denied: [],
			locked: true,
			unsettled: false,
			policy: '0',
			cost: 0
		};
		const code = (memory: object) => {
			const answer = admit(memory as never, facts as never, 0);
			return 'reasons' in answer ? answer.reasons[0]?.code : answer.verdict;
		};
		expect(code(memory)).toBe('grant-used');
		expect(code({ ...granted, grant: { ...granted.grant, step: 'another' } })).toBe('grant-used');
		expect(code(granted)).toBe('duplicate-commitment');
	});
});

const trap = () => {
	throw new Error('trap');
};
const revoked = (() => {
	const { proxy, revoke } = Proxy.revocable({}, {});
	revoke();
	return proxy;
})();
const circle: Record<string, unknown> = {};
circle.self = circle;
/** Texts that no text can be made of. */
const mute = { toString: 1, valueOf: 1 };
const HOSTILE: Readonly<Record<string, unknown>> = {
	undefined: undefined,
	null: null,
	'no number': NaN,
	'a negative number': -1,
	'an empty text': '',
	'a lone surrogate': '\ud800',
	'the name of a prototype': '__proto__',
	constructor: 'constructor',
	'an own __proto__': JSON.parse(
		'{"__proto__":{"kind":"human"},"kind":"correction","text":"x","verdict":"approve"}'
	),
	'an empty object': {},
	'a list': [[]],
	'a symbol': Symbol('x'),
	'a function': trap,
	'a bigint': 10n,
	'a date': new Date(0),
	'a map': new Map([['a', 1]]),
	'a circle': circle,
	'getters that throw': Object.defineProperty({}, 'kind', { get: trap, enumerable: true }),
	'a proxy that throws': new Proxy({}, { get: trap, has: trap, ownKeys: trap, getPrototypeOf: trap }),
	'a function proxy that throws': new Proxy(trap, { get: trap, apply: trap }),
	'a revoked proxy': revoked,
	'a thing without text': { kind: mute, text: mute, review: mute, verdict: mute, id: mute },
	'a thenable': { then: trap }
};

/** Every verb of an engine and a run, with whatever is handed in, in every place where something can be. */
// Untyped callers hand over anything.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
const verbs = ({ engine }: Made, run: Run, it: any, by: any): Record<string, () => unknown> => {
	const review = run.state.reviews.at(-1);
	const question = run.state.questions.at(-1)?.id;
	const named = Object.fromEntries((review?.steps ?? []).map((id) => [id, it]));
	const edits = Object.fromEntries((review?.steps ?? []).map((id) => [id, { verdict: 'edit', args: it }]));
	return {
		run: () => engine.run(it, { by }),
		'run options': () => engine.run('x', it),
		'run with': () => engine.run('x', { by, level: it, instances: it, budget: it, thread: it, whenBusy: it }),
		'run attachments': () => engine.run({ text: 'x', attachments: [it, { name: it, text: it, label: it }] }),
		offer: () => engine.offer(it, { by }),
		call: () => engine.call(by, it, it, it),
		'call of an act': () => engine.call(by, 'lab', 'set', it),
		'call by': () => engine.call(it, 'lab', 'set', { key: 'a', value: 'x' }),
		get: () => engine.get(it),
		undo: () => engine.undo(it, by),
		redo: () => engine.redo(run.id, it),
		setLevel: () => engine.setLevel(it, by),
		setConsent: () => engine.setConsent(it, it, by),
		'setConsent of an entry': () => engine.setConsent('diary', it, by),
		'setLevel by': () => engine.setLevel('suggest', it),
		accept: () => run.accept(it),
		decide: () => run.decide(it, by),
		'decide a review': () => run.decide({ review: it, verdict: it }, by),
		'decide as': () => run.decide({ review: review?.id ?? 'x', verdict: it }, by),
		'decide steps': () => run.decide({ review: review?.id ?? 'x', steps: it }, by),
		'decide each': () => run.decide({ review: review?.id ?? 'x', steps: named }, by),
		'edit each': () => run.decide({ review: review?.id ?? 'x', steps: edits } as never, by),
		answer: () => run.answer(it, it, by),
		'answer a question': () => run.answer(question ?? 'x', it, by),
		decline: () => run.decline(it, it, by),
		steer: () => run.steer(it, by),
		'steer as': () => run.steer({ kind: it, text: 'x' }, by),
		'steer to': () => run.steer({ kind: 'correction', text: it }, by),
		renew: () => run.renew(it, by),
		'renew a limit': () => run.renew({ acts: it }, by),
		settle: () => run.settle(it, it, by),
		resume: () => run.resume(it),
		pause: () => run.pause(it),
		'pause and resume': () => [run.pause(by), run.resume(by)],
		subscribe: () => engine.subscribe(it)(),
		on: () => engine.on(it)(),
		stop: () => run.stop(it, it)
	};
};

/** Where a run can stand when somebody hands in nonsense. */
const STATES: readonly [string, (world: World) => Promise<[Made, Run]>][] = [
	['over', async (world) => begun(world, [{}])],
	['thinking', async (world) => begun(world, [{ hang: true }])],
	[
		'reviewing or acting',
		async (world) => begun(world, [{ calls: [set('a', 'x'), wire('y')] }, { hang: true }])
	],
	['asking', async (world) => begun(world, [{ control: [ASK], calls: [set('a', 'x')] }, { hang: true }])],
	[
		'asking for a choice nobody can read',
		async (world) =>
			begun(world, [
				{
					control: [
						{
							name: 'ask',
							args: {
								text: 'Which?',
								schema: { type: 'object', required: [mute], properties: { a: { enum: [mute] } } }
							}
						}
					]
				},
				{ hang: true }
			])
	],
	[
		'offered',
		async (world) => {
			const made = world.lab([{ hang: true }]);
			return [made, made.engine.offer('go')];
		}
	]
];
async function begun(world: World, script: readonly ScriptedTurn[]): Promise<[Made, Run]> {
	const made = world.lab(script, { diary: true, tainted: true });
	const run = world.run(made);
	await made.settle();
	return [made, run];
}

/** What a verb answered: a report without a refusal is done, one with a refusal carries a code that stands in the table. */
function answered(value: unknown): void {
	if (typeof value !== 'object' || value === null) return;
	const { ok, refused } = value as { ok?: boolean; refused?: Reason };
	if (ok === false) expect(refused).toBeDefined();
	if (refused) expect([refused.code, Object.hasOwn(codes, refused.code)]).toEqual([refused.code, true]);
}

describe('S0-04 S0-43 hostile input through every verb is answered with a value', () => {
	describe.each(STATES)('while a run is %s', (_state, start) => {
		test.each(Object.entries(HOSTILE))('S0-04 S0-43 %s', async (_what, it) => {
			for (const [, world] of worlds.filter(([name]) => name.includes('ceiling'))) {
				const [made, run] = await start(world);
				const names = Object.keys(verbs(made, run, it, person));
				for (const name of names)
					for (const by of [person, it]) {
						const value = verbs(made, run, it, by)[name]!();
						// What waits for the end of a run is told once it ends.
						const told = await Promise.race([value, made.settle().then(() => undefined)]);
						answered(told);
						if (Array.isArray(told)) told.forEach(answered);
					}
				await made.clock.advance(20_000);
				for (const { id } of made.engine.runs) {
					const one = made.engine.get(id)!;
					expect(verify(one.journal)).toEqual([]);
					expect(fold(one.journal)).toEqual(one.state);
				}
				expect(JSON.parse(JSON.stringify(made.engine.snapshot()))).toBeTypeOf('object');
				const ended = made.engine.dispose();
				await made.clock.advance(20_000);
				await ended;
				for (const { outcome } of made.engine.runs) expect(outcome).toBeDefined();
				// Nothing of it changed what the agent may do.
				expect(made.lab.log.every(({ act }) => act === 'set')).toBe(true);
			}
			expect(unhandled).toEqual([]);
		});
	});
});

test('S0-04 a refused steer says so with a code, as every other verb does', async () => {
	const made = laboratory([{ hang: true }]);
	const run = made.engine.run('go', { by: person });
	await made.settle();
	expect(await run.steer('rather this', ROBOT)).toMatchObject({
		revision: 1,
		refused: { code: 'person-required' }
	});
	expect(await run.steer({ kind: 'dance', text: 'x' } as never, person)).toMatchObject({
		refused: { code: 'args' }
	});
	expect(await run.steer({ kind: 'pause', text: 'wait' }, person)).not.toHaveProperty('refused');
	expect(await run.steer({ kind: 'pause', text: 'wait' }, person)).toMatchObject({
		refused: { code: 'illegal-transition' }
	});
	expect(await run.steer('rather this', person)).not.toHaveProperty('refused');
});

test('S0-04 a refused switch says so with a code', () => {
	const { engine } = laboratory([], { policy: { ceiling: 'auto', user: 'review' } });
	expect(engine.setLevel('auto', ROBOT)).toMatchObject({ ok: false, refused: { code: 'person-required' } });
	expect(engine.setLevel('most' as never, person)).toMatchObject({ ok: false, refused: { code: 'args' } });
	expect(engine.setLevel('auto', person)).toEqual({ ok: true });
	expect(engine.setLevel('suggest', ROBOT)).toEqual({ ok: true });
	expect(engine.setConsent('lab', 'allow', ROBOT)).toMatchObject({ refused: { code: 'person-required' } });
	expect(engine.setConsent('lab', 'maybe' as never, person)).toMatchObject({ refused: { code: 'args' } });
	expect(engine.setConsent('lab', 'deny', ROBOT)).toEqual({ ok: true });
});

describe('S3-16 that a stop was asked for and that something has stopped are two records', () => {
	test('S3-16 between them the act under way settles; each is on record, in the state and for whoever listens', async () => {
		const made = laboratory([{ calls: [share('a', 'x')] }, {}]);
		let finish = (): void => undefined;
		made.lab.next.push(() => new Promise((resolve) => (finish = () => resolve({ kind: 'done' }))));
		const run = made.engine.run('go', { by: person });
		await made.settle();
		const heard: string[] = [];
		made.engine.subscribe(({ kind }) => heard.push(kind));
		const report = run.stop('enough', person);
		const again = run.stop('enough, I said', person);
		expect(heard).toEqual(['stop.requested']);
		expect(run.state.state).toBe('acting');
		expect(run.state.outcome).toBeUndefined();
		finish();
		await made.settle();
		expect(heard).toEqual(['stop.requested', 'effect.settled', 'run.ended']);
		const [asked, ended] = run.journal.filter(
			({ kind }) => kind === 'stop.requested' || kind === 'run.ended'
		);
		expect(asked).toMatchObject({
			kind: 'stop.requested',
			by: person,
			data: { reason: { code: 'interrupted' } }
		});
		expect(ended).toMatchObject({ kind: 'run.ended', data: { verb: 'return', kind: 'interrupted' } });
		expect(ended!.seq).toBeGreaterThan(asked!.seq);
		expect(run.state).toMatchObject({ state: 'returned', outcome: { kind: 'interrupted' } });
		expect(await report).toEqual(await again);
		expect((await report).confirmed).toHaveLength(1);
	});

	test('S3-16 what is not settled in time is unknown, not stopped', async () => {
		const made = laboratory([{ calls: [share('a', 'x')] }, {}], { patience: { settleMs: 500 } });
		made.lab.next.push(() => new Promise(() => undefined));
		const run = made.engine.run('go', { by: person });
		await made.settle();
		const report = run.stop('enough', person);
		await made.clock.advance(400);
		expect(run.state.outcome).toBeUndefined();
		await made.clock.advance(200);
		expect(run.state.outcome?.kind).toBe('interrupted');
		expect((await report).unknown).toHaveLength(1);
	});

	test('S3-16 nothing but a record ends a run: no outcome without `run.ended`, no end of a stop without `stop.requested`', async () => {
		for (const end of ['stop', 'dispose', 'supersede', 'answer'] as const) {
			const made = laboratory(end === 'answer' ? [{}] : [{ hang: true }, {}]);
			const run = made.engine.run('go', { by: person });
			await made.settle();
			if (end === 'stop') void run.stop('enough', person);
			if (end === 'dispose') void made.engine.dispose();
			if (end === 'supersede') made.engine.run('other', { by: person, whenBusy: 'supersede' });
			await made.clock.advance(20_000);
			const kinds = run.journal.map(({ kind }) => kind);
			expect(run.state.outcome).toBeDefined();
			expect(kinds.filter((kind) => kind === 'run.ended')).toHaveLength(1);
			expect(kinds.filter((kind) => kind === 'stop.requested')).toHaveLength(end === 'answer' ? 0 : 1);
		}
	});
});
