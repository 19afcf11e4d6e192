import { describe, expect, test } from 'vitest';
import * as timeline from '../../src/lib/canon/participants/document/timeline/index.js';
import { COMMAND_MIXES, command } from '../fixtures/document/commands.js';
import { MIXES } from '../fixtures/document/mixes.js';
import { play } from '../fixtures/document/play.js';

/** Seeds a mix; `FUZZ=400` for the figures in the docs. */
const SEEDS = Number(process.env.FUZZ ?? 60);
const LONG = { timeout: 300_000 };

/** What went wrong, seed by seed; a seed that throws is wrong too. */
function faults(one: (seed: number) => { wrong: string | null; wrongRedo: string | null }): string[] {
	const all: string[] = [];
	for (let seed = 0; seed < SEEDS; seed++)
		try {
			const { wrong, wrongRedo } = one(seed);
			if (wrong !== null) all.push(`${seed}: ${wrong}`);
			if (wrongRedo !== null) all.push(`${seed}: ${wrongRedo}`);
		} catch (error) {
			all.push(`${seed}: ${error instanceof Error ? error.stack : String(error)}`);
		}
	return all;
}

describe('undo of a run in a document two write in', () => {
	for (const mix of MIXES)
		test(`S2-75 is as the oracle says, no word is lost, redo is exact: ${mix.name}`, LONG, () => {
			const kinds = new Set<string>();
			const wrong = faults((seed) => {
				const outcome = play(timeline, mix, seed);
				kinds.add(outcome.kind);
				return outcome;
			});
			expect(wrong).toEqual([]);
			if (!mix.clashes) expect([...kinds]).toEqual(['exact']);
		});
});

describe('undo of a run that used the commands of an editor', () => {
	for (const mix of COMMAND_MIXES)
		test(
			`S2-75 leaves no word of the run, loses none of the person, redo is exact: ${mix.name}`,
			LONG,
			() => {
				expect(faults((seed) => command(timeline, mix, seed))).toEqual([]);
			}
		);
});
