import { resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { build } from 'vite';

/** What an app has anyway: its view library. Everything else is counted. */
const VIEW = /^(svelte|react|react-dom)($|\/)/;

/** @param {string | Uint8Array} content */
const gzip = (content) => gzipSync(content, { level: 9 }).length / 1024;

/**
 * Bundles a module as an app's production build would and weighs what the browser loads first.
 * @param {string} code the module, with what is used exported so that it stays
 * @returns {Promise<{ script: number, style: number, lazy: number }>} KB of gzip
 */
export async function weigh(code) {
	const entry = '\0weighed';
	const result = await build({
		configFile: false,
		root: import.meta.dirname,
		logLevel: 'silent',
		define: { 'process.env.NODE_ENV': '"production"' },
		plugins: [
			{
				name: 'weighed',
				enforce: 'pre',
				resolveId: (id, importer) =>
					id === 'weighed'
						? entry
						: importer === entry && id.startsWith('.')
							? resolve(import.meta.dirname, id)
							: undefined,
				load: (id) => (id === entry ? code : undefined)
			},
			svelte({ configFile: false, compilerOptions: { css: 'external' } })
		],
		build: {
			write: false,
			target: 'es2022',
			modulePreload: false,
			rolldownOptions: {
				input: 'weighed',
				external: (id) => VIEW.test(id),
				preserveEntrySignatures: 'strict',
				output: { format: 'es' }
			}
		}
	});
	const { output } = Array.isArray(result) ? result[0] : result;
	const chunks = new Map(output.filter((one) => one.type === 'chunk').map((one) => [one.fileName, one]));
	const first = new Set();
	const open = [...chunks.values()].filter((chunk) => chunk.isEntry).map((chunk) => chunk.fileName);
	while (open.length) {
		const name = open.pop();
		if (first.has(name) || !chunks.has(name)) continue;
		first.add(name);
		open.push(...chunks.get(name).imports);
	}
	/** @param {Iterable<string>} names */
	const sum = (names) => [...names].reduce((total, name) => total + gzip(chunks.get(name).code), 0);
	const lazy = [...chunks.keys()].filter((name) => !first.has(name));
	// A sheet comes with the chunk that asks for it; what no first chunk asks for comes later.
	const early = new Set(
		[...first].flatMap((name) => [...(chunks.get(name).viteMetadata?.importedCss ?? [])])
	);
	const weight = (/** @type {boolean} */ now) =>
		output
			.filter(
				(one) => one.type === 'asset' && one.fileName.endsWith('.css') && early.has(one.fileName) === now
			)
			.reduce((total, one) => total + gzip(one.source), 0);
	return { script: sum(first), style: weight(true), lazy: sum(lazy) + weight(false) };
}
