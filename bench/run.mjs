// npm run bench [-- name …] [-- --json]
// Prints figures, never judges them. With --json the last line is one object {name, figures, peers, ratio}.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';

const here = import.meta.dirname;
const known = readdirSync(resolve(here, 'benches')).map((file) => file.replace(/\.mjs$/, ''));
const words = process.argv.slice(2);
const json = words.includes('--json');
const names = words.filter((word) => !word.startsWith('-'));
const strange = names.filter((name) => !known.includes(name));
if (strange.length) {
	console.error(`bench: no bench is called ${strange.join(', ')}; there are: ${known.join(', ')}`);
	process.exit(1);
}

if (!existsSync(resolve(here, 'node_modules/.package-lock.json'))) {
	console.error('bench: first use, installing the peers into bench/node_modules (about 700 MB) …');
	// Peers are only read and bundled here, so none of their install scripts runs.
	const { status } = spawnSync('npm', ['ci', '--ignore-scripts', '--loglevel', 'error'], {
		cwd: here,
		// Standard output belongs to the figures.
		stdio: ['ignore', 2, 2],
		shell: process.platform === 'win32'
	});
	if (status !== 0) {
		console.error('bench: the peers could not be installed; the message above says why');
		process.exit(1);
	}
}

for (const name of names.length ? names : known) {
	const { bench } = await import(`./benches/${name}.mjs`);
	const { table, notes, ...result } = await bench();
	console.log(`\n${name}`);
	for (const row of table) console.log(`  ${row}`);
	for (const note of notes) console.log(`  · ${note}`);
	if (json) console.log(JSON.stringify({ name, ...result }));
}
