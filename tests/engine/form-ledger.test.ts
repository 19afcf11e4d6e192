import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Ledger } from '../../src/lib/canon/participants/form/ledger.js';

const RUNS = ['a', 'b', 'c'] as const;
const PATHS = ['name', 'city'] as const;
type Step =
	| { do: 'write'; run: string; path: string }
	| { do: 'note'; path: string }
	| { do: 'undo' | 'redo'; run: string };

const step: fc.Arbitrary<Step> = fc.oneof(
	fc.record({
		do: fc.constant('write' as const),
		run: fc.constantFrom(...RUNS),
		path: fc.constantFrom(...PATHS)
	}),
	fc.record({ do: fc.constant('note' as const), path: fc.constantFrom(...PATHS) }),
	fc.record({ do: fc.constantFrom('undo' as const, 'redo' as const), run: fc.constantFrom(...RUNS) })
);

/** The law in its plainest words: a field holds the last value whose author stands. */
class Oracle {
	readonly log: { path: string; run?: string; value: string; undone: boolean }[] = [];
	value(path: string): string {
		return this.log.findLast((entry) => entry.path === path && !entry.undone)?.value ?? `${path}0`;
	}
}

describe('who wrote what over whom', () => {
	it('S2-75 under any interleaving a field holds the last value whose author stands', () => {
		expect.hasAssertions();
		fc.assert(
			fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
				const ledger = new Ledger<{ touched: boolean }>();
				const oracle = new Oracle();
				const held = new Map<string, string>(PATHS.map((path) => [path, `${path}0`]));
				let count = 0;
				for (const each of steps) {
					const beside = { touched: false };
					if (each.do === 'write') {
						const value = `v${++count}`;
						ledger.write(each.path, each.run, { value: held.get(each.path)!, beside }, value, beside);
						held.set(each.path, value);
						oracle.log.push({ path: each.path, run: each.run, value, undone: false });
					} else if (each.do === 'note') {
						const value = `p${++count}`;
						ledger.note(each.path, value, { touched: true });
						held.set(each.path, value);
						oracle.log.push({ path: each.path, value, undone: false });
					} else {
						const undone = each.do === 'undo';
						for (const path of ledger.paths(each.run, !undone)) {
							const shift = ledger.turn(path, each.run, undone);
							if (!shift.covered) held.set(path, shift.value as string);
						}
						for (const entry of oracle.log) if (entry.run === each.run) entry.undone = undone;
					}
					for (const path of PATHS) expect(held.get(path)).toBe(oracle.value(path));
				}
			}),
			{ numRuns: 500 }
		);
	});

	it('undo twice and redo twice change nothing the second time', () => {
		const ledger = new Ledger<null>();
		ledger.write('name', 'a', { value: '', beside: null }, 'Ada', null);
		expect(ledger.paths('a', false)).toStrictEqual(['name']);
		ledger.turn('name', 'a', true);
		expect(ledger.paths('a', false)).toStrictEqual([]);
		ledger.turn('name', 'a', false);
		expect(ledger.paths('a', true)).toStrictEqual([]);
	});

	it('a change that comes back to what stood below lies on top no more', () => {
		const ledger = new Ledger<null>();
		ledger.write('name', 'a', { value: '', beside: null }, 'Ada', null);
		ledger.note('name', 'Ada L', null);
		ledger.note('name', 'Ada', null);
		expect(ledger.turn('name', 'a', true)).toStrictEqual({ covered: false, value: '', beside: null });
	});
});
