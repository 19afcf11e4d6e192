import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cited, testsOf, titlesIn } from '../../scripts/laws/citations.mjs';
import { declares, unresolved } from '../../scripts/laws/guards.mjs';
import { judge, summary } from '../../scripts/laws/judge.mjs';
import {
	checkMutations,
	judgeRun,
	mutate,
	uncovered,
	unjoined,
	Workbench
} from '../../scripts/laws/mutate.mjs';
import { allIds, parseLaws } from '../../scripts/laws/table.mjs';

// Ids of a part no law has, so that the titles of this file cite nothing.
const RANGES = { S9: 3 };
const table = (...rows: string[]) => ['| id | law | guard |', '| --- | --- | --- |', ...rows].join('\n');
const GUARDED = '| S9-01 | One holds. | `src/a.ts#a` |';
const PROMISED = '| S9-02 | Two will hold. | promised (deepened later) |';
const THIRD = '| S9-03 | Three holds. | `src/a.ts#b` |';
const test = (title: string, verdict: 'passed' | 'failed' | 'not run' = 'passed') => ({
	title,
	file: 'tests/engine/a.test.ts',
	verdict
});
const stands = () => undefined;
const judged = (tests: ReturnType<typeof test>[], resolve: (guard: string) => string | undefined = stands) =>
	judge(parseLaws(table(GUARDED, PROMISED), { S9: 2 }).laws, tests, resolve);

let root: string;
const write = (file: string, text: string) => {
	mkdirSync(dirname(join(root, file)), { recursive: true });
	writeFileSync(join(root, file), text);
};
const read = (file: string) => readFileSync(join(root, file), 'utf8');
beforeEach(() => {
	root = mkdtempSync(join(tmpdir(), 'laws-test-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('the table of laws', () => {
	it('gives id, law and guard of each row', () => {
		const { laws, problems } = parseLaws(table(GUARDED, PROMISED, THIRD), RANGES);
		expect(problems).toEqual([]);
		expect(laws.map(({ id, law, guard }) => [id, law, guard])).toEqual([
			['S9-01', 'One holds.', 'src/a.ts#a'],
			['S9-02', 'Two will hold.', 'promised (deepened later)'],
			['S9-03', 'Three holds.', 'src/a.ts#b']
		]);
	});

	it.each([
		['a missing id', table(GUARDED, PROMISED), 'S9-03: missing from the table'],
		[
			'an id beyond the range',
			table(GUARDED, PROMISED, THIRD, '| S9-04 | x | promised |'),
			'S9-04: no such law'
		],
		['an id written otherwise', table(GUARDED, PROMISED, '| S9-3 | x | promised |'), 'S9-3: no such law'],
		['an id twice', table(GUARDED, PROMISED, THIRD, THIRD), 'S9-03: listed twice'],
		['a row without a sentence', table(GUARDED, PROMISED, '| S9-03 |  | promised |'), 'S9-03: says nothing'],
		['a row without a guard', table(GUARDED, PROMISED, '| S9-03 | x |  |'), 'S9-03: names neither'],
		['a row of other width', table(GUARDED, PROMISED, '| S9-03 | x |'), 'three cells']
	])('calls out %s', (_, text, problem) => {
		expect(parseLaws(text, RANGES).problems.join('\n')).toContain(problem);
	});

	it('of this house is complete and well formed', () => {
		const { laws, problems } = parseLaws(readFileSync('docs/laws.md', 'utf8'));
		expect(problems).toEqual([]);
		expect(laws.map((law) => law.id)).toEqual(allIds());
		expect(new Set(laws.map((law) => law.law)).size).toBe(laws.length);
	});
});

describe('citations', () => {
	it.each([
		['one', 'S9-49 effective level', ['S9-49']],
		['several', 'S9-01, X-02 and (S9-129): all', ['S9-01', 'X-02', 'S9-129']],
		['a range', 'S9-09..11 table', ['S9-09', 'S9-10', 'S9-11']],
		['a range with both ids', 'S9-99..S9-101', ['S9-99', 'S9-100', 'S9-101']],
		['a range and the end of a sentence', 'holds for S9-02..03.', ['S9-02', 'S9-03']],
		['one before an ellipsis', 'S9-02... and more', ['S9-02']],
		['none in other words', 'UTS9-01 S9-01b S9-01-x x-01 S99', []]
	])('of %s', (_, title, ids) => {
		expect(cited(title)).toEqual(ids);
	});

	it('keep a malformed id as it stands, so that it is found unknown', () => {
		expect(cited('S9-1 and S9-03..01')).toEqual(['S9-1', 'S9-03..01']);
	});

	it('come from the titles of tests and of the groups around them, with their verdicts', () => {
		const at = (title: string, status: string) => ({ ancestorTitles: ['S9-01 group'], title, status });
		const assertionResults = [
			at('S9-02 a', 'passed'),
			at('b', 'failed'),
			at('c', 'skipped'),
			at('d', 'todo')
		];
		const report = { testResults: [{ name: 'a.test.ts', status: 'failed', assertionResults }] };
		expect(testsOf(report)).toEqual({
			tests: [
				{ title: 'S9-01 group S9-02 a', file: 'a.test.ts', verdict: 'passed' },
				{ title: 'S9-01 group b', file: 'a.test.ts', verdict: 'failed' },
				{ title: 'S9-01 group c', file: 'a.test.ts', verdict: 'not run' },
				{ title: 'S9-01 group d', file: 'a.test.ts', verdict: 'not run' }
			],
			unloaded: []
		});
	});

	it('name a test file that does not load', () => {
		const broken = { name: 'b.test.ts', status: 'failed', message: 'no module\nstack', assertionResults: [] };
		expect(testsOf({ testResults: [broken] }).unloaded).toEqual(['b.test.ts: no module']);
	});

	it('come from a report of Playwright too, retries and skips told apart', () => {
		const spec = (title: string, ok: boolean, status: string) => ({
			title,
			ok,
			file: 'a.e2e.ts',
			tests: [{ status }]
		});
		const specs = [
			spec('S9-01 a', true, 'flaky'),
			spec('b', false, 'unexpected'),
			spec('c', true, 'skipped')
		];
		const inner = { title: 'X-01 page', file: 'a.e2e.ts', line: 3, specs };
		const report = {
			suites: [{ title: 'a.e2e.ts', file: 'a.e2e.ts', line: 0, suites: [inner] }],
			errors: []
		};
		expect(testsOf(report).tests.map(({ title, verdict }) => [title, verdict])).toEqual([
			['X-01 page S9-01 a', 'passed'],
			['X-01 page b', 'failed'],
			['X-01 page c', 'not run']
		]);
	});

	it('refuse a file that is no report', () => {
		expect(() => testsOf({ anything: 1 })).toThrow('--reporter=json');
	});

	it('of a file nobody ran are read from its source and count as not run', () => {
		const source = `test('S9-01 it\\'s there', async () => {});\ntest.describe(\`X-02 all\`, () => {})`;
		const found = titlesIn(source, 'a.e2e.ts');
		expect(found.flatMap(({ title }) => cited(title))).toEqual(['S9-01', 'X-02']);
		expect(found.every(({ verdict }) => verdict === 'not run')).toBe(true);
	});
});

describe('a guard', () => {
	it.each([
		['export function admit(step: Step) {}', 'admit', true],
		['export async function* open() {}', 'open', true],
		['export abstract class Fold {}', 'Fold', true],
		['const walls = {};', 'walls', true],
		['export { inner as project };', 'project', true],
		['export class Fold {\n\tasync take(x) {}\n}', 'Fold.take', true],
		['export class Fold {\n\ttake(x) {}\n}', 'Fold.give', false],
		['// export function admit() {}', 'admit', false],
		['/**\n * function admit\n */', 'admit', false],
		['export function admitted() {}', 'admit', false],
		['admit(step);', 'admit', false]
	])('in %j named %s: %s', (source, symbol, found) => {
		expect(declares(source, symbol)).toBe(found);
	});

	it('resolves in a file under the root, a key of a JSON file or a component included', () => {
		write('src/a.ts', 'export const a = 1;');
		write('src/Aura.svelte', '<p>here</p>');
		write('package.json', '{ "peerDependencies": {} }');
		for (const guard of ['src/a.ts#a', 'src/Aura.svelte#Aura', 'package.json#peerDependencies'])
			expect(unresolved(guard, root)).toBeUndefined();
	});

	it('that does not resolve says why', () => {
		write('src/a.ts', 'export const a = 1;');
		expect(unresolved('src/b.ts#a', root)).toBe('guard src/b.ts#a: no such file');
		expect(unresolved('src/a.ts#b', root)).toBe('guard src/a.ts#b: the file declares no b');
		expect(unresolved('src/a.ts', root)).toContain('not of the form file#symbol');
	});
});

describe('the judgement', () => {
	it('is kept with a passing test and a standing guard', () => {
		const judgement = judged([test('S9-01 holds'), test('S9-01 also there', 'not run')]);
		expect(judgement).toEqual({ kept: ['S9-01'], promised: ['S9-02'], broken: [], problems: [], notes: [] });
		expect(summary(judgement)).toBe('laws: kept 1, promised 1, broken 0');
	});

	it('is broken when no test cites the law', () => {
		expect(judged([]).broken).toEqual([{ id: 'S9-01', why: ['no test cites it'] }]);
	});

	it('is broken when a failing test cites the law beside passing ones', () => {
		const { kept, broken } = judged([test('S9-01 a'), test('S9-01 b', 'failed')]);
		expect(kept).toEqual([]);
		expect(broken[0]?.why).toEqual(['failing test "S9-01 b" (tests/engine/a.test.ts)']);
	});

	it('is broken when the only citing test did not run', () => {
		expect(judged([test('S9-01 a', 'not run')]).broken[0]?.why[0]).toContain('not run: "S9-01 a"');
	});

	it('is broken when the guard does not stand, with every reason named', () => {
		const { broken } = judged([], (guard) => `guard ${guard}: no such file`);
		expect(broken).toEqual([{ id: 'S9-01', why: ['no test cites it', 'guard src/a.ts#a: no such file'] }]);
	});

	it('stays promised whatever tests say, and notes a passing one', () => {
		const judgement = judged([test('S9-01 a'), test('S9-02 early'), test('S9-02 red', 'failed')]);
		expect(judgement.promised).toEqual(['S9-02']);
		expect(judgement.broken).toEqual([]);
		expect(judgement.notes.join()).toContain('S9-02: promised, yet a passing test cites it');
	});

	it('finds a citation of a law that does not exist a problem, run or not', () => {
		const { problems } = judged([test('S9-01 a'), test('S9-77 b', 'not run')]);
		expect(problems).toEqual(['S9-77: cited by "S9-77 b" (tests/engine/a.test.ts), but no law has it']);
	});
});

describe('disabling a guard', () => {
	const source = 'export const open = (x) => {\n\tif (!x) return false;\n\treturn true;\n};\n';
	const mutation = { name: 'closed', file: 'src/gate.ts', find: 'if (!x) return false;', replace: "'$&'" };
	const green = { failed: [], unloaded: [], timedOut: false };
	const bench = () => new Workbench(root, join(root, 'cache/disabled.json'));
	beforeEach(() => write('src/gate.ts', source));

	it('changes the file while the tests run and restores it byte for byte', async () => {
		let during = '';
		const results = await mutate([mutation], bench(), async () => {
			during = read('src/gate.ts');
			return { ...green, failed: ['the door is closed'] };
		});
		// `$&` must arrive as text, not as a pattern of String.replace.
		expect(during).toBe(source.replace(mutation.find, () => "'$&'"));
		expect(read('src/gate.ts')).toBe(source);
		expect(existsSync(join(root, 'cache/disabled.json'))).toBe(false);
		expect(results).toEqual([{ name: 'closed', verdict: 'killed', by: 'the door is closed' }]);
	});

	it('asks the tests of each mutation and says how far it is', async () => {
		const heard: unknown[] = [];
		const other = { ...mutation, name: 'open', tests: ['tests/a.test.ts'] };
		const asked: unknown[] = [];
		await mutate(
			[mutation, other],
			bench(),
			async ({ tests }) => {
				asked.push(tests);
				return green;
			},
			({ name }, { at, of }) => heard.push([name, at, of])
		);
		expect(asked).toEqual([undefined, ['tests/a.test.ts']]);
		expect(heard).toEqual([
			['closed', 1, 2],
			['open', 2, 2]
		]);
	});

	it('restores the file when the tests cannot be run', async () => {
		const failing = () => Promise.reject(new Error('no vitest'));
		await expect(mutate([mutation], bench(), failing)).rejects.toThrow('no vitest');
		expect(read('src/gate.ts')).toBe(source);
	});

	it('restores the file from another process after a crash', () => {
		bench().apply(mutation);
		expect(read('src/gate.ts')).not.toBe(source);
		expect(() => bench().apply(mutation)).toThrow('restore()');
		expect(bench().restore()).toBeUndefined();
		expect(read('src/gate.ts')).toBe(source);
		expect(bench().restore()).toBeUndefined();
	});

	it('leaves a file alone that was edited meanwhile, and keeps the original', () => {
		bench().apply(mutation);
		write('src/gate.ts', '// new work');
		expect(bench().restore()).toContain('src/gate.ts was edited');
		expect(read('src/gate.ts')).toBe('// new work');
		expect(JSON.parse(read('cache/disabled.json')).original).toBe(source);
	});

	it('is survived by green tests, killed by a red or an endless one, invalid where nothing loads', () => {
		expect(judgeRun(mutation, green).verdict).toBe('survived');
		expect(judgeRun(mutation, { ...green, failed: ['red'] }).verdict).toBe('killed');
		expect(judgeRun(mutation, { ...green, timedOut: true }).verdict).toBe('killed');
		expect(judgeRun(mutation, { ...green, unloaded: ['a.test.ts'] }).verdict).toBe('invalid');
	});

	it.each([
		['text that is gone', { ...mutation, find: 'if (!y)' }, 'matches 0 times'],
		['text that is there twice', { ...mutation, find: 'return' }, 'matches 2 times'],
		['a file that is gone', { ...mutation, file: 'src/door.ts' }, 'no file src/door.ts'],
		['a change that changes nothing', { ...mutation, replace: mutation.find }, 'changes nothing'],
		['tests that are gone', { ...mutation, tests: ['tests/b.test.ts'] }, 'no file tests/b.test.ts'],
		['an entry without text', { ...mutation, find: '' }, 'needs name, file, find and replace']
	])('is refused for %s', (_, entry, problem) => {
		expect(checkMutations([entry], root).join()).toContain(problem);
	});

	it('needs a name of its own in a table that fits the sources', () => {
		expect(checkMutations([mutation], root)).toEqual([]);
		expect(checkMutations([mutation, mutation], root).join()).toContain('two have this name');
	});

	it('is asked of every file that decides something', () => {
		const file = (name: string, text: string) => ({ file: `src/${name}.ts`, source: text });
		const files = [
			file('gate', source),
			file('level', 'export function level() {}'),
			file('index', `export * from './gate.js';`)
		];
		expect(uncovered(files, [mutation])).toEqual(['no mutation for src/level.ts']);
	});

	it('names joins of labels that no mutation takes away, by line', () => {
		const IMPORT = `import { CLEAN, join } from '../protocol/labels.js';\n`;
		const file = 'src/a.ts';
		const missing = (source: string, ...mutations: [find: string, replace: string][]) =>
			unjoined(
				[{ file, source: IMPORT + source }],
				mutations.map(([find, replace]) => ({ ...mutation, file, find, replace }))
			);
		const at = (line: number) => `no mutation for the join in ${file}:${line}`;
		expect(missing('a = join(a, b);\nc = join(c, d);\n')).toEqual([at(2), at(3)]);
		expect(missing('a = join(a, b);\nc = join(c, d);\n', ['a = join(a, b)', 'a = a'])).toEqual([at(3)]);
		// One that only reorders, or stands beside it, takes nothing away.
		expect(missing('a = join(a, b);\n', ['a = join(a, b)', 'a = join(b, a)'])).toEqual([at(2)]);
		expect(missing('a = join(a, b); c = d;\n', ['c = d', 'c = e'])).toEqual([at(2)]);
		expect(missing('a = join(join(a, b), c);\n', ['join(join(a, b), c)', 'join(a, c)'])).toEqual([]);
		expect(missing('a = all.reduce(join, CLEAN);\nb = all.reduce<Label>(join, a);\n')).toEqual([
			at(2),
			at(3)
		]);
		expect(missing(`a = [].join('');\nb = path.join(a);\n`)).toEqual([]);
		const other = { file: 'src/b.ts', source: `import { join } from 'node:path';\njoin('a', 'b');\n` };
		expect(unjoined([other], [])).toEqual([]);
	});
});
