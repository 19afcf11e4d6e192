import { resolve } from 'node:path';
import { ESLint } from 'eslint';
import { describe, expect, it } from 'vitest';
import { refuses } from '../../scripts/eslint/rooms.js';
import { readFromDisk, reach } from './import-graph.js';

const root = resolve(import.meta.dirname, '../..');
// The very configuration that `npm run lint` uses, but for the types: no wall asks for one, and loading them takes a minute.
const untyped = { languageOptions: { parserOptions: { projectService: false } } };
const eslint = new ESLint({
	cwd: root,
	overrideConfig: [{ files: ['**/*.svelte', '**/*.svelte.ts'], ...untyped }]
});

async function wallsHit(file: string, code: string): Promise<string[]> {
	const results = await eslint.lintText(code, { filePath: resolve(root, file) });
	expect(results, `${file} is linted at all`).toHaveLength(1);
	return results
		.flatMap(({ messages }) => messages)
		.filter(
			({ ruleId, fatal }) => fatal || ruleId?.startsWith('walls/') || ruleId === 'no-restricted-globals'
		)
		.map(({ message }) => message);
}

const value = (specifier: string) => `import { x } from '${specifier}';\nexport const y = x;\n`;
const type = (specifier: string) => `import type { X } from '${specifier}';\nexport type Y = X;\n`;

/** wall · file · a line that breaks it · the neighbour that is allowed [code, file when another] */
type Wall = [wall: string, file: string, broken: string, legal: string, legalFile?: string];

const LIB = 'src/lib';
const AGENT = 'src/lib/agent';
const FORM = 'src/lib/canon/participants/form';
const DOCUMENT = 'src/lib/canon/participants/document';

const rooms = ['protocol', 'run', 'journal', 'capability', 'effects', 'steer', 'gate', 'engine', 'active'];
const order: Wall[] = rooms
	.slice(0, -1)
	.map((room, index) => [
		`agent/${room} imports nothing to its right`,
		`${AGENT}/${room}/seed.ts`,
		value(`../${rooms[index + 1]}/x.js`),
		value(`../${rooms[index]}/x.js`),
		`${AGENT}/${rooms[index + 1]}/seed.ts`
	]);

const imports: Wall[] = [
	...order,
	[
		'types too go from left to right',
		`${AGENT}/gate/seed.ts`,
		type('../engine/x.js'),
		type('../effects/x.js')
	],
	['actor imports nothing', `${LIB}/actor/seed.ts`, type('../agent/protocol/x.js'), value('./x.js')],
	[
		'the art knows no uix',
		`${AGENT}/engine/seed.ts`,
		value('../../uix/soma/x.js'),
		value('../../actor/index.js')
	],
	[
		'the art knows no canon',
		`${AGENT}/active/seed.ts`,
		type('../../canon/surfaces/x.js'),
		type('../engine/x.js')
	],
	['the art knows no block', `${AGENT}/active/seed.ts`, value('../../blocks/x.js'), value('../engine/x.js')],
	['the art knows no mount', `${AGENT}/active/seed.ts`, value('../../mount/x.js'), value('../engine/x.js')],
	[
		'the art knows no Svelte, but for agent/active',
		`${AGENT}/engine/seed.ts`,
		value('svelte/reactivity'),
		value('svelte/reactivity'),
		`${AGENT}/active/seed.ts`
	],
	[
		'the engine entry has no Svelte layer',
		`${AGENT}/index.ts`,
		value('./active/x.js'),
		value('./engine/x.js')
	],
	[
		'an adapter imports protocol only',
		`${AGENT}/adapters/seed.ts`,
		value('../journal/x.js'),
		value('../protocol/x.js')
	],
	[
		'a store imports journal and protocol only',
		`${AGENT}/stores/seed.ts`,
		type('../engine/x.js'),
		value('../journal/x.js')
	],
	[
		'testing takes the art, no surface',
		`${LIB}/testing/seed.ts`,
		value('../canon/x.js'),
		value('../agent/gate/x.js')
	],
	[
		'langs take types of protocol',
		`${LIB}/langs/seed.ts`,
		value('../agent/protocol/x.js'),
		type('../agent/protocol/x.js')
	],
	[
		'langs take nothing else of the art',
		`${LIB}/langs/seed.ts`,
		type('../agent/engine/x.js'),
		value('./en.js')
	],
	[
		'uix imports actor at most',
		`${LIB}/uix/soma/seed.ts`,
		type('../../agent/protocol/x.js'),
		value('../../actor/index.js')
	],
	[
		'canon takes the art as types',
		`${LIB}/canon/surfaces/seed.ts`,
		value('../../agent/engine/x.js'),
		type('../../agent/engine/x.js')
	],
	[
		'canon knows no adapter',
		`${LIB}/canon/surfaces/seed.ts`,
		type('../../agent/adapters/x.js'),
		value('../../langs/en.js')
	],
	[
		'canon takes the manifest entry, not the room behind it',
		`${LIB}/canon/surfaces/seed.ts`,
		value('../../agent/capability/registry.js'),
		value('../../agent/capability/index.js')
	],
	[
		'canon reaches mount by its context',
		`${LIB}/canon/surfaces/seed.ts`,
		value('../../mount/expose.js'),
		value('../../mount/context.js')
	],
	[
		'mount knows nothing of canon',
		`${LIB}/mount/seed.ts`,
		type('../canon/surfaces/x.js'),
		value('../agent/active/x.js')
	],
	[
		'mount takes the art as types',
		`${LIB}/mount/seed.ts`,
		value('../agent/engine/x.js'),
		type('../agent/engine/x.js')
	],
	[
		'mount takes soma and morfo alone',
		`${LIB}/mount/seed.ts`,
		value('../uix/sema/x.js'),
		value('../uix/soma/x.js')
	],
	[
		'a provider knows no agent',
		`${FORM}/form.provider.ts`,
		value('../../../agent/capability/index.js'),
		value('./paths.js')
	],
	[
		'a provider knows not even types of agents',
		`${FORM}/form.provider.ts`,
		type('../../../agent/protocol/words.js'),
		type('./paths.js')
	],
	[
		'a provider does not know its manifest',
		`${FORM}/form.provider.ts`,
		type('./form.manifest.js'),
		value('./paths.js')
	],
	[
		'a manifest takes the pure entry',
		`${FORM}/form.manifest.ts`,
		value('../../../agent/capability/registry.js'),
		value('../../../agent/capability/index.js')
	],
	[
		'a manifest takes its own provider',
		`${FORM}/form.manifest.ts`,
		value('../calendar/calendar.provider.js'),
		value('./form.provider.js')
	],
	[
		'a manifest knows no Svelte',
		`${FORM}/form.manifest.ts`,
		value('svelte'),
		type('../../../agent/protocol/words.js')
	],
	[
		'the parts of the document know no agent',
		`${DOCUMENT}/blocks/seed.ts`,
		type('../../../../agent/capability/index.js'),
		value('../../../../actor/index.js')
	],
	[
		'the parts of the document know ProseMirror alone',
		`${DOCUMENT}/timeline/seed.ts`,
		value('@tiptap/core'),
		value('prosemirror-state')
	],
	['the document knows no Svelte', `${DOCUMENT}/plugins.ts`, value('svelte'), value('prosemirror-view')],
	[
		'an adapter of the document knows its own editor',
		`${DOCUMENT}/prosekit.ts`,
		value('@tiptap/core'),
		value('@tiptap/core'),
		`${DOCUMENT}/tiptap.ts`
	],
	[
		'a part of a manifest is one: it takes no part of the document',
		`${DOCUMENT}/manifest/reads.ts`,
		value('../blocks/index.js'),
		type('../blocks/index.js')
	],
	[
		'a part of a manifest takes the pure entry',
		`${DOCUMENT}/manifest/reads.ts`,
		value('../../../../agent/engine/x.js'),
		value('../../../../agent/capability/index.js')
	],
	['nobody imports borders', `${LIB}/index.ts`, value('./borders/webmcp.js'), value('./mount/x.js')],
	[
		'relay knows no engine',
		`${LIB}/relay/seed.ts`,
		value('../agent/engine/x.js'),
		type('../agent/protocol/x.js')
	],
	['relay takes nothing of Node', `${LIB}/relay/seed.ts`, value('node:http'), value('./x.js')],
	['nobody imports relay', `${LIB}/mount/seed.ts`, value('../relay/x.js'), value('../actor/index.js')],
	['canon imports no block', `${LIB}/canon/surfaces/seed.ts`, value('../../blocks/x.js'), value('./x.js')],
	[
		'the face reaches no adapter',
		`${LIB}/index.ts`,
		`export * from './agent/adapters/scripted.js';\n`,
		value('./agent/active/x.js')
	],
	[
		'the face reaches no store',
		`${LIB}/index.ts`,
		value('./agent/stores/memory.js'),
		value('./canon/surfaces/x.js')
	],
	[
		'a package is an optional peer',
		`${LIB}/canon/participants/seed.ts`,
		value('highlight.js'),
		value('sveltekit-superforms')
	],
	['no built-in of Node', `${AGENT}/journal/seed.ts`, value('node:crypto'), value('../protocol/x.js')],
	[
		'imports are relative inside src/lib',
		`${LIB}/mount/seed.ts`,
		value('$agent/active/x.js'),
		value('../agent/active/x.js')
	],
	['what is published lies in src/lib', `${LIB}/mount/seed.ts`, value('../../routes/x.js'), value('./x.js')],
	['every file has a room', `${LIB}/drawer/seed.ts`, value('./x.js'), value('./x.js'), `${LIB}/uix/seed.ts`],
	[
		'dynamic imports count',
		`${LIB}/index.ts`,
		`export const y = import('./agent/stores/memory.js');\n`,
		`export const y = import('./canon/x.js');\n`
	],
	[
		're-exports count',
		`${LIB}/mount/index.ts`,
		`export { x } from '../agent/gate/x.js';\n`,
		`export type { X } from '../agent/gate/x.js';\n`
	],
	[
		'import types count',
		`${LIB}/uix/seed.ts`,
		`export type Y = import('../agent/protocol/words.js').Label;\n`,
		`export type Y = import('../actor/index.js').Actor;\n`
	],
	[
		'the site uses public entries',
		'src/routes/seed.ts',
		value('$lib/agent/engine/x.js'),
		value('$lib/agent/index.js')
	],
	[
		'the site uses no inside of a participant',
		'src/routes/seed.ts',
		value('$lib/canon/participants/form/paths.js'),
		value('$lib/canon/participants/form/index.js')
	],
	[
		'the site finds no way around by path',
		'src/routes/seed.ts',
		value('../lib/mount/x.js'),
		value('../lib/index.js')
	],
	[
		'the alias is no way around',
		'src/routes/seed.ts',
		value('$agent/engine/x.js'),
		value('$agent/adapters/scripted.js')
	]
];

const door = 'export const go = (act: any) => act.perform();\n';
const wrapped = 'export const act = (perform: any) => ({ perform: (args: any) => perform(args) });\n';
const passing = (body: string) =>
	`import { dispatch } from './dispatch.js';\nimport { admit } from '../gate/admit.js';\nexport async function go(act: any) {\n${body}\n}\n`;
const looked = passing('if (admit(act).verdict === 1) return dispatch(act);\nawait act;');
const laws: Wall[] = [
	[
		'one door: no dispatch without admit',
		`${AGENT}/engine/seed.ts`,
		passing('admit;\nreturn dispatch(act);'),
		looked
	],
	[
		'one door: no await between admit and dispatch',
		`${AGENT}/engine/seed.ts`,
		passing('admit(act);\nawait act;\nreturn dispatch(act);'),
		looked
	],
	[
		'one door: no record between admit and dispatch',
		`${AGENT}/engine/seed.ts`,
		passing("admit(act);\nact.append('effect.dispatched');\nreturn dispatch(act);"),
		passing("act.append('effect.dispatched');\nadmit(act);\nreturn dispatch(act);")
	],
	[
		'one door: no look that another function took',
		`${AGENT}/engine/seed.ts`,
		passing('admit(act);\nreturn () => dispatch(act);'),
		looked
	],
	[
		'one door: the door is not handed on',
		`${AGENT}/engine/seed.ts`,
		`export { dispatch } from './dispatch.js';\n`,
		`export { admit } from '../gate/admit.js';\n`
	],
	['one door: expose may wrap a closure', `${LIB}/mount/expose.ts`, door, wrapped],
	[
		'one door: nobody else may wrap one',
		`${LIB}/mount/seed.ts`,
		wrapped,
		door.replace('act.perform()', 'act')
	],
	[
		'one door: nobody else calls perform',
		`${AGENT}/engine/seed.ts`,
		door,
		door,
		`${AGENT}/engine/dispatch.ts`
	],
	[
		'one door: no second one in the dispatch',
		`${AGENT}/engine/dispatch.ts`,
		door + door.replace('go', 'again'),
		door
	],
	[
		'one door: call and apply are calls',
		`${AGENT}/gate/seed.ts`,
		'export const go = (act: any) => act.perform.call(act);\n',
		'export const go = (act: any) => typeof act.perform;\n'
	],
	[
		'one door: a loose perform is a call',
		`${AGENT}/gate/seed.ts`,
		'export const go = ({ perform }: any) => perform?.();\n',
		'export const go = (act: any) => act.preview?.();\n'
	],
	[
		'one door: a computed name is a name',
		`${LIB}/mount/seed.ts`,
		`export const go = (act: any) => act['perform']();\n`,
		`export const go = (act: any) => act['available']();\n`
	],
	[
		'never flushSync in mount',
		`${LIB}/mount/seed.ts`,
		`import { flushSync } from 'svelte';\nflushSync();\n`,
		`import { tick } from 'svelte';\nawait tick();\n`
	],
	[
		'never flushSync in agent/active',
		`${AGENT}/active/seed.ts`,
		`import * as svelte from 'svelte';\nsvelte.flushSync();\n`,
		`import * as svelte from 'svelte';\nsvelte.untrack(() => 1);\n`
	],
	[
		'never flushSync in canon',
		`${LIB}/canon/surfaces/seed.ts`,
		`import { flushSync as now } from 'svelte';\nnow();\n`,
		`import { onMount } from 'svelte';\nonMount(() => {});\n`
	],
	[
		'never flushSync in uix',
		`${LIB}/uix/soma/seed.ts`,
		`import { flushSync } from 'svelte';\nflushSync();\n`,
		`import { untrack } from 'svelte';\nuntrack(() => 1);\n`
	],
	[
		'the art knows no DOM',
		`${AGENT}/engine/seed.ts`,
		'export const title = document.title;\n',
		'export const title = document.title;\n',
		`${LIB}/mount/seed.ts`
	],
	[
		'the relay knows no server but the one it is put into',
		`${LIB}/relay/seed.ts`,
		'export const key = process.env.KEY;\n',
		'export const url = new URL("https://app.example");\n'
	],
	[
		'no folder is called server',
		`${LIB}/mount/server/seed.ts`,
		'export const x = 1;\n',
		'export const x = 1;\n',
		`${LIB}/mount/server.ts`
	],
	[
		'no folder of the site either',
		`src/routes/server/seed.ts`,
		'export const x = 1;\n',
		'export const x = 1;\n',
		'src/routes/servers/seed.ts'
	],
	[
		'dependencies stay empty',
		'package.json',
		'{ "dependencies": { "zod": "4.0.0" } }',
		'{ "dependencies": {}, "devDependencies": { "zod": "4.0.0" } }'
	]
];

describe(
	'S2-14 S2-82 a seeded violation of each wall is caught, its legal neighbour is not',
	{ timeout: 60_000 },
	() => {
		it.each([...imports, ...laws])('%s', async (_wall, file, broken, legal, legalFile = file) => {
			const caught = await wallsHit(file, broken);
			expect(caught, 'the wall says its name, once for each break').toEqual([
				expect.stringMatching(/Wall: |Inside src\/lib/)
			]);
			expect(await wallsHit(legalFile, legal)).toEqual([]);
		});
	}
);

describe('S2-82 the walls hold in every kind of file', { timeout: 60_000 }, () => {
	const component = (specifier: string) =>
		`<script lang="ts">\n\timport { x } from '${specifier}';\n</script>\n\n<p>{x}</p>\n`;

	it('a component is a file like any other', async () => {
		const file = 'src/lib/mount/AgentRoot.svelte';
		expect(await wallsHit(file, component('../canon/x.js'))).toEqual([expect.stringMatching(/^Wall: /)]);
		expect(await wallsHit(file, component('../uix/soma/x.js'))).toEqual([]);
	});

	it('a provider with runes is a provider', () => {
		const file = `${FORM}/form.provider.svelte.ts`;
		expect(refuses(file, '../../../agent/protocol/words.js', true)).toMatch(/^Wall: /);
		expect(refuses(file, './paths.js', false)).toBeUndefined();
	});
});

describe('S2-82 no entry drags in another', { timeout: 60_000 }, () => {
	const lib = (path: string) => resolve(root, 'src/lib', path);
	const elsewhere = /src\/lib\/(agent\/(adapters|stores)|testing|borders|relay)\//;

	it('adapters and stores are unreachable from the main entry', () => {
		const { files } = reach(lib('index.ts'), readFromDisk);
		expect(files.size).toBeGreaterThan(10);
		expect([...files].filter((file) => elsewhere.test(file))).toEqual([]);
	});

	it('the engine entry reaches neither Svelte nor the DOM binding', () => {
		const { files, packages } = reach(lib('agent/index.ts'), readFromDisk);
		expect(files.size).toBeGreaterThan(10);
		expect([...files].filter((file) => /\.svelte|src\/lib\/(uix|mount|canon)\//.test(file))).toEqual([]);
		expect([...packages]).toEqual([]);
	});

	it('the manifest entry reaches actor and itself alone', () => {
		const { files, packages } = reach(lib('agent/capability/index.ts'), readFromDisk);
		expect(
			[...files].filter((file) => !/src\/lib\/(actor|agent\/(capability|protocol))\//.test(file))
		).toEqual([]);
		expect([...packages]).toEqual([]);
	});

	it('the walk finds an adapter behind two doors and ignores types', () => {
		const sources: Record<string, string> = {
			[lib('index.ts')]: `import './a.js';\nimport type { T } from './agent/stores/memory.js';`,
			[lib('a.ts')]: `export { default as B } from './B.svelte';`,
			[lib('B.svelte')]:
				`<script lang="ts">\n\tconst x = import('./agent/adapters/openai.js');\n</script>\n<p>b</p>`,
			[lib('agent/adapters/openai.ts')]: `import { y } from 'somewhere';`,
			[lib('agent/stores/memory.ts')]: ''
		};
		const { files, packages } = reach(lib('index.ts'), (path) => sources[path]);
		expect([...files].filter((file) => elsewhere.test(file))).toEqual([lib('agent/adapters/openai.ts')]);
		expect([...packages]).toEqual(['somewhere']);
	});
});
