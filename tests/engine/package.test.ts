import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readFromDisk, reach } from './import-graph.js';

const root = resolve(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(resolve(root, path), 'utf8');
const json = (path: string) => JSON.parse(read(path));
const manifest = json('package.json');

/** The source file behind `./dist/x.js`, with `*` still in it. */
const sourceOf = (target: string) => target.replace('./dist/', 'src/lib/').replace(/(\.d\.ts|\.js)$/, '.ts');

const targets = (entry: unknown): string[] =>
	typeof entry === 'string' ? [entry] : Object.values(entry as Record<string, unknown>).flatMap(targets);

describe('S2-12 the package stands on nothing but Svelte', () => {
	it('has no runtime dependencies, bundled or optional ones included', () => {
		for (const field of ['dependencies', 'optionalDependencies', 'bundleDependencies', 'bundledDependencies'])
			expect(manifest[field], field).toBeUndefined();
	});

	it('runs nothing where it is installed: npm warns of scripts that would', () => {
		for (const script of ['preinstall', 'install', 'postinstall', 'prepare'])
			expect(manifest.scripts[script], script).toBeUndefined();
	});

	it('demands Svelte alone: every other peer is optional', () => {
		const { svelte, ...others } = manifest.peerDependencies;
		expect(svelte).toBe('^5.40.0');
		for (const name of Object.keys(others))
			expect(manifest.peerDependenciesMeta[name], name).toEqual({ optional: true });
	});

	it('tests every peer: each is installed here in an exact version', () => {
		for (const name of Object.keys(manifest.peerDependencies))
			expect(manifest.devDependencies[name], name).toMatch(/^\d+\.\d+\.\d+$/);
	});
});

// The source of every entry is parsed.
describe('S0-53 what package.json declares exists and is used', { timeout: 60_000 }, () => {
	const all = Object.entries(manifest.exports as Record<string, unknown>);
	const entries = all.filter(([, entry]) => entry !== null);

	it.each(all.filter(([, entry]) => entry === null))('entry %s closes a folder that is there', (name) => {
		const path = name.replace('/*', '').replace(/^\.\/(adapters|stores)/, './dist/agent/$1');
		expect(existsSync(resolve(root, sourceOf(path))), path).toBe(true);
	});

	it.each(['adapters', 'stores'])(
		'every folder of the %s is closed: what several share is nobody’s entry',
		(of) => {
			const folders = readdirSync(resolve(root, 'src/lib/agent', of), { withFileTypes: true });
			const open = folders.filter(
				(one) => one.isDirectory() && manifest.exports[`./${of}/${one.name}/*`] !== null
			);
			expect(open.map(({ name }) => name)).toEqual([]);
		}
	);

	it.each(entries.filter(([name]) => !name.includes('*') && name !== './package.json'))(
		'entry %s has its source',
		(_name, entry) => {
			const missing = targets(entry).filter((target) => !existsSync(resolve(root, sourceOf(target))));
			expect(missing).toEqual([]);
		}
	);

	it.each(entries.filter(([name]) => name.includes('*')))('entry %s matches files', (_name, entry) => {
		for (const target of targets(entry)) {
			const [folder = ''] = sourceOf(target).split('*');
			const files = readdirSync(resolve(root, folder)).filter((file) => file.endsWith('.ts'));
			expect(files, folder).not.toEqual([]);
		}
	});

	it('types come first and default last: resolution takes the first match', () => {
		for (const [name, entry] of entries) {
			if (typeof entry === 'string') continue;
			const conditions = Object.keys(entry as object);
			expect([conditions[0], conditions.at(-1)], name).toEqual(['types', 'default']);
		}
	});

	it('an entry that needs the Svelte compiler says so to bundlers, and only such a one', () => {
		for (const [name, entry] of entries) {
			const source = resolve(root, sourceOf(targets(entry).at(-1) ?? ''));
			if (name.includes('*') || !source.endsWith('.ts')) continue;
			const { files } = reach(source, readFromDisk);
			const compiled = [...files].some((file) => /\.svelte(\.ts)?$/.test(file));
			expect('svelte' in (entry as object), name).toBe(compiled);
		}
	});

	it.each(['dev', 'demo', 'build', 'check', 'lint', 'test', 'package', 'laws', 'bench'])(
		'npm run %s exists',
		(script) => {
			expect(manifest.scripts[script]).toEqual(expect.any(String));
		}
	);

	it('every script that runs a file of ours runs one that exists', () => {
		const files = Object.values<string>(manifest.scripts).flatMap(
			(line) => line.match(/\bscripts\/[\w-]+\.mjs/g) ?? []
		);
		expect(files.length).toBeGreaterThan(0);
		expect(files.filter((file) => !existsSync(resolve(root, file)))).toEqual([]);
	});
});

describe('what is installed can be installed from anywhere', () => {
	it.each(['package-lock.json', 'bench/package-lock.json'])('%s holds no address', (file) => {
		const { packages } = json(file) as {
			packages: Record<string, { resolved?: string; extraneous?: boolean }>;
		};
		const named = Object.entries(packages).filter(([, { resolved, extraneous }]) => resolved ?? extraneous);
		expect(named.map(([name]) => name)).toEqual([]);
	});

	it('the bench pins its peers and is never published', () => {
		const bench = json('bench/package.json');
		expect(bench.private).toBe(true);
		for (const [name, version] of Object.entries(bench.devDependencies))
			expect(version, name).toMatch(/^\d+\.\d+\.\d+$/);
		// Ours and the peers are weighed with the tools we ship with.
		expect(bench.devDependencies.svelte).toBe(manifest.devDependencies.svelte);
	});

	it('the changelog and the licence speak of this version', () => {
		expect(read('CHANGELOG.md')).toContain(`## [${manifest.version}]`);
		expect(read('LICENSE')).toMatch(/^MIT License/);
		expect(manifest.license).toBe('MIT');
	});
});
