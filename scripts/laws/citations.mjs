// Which tests cite which laws, and how those tests came out.
import { idOf } from './table.mjs';

/** @typedef {'passed' | 'failed' | 'not run'} Verdict */
/** @typedef {{ title: string, file: string, verdict: Verdict }} Citing */

const CITATION = /\b(S\d|X)-(\d+)(?:\s?(?:\.\.\.?|…|–)\s?(?:\1-)?(\d+))?(?![\w-])/g;

/**
 * The ids a title cites, ranges spelled out: `S2-10..12` is S2-10, S2-11, S2-12.
 * @param {string} title
 */
export function cited(title) {
	/** @type {Set<string>} */
	const ids = new Set();
	for (const [whole, part = '', first = '', last] of title.matchAll(CITATION)) {
		const from = Number(first);
		const to = Number(last ?? first);
		// Kept as written, so that the check for unknown ids names it.
		if (first.length < 2 || to < from || to - from > 200) ids.add(whole);
		else for (let n = from; n <= to; n++) ids.add(idOf(part, n));
	}
	return [...ids];
}

/** @param {string} status @returns {Verdict} */
const verdictOf = (status) => (status === 'passed' || status === 'failed' ? status : 'not run');

/**
 * @param {any} report a JSON report of vitest
 * @returns {{ tests: Citing[], unloaded: string[] }}
 */
function fromVitest(report) {
	/** @type {Citing[]} */
	const tests = [];
	/** @type {string[]} */
	const unloaded = [];
	for (const file of report.testResults) {
		const results = file.assertionResults ?? [];
		if (file.status === 'failed' && !results.some((/** @type {any} */ test) => test.status === 'failed'))
			unloaded.push(`${file.name}: ${String(file.message ?? '').split('\n')[0]}`);
		for (const test of results) {
			const title = [...(test.ancestorTitles ?? []), test.title].filter(Boolean).join(' ');
			tests.push({ title, file: file.name, verdict: verdictOf(test.status) });
		}
	}
	return { tests, unloaded };
}

/**
 * @param {any} report a JSON report of Playwright
 * @returns {{ tests: Citing[], unloaded: string[] }}
 */
function fromPlaywright(report) {
	/** @type {Citing[]} */
	const tests = [];
	/** @param {any} suite @param {readonly string[]} around */
	const walk = (suite, around) => {
		// A suite without a line is a file: its title is a name, not a citation.
		const titles = suite.line ? [...around, suite.title] : around;
		for (const spec of suite.specs ?? []) {
			const statuses = (spec.tests ?? []).map((/** @type {any} */ test) => test.status);
			const ran = statuses.some((/** @type {string} */ status) => status !== 'skipped');
			tests.push({
				title: [...titles, spec.title].join(' '),
				file: spec.file ?? suite.file,
				verdict: !ran ? 'not run' : spec.ok ? 'passed' : 'failed'
			});
		}
		for (const inner of suite.suites ?? []) walk(inner, titles);
	};
	for (const suite of report.suites) walk(suite, []);
	const unloaded = (report.errors ?? []).map(
		(/** @type {any} */ error) => String(error.message ?? error).split('\n')[0]
	);
	return { tests, unloaded };
}

/** @param {any} report */
export const isPlaywright = (report) => Array.isArray(report?.suites);

/**
 * The tests of one JSON report, of vitest or of Playwright.
 * @param {any} report
 */
export function testsOf(report) {
	if (isPlaywright(report)) return fromPlaywright(report);
	if (Array.isArray(report?.testResults)) return fromVitest(report);
	throw new Error('This is no JSON report of vitest or Playwright; make one with --reporter=json.');
}

/**
 * The titles in a test file that nobody ran.
 * @param {string} source
 * @param {string} file
 * @returns {Citing[]}
 */
export function titlesIn(source, file) {
	return [...source.matchAll(/\b(?:test|it|describe)(?:\.\w+)*\(\s*(['"`])((?:\\.|(?!\1).)*)\1/g)].map(
		(match) => ({ title: match[2] ?? '', file, verdict: 'not run' })
	);
}
