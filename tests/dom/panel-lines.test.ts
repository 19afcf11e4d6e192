import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linesOf } from '../../src/lib/canon/surfaces/panel/lines.js';

describe('what is said in plain words, line by line', () => {
	it('S2-79 its lines are the text, and what arrives changes the last of them alone', () => {
		const text = fc.array(fc.constantFrom('a', 'b c', '\n', '\n\n', '\r\n', ' ', '\u2028', '😀'));
		fc.assert(
			fc.property(text, text, (before, more) => {
				const [had, has] = [linesOf(before.join('')), linesOf([...before, ...more].join(''))];
				expect(has.join('')).toBe([...before, ...more].join(''));
				expect(has.slice(0, Math.max(0, had.length - 1))).toEqual(had.slice(0, -1));
			})
		);
	});

	it('each has the ends of line behind it, and the first may be nothing else', () => {
		expect(linesOf('')).toEqual([]);
		expect(linesOf('one')).toEqual(['one']);
		expect(linesOf('\n\none\ntwo\n\n\nthree\n')).toEqual(['\n\n', 'one\n', 'two\n\n\n', 'three\n']);
	});
});
