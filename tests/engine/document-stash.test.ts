import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Stash } from '../../src/lib/canon/participants/document/origins/stash.js';
import type { Run } from '../../src/lib/canon/participants/document/origins/runs.js';

const ORDER = ['user', 'app', 'agent', 'imported'];
const worst = (a: string, b: string) => (ORDER.indexOf(a) >= ORDER.indexOf(b) ? a : b);
const stash = (...kept: [text: string, runs: Run<string>[]][]) => {
	const made = new Stash<string>(worst);
	kept.forEach(([text, runs]) => made.keep(text, runs, 0, false));
	return made;
};
const all = (text: string, value: string): [string, Run<string>[]] => [text, [[text.length, value]]];

describe('what was deleted, found again', () => {
	it('is what it was; where several places have it, the worst of them', () => {
		const made = stash(all('one two', 'user'), all('two three', 'imported'), all('four', 'app'));
		expect(made.find('one')).toEqual([[3, 'user']]);
		expect(made.find('two')).toEqual([[3, 'imported']]);
		expect(made.find('four')).toEqual([[4, 'app']]);
		expect(made.find('five')).toBeUndefined();
	});
	it('is never found over the border of two deletions, whatever signs stand in it', () => {
		const made = stash(
			all('ab', 'user'),
			all('cd', 'user'),
			all('ef', 'user'),
			all('x\u0003y', 'imported'),
			all('z', 'app')
		);
		expect(made.find('bc')).toBeUndefined();
		expect(made.find('b\u0003c')).toBeUndefined();
		expect(made.find('ab\u0003cd')).toBeUndefined();
		expect(made.find('x\u0003y')).toEqual([[3, 'imported']]);
		expect(made.find('y')).toEqual([[1, 'imported']]);
	});
	it('with parts of its own, as they were', () => {
		const made = stash(
			[
				'mine theirs',
				[
					[5, 'user'],
					[6, 'imported']
				]
			],
			all('else', 'app')
		);
		expect(made.find('mine t')).toEqual([
			[5, 'user'],
			[1, 'imported']
		]);
		expect(made.find('mine')).toEqual([[4, 'user']]);
	});
	it('as a plain search through all of them finds it', () => {
		const word = fc.stringMatching(/^[ab]{1,4}$/);
		fc.assert(
			fc.property(
				fc.array(fc.tuple(word, fc.constantFrom(...ORDER)), { maxLength: 12 }),
				word,
				(kept, text) => {
					const values = kept.filter(([one]) => one.includes(text)).map(([, value]) => value);
					const found = stash(...kept.map(([one, value]) => all(one, value))).find(text);
					expect(found).toEqual(values.length > 0 ? [[text.length, values.reduce(worst)]] : undefined);
				}
			)
		);
	});
	it('the newest stays when there is too much, the oldest goes', () => {
		const made = stash(all('old', 'user'));
		for (let at = 0; at < 6; at++) made.keep(`${at}${'x'.repeat(99_999)}`, [[100_000, 'app']], 0, false);
		expect(made.find('old')).toBeUndefined();
		expect(made.find('0x')).toBeUndefined();
		expect(made.find('5x')).toEqual([[2, 'app']]);
		made.keep('y'.repeat(450_000), [[450_000, 'agent']], 0, false);
		expect(made.find('yy')).toEqual([[2, 'agent']]);
		expect(made.find('5x')).toBeUndefined();
		made.keep('new', [[3, 'user']], 7, false);
		expect(made.find('new')).toEqual([[3, 'user']]);
	});
	it('10,000 deletions are searched 10,000 times', () => {
		const made = new Stash<string>(worst);
		for (let at = 0; at < 10_000; at++) made.keep(...all(`short paragraph ${at}`, 'user'), 0, false);
		for (let at = 0; at < 10_000; at++)
			if (made.find(`paragraph ${at}`)?.[0]?.[1] !== 'user') expect.fail(`not found: ${at}`);
		expect(made.find('paragraph 10000')).toBeUndefined();
	}, 60_000);
});
