import { resolve } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { source } from './source.mjs';

const root = resolve(import.meta.dirname, '..');
const gate = resolve(root, 'src/lib/agent/gate');
const off = JSON.stringify(resolve(root, 'tests/injection/no-gate.ts'));

/** Functions of the gate, as they are replaced. */
const GATES = {
	on: {},
	off: { assess: 'ungatedAssess(real)', admit: 'ungatedAdmit' },
	unlabelled: { assess: 'unlabelledAssess(real)' },
	asking: { assess: 'askingAssess(real)' }
};

/** A build in which functions of the gate are other ones. @returns {import('vite').Plugin} */
function replaced(/** @type {Record<string, string>} */ functions) {
	const MARK = '\0other-gate:';
	const real = (/** @type {string} */ name) => resolve(gate, `${name}.ts`);
	return {
		name: 'other-gate',
		enforce: 'pre',
		async resolveId(id, importer, options) {
			if (importer?.startsWith(MARK) || !/\/(assess|admit)\.(js|ts)$/.test(id)) return undefined;
			const found = await this.resolve(id, importer, { ...options, skipSelf: true });
			const name = Object.keys(functions).find((one) => real(one) === found?.id);
			return name && MARK + name;
		},
		load(id) {
			if (!id.startsWith(MARK)) return undefined;
			const name = id.slice(MARK.length);
			const path = JSON.stringify(real(name));
			return `
				import { ${name} as real } from ${path};
				import * as other from ${off};
				export * from ${path};
				const { askingAssess, ungatedAssess, ungatedAdmit, unlabelledAssess } = other;
				export const ${name} = ${functions[name]};`;
		}
	};
}

/** @type {{ gate: keyof typeof GATES, corpus: string | undefined, size: 'sample' | 'usual' | 'full' }} */
const { gate: which, corpus, size } = workerData;
const { attacksOf, ownAttacks, pairs, sampled, secretive, walk, whole } = await source(
	resolve(root, 'tests/injection/index.ts'),
	[replaced(GATES[which])]
);
/** @param {Iterable<unknown>} squares */
const walked = async (squares) => {
	const { goals, ...tally } = await walk(squares);
	return { ...tally, goals: [...goals] };
};
/** The simpler gates are there for comparison. */
const simple = which !== 'on' && which !== 'off';
const few = simple || size === 'sample';
const sets = [{ attacks: ownAttacks(), all: few ? sampled : whole }];
if (corpus !== undefined)
	sets.push({ attacks: attacksOf(corpus), all: few ? sampled : size === 'full' ? whole : pairs });
const tallies = [];
for (const { attacks, all } of sets) {
	tallies.push(await walked(all(attacks)));
	if (!simple) tallies.push(await walked(secretive(attacks)));
}
parentPort?.postMessage(tallies);
