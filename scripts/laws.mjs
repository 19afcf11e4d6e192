// How the laws of docs/laws.md stand.
//   node scripts/laws.mjs                      judges every law by the last `npm run test:unit`, or runs the unit tests
//   node scripts/laws.mjs --results <file…>    judges by JSON reports of vitest or Playwright made before
//   node scripts/laws.mjs --mutate [name…]     disables the guards of scripts/mutations.json one by one
// Reports of earlier runs count while nothing they speak of is younger: .vitest/report.json whole, and of
// .playwright/report.json each e2e file that is not younger than the report.
// Ends with 1 if a law is broken, the table is wrong, or a guard can be disabled without a red test.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { isPlaywright, testsOf, titlesIn } from './laws/citations.mjs';
import { unresolved } from './laws/guards.mjs';
import { judge, summary } from './laws/judge.mjs';
import { checkMutations, mutate, uncovered, unjoined, Workbench } from './laws/mutate.mjs';
import { parseLaws } from './laws/table.mjs';
import { stopVitest, vitest } from './laws/vitest.mjs';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const UNIT_REPORT = join(ROOT, '.vitest/report.json');
/** What the tests run and read: anything younger than a report makes it a report of something else. */
const BUILT = ['src', 'static', 'docs', 'package.json', 'vite.config.ts', 'svelte.config.js'];
const TESTED = [...BUILT, 'tests', 'scripts', 'README.md', 'eslint.config.js'];
const E2E_REPORT = join(ROOT, '.playwright/report.json');
/** Where the guards of gate and labels stand: each file here needs a mutation. */
const GUARDED = ['src/lib/agent/gate', 'src/lib/agent/protocol/labels.ts'];
/** The tests near those guards, asked first; what they let through meets every test of the engine. */
const NEAR =
	'acts admit budget budget-tree decisions drift fingerprint invariants-binding invariants-policy label-carriers label-marks label-outward labels level naming policy'.split(
		' '
	);
/** The tests take seconds; far beyond that a mutation has made something endless. */
const NEAR_MS = 60_000;
const ALL_MS = 300_000;

/** @param {string} path @returns {any} */
const json = (path) => JSON.parse(readFileSync(path, 'utf8'));

/** @returns {import('./laws/mutate.mjs').Mutation[]} */
const mutations = () => json(join(ROOT, 'scripts/mutations.json'));

/** @param {string} folder @param {string} ending */
function filesUnder(folder, ending) {
	const path = join(ROOT, folder);
	if (!existsSync(path)) return [];
	if (statSync(path).isFile()) return [folder];
	return readdirSync(path, { recursive: true, encoding: 'utf8' })
		.filter((name) => name.endsWith(ending))
		.sort()
		.map((name) => `${folder}/${name.replaceAll('\\', '/')}`);
}

/**
 * Whether nothing under these paths has changed since. The table of the laws is what is judged, not what is tested.
 * @param {readonly string[]} paths
 * @param {number} at
 */
const unchanged = (paths, at) =>
	paths
		.flatMap((path) => filesUnder(path, ''))
		.every((file) => file === 'docs/laws.md' || statSync(join(ROOT, file)).mtimeMs <= at);

/** The end-to-end tests: from their report where it is younger than the file and the site, else as not run. */
function endToEnd() {
	const at = existsSync(E2E_REPORT) ? statSync(E2E_REPORT).mtimeMs : 0;
	const reported = at > 0 && unchanged(BUILT, at) ? testsOf(json(E2E_REPORT)) : { tests: [], unloaded: [] };
	const tests = filesUnder('e2e', '.e2e.ts').flatMap((file) => {
		const path = join(ROOT, file);
		const ran = reported.tests.filter((test) => join('e2e', test.file) === join(file));
		return ran.length && statSync(path).mtimeMs <= at ? ran : titlesIn(readFileSync(path, 'utf8'), file);
	});
	return { tests, unloaded: reported.unloaded };
}

/** The last report of the unit tests, if it is of all of them and nothing has changed since. */
function freshReport() {
	if (!existsSync(UNIT_REPORT)) return undefined;
	if (!unchanged(TESTED, statSync(UNIT_REPORT).mtimeMs)) return undefined;
	const report = json(UNIT_REPORT);
	const ran = new Set(report.testResults.map((/** @type {any} */ file) => resolve(ROOT, file.name)));
	return filesUnder('tests', '.test.ts').every((file) => ran.has(join(ROOT, file))) ? report : undefined;
}

/** @param {readonly string[]} results */
async function unitTests(results) {
	if (results.length) return results.map(json);
	const fresh = freshReport();
	if (fresh) return [fresh];
	spawnSync(process.execPath, [join(ROOT, 'scripts/browser.mjs')], {
		stdio: ['ignore', 'ignore', 'inherit']
	});
	const { report, code } = await vitest(ROOT, []);
	if (!report) throw new Error(`vitest ended with code ${code} and left no report; run \`npx vitest run\`.`);
	return [report];
}

/** @param {readonly string[]} results */
async function laws(results) {
	const { laws: rows, problems } = parseLaws(readFileSync(join(ROOT, 'docs/laws.md'), 'utf8'));
	const reports = await unitTests(results);
	const runs = reports.map(testsOf);
	if (!reports.some(isPlaywright)) runs.push(endToEnd());

	const tests = runs.flatMap((run) => run.tests);
	const judgement = judge(rows, tests, (guard) => unresolved(guard, ROOT));
	const wrong = [
		...problems,
		...judgement.problems,
		...runs.flatMap((run) => run.unloaded.map((file) => `does not load: ${file}`)),
		...checkMutations(mutations(), ROOT)
	];
	/** @param {string} label @param {string} text */
	const say = (label, text) => console.log(label.padEnd(8) + text.replaceAll(`${ROOT}${sep}`, ''));
	for (const note of judgement.notes) say('note', note);
	for (const problem of wrong) say('wrong', problem);
	for (const { id, why } of judgement.broken) say('broken', `${id}: ${why.join('; ')}`);
	console.log(summary(judgement));
	return judgement.broken.length === 0 && wrong.length === 0;
}

/** @param {readonly string[]} args @param {number} ms */
async function testRun(args, ms) {
	const { report, code, timedOut } = await vitest(ROOT, [...args, '--bail', '1'], ms);
	if (!report && !timedOut) throw new Error(`vitest ended with code ${code} and left no report.`);
	const { tests, unloaded } = report ? testsOf(report) : { tests: [], unloaded: [] };
	const failed = tests.filter((test) => test.verdict === 'failed').map((test) => test.title);
	return { failed, unloaded, timedOut };
}

/** @param {readonly string[]} [files] */
const nearTests = (files = NEAR.map((name) => `tests/engine/${name}.test.ts`)) =>
	testRun(['--config', 'scripts/laws/near.config.mjs', ...files], NEAR_MS);
const engineTests = () => testRun(['--project', 'engine'], ALL_MS);

/** @param {Awaited<ReturnType<typeof testRun>>} run */
function demandGreen({ failed, unloaded, timedOut }) {
	const red = [...failed, ...unloaded];
	if (red.length || timedOut)
		throw new Error(`The tests must be green before a guard is disabled; red: ${red.join(', ') || 'no end'}`);
}

/** @param {readonly string[]} names only these, all if there are none */
async function mutants(names) {
	const bench = new Workbench(ROOT, join(ROOT, 'node_modules/.cache/laws/disabled.json'));
	const left = bench.restore();
	if (left) throw new Error(left);
	const table = mutations();
	const wrong = checkMutations(table, ROOT);
	wrong.push(
		...names.filter((name) => !table.some((it) => it.name === name)).map((it) => `no mutation ${it}`)
	);
	const chosen = names.length ? table.filter((mutation) => names.includes(mutation.name)) : table;
	if (!names.length) {
		const files = GUARDED.flatMap((path) => filesUnder(path, '.ts'));
		const sources = files.map((file) => ({ file, source: readFileSync(join(ROOT, file), 'utf8') }));
		wrong.push(...uncovered(sources, table));
		const all = filesUnder('src/lib/agent', '.ts');
		wrong.push(
			...unjoined(
				all.map((file) => ({ file, source: readFileSync(join(ROOT, file), 'utf8') })),
				table
			)
		);
		if (table.length === 0) wrong.push('scripts/mutations.json is empty: no guard has been put to the test');
	}
	for (const problem of wrong) console.log(`wrong     ${problem}`);
	if (checkMutations(chosen, ROOT).length || chosen.length === 0) return false;

	for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
		process.once(signal, () => {
			stopVitest();
			const unrestored = bench.restore();
			if (unrestored) console.error(unrestored);
			process.exit(130);
		});

	/** @type {Parameters<typeof mutate>[3]} */
	const say = ({ name, verdict, by }, { at, of, seconds }) =>
		console.log(`${at}/${of}  ${verdict.padEnd(8)}  ${seconds} s  ${name}: ${by}`);

	demandGreen(await nearTests());
	const near = await mutate(chosen, bench, ({ tests }) => nearTests(tests), say);
	const past = new Set(near.filter(({ verdict }) => verdict === 'survived').map(({ name }) => name));
	/** @type {typeof near} */
	let far = [];
	if (past.size) {
		console.log(`${past.size} passed by the tests nearby: now all tests of the engine`);
		demandGreen(await engineTests());
		far = await mutate(
			chosen.filter(({ name }) => past.has(name)),
			bench,
			engineTests,
			say
		);
	}
	const results = [...near.filter(({ name }) => !past.has(name)), ...far];
	const killed = results.filter((result) => result.verdict === 'killed').length;
	console.log(`guards: disabled ${results.length}, red ${killed}, survived ${results.length - killed}`);
	return killed === results.length && wrong.length === 0;
}

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: { mutate: { type: 'boolean', default: false }, results: { type: 'boolean', default: false } }
});
if (values.results && positionals.length === 0) throw new Error('--results needs at least one report file.');
if (!values.results && !values.mutate && positionals.length)
	throw new Error(`Unknown argument ${positionals[0]}: use --results <file…> or --mutate [name…].`);
const good = values.mutate ? await mutants(positionals) : await laws(values.results ? positionals : []);
process.exitCode = good ? 0 : 1;
