import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { currentCause, type Actor } from '../../src/lib/actor/index.js';
import { type ActResult, defineManifest } from '../../src/lib/agent/capability/index.js';
import {
	type AgentOptions,
	createRegistry,
	EngineAgent,
	fold,
	type Run,
	type RunState,
	verify
} from '../../src/lib/agent/index.js';
import { plus } from '../../src/lib/agent/protocol/budget.js';
import type { Usage } from '../../src/lib/agent/protocol/turn.js';
import type { Budget } from '../../src/lib/agent/protocol/words.js';
import { person } from '../../src/lib/testing/index.js';
import { bench } from '../fixtures/engine.js';
import { laboratory, set } from '../fixtures/lab.js';

/** One act of a tree: what it does, how it ends, and which acts it sets off while it is under way. */
interface Node {
	act: 'work' | 'look' | 'run';
	end: 'done' | 'refuse' | 'unknown' | 'throw' | 'retry';
	/** Milliseconds until it ends; none ends in the same tick. */
	ms: number;
	below: Node[];
}

/** A participant whose acts call the engine again. */
class Tree {
	static count = 0;
	/** Locks are the page's, and these trees are not of one page. */
	readonly name = (Tree.count += 1);
	readonly nodes: Node[] = [];
	readonly begun: Run[] = [];
	engine!: EngineAgent;
	/** Of the last turn of each run. */
	usage: Usage | undefined;
	constructor(readonly sleep: (ms: number) => Promise<void>) {}

	place(node: Node): number {
		this.nodes.push(node);
		return this.nodes.length - 1;
	}

	perform(n: number): ActResult | Promise<ActResult> {
		const node = this.nodes[n]!;
		this.begin(node, currentCause());
		return node.ms === 0 ? this.end(node) : this.sleep(node.ms).then(() => this.end(node));
	}

	begin({ below }: Node, by: Actor): void {
		for (const one of below) {
			const n = this.place(one);
			this.begun.push(
				one.act === 'run'
					? this.engine.run(`node ${n}`, { by })
					: this.engine.call(by, 'tree', one.act, { n })
			);
		}
	}

	end({ end }: Node): ActResult {
		if (end === 'throw') throw new Error('broken');
		if (end === 'done') return { kind: 'done' };
		return { kind: end, reason: { code: end, text: end } };
	}
}

const args = z.strictObject({ n: z.number().describe('Which node') });

const treeManifest = (cost: number) =>
	defineManifest<Tree>()({
		kind: 'tree',
		description: 'A tree of acts',
		reads: {},
		acts: {
			work: {
				description: 'Works',
				args,
				cost,
				effect: 'reversible',
				locks: (tree, { n }) => [`tree-${tree.name}-${n}`],
				perform: (tree, { n }) => tree.perform(n)
			},
			look: {
				description: 'Looks',
				args,
				cost,
				effect: 'none',
				perform: (tree, { n }) => tree.perform(n)
			}
		},
		undo: () => ({ undone: 0, kept: [] })
	});

/** An engine whose every run does what the node in its goal says. */
function grove(roots: Node[], options: Partial<AgentOptions> = {}, cost = 0) {
	const registry = createRegistry();
	const made = bench(
		({ messages }) => {
			const first = messages[0];
			const node = tree.nodes[Number(/\d+$/.exec(first?.role === 'user' ? first.text : '')?.[0])];
			if (messages.length > 1 || !node) return { say: 'Enough.', usage: tree.usage };
			return {
				calls: node.below.map((one) => ({
					instance: 'tree',
					act: one.act === 'run' ? 'work' : one.act,
					args: { n: tree.place(one) }
				}))
			};
		},
		{ policy: { ceiling: 'auto' }, registry, ...options }
	);
	const tree = new Tree((ms) => made.clock.sleep(ms));
	tree.engine = made.engine;
	registry.register(treeManifest(cost), tree, { id: 'tree', label: 'Tree' });
	const goal = () => `node ${tree.place({ act: 'run', end: 'done', ms: 0, below: roots })}`;
	/** Lets all that is ready run, however many steps it takes. */
	const settle = async () => {
		for (let i = 0; i < 10; i++) await made.settle();
	};
	return { ...made, settle, tree, goal };
}

const node = (more: Partial<Node> = {}): Node => ({ act: 'work', end: 'done', ms: 0, below: [], ...more });

const SUMMED = ['acts', 'turns', 'tokens', 'cost', 'actsPerInstance'] as const;

/** What every node of the tree takes with all below it, against what it was given; told of what exceeds. */
function exceeding(runs: readonly RunState[]): string[] {
	const below = (id: string): RunState[] =>
		runs.filter(({ parent }) => parent === id).flatMap((one) => [one, ...below(one.id)]);
	const given = new Map(runs.map(({ id, budget }) => [id, budget.limit]));
	return runs.flatMap(({ id, budget }) => {
		const all = below(id);
		const used = [budget, ...all.map((one) => one.budget)].reduce(
			(sum, { spent, reserved }) => plus(plus(sum, spent), reserved),
			{ acts: 0, turns: 0, tokens: 0, cost: 0, ms: 0, actsPerInstance: 0, actsPerMinute: 0 } as Budget
		);
		return SUMMED.filter((limit) => used[limit] > given.get(id)![limit] + 1e-9).map(
			(limit) => `${id} ${limit}: ${used[limit]} of ${given.get(id)![limit]}`
		);
	});
}

describe('I16 one budget for a run and all that its acts begin', () => {
	test('I16 S2-113 spent and reserved never exceed what was granted, at any node, at any record', async () => {
		const tree = fc.letrec<{ node: Node }>((tie) => ({
			node: fc.record({
				act: fc.constantFrom('work' as const, 'work' as const, 'look' as const, 'run' as const),
				end: fc.constantFrom('done' as const, 'done', 'refuse', 'unknown', 'throw', 'retry'),
				ms: fc.constantFrom(0, 0, 50, 400),
				below: fc.oneof(
					{ maxDepth: 2, withCrossShrink: true },
					fc.constant([] as Node[]),
					fc.array(tie('node'), { maxLength: 3 })
				)
			})
		})).node;
		let nested = 0;
		let short = 0;
		await fc.assert(
			fc.asyncProperty(
				fc.array(tree, { minLength: 1, maxLength: 4 }),
				fc.record({
					acts: fc.integer({ min: 1, max: 8 }),
					turns: fc.integer({ min: 1, max: 6 }),
					tokens: fc.constantFrom(4000, 9000, 30_000),
					cost: fc.constantFrom(0.3, 0.7, 1),
					actsPerInstance: fc.integer({ min: 1, max: 8 })
				}),
				async (roots, budget) => {
					const made = grove(roots, { budget }, 0.15);
					const over = new Set<string>();
					let seen = 0;
					made.engine.subscribe(() => {
						seen += 1;
						for (const one of exceeding(made.engine.runs)) over.add(one);
					});
					const run = made.engine.run(made.goal(), { by: person });
					await made.settle();
					await made.clock.advance(3000);
					void run.stop('enough', person);
					await made.clock.advance(20_000);
					nested += made.tree.begun.length;
					short += made.engine.runs.filter(({ escalations, outcome }) =>
						[...escalations, outcome?.reason].some((why) => why?.code.startsWith('budget.'))
					).length;
					expect([...over]).toEqual([]);
					expect(seen).toBeGreaterThan(0);
					for (const one of [run, ...made.tree.begun]) {
						expect(verify(one.journal)).toEqual([]);
						expect(fold(one.journal)).toEqual(one.state);
					}
				}
			),
			{
				numRuns: Number(process.env.RUNS ?? 25),
				examples: [
					// A second request would cost more than is left, and there is nothing set aside for a last word.
					[
						[node({ below: [node({ act: 'run', below: [node()] })] })],
						{ acts: 2, turns: 5, tokens: 4000, cost: 1, actsPerInstance: 2 }
					],
					[
						[node({ below: [node({ act: 'run' }), node({ act: 'run', below: [node()] })] })],
						{ acts: 2, turns: 5, tokens: 4000, cost: 0.3, actsPerInstance: 1 }
					]
				]
			}
		);
		// Neither a tree without branches nor a budget nobody reached would show anything.
		expect(nested).toBeGreaterThan(0);
		expect(short).toBeGreaterThan(0);
	}, 60_000);

	test('I16 acts that run beside one another share what is left, though each was opened when there was room', async () => {
		// Both are under way when their acts want to begin one more each: there is room for one.
		const fan = node({ below: [node({ ms: 10, below: [node()] }), node({ ms: 10, below: [node()] })] });
		const made = grove([fan], { budget: { acts: 4 } });
		const run = made.engine.run(made.goal(), { by: person });
		await made.settle();
		await made.clock.advance(100);
		const [, , third, fourth] = made.tree.begun;
		expect(made.tree.begun.map(({ state }) => state.budget.spent.acts)).toEqual([1, 1, 1, 0]);
		expect(third!.state.outcome?.kind).toBe('completed');
		expect(fourth!.state.escalations).toMatchObject([
			{ code: 'budget.acts', data: { limit: 'acts', spent: 4, of: 4 } }
		]);
		expect(run.state.budget.spent.acts).toBe(1);
		await made.engine.dispose();
	});

	test('S2-42 a run in the middle of the tree holds those below it, whatever the root has left', async () => {
		const inner = node({ act: 'run', below: [node({ below: [node(), node(), node()] })] });
		const made = grove([node({ below: [inner] })], { budget: { acts: 20 } });
		const begin = made.engine.run.bind(made.engine);
		made.tree.engine = Object.assign(Object.create(made.engine) as EngineAgent, {
			call: made.engine.call.bind(made.engine),
			run: (goal: string, options: { by: Actor }) => begin(goal, { ...options, budget: { acts: 2 } })
		});
		const run = made.engine.run(made.goal(), { by: person });
		await made.settle();
		expect(run.state.outcome?.kind).toBe('completed');
		const [middle, ...leaves] = made.tree.begun;
		expect(middle!.state.budget.limit.acts).toBe(2);
		expect(leaves.map(({ state }) => state.outcome?.kind ?? state.state)).toEqual([
			'completed',
			'escalated',
			'escalated'
		]);
		await made.engine.dispose();
	});

	test('S2-114 what a person adds to a run below counts for those above it too', async () => {
		const made = grove([node({ below: [node()] })], { budget: { acts: 1 } });
		made.engine.run(made.goal(), { by: person });
		await made.settle();
		const [nested] = made.tree.begun;
		expect(nested!.state.escalations.map(({ code }) => code)).toEqual(['budget.acts']);
		expect(nested!.renew({ acts: 1 }, person)).toEqual({ ok: true });
		await made.settle();
		expect(nested!.state.outcome?.kind).toBe('completed');
		expect(exceeding([nested!.state])).toEqual([]);
		await made.engine.dispose();
	});

	test('I16 a tree that is restored goes on with what it had left', async () => {
		const made = grove([node({ below: [node({ ms: 1000 })] })], { budget: { acts: 3 } });
		const run = made.engine.run(made.goal(), { by: person });
		await made.settle();
		const again = EngineAgent.restore({ ...made.options, recovery: 'resume' }, made.engine.snapshot());
		made.engine.abandon();
		await again.ready;
		const cause: Actor = { kind: 'agent', id: 'ada', run: run.id };
		const later = [1, 2].map(() => again.call(cause, 'tree', 'work', { n: made.tree.place(node()) }));
		await made.settle();
		expect(later.map(({ state }) => state.outcome?.kind ?? state.escalations[0]?.code)).toEqual([
			'completed',
			'budget.acts'
		]);
		await again.dispose();
	});
});

describe('S0-49 delegated work is charged to the root', () => {
	/** A run of which an act begins another with this budget, after `done` acts. */
	async function delegate(budget: Partial<Budget> | undefined, root: Partial<Budget>, done = 0) {
		const made = grove(
			[...Array.from({ length: done }, () => node()), node({ below: [node({ act: 'run' })] })],
			{
				budget: root
			}
		);
		const begin = made.engine.run.bind(made.engine);
		made.tree.engine = Object.assign(Object.create(made.engine) as EngineAgent, {
			run: (goal: string, options: { by: Actor }) => begin(goal, { ...options, budget })
		});
		const run = made.engine.run(made.goal(), { by: person });
		await made.settle();
		const asked = made.requests.filter((request) => request.run !== run.id).length;
		const nested = made.tree.begun[0]!;
		return { ...made, run, nested, asked };
	}

	test('S0-49 what its root has left is enough: the work is done, and charged', async () => {
		const { nested, asked, run } = await delegate({ acts: 3 }, { acts: 5 }, 1);
		expect(nested.state).toMatchObject({ root: run.id, parent: run.id, outcome: { kind: 'answered' } });
		expect(asked).toBe(1);
	});

	test.each([
		['acts', { acts: 4 }, { acts: 5 }, 2],
		['turns', { turns: 5 }, { turns: 5 }, 0],
		['tokens', { tokens: 9000 }, { tokens: 9000 }, 0]
	] as const)(
		'S0-49 a cap of %s above what the root has left is refused, and no model is asked',
		async (limit, budget, root, done) => {
			const { nested, asked } = await delegate(budget, root, done);
			expect(nested.state.outcome).toMatchObject({
				kind: 'refused',
				reason: { code: `budget.${limit}`, data: { limit } }
			});
			expect(asked).toBe(0);
		}
	);

	test('S0-49 where nothing is left the work is refused without a cap too', async () => {
		const { nested, asked } = await delegate(undefined, { acts: 2 }, 1);
		expect(nested.state.outcome).toMatchObject({ kind: 'refused', reason: { code: 'budget.acts' } });
		expect(asked).toBe(0);
	});

	test('S0-49 work that waited in line while the root used up the rest asks no model either', async () => {
		const made = grove([node({ below: [node({ act: 'run' })] }), node(), node()], { budget: { turns: 4 } });
		const run = made.engine.run(made.goal(), { by: person });
		await made.settle();
		const [nested] = made.tree.begun;
		expect(run.state.outcome?.kind).toBe('completed');
		expect(nested!.state.outcome?.kind).toBe('answered');
		// The second one stands behind the first, while what there was when both were begun is used up.
		const first = node({ act: 'run', below: [node({ act: 'look' })] });
		const tight = grove([node({ below: [first, node({ act: 'run' })] })], { budget: { tokens: 20_000 } });
		tight.tree.usage = { input: 19_000, output: 1000 };
		tight.engine.run(tight.goal(), { by: person });
		await tight.settle();
		const [early, late] = tight.tree.begun;
		expect(late!.state.state).toBe('offered');
		void early!.stop('enough', person);
		await tight.settle();
		expect(late!.state.state).toBe('escalated');
		expect(tight.requests.map(({ run }) => run)).toContain(early!.id);
		expect(tight.requests.map(({ run }) => run)).not.toContain(late!.id);
		expect(JSON.stringify(late!.state)).toContain('budget.tokens');
		await tight.engine.dispose();
	});

	test('S0-49 a caller without a model is never given one to wrap up', async () => {
		const made = laboratory([], { budget: { acts: 0 } });
		const run = made.engine.call(person, 'lab', 'set', { key: 'a', value: '1' });
		await made.settle();
		expect(run.state.escalations.map(({ code }) => code)).toEqual(['budget.acts']);
		expect(made.requests).toEqual([]);
		run.renew({ acts: 1 }, person);
		expect(await run.returned).toMatchObject({ kind: 'completed' });
		expect(set('a', '1').args).toEqual(made.lab.log[0]!.args);
	});
});
