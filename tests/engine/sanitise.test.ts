import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sanitise, sanitiseLine } from '../../src/lib/agent/capability/sanitise.js';

const NONCE = 'k7Qx';
const hostile = fc
	.array(
		fc.oneof(
			fc.constantFrom(
				'\u27e6',
				'\u27e7',
				'\u301a',
				'\u301b',
				'\u2983',
				'\u200b',
				'\u2060',
				'\u00ad',
				'\u{e0041}',
				'\n',
				' '
			),
			fc.constantFrom('k', '7', 'Q', 'x', 'K', 'q', '\uff4b', '\uff17', 'k7', 'Qx', NONCE, '\u00b7', 'end'),
			fc.string({ unit: 'binary', maxLength: 2 })
		),
		{ maxLength: 12 }
	)
	.map((parts) => parts.join(''));
const bare = (text: string) =>
	text
		.replace(/[\u00ad\u200b-\u200f\u2060-\u206f\ufeff]/g, '')
		.replaceAll('\u0000', '')
		.normalize('NFKC')
		.toLowerCase();

describe('sanitise', () => {
	it('S0-16 leaves no reserved sign, no look-alike and no nonce, however split, cased or widened', () => {
		fc.assert(
			fc.property(hostile, (text) => {
				const safe = sanitise(text, NONCE);
				expect(safe).not.toMatch(/[\u27e6\u27e7\u301a\u301b\u2983-\u2998]/);
				expect(safe).not.toMatch(/[\u{e0000}-\u{e007f}]/u);
				expect(bare(safe)).not.toContain(NONCE.toLowerCase());
			}),
			{ numRuns: 3000 }
		);
	});

	it.each(['k7Qx', 'K7qX', 'k\u200b7Q\u2060x', '\uff4b\uff17\uff31\uff58', 'k\u{e0041}7Qx'])(
		'S0-16 takes the shape of the nonce from %j',
		(text) => {
			expect(sanitise(`a${text}b`, NONCE)).toBe('a\u00b7b');
		}
	);

	it('S0-18 changes nothing when it is applied again', () => {
		fc.assert(
			fc.property(hostile, (text) => {
				const once = sanitise(text, NONCE);
				expect(sanitise(once, NONCE)).toBe(once);
				const line = sanitiseLine(text, NONCE);
				expect(sanitiseLine(line, NONCE)).toBe(line);
			}),
			{ numRuns: 3000 }
		);
	});

	it('S0-18 leaves ordinary text of any language as it is', () => {
		for (const text of [
			'Grüße, 東京!',
			'می\u200cخواهم',
			'👩\u200d👩\u200d👧',
			'[[wiki]] {a: 1} <b>',
			'«é» ⟨x⟩',
			'k 7 Q x'
		])
			expect(sanitise(text, NONCE)).toBe(text);
	});

	it('keeps one line one line', () => {
		expect(sanitiseLine(' a\n\tb\u2028c\u0000d ', NONCE)).toBe('a b c d');
	});
});
