// How the laws of docs/laws.md stand.
//   node scripts/laws.mjs                      runs the unit tests once and judges every law
//   node scripts/laws.mjs --results <file…>    judges by JSON reports of vitest or Playwright made before
//   node scripts/laws.mjs --mutate [name…]     disables the guards of scripts/mutations.json one by one
// The last end-to-end run counts if it left .playwright/report.json and no e2e file is younger.
// Ends with 1 if a law is broken, the table is wrong, or a guard can be disabled without a red test.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { isPlaywright, testsOf, titlesIn } from './laws/citations.mjs';
import { unresolved } from './laws/guards.mjs';
import { judge, summary } from './laws/judge.mjs';
import { checkMutations, mutate, uncovered, Workbench } from './laws/mutate.mjs';
import { parseLaws } from './laws/table.mjs';
import { stopVitest, vitest } from './laws/vitest.mjs';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const E2E_REPORT = join(ROOT, '.playwright/report.json');
/** Where the guards of gate and labels stand: each file here needs a mutation. */
const GUARDED = ['src/lib/agent/gate', 'src/lib/agent/protocol/labels.ts'];
/** The engine's tests take seconds; far beyond that a mutation has made something endless. */
const MUTANT_MS = 300_000;

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

/** The end-to-end tests: from their report where it is younger than the file, else as not run. */
function endToEnd() {
	const reported = existsSync(E2E_REPORT) ? testsOf(json(E2E_REPORT)) : { tests: [], unloaded: [] };
	const at = existsSync(E2E_REPORT) ? statSync(E2E_REPORT).mtimeMs : 0;
	const tests = filesUnder('e2e', '.e2e.ts').flatMap((file) => {
		const path = join(ROOT, file);
		const ran = reported.tests.filter((test) => join('e2e', test.file) === join(file));
		return ran.length && statSync(path).mtimeMs <= at ? ran : titlesIn(readFileSync(path, 'utf8'), file);
	});
	return { tests, unloaded: reported.unloaded };
}

/** @param {readonly string[]} results */
async function unitTests(results) {
	if (results.length) return results.map(json);
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

async function engineTests() {
	const { report, code, timedOut } = await vitest(ROOT, ['--project', 'engine', '--bail', '1'], MUTANT_MS);
	if (!report && !timedOut) throw new Error(`vitest ended with code ${code} and left no report.`);
	const { tests, unloaded } = report ? testsOf(report) : { tests: [], unloaded: [] };
	const failed = tests.filter((test) => test.verdict === 'failed').map((test) => test.title);
	return { failed, unloaded, timedOut };
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

	const before = await engineTests();
	const red = [...before.failed, ...before.unloaded];
	if (red.length || before.timedOut)
		throw new Error(`The tests must be green before a guard is disabled; red: ${red.join(', ') || 'no end'}`);
	const results = await mutate(chosen, bench, engineTests, ({ name, verdict, by }) =>
		console.log(`${verdict.padEnd(8)}  ${name}: ${by}`)
	);
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
