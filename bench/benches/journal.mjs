import { z } from 'zod';
import { source } from '../source.mjs';

/** Records of the run, and the double of it. */
const RECORDS = 10_000;
/** Calls in one turn. */
const PER_TURN = 10;
const FIELDS = 20;
const ENOUGH = 1e9;
const LIMITS = Object.fromEntries(
	['acts', 'turns', 'tokens', 'cost', 'ms', 'actsPerInstance', 'actsPerMinute'].map((name) => [name, ENOUGH])
);

/** A form as an agent fills it: named fields with versions. */
class Fields {
	/** @type {Record<string, string>} */
	values = {};
	/** @type {Record<string, number>} */
	versions = {};

	/** @param {string} key @param {string} value */
	fill(key, value) {
		this.values[key] = value;
		this.versions[key] = (this.versions[key] ?? 0) + 1;
	}
}

const manifest = {
	kind: 'form',
	description: 'A form',
	reads: {
		field: {
			description: 'One field',
			read: (/** @type {Fields} */ { values }, /** @type {string} */ key) => values[key] ?? '',
			version: (/** @type {Fields} */ { versions }, /** @type {string} */ key) => versions[key] ?? 0,
			trust: 'user',
			sensitivity: 'page'
		}
	},
	acts: {
		fill: {
			description: 'Fills one field',
			args: z.strictObject({ key: z.string().describe('Its name'), value: z.string().describe('New value') }),
			effect: 'reversible',
			touches: (/** @type {Fields} */ _form, /** @type {{ key: string }} */ { key }) => [
				{ read: 'field', key }
			],
			perform(/** @type {Fields} */ form, /** @type {{ key: string, value: string }} */ { key, value }) {
				form.fill(key, value);
				return { kind: 'done' };
			}
		}
	},
	undo: () => ({ undone: 0, kept: [] }),
	redo: () => ({ undone: 0, kept: [] })
};

/** A transport that fills fields until nobody wants more. @param {() => boolean} enough */
const filler = (enough) => ({
	name: 'filler',
	async *open(/** @type {any} */ { turn, tools }) {
		const name = tools.find((/** @type {any} */ one) => one.act === 'fill')?.name;
		const from = Number(/(\d+)$/.exec(turn)?.[1]) * PER_TURN;
		const over = enough();
		for (let at = from; !over && at < from + PER_TURN; at += 1) {
			const id = `call-${at}`;
			const raw = JSON.stringify({ instance: 'form', key: `f${at % FIELDS}`, value: `value ${at}` });
			yield { type: 'call.start', id, name };
			yield { type: 'call.end', id, verdict: 'complete', raw };
		}
		yield { type: 'usage', usage: { input: 100, output: 100 } };
		yield { type: 'end', reason: over ? 'stop' : 'calls' };
	}
});

/** CPU in milliseconds, so that a busy machine counts least. */
function cpu() {
	const { user, system } = process.cpuUsage();
	return (user + system) / 1000;
}

/** @param {number[]} list */
const median = (list) => list.sort((a, b) => a - b)[list.length >> 1] ?? NaN;
/** @param {number} value */
const rounded = (value) => Math.round(value * 10) / 10;

/** A real run over a real store. @param {any} made @param {number} records */
async function run({ EngineAgent, createRegistry, memoryStore }, records) {
	const store = memoryStore();
	let strict = 0;
	let ended = false;
	const counting = {
		...store,
		append(/** @type {any[]} */ ...args) {
			if (args[4]?.durable && !ended) strict += 1;
			return store.append(.../** @type {[any, any, any, any, any]} */ (args));
		}
	};
	const registry = createRegistry();
	registry.register(manifest, new Fields(), { id: 'form', label: 'Form' });
	let count = 0;
	const engine = new EngineAgent({
		identity: { id: 'ada', name: 'Ada', description: 'fills forms' },
		transport: filler(() => count >= records),
		registry,
		store: counting,
		policy: { ceiling: 'auto' },
		budget: LIMITS
	});
	engine.subscribe((/** @type {any} */ { kind }) => {
		count += 1;
		if (kind === 'run.ended') ended = true;
	});
	await engine.ready;
	const live = engine.run('Fill the form');
	const { kind } = await live.returned;
	if (kind !== 'completed') throw new Error(`the run ended ${kind}`);
	return { journal: live.journal, strict };
}

/** Appends and folds records one by one, as an engine does. @param {any} made @param {readonly any[]} journal */
function append({ Fold, GENESIS, seal }, journal) {
	const open = journal.map(({ hash: _hash, ...record }) => structuredClone(record));
	const since = cpu();
	const fold = new Fold();
	let prev = GENESIS;
	for (const record of open) {
		const sealed = seal({ ...record, prev });
		fold.apply(sealed);
		prev = sealed.hash;
	}
	return cpu() - since;
}

/** Gives a run back from what a store keeps. @param {any} made @param {readonly any[]} journal */
function again({ Fold, deflate, restore }, journal) {
	/** @type {Record<string, unknown>} */
	const blobs = {};
	const stored = JSON.parse(JSON.stringify(deflate(journal, blobs)));
	const kept = JSON.parse(JSON.stringify(blobs));
	const since = cpu();
	const fold = new Fold();
	for (const record of restore(stored, kept)) fold.apply(record);
	fold.view();
	return cpu() - since;
}

/** Ten thousand records: appended and folded one by one, and given back by a store. */
export async function bench() {
	const made = await source('../../bench/journal-entry.ts');
	const whole = await run(made, RECORDS);
	const double = await run(made, 2 * RECORDS);
	const journal = whole.journal.slice(0, RECORDS);
	/** @param {() => number} measure */
	const often = (measure) => median(Array.from({ length: 7 }, measure));
	append(made, journal);
	const ms10000 = often(() => append(made, journal));
	const twice = often(() => append(made, double.journal.slice(0, 2 * RECORDS)));
	const restoreMs = often(() => again(made, journal));
	const strictCommits = whole.strict;
	const figures = {
		ms10000: rounded(ms10000),
		growth: rounded(twice / ms10000),
		restoreMs: rounded(restoreMs),
		strictCommits
	};
	return {
		figures,
		peers: {},
		ratio: null,
		table: [
			`10,000 records appended and folded   ${figures.ms10000} ms CPU, growth ${figures.growth} to 20,000`,
			`that run restored                    ${figures.restoreMs} ms CPU`,
			`strict commits while a form is filled ${strictCommits}`
		],
		notes: ['the form is filled without a person, act by act; its end is committed strictly, once']
	};
}
