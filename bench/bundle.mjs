import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { build } from 'vite';

/** Libraries that must be one copy for our source and for its peers: the one pinned here. */
const SHARED = /^(prosemirror-|y-prosemirror|y-protocols|yjs|lib0)/;

/**
 * Builds a module that imports our source and its peers, and runs it: one and the same build for all, unminified.
 * @param {string} name of the bench
 * @param {string} code of the module
 */
export async function bundle(name, code) {
	const entry = '\0bundled';
	const here = resolve(import.meta.dirname, 'bundle.mjs');
	const result = await build({
		configFile: false,
		root: import.meta.dirname,
		logLevel: 'error',
		define: { 'process.env.NODE_ENV': '"production"' },
		plugins: [
			{
				name: 'bundled',
				enforce: 'pre',
				resolveId(id, importer) {
					if (id === 'bundled') return entry;
					if (importer === entry || SHARED.test(id)) return this.resolve(id, here, { skipSelf: true });
				},
				load: (id) => (id === entry ? code : undefined)
			},
			svelte({ configFile: false })
		],
		build: {
			write: false,
			target: 'node20',
			minify: false,
			modulePreload: false,
			rolldownOptions: {
				input: 'bundled',
				preserveEntrySignatures: 'strict',
				output: { format: 'es', codeSplitting: false }
			}
		}
	});
	const { output } = Array.isArray(result) ? result[0] : result;
	const folder = resolve(import.meta.dirname, 'node_modules/.bench');
	const file = resolve(folder, `${name}-${process.pid}.mjs`);
	mkdirSync(folder, { recursive: true });
	writeFileSync(file, output.find((one) => one.type === 'chunk').code);
	try {
		return await import(pathToFileURL(file).href);
	} finally {
		rmSync(file);
	}
}
