import { resolve } from 'node:path';
import { build } from 'vite';

const lib = resolve(import.meta.dirname, '../src/lib');

/**
 * A module of the source as an app's production build would run it, loaded into this process.
 * @param {string} path below `src/lib`
 * @param {import('vite').Plugin[]} plugins for a build that differs on purpose
 */
export async function source(path, plugins = []) {
	const result = await build({
		configFile: false,
		root: import.meta.dirname,
		logLevel: 'silent',
		plugins,
		build: {
			write: false,
			target: 'es2022',
			lib: { entry: resolve(lib, path), formats: ['es'], fileName: 'source' },
			// What the engine loads with its first turn has no file to be loaded from here.
			rolldownOptions: { output: { codeSplitting: false } }
		}
	});
	const { output } = Array.isArray(result) ? result[0] : result;
	const { code } = output.find((one) => one.type === 'chunk' && one.isEntry);
	return import(`data:text/javascript;base64,${Buffer.from(code).toString('base64')}`);
}
