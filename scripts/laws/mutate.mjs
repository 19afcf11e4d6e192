// Disables the guards one at a time, to see that each has a test that turns red without it.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * `tests` names test files that are asked first, where those near every guard would not do.
 * @typedef {{ name: string, file: string, find: string, replace: string, tests?: readonly string[] }} Mutation
 */
/**
 * How the tests came out under one mutation. `failed` names the tests that turned red; `unloaded` files that
 * could not even be loaded, which shows a mutation that does not compile and proves nothing.
 * @typedef {{ failed: readonly string[], unloaded: readonly string[], timedOut: boolean }} TestRun
 */
/** @typedef {{ name: string, verdict: 'killed' | 'survived' | 'invalid', by: string }} MutationResult */
/** @typedef {{ at: number, of: number, seconds: number }} Progress */

/** @param {string} text @param {string} part */
const occurrences = (text, part) => (part === '' ? 0 : text.split(part).length - 1);

/**
 * What is wrong with the table itself: every `find` must match exactly once, and change something.
 * @param {readonly Mutation[]} mutations
 * @param {string} root
 */
export function checkMutations(mutations, root) {
	/** @type {string[]} */
	const problems = [];
	const names = new Set();
	for (const [index, { name, file, find, replace, tests = [] }] of mutations.entries()) {
		const label = `mutation ${name ? `"${name}"` : `number ${index + 1}`}`;
		if ([name, file, find, replace].some((value) => typeof value !== 'string') || !name || !find) {
			problems.push(`${label}: needs name, file, find and replace`);
			continue;
		}
		if (names.has(name)) problems.push(`${label}: two have this name`);
		names.add(name);
		const path = join(root, file);
		if (!existsSync(path)) problems.push(`${label}: no file ${file}`);
		else {
			const times = occurrences(readFileSync(path, 'utf8'), find);
			if (times !== 1) problems.push(`${label}: matches ${times} times in ${file}, not once`);
		}
		if (find === replace) problems.push(`${label}: changes nothing`);
		for (const test of tests) if (!existsSync(join(root, test))) problems.push(`${label}: no file ${test}`);
	}
	return problems;
}

/**
 * Files that decide something and that no mutation touches.
 * @param {readonly { file: string, source: string }[]} files
 * @param {readonly Mutation[]} mutations
 */
export function uncovered(files, mutations) {
	const touched = new Set(mutations.map((mutation) => mutation.file));
	return files
		.filter(({ file, source }) => !touched.has(file) && /\bfunction\b|=>|\bclass\b/.test(source))
		.map(({ file }) => `no mutation for ${file}`);
}

/** A call of `join`, or `join` as what folds a list; not the method of an array. */
const JOIN = /(?<![.\w$'`])join\(|(?<=\breduce(?:<[^>]*>)?\()\s*join\b/g;

/**
 * Joins of labels that no mutation takes away. A join that is left out shows in no type and in no error: only a test can miss it.
 * @param {readonly { file: string, source: string }[]} files
 * @param {readonly Mutation[]} mutations
 */
export function unjoined(files, mutations) {
	return files.flatMap(({ file, source }) => {
		if (!/import \{[^}]*\bjoin\b[^}]*\} from '[^']*\/labels\.js'/.test(source)) return [];
		const spans = mutations
			.filter((mutation) => mutation.file === file)
			.map(({ find, replace }) => ({ at: source.indexOf(find), find, replace }))
			.filter(({ at }) => at >= 0);
		return [...source.matchAll(JOIN)].flatMap(({ index }) => {
			const gone = spans.some(({ at, find, replace }) => {
				const inside = at <= index && index < at + find.length;
				return inside && count(replace) < count(find);
			});
			return gone ? [] : [`no mutation for the join in ${file}:${source.slice(0, index).split('\n').length}`];
		});
	});
}

/** @param {string} text */
const count = (text) => [...text.matchAll(/\bjoin\b/g)].length;

/** @param {Mutation} mutation @param {TestRun} run @returns {MutationResult} */
export function judgeRun({ name }, { failed, unloaded, timedOut }) {
	if (failed[0] !== undefined) return { name, verdict: 'killed', by: failed[0] };
	if (timedOut) return { name, verdict: 'killed', by: 'the tests no longer came to an end' };
	if (unloaded[0] !== undefined) return { name, verdict: 'invalid', by: `does not load: ${unloaded[0]}` };
	return { name, verdict: 'survived', by: 'no test turned red' };
}

/**
 * One file changed at a time, and always changed back: by `restore`, also from a signal handler, and after a
 * crash by the next start, which finds the original in `journal`.
 */
export class Workbench {
	#root;
	#journal;

	/** @param {string} root @param {string} journal where the original is kept while a file is changed */
	constructor(root, journal) {
		this.#root = root;
		this.#journal = journal;
	}

	/** @param {Mutation} mutation */
	apply({ file, find, replace }) {
		if (existsSync(this.#journal)) throw new Error('A file is still changed: call restore() first.');
		const path = join(this.#root, file);
		const original = readFileSync(path, 'utf8');
		if (occurrences(original, find) !== 1) throw new Error(`The text to replace is not once in ${file}.`);
		// A function, because `$` in a replacement text would have a meaning.
		const mutated = original.replace(find, () => replace);
		mkdirSync(dirname(this.#journal), { recursive: true });
		writeFileSync(this.#journal, JSON.stringify({ file, original, mutated }));
		writeFileSync(path, mutated);
	}

	/**
	 * Puts the original back. A file that somebody edited meanwhile is left alone and named.
	 * @returns {string | undefined} what could not be restored
	 */
	restore() {
		if (!existsSync(this.#journal)) return undefined;
		const { file, original, mutated } = JSON.parse(readFileSync(this.#journal, 'utf8'));
		const path = join(this.#root, file);
		const current = existsSync(path) ? readFileSync(path, 'utf8') : undefined;
		if (current !== mutated && current !== original)
			return `${file} was edited while a guard was disabled in it; the original is in ${this.#journal}`;
		writeFileSync(path, original);
		rmSync(this.#journal);
		return undefined;
	}
}

/**
 * @param {readonly Mutation[]} mutations
 * @param {Workbench} bench
 * @param {(mutation: Mutation) => Promise<TestRun>} runTests
 * @param {(result: MutationResult, progress: Progress) => void} [onresult]
 */
export async function mutate(mutations, bench, runTests, onresult = () => {}) {
	/** @type {MutationResult[]} */
	const results = [];
	for (const mutation of mutations) {
		const began = Date.now();
		bench.apply(mutation);
		/** @type {string | undefined} */
		let left;
		/** @type {TestRun} */
		let run;
		try {
			run = await runTests(mutation);
		} finally {
			left = bench.restore();
		}
		if (left) throw new Error(left);
		const result = judgeRun(mutation, run);
		results.push(result);
		const seconds = Math.round((Date.now() - began) / 1000);
		onresult(result, { at: results.length, of: mutations.length, seconds });
	}
	return results;
}
