import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { build, type Plugin } from 'vite';
import { describe, expect, test } from 'vitest';
import { refuses } from '../../scripts/eslint/rooms.js';
import { defineManifest, done, type Schema } from '../../src/lib/agent/capability/index.js';
import { createRegistry, EngineAgent } from '../../src/lib/agent/index.js';
import { scripted } from '../../src/lib/agent/adapters/scripted.js';
import { deterministic, person } from '../../src/lib/testing/index.js';
import { readFromDisk, reach } from './import-graph.js';

const root = resolve(import.meta.dirname, '../..');
const lib = join(root, 'src/lib');
const participants = join(lib, 'canon/participants');
const inside = (folder: string): string[] =>
	readdirSync(folder, { recursive: true, encoding: 'utf8' })
		.map((name) => join(folder, name))
		.filter((path) => path.endsWith('.ts') || path.endsWith('.svelte'));
const manifests = inside(participants).filter((path) => path.endsWith('.manifest.ts'));
const execute = promisify(execFile);

/** Fails the build at the first import that resolves to something of `forbidden`. */
const without = (forbidden: RegExp): Plugin => ({
	name: 'without',
	enforce: 'pre',
	async resolveId(source, importer, options) {
		const found = await this.resolve(source, importer, { ...options, skipSelf: true });
		for (const name of [source, found?.id ?? ''])
			if (forbidden.test(name)) throw new Error(`${name} is imported by ${importer}`);
		return found;
	}
});

/** Bundles with everything in it, for plain node. */
async function bundle(entry: string, outDir: string, plugins: Plugin[][], name: string): Promise<string> {
	await build({
		configFile: false,
		logLevel: 'silent',
		plugins,
		ssr: { noExternal: true },
		build: {
			ssr: entry,
			outDir,
			emptyOutDir: false,
			rollupOptions: { output: { entryFileNames: name } }
		}
	});
	return join(outDir, name);
}

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
	// Outside of the repository: nothing there could be found beside the bundle.
	const folder = await mkdtemp(join(tmpdir(), 'axis-'));
	try {
		await work(folder);
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

describe('S2-02 the axis has the shape of the kit', { timeout: 120_000 }, () => {
	test('S2-02 there is at least one participant', () => {
		expect(manifests.length).toBeGreaterThan(0);
	});

	test.each(manifests.map((path) => [basename(path, '.manifest.ts'), path]))(
		'S2-02 %s: provider, manifest and contract beside each other, an entry of its own, and the walls around it',
		async (name, path) => {
			const folder = dirname(path);
			expect(basename(folder)).toBe(name);
			for (const part of ['provider', 'manifest', 'morfo'])
				expect(existsSync(join(folder, `${name}.${part}.ts`)), `${name}.${part}.ts`).toBe(true);
			const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
			expect(exports[`./${name}`]?.default).toBe(`./dist/canon/participants/${name}/index.js`);
			const module = await import(join(folder, 'index.ts'));
			expect(module[`${name}Manifest`]).toMatchObject({ kind: name });
			// The check knows the file: what it must not import is refused, what it may is not.
			expect(refuses(path, '../../../agent/index.js', false)).toMatch(/^Wall: /);
			expect(refuses(path, '../../../agent/capability/index.js', false)).toBeUndefined();
			expect(
				refuses(join(folder, `${name}.provider.ts`), '../../../agent/capability/index.js', false)
			).toMatch(/^Wall: /);
		}
	);

	test('S2-02 wiring is the app’s: no room of the library imports a manifest of a participant', () => {
		const rooms = inside(lib).filter((path) => !path.startsWith(participants));
		const wired = rooms.filter((path) => /from '[^']*\/participants\/[^']*'/.test(readFromDisk(path) ?? ''));
		expect(wired).toEqual([]);
	});
});

describe('S2-13 the engine without Svelte', { timeout: 120_000 }, () => {
	test('S2-13 S2-52 runs a reviewed run in a plain process of node, bundled where Svelte is refused', async () => {
		await inFolder(async (folder) => {
			const refuseSvelte = [[without(/(^|\/)svelte($|\/)|\.svelte(\.[jt]s)?$/)]];
			await bundle(join(root, 'tests/fixtures/tale.ts'), folder, refuseSvelte, 'tale.mjs');
			const main = join(folder, 'main.mjs');
			await writeFile(
				main,
				`import { tell } from './tale.mjs';
				const journal = JSON.parse(await tell());
				const dom = ['document', 'window', 'HTMLElement'].filter((name) => name in globalThis);
				process.stdout.write(JSON.stringify({ dom, last: journal.at(-1).kind, records: journal.length }));`
			);
			const { stdout } = await execute(process.execPath, [main], { cwd: folder });
			const { dom, last, records } = JSON.parse(stdout);
			expect(dom).toEqual([]);
			expect(last).toBe('run.ended');
			expect(records).toBeGreaterThan(20);
			// The refusal is no dead letter: the everyday face, runes and all, does not pass it.
			const face = join(lib, 'agent/active/index.ts');
			await expect(bundle(face, folder, refuseSvelte, 'face.mjs')).rejects.toThrow('svelte');
		});
	});

	test('S2-13 runes live in one file of the art', () => {
		const runes = inside(join(lib, 'agent')).filter(
			(path) => /\.svelte(\.ts)?$/.test(path) || /from 'svelte/.test(readFromDisk(path) ?? '')
		);
		expect(runes).toEqual([join(lib, 'agent/active/active-agent.svelte.ts')]);
	});
});

describe('S2-59 a manifest stands without the engine', { timeout: 120_000 }, () => {
	const pure = /src\/lib\/(actor|agent\/(capability|protocol))\//;

	test.each(manifests.map((path) => [basename(path), path]))(
		'S2-59 %s reaches its provider, the manifest entry and nothing of the engine when it runs',
		(_name, path) => {
			const { files, packages } = reach(path, readFromDisk);
			const art = [...files].filter((file) => file.includes('src/lib/agent/'));
			expect(art).toContain(join(lib, 'agent/capability/index.ts'));
			expect(art.filter((file) => !pure.test(file))).toEqual([]);
			expect([...packages].filter((name) => !name.startsWith('svelte'))).toEqual([]);
		}
	);

	test('S2-59 loads in plain node where the rooms of the engine are refused', async () => {
		await inFolder(async (folder) => {
			const engine = /src\/lib\/agent\/(run|journal|effects|steer|gate|engine|active|adapters|stores|index)/;
			const plugins = [[without(engine)]];
			for (const path of manifests) {
				const name = basename(path, '.ts');
				await bundle(path, folder, plugins, `${name}.mjs`);
				const main = join(folder, 'main.mjs');
				await writeFile(
					main,
					`import * as module from './${name}.mjs';
					const found = Object.values(module).find((one) => one?.reads && one?.acts);
					process.stdout.write(Object.keys(found.acts).join());`
				);
				const { stdout } = await execute(process.execPath, [main], { cwd: folder });
				expect(stdout.length).toBeGreaterThan(0);
			}
			await expect(bundle(join(lib, 'agent/index.ts'), folder, plugins, 'x.mjs')).rejects.toThrow('engine');
		});
	});

	test('S2-59 structure is enough: a schema written by hand, of no library, is validated and offered', async () => {
		const word: Schema<{ word: string }> = {
			'~standard': {
				version: 1,
				vendor: 'nobody',
				validate: (value) => {
					const { word } = (value ?? {}) as { word?: unknown };
					return typeof word === 'string'
						? { value: { word } }
						: { issues: [{ message: 'a word', path: ['word'] }] };
				},
				jsonSchema: {
					input: () => ({
						type: 'object',
						properties: { word: { type: 'string', description: 'The word' } },
						required: ['word']
					}),
					output: () => ({ type: 'object' })
				}
			}
		};
		const said: string[] = [];
		const mouth = defineManifest<string[]>()({
			kind: 'mouth',
			description: 'Says words',
			reads: {},
			acts: {
				say: {
					description: 'Says one word',
					args: word,
					effect: 'reversible',
					perform: (words, args) => done(words.push(args.word))
				}
			},
			undo: (words) => ({ undone: words.splice(0).length, kept: [] })
		});
		const registry = createRegistry();
		expect(registry.register(mouth, said, { id: 'mouth', label: 'Mouth' }).refused).toBeUndefined();
		const ports = deterministic();
		const engine = new EngineAgent({
			identity: { id: 'ada', name: 'Ada', description: 'speaks' },
			transport: scripted([], { clock: ports.clock }),
			policy: { ceiling: 'auto' },
			registry,
			...ports
		});
		expect(await engine.call(person, 'mouth', 'say', { word: 7 }).returned).toMatchObject({
			kind: 'refused',
			reason: { code: 'args-invalid' }
		});
		expect(await engine.call(person, 'mouth', 'say', { word: 'hello' }).returned).toMatchObject({
			kind: 'completed'
		});
		expect(said).toEqual(['hello']);
	});
});

describe('S2-68 components know nothing of the agent', { timeout: 120_000 }, () => {
	/** All of a participant but what names it to an agent. */
	const parts = inside(participants).filter(
		(path) => !/\.manifest\.ts$|\/manifest\/|\/index\.ts$/.test(path)
	);
	const providers = parts.filter((path) => /\.provider\.ts$|-provider\.svelte\.ts$/.test(path));

	test('S2-68 no provider, no part of one and nothing of the kit reaches the art', () => {
		const kit = inside(join(lib, 'uix'));
		expect(providers.length).toBeGreaterThan(0);
		expect(kit.length).toBeGreaterThan(10);
		for (const path of [...parts, ...kit]) {
			const { files } = reach(path, readFromDisk);
			expect(
				[...files].filter((file) => file.includes('/src/lib/agent/')),
				path
			).toEqual([]);
		}
	});

	test('S2-68 with the art taken away all of them build', async () => {
		await inFolder(async (folder) => {
			const plugins = () => [[without(/\/src\/lib\/agent\//)], svelte({ configFile: false })];
			for (const path of providers) await bundle(path, folder, plugins(), `${basename(path, '.ts')}.mjs`);
			expect(readdirSync(folder).sort()).toEqual(
				providers.map((path) => `${basename(path, '.ts')}.mjs`).sort()
			);
			await expect(bundle(manifests[0]!, folder, plugins(), 'x.mjs')).rejects.toThrow('agent');
		});
	});
});
