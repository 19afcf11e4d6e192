import { resolve } from 'node:path';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { build } from 'vite';

/**
 * A page as an app's production build would run it.
 * @param {string} entry beside this file
 */
export async function page(entry) {
	const result = await build({
		configFile: false,
		root: resolve(import.meta.dirname, '..'),
		logLevel: 'silent',
		plugins: [svelte({ configFile: false })],
		// The page and the source must share one copy, wherever each would find its own.
		resolve: {
			dedupe: [
				...['history', 'model', 'state', 'transform', 'view'].map((name) => `prosemirror-${name}`),
				...['svelte', 'marked']
			]
		},
		build: {
			write: false,
			target: 'es2022',
			cssTarget: ['chrome125'],
			rolldownOptions: {
				input: resolve(import.meta.dirname, entry),
				// What comes late has no file to come from here.
				output: { format: 'es', codeSplitting: false }
			}
		}
	});
	const { output } = Array.isArray(result) ? result[0] : result;
	return {
		script: output.find((one) => one.type === 'chunk' && one.isEntry).code,
		style: output.flatMap((one) => (one.type === 'asset' ? [String(one.source)] : [])).join('\n')
	};
}
