import { source } from '../source.mjs';

/** Reads of one instance, and characters of each. */
const READS = ['note', 'history', 'members'];
const SIZE = 1000;
/** One in so many instances changes between two turns. */
const CHANGED = 10;
const TOKENS = 4000;
/** Turns looked at in one run, after those that warm up. */
const TURNS = 30;
const WARM = 15;
/** Ids are as wide as they get, so that sizes differ in number alone. */
const LARGE = 4000;

const figure = (/** @type {number} */ value) => Math.round(value * 100) / 100;
const median = (/** @type {number[]} */ values) => [...values].sort((a, b) => a - b)[values.length >> 1];

/** CPU of this process so far, in milliseconds. */
const cpu = () => {
	const { user, system } = process.cpuUsage();
	return (user + system) / 1000;
};

/** Texts are made once: what an app pays for its own changes is not the engine's. */
const TEXTS = ['now', 'then'].map((when) =>
	READS.map((read) => `${when} ${read} `.repeat(SIZE).slice(0, SIZE).split(' ').join(' '))
);

/** A component of an app: three texts, and what counts their changes. */
class Task {
	version = 0;
	calls = 0;

	get texts() {
		return TEXTS[this.version % TEXTS.length];
	}

	change() {
		this.version += 1;
	}
}

/** @param {typeof import('../../src/lib/agent/manifest.js') & { z?: never }} lib */
const manifestOf = ({ defineManifest, done }) => {
	const schema = (/** @type {Record<string, object>} */ properties) => {
		const json = {
			type: 'object',
			properties,
			required: Object.keys(properties),
			additionalProperties: false
		};
		return {
			'~standard': {
				version: /** @type {const} */ (1),
				vendor: 'bench',
				validate: (/** @type {unknown} */ value) => ({ value }),
				jsonSchema: { input: () => json, output: () => json }
			}
		};
	};
	const act = (/** @type {string} */ description, /** @type {string} */ argument) => ({
		description,
		args: schema({ [argument]: { type: 'string', description: `The new ${argument}` } }),
		effect: /** @type {const} */ ('reversible'),
		touches: ['note'],
		perform: () => done()
	});
	return defineManifest()({
		kind: 'task',
		description: 'A task on the board',
		reads: Object.fromEntries(
			READS.map((read, i) => [
				read,
				{
					description: `The ${read} of the task`,
					read: (/** @type {Task} */ task) => ((task.calls += 1), task.texts[i]),
					version: (/** @type {Task} */ task) => task.version,
					trust: /** @type {const} */ ('app'),
					sensitivity: /** @type {const} */ ('page')
				}
			])
		),
		acts: {
			rename: act('Gives the task another name', 'name'),
			assign: act('Gives it to somebody', 'person')
		},
		undo: () => ({ undone: 0, kept: [] })
	});
};

/**
 * A run of many turns over a page: what each turn costs from the moment the model has ended to the moment it is asked again.
 * @param {any} lib
 * @param {number} count of instances
 */
async function run(lib, count) {
	const { EngineAgent, createRegistry } = lib;
	const registry = createRegistry();
	const manifest = manifestOf(lib);
	const tasks = Array.from({ length: count }, () => new Task());
	const name = (/** @type {number} */ i) => `task-${String(i).padStart(String(LARGE).length, '0')}`;
	tasks.forEach((task, i) => registry.register(manifest, task, { id: name(i), label: `Task ${i}` }));
	for (let i = 0; i < 12; i += 1) registry.presence(name(i * 7), 1, { visible: true, focused: i === 3 });
	/** @type {number[]} */
	const costs = [];
	let since = 0;
	let turns = 0;
	let asked = 0;
	const engine = new EngineAgent({
		identity: { id: 'bench', name: 'Bench', description: 'looks at tasks' },
		registry,
		context: { tokens: TOKENS },
		policy: { ceiling: 'auto' },
		budget: { turns: 1e6, tokens: 1e12, ms: 1e9, acts: 1e6 },
		transport: {
			name: 'bench',
			async *open(/** @type {any} */ request) {
				if (since) costs.push(cpu() - since);
				asked = request.context.length + JSON.stringify(request.tools).length;
				turns += 1;
				if (turns <= WARM + TURNS) {
					const raw = JSON.stringify({
						instance: name((turns * 37) % 100),
						read: READS[turns % READS.length]
					});
					yield { type: 'call.start', id: `c${turns}`, name: 'pull' };
					yield { type: 'call.end', id: `c${turns}`, verdict: 'complete', raw };
				}
				// A tenth of the page changes, the part that is shown as much as the rest.
				for (let i = turns % CHANGED; i < count; i += CHANGED) tasks[i].change();
				since = cpu();
				yield { type: 'end', reason: turns <= WARM + TURNS ? 'calls' : 'stop' };
			}
		}
	});
	const { state, returned } = (() => {
		const run = engine.run('Look at the tasks');
		return { returned: run.returned, state: () => run.state };
	})();
	await returned;
	if (costs.length !== WARM + TURNS) throw new Error(`It ended early: ${JSON.stringify(state().outcome)}`);
	const { leftOut } = state();
	const calls = tasks.reduce((sum, task) => sum + task.calls, 0);
	await engine.dispose();
	return { ms: median(costs.slice(WARM)), leftOut: leftOut.length, characters: asked, calls };
}

/** `assemble` and nothing else, over the same page. */
function alone(/** @type {any} */ lib, /** @type {number} */ count) {
	const { assemble, estimateTokens, createRegistry } = lib;
	const registry = createRegistry();
	const manifest = manifestOf(lib);
	const tasks = Array.from({ length: count }, () => new Task());
	tasks.forEach((task, i) => registry.register(manifest, task, { id: `task-${i}`, label: `Task ${i}` }));
	const costs = [];
	for (let turn = 0; turn < WARM + TURNS; turn += 1) {
		for (let i = turn % CHANGED; i < count; i += CHANGED) tasks[i].change();
		const before = cpu();
		assemble({
			entries: registry.entries(),
			tokens: TOKENS,
			estimate: estimateTokens,
			touched: [],
			recent: [],
			consent: () => 'allow',
			labelOf: (/** @type {any} */ _entry, /** @type {any} */ _read, /** @type {any} */ label) => label,
			nonce: 'n0nce'
		});
		costs.push(cpu() - before);
	}
	return median(costs.slice(WARM));
}

/** The best of some, so that a busy machine counts least. */
async function best(/** @type {() => Promise<{ ms: number }> | { ms: number }} */ measure, times = 3) {
	let found = await measure();
	for (let i = 1; i < times; i += 1) {
		const next = await measure();
		if (next.ms < found.ms) found = next;
	}
	return found;
}

/** CPU of opening a turn on a page of many components. */
export async function bench() {
	const lib = await source('../../bench/context-entry.ts');
	const sizes = [1000, 2000, LARGE];
	const rows = [];
	for (const size of sizes) {
		const whole = /** @type {Awaited<ReturnType<typeof run>>} */ (await best(() => run(lib, size)));
		const assembled = await best(() => ({ ms: alone(lib, size) }));
		rows.push({ size, ...whole, assemble: assembled.ms });
	}
	const [small, , large] = rows;
	return {
		figures: {
			ms1000: figure(small.ms),
			ms4000: figure(large.ms),
			growth: figure(large.ms / small.ms),
			assembleMs1000: figure(small.assemble),
			assembleMs4000: figure(large.assemble)
		},
		peers: {},
		ratio: 1,
		table: [
			'CPU ms a turn'.padEnd(24) +
				['whole', 'assemble', 'left out'].map((word) => word.padStart(10)).join(''),
			...rows.map(
				({ size, ms, assemble, leftOut }) =>
					`${size} instances`.padEnd(24) +
					[ms.toFixed(2), assemble.toFixed(2), String(leftOut)].map((cell) => cell.padStart(10)).join('')
			)
		],
		notes: [
			`Three reads of ${SIZE} characters and two acts an instance; one in ${CHANGED} changed between turns, ${TOKENS} tokens of context, the default for tools.`,
			'whole: from the end of one answer to the next request, all of it: the answer recorded, its call (a pull) carried out, the page looked at, tools and context made, the turn recorded and hashed, the request built.',
			`Median of ${TURNS} turns after ${WARM}, the best of three runs; garbage collection of all threads is in it.`,
			'growth: time at 4,000 instances ÷ time at 1,000. Four times as many are ranked and listed; what is read and rendered stays.',
			'No peer assembles a context from mounted components: none is measured, and ratio is 1.'
		]
	};
}
