// Kept, promised or broken.
import { cited } from './citations.mjs';
import { isPromised } from './table.mjs';

/** @typedef {import('./table.mjs').Law} Law */
/** @typedef {import('./citations.mjs').Citing} Citing */
/**
 * @typedef {object} Judgement
 * @property {string[]} kept ids
 * @property {string[]} promised ids
 * @property {{ id: string, why: string[] }[]} broken
 * @property {string[]} problems what is wrong with the table or the citations themselves
 * @property {string[]} notes worth saying, changes nothing
 */

/**
 * @param {readonly Law[]} laws
 * @param {readonly Citing[]} tests
 * @param {(guard: string) => string | undefined} unresolved why a guard does not stand
 * @returns {Judgement}
 */
export function judge(laws, tests, unresolved) {
	/** @type {Map<string, Citing[]>} */
	const byId = new Map();
	for (const test of tests)
		for (const id of cited(test.title)) {
			const list = byId.get(id);
			if (list) list.push(test);
			else byId.set(id, [test]);
		}

	/** @type {Judgement} */
	const judgement = { kept: [], promised: [], broken: [], problems: [], notes: [] };
	const known = new Set(laws.map((law) => law.id));
	for (const [id, citing] of byId)
		if (!known.has(id))
			judgement.problems.push(
				`${id}: cited by "${citing[0]?.title}" (${citing[0]?.file}), but no law has it`
			);

	for (const law of laws) {
		const citing = byId.get(law.id) ?? [];
		const passed = citing.some((test) => test.verdict === 'passed');
		if (isPromised(law)) {
			judgement.promised.push(law.id);
			if (passed) judgement.notes.push(`${law.id}: promised, yet a passing test cites it; name its guard`);
			continue;
		}
		const why = citing
			.filter((test) => test.verdict === 'failed')
			.map((test) => `failing test "${test.title}" (${test.file})`);
		if (citing.length === 0) why.push('no test cites it');
		else if (!passed && why.length === 0)
			why.push(`not run: "${citing[0]?.title}" (${citing[0]?.file}), and no other test cites it`);
		const missing = unresolved(law.guard);
		if (missing) why.push(missing);
		if (why.length) judgement.broken.push({ id: law.id, why });
		else judgement.kept.push(law.id);
	}
	return judgement;
}

/** @param {Judgement} judgement */
export const summary = ({ kept, promised, broken }) =>
	`laws: kept ${kept.length}, promised ${promised.length}, broken ${broken.length}`;
