import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { z } from 'zod';
import { source } from '../source.mjs';

setFlagsFromString('--expose-gc');
const gc = /** @type {() => void} */ (runInNewContext('gc'));

/** Acts of a run, and the double of it. */
const ACTS = 10_000;
/** Calls in one turn. */
const PER_TURN = 10;
/** Characters of the argument each act writes. */
const LENGTH = 1000;
/** Cells of the one component, written in turn. */
const CELLS = 50;

const ENOUGH = 1e9;
const PERSON = Object.freeze({ kind: 'human', id: 'person' });

/** Named cells with versions; an act is one assignment, so that what is measured is the gate. */
class Cells {
	/** @type {Record<string, string>} */
	cells = {};
	/** @type {Record<string, number>} */
	versions = {};
	written = 0;

	/** @param {string} key @param {string} value */
	write(key, value) {
		this.cells[key] = value;
		this.versions[key] = (this.versions[key] ?? 0) + 1;
		this.written += 1;
	}
}

const manifest = {
	kind: 'cells',
	description: 'Named cells',
	reads: {
		written: {
			description: 'How often something was written',
			read: (/** @type {Cells} */ { written }) => written,
			version: (/** @type {Cells} */ { written }) => written,
			trust: 'user',
			sensitivity: 'page'
		},
		cell: {
			description: 'One cell',
			read: (/** @type {Cells} */ { cells }, /** @type {string | undefined} */ key) =>
				key === undefined ? Object.keys(cells) : (cells[key]?.length ?? 0),
			version: (/** @type {Cells} */ { versions, written }, /** @type {string | undefined} */ key) =>
				key === undefined ? written : (versions[key] ?? 0),
			trust: 'user',
			sensitivity: 'page'
		}
	},
	acts: {
		write: {
			description: 'Writes one cell',
			args: z.strictObject({ key: z.string().describe('Its name'), value: z.string().describe('New value') }),
			effect: 'reversible',
			touches: (/** @type {Cells} */ _cells, /** @type {{ key: string }} */ { key }) => [
				{ read: 'cell', key }
			],
			perform(/** @type {Cells} */ cells, /** @type {{ key: string, value: string }} */ { key, value }) {
				cells.write(key, value);
				return { kind: 'done' };
			}
		}
	},
	undo: () => ({ undone: 0, kept: [] }),
	redo: () => ({ undone: 0, kept: [] })
};

/** Arguments that differ from act to act, of one length. @param {number} act */
const args = (act) =>
	JSON.stringify({
		instance: 'cells',
		key: `c${act % CELLS}`,
		value: `${act} `.padEnd(LENGTH, 'lorem ipsum ')
	});

/**
 * A transport that writes `acts` cells in turns of `perTurn` calls; which come next the request tells.
 * @param {number} acts @param {number} perTurn
 */
const writer = (acts, perTurn) => ({
	name: 'writer',
	async *open(/** @type {any} */ { turn, tools }) {
		const tool = tools.find((/** @type {any} */ one) => one.act === 'write')?.name;
		const from = (Number(/(\d+)$/.exec(turn)?.[1]) - 1) * perTurn;
		for (let act = from; act < Math.min(from + perTurn, acts); act += 1) {
			const id = `call-${act}`;
			yield { type: 'call.start', id, name: tool };
			yield { type: 'call.end', id, verdict: 'complete', raw: args(act) };
		}
		yield { type: 'usage', usage: { input: 100, output: 100 } };
		yield { type: 'end', reason: from < acts ? 'calls' : 'stop' };
	}
});

/**
 * Where a clock is put for what of a step is the gate: its labels and its assessment with permission and fingerprint, the looks
 * before the act with all they ask of the page, and (below) its records. By module, the functions that are timed.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
const SEAMS = {
	'engine/assess-plan.ts': ['planned', 'assessPlan'],
	'engine/act.ts': ['looked'],
	'gate/admit.ts': ['admit'],
	'engine/conductor.ts': ['Conductor.prototype.append']
};

/** Records of a step. Those of a turn are not the gate's. */
const OF_STEP = /^(plan\.proposed|review\.(opened|decided)|grants\.issued|effect\..*)$/;

/** Builds the same source with each of them handed to the clock. @type {import('vite').Plugin} */
const seams = {
	name: 'seams',
	// Behind the types: a function that is declared can be put in another's place.
	enforce: 'post',
	transform(code, id) {
		const at = Object.keys(SEAMS).find((module) => id.endsWith(`/agent/${module}`));
		if (at === undefined) return undefined;
		return [code, ...SEAMS[at].map((name) => `${name} = gateClock(${name});`)].join('\n');
	}
};

/** Wall clock around the outermost of them, in milliseconds: what one asks of another is counted once. */
const clock = { spent: 0, within: false };

/** @param {(...args: any[]) => unknown} call */
const timed = (call) =>
	/** @this {unknown} @param {any[]} args */
	function (...args) {
		if (clock.within || (call.name === 'append' && !OF_STEP.test(args[0]))) return call.apply(this, args);
		clock.within = true;
		const since = performance.now();
		try {
			return call.apply(this, args);
		} finally {
			clock.spent += performance.now() - since;
			clock.within = false;
		}
	};

/** CPU in milliseconds, so that a busy machine counts least; the collector's threads are in it. */
function cpu() {
	const { user, system } = process.cpuUsage();
	return (user + system) / 1000;
}

/** What it costs to ask, which is much on some machines. */
function askingCosts() {
	const asked = Array.from({ length: 500 }, () => -cpu() + cpu());
	return asked.reduce((sum, one) => sum + one, 0) / asked.length;
}

/** @param {number[]} list */
const median = (list) => list.sort((a, b) => a - b)[list.length >> 1] ?? NaN;

/** @param {number} value */
const rounded = (value) => Math.round(value * 100) / 100;

/** @typedef {{ ms: number, usPerStep: number, mb: number, records: number }} Figure */

/**
 * One run from its goal to its return.
 * @param {typeof import('../../src/lib/agent/index.js')} agent
 * @param {number} acts
 * @param {{ perTurn?: number, review?: boolean, clocked?: boolean }} how `clocked`: of the build with the seams
 * @returns {Promise<Figure>}
 */
async function carry({ EngineAgent, createRegistry }, acts, how) {
	const { perTurn = PER_TURN, review = false, clocked = false } = how;
	gc();
	const before = process.memoryUsage().heapUsed;
	const cells = new Cells();
	const registry = createRegistry();
	const mounted = registry.register(/** @type {any} */ (manifest), cells, { id: 'cells', label: 'Cells' });
	if (mounted.refused) throw new Error(mounted.refused.text);
	const limits = { acts: ENOUGH, turns: ENOUGH, tokens: ENOUGH, cost: ENOUGH, ms: ENOUGH };
	const engine = new EngineAgent({
		identity: { id: 'ada', name: 'Ada', description: 'writes cells' },
		transport: /** @type {any} */ (writer(acts, perTurn)),
		registry,
		policy: { ceiling: review ? 'review' : 'auto' },
		budget: { ...limits, actsPerInstance: ENOUGH, actsPerMinute: ENOUGH }
	});
	// From the end of a turn to the outcome of its last act: sorted, assessed, granted, admitted, run, recorded. Of a
	// review what counts is the engine's part: a person takes no time here.
	/** @type {number[]} */
	const steps = [];
	const asking = askingCosts();
	let since = 0;
	let calls = 0;
	let left = 0;
	let records = 0;
	engine.subscribe(({ kind, data, run }) => {
		records += 1;
		if (kind === 'turn.closed') {
			calls = left = /** @type {any} */ (data).calls.length;
			clock.spent = 0;
			if (!clocked) since = cpu();
		} else if (kind === 'effect.settled') {
			left -= 1;
			if (!clocked && left === 0) steps.push(((cpu() - since - asking) / calls) * 1000);
		} else if (clocked && calls > 0 && (kind === 'turn.opened' || kind === 'run.ended')) {
			steps.push((clock.spent / calls) * 1000);
			calls = 0;
		} else if (kind === 'review.opened') {
			const { review: id } = /** @type {any} */ (data);
			queueMicrotask(() => engine.get(run)?.decide({ review: id, verdict: 'approve' }, PERSON));
		}
	});
	const start = cpu();
	const run = engine.run('Write the cells', { by: PERSON });
	const outcome = await run.returned;
	const ms = cpu() - start;
	if (outcome.kind !== 'completed' || cells.written !== acts)
		throw new Error(`The run is ${outcome.kind} after ${cells.written} acts: ${outcome.reason?.text}`);
	gc();
	const mb = (process.memoryUsage().heapUsed - before) / 2 ** 20;
	// All of it is still reachable here.
	if (run.journal.length !== records) throw new Error('Records are missing.');
	return { ms, usPerStep: median(steps), mb, records };
}

/** What the gate costs a step, and whether the ten-thousandth costs more than the first. */
export async function bench() {
	const agent = await source('agent/index.ts');
	Object.assign(globalThis, { gateClock: timed });
	const seamed = await source('agent/index.ts', [seams]);
	const ways = {
		'by policy': {},
		'reviewed by a person': { review: true, acts: ACTS / 10 },
		// All steps of a plan are open at once, and an act may move what any of them stands on.
		'one plan for all': { perTurn: Infinity, acts: ACTS / 10 }
	};
	/** @type {Record<string, { gate: Figure, one: Figure, two: Figure }>} */
	const found = {};
	for (const [way, { perTurn, acts = ACTS, ...how }] of Object.entries(
		/** @type {Record<string, any>} */ (ways)
	)) {
		const at = (/** @type {number} */ count, clocked = false) =>
			carry(clocked ? seamed : agent, count, { ...how, clocked, perTurn: perTurn && count });
		// The first look at a program is the compiler's.
		for (const clocked of [false, true]) await at(acts / 10, clocked);
		found[way] = { gate: await at(acts, true), one: await at(acts), two: await at(acts * 2) };
	}
	const { 'by policy': policy, 'reviewed by a person': person, 'one plan for all': plan } = found;
	const growth = (/** @type {{ one: Figure, two: Figure }} */ { one, two }, /** @type {'ms' | 'mb'} */ of) =>
		rounded(two[of] / one[of]);
	const cells = (/** @type {(number | string)[]} */ ...values) =>
		values.map((cell) => (typeof cell === 'number' ? cell.toFixed(1) : cell).padStart(13)).join('');
	return {
		figures: {
			usPerStep: rounded(policy.gate.usPerStep),
			usPerStepWhole: rounded(policy.one.usPerStep),
			growth: growth(policy, 'ms'),
			growthMemory: growth(policy, 'mb'),
			usPerStepReviewed: rounded(person.gate.usPerStep),
			usPerStepReviewedWhole: rounded(person.one.usPerStep),
			growthReviewed: growth(person, 'ms'),
			growthOnePlan: growth(plan, 'ms'),
			ms10000: rounded(policy.one.ms),
			kbPerAct: rounded((policy.one.mb * 1024) / ACTS)
		},
		peers: {},
		ratio: rounded(150 / policy.gate.usPerStep),
		table: [
			''.padEnd(24) + cells('gate, µs', 'whole, µs', 'ms once', 'ms twice', 'MB once', 'MB twice'),
			...Object.entries(found).map(
				([way, { gate, one, two }]) =>
					way.padEnd(24) + cells(gate.usPerStep, one.usPerStep, one.ms, two.ms, one.mb, two.mb)
			)
		],
		notes: [
			`Runs of ${ACTS.toLocaleString('en')} acts, ${PER_TURN} a turn, arguments of ${LENGTH} characters; an act is one assignment, in the same tick.`,
			'gate: of each step its labels and assessment, permission and fingerprint, both looks before the act with what they ask of the page, and every record of it, hashed and taken into the state; timed in the run itself, at the seams between the modules, by the wall clock. Not in it: parsing and the schema, locks, the act, and the fresh state that the result shows.',
			'whole: from the end of a turn to its last outcome ÷ its acts, all of that too; CPU of the process, the collector included, without what it costs to ask for it. Both are medians over the turns. No store.',
			'ms: CPU of the whole run, its turns with their requests included. growth: time (memory) of twice the acts ÷ of once.',
			`Reviewed, and in one plan: ${(ACTS / 10).toLocaleString('en')} acts and twice as many.`,
			`The component has ${CELLS} keys, each of which stands among the sources of every label.`,
			'MB: what the run holds in memory when it has ended: its journal, whole, and what is folded from it.',
			'There is no peer that does the same; ratio: 150 µs, what the gate may cost a step, ÷ ours.'
		]
	};
}
