import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
	argumentFields,
	collect,
	fieldFor,
	fieldName,
	pathName,
	textOf
} from '../../src/lib/canon/surfaces/review-card/argument-fields.js';
import { wordDiff, type DiffPart } from '../../src/lib/canon/surfaces/review-card/word-diff.js';
import type { JSONValue } from '../../src/lib/agent/protocol/words.js';
import { ranges } from '../../src/lib/langs/ranges.js';

const side = (parts: readonly DiffPart[], without: DiffPart['kind']) =>
	parts
		.filter(({ kind }) => kind !== without)
		.map(({ text }) => text)
		.join('');

describe('S2-65 a text change is shown word by word', () => {
	it('marks the words that went and came, and leaves the rest', () => {
		expect(wordDiff('Due within 30 days, by transfer.', 'Due within 45 days, by transfer.')).toEqual([
			{ kind: 'same', text: 'Due within ' },
			{ kind: 'removed', text: '30' },
			{ kind: 'added', text: '45' },
			{ kind: 'same', text: ' days, by transfer.' }
		]);
	});

	it('reads amounts as one word and joins a change over blanks and short words into one phrase', () => {
		expect(wordDiff('Pay 1,200.00 to Iker', 'Pay 1,280.00 to Nadia')).toEqual([
			{ kind: 'same', text: 'Pay ' },
			{ kind: 'removed', text: '1,200.00 to Iker' },
			{ kind: 'added', text: '1,280.00 to Nadia' }
		]);
	});

	it('loses no character: without additions it is the text before, without removals the text after', () => {
		const words = fc.array(
			fc.constantFrom('pay', 'the', 'bill', ' ', ', ', '\n', '12.5', 'é', '漢字', '👩‍💻'),
			{
				maxLength: 40
			}
		);
		fc.assert(
			fc.property(words, words, (a, b) => {
				const parts = wordDiff(a.join(''), b.join(''));
				expect(side(parts, 'added')).toBe(a.join(''));
				expect(side(parts, 'removed')).toBe(b.join(''));
			})
		);
	});

	it('stays bounded and true for texts far too long to compare word by word', () => {
		const before = Array.from({ length: 6000 }, (_, n) => `line ${n} of the old text\n`).join('');
		const after = Array.from({ length: 6000 }, (_, n) => `line ${n * 7} of a new text\n`).join('');
		const parts = wordDiff(before, after);
		expect(side(parts, 'added')).toBe(before);
		expect(side(parts, 'removed')).toBe(after);
	});

	it('compares long texts line by line and shows words inside a changed line', () => {
		const lines = Array.from({ length: 3000 }, (_, n) => `this is line ${n}\n`);
		const changed = lines.map((line, n) => (n === 5 || n === 2990 ? line.replace('this', 'that') : line));
		const parts = wordDiff(lines.join(''), changed.join(''));
		expect(parts.filter(({ kind }) => kind === 'added').map(({ text }) => text)).toEqual(['that', 'that']);
	});
});

describe('S2-121 arguments become a form and come back whole', () => {
	const args = {
		title: 'Handover',
		guests: 4,
		confirmed: false,
		place: { city: 'Zaragoza', 'a/b': 'x' },
		tags: ['press'],
		note: null,
		empty: {}
	};

	it('gives every plain value a field and everything else its exact text', () => {
		expect(argumentFields(args).map(({ path, kind }) => `${path} ${kind}`)).toEqual([
			'title text',
			'guests number',
			'confirmed boolean',
			'place/city text',
			'place/a~1b text',
			'tags json',
			'note json',
			'empty json'
		]);
	});

	it('changes the value that was typed and no other, and never the arguments it was made from', () => {
		const before = JSON.stringify(args);
		const result = collect(args, argumentFields(args), {
			guests: '12.5',
			confirmed: 'true',
			'place/a~1b': 'y',
			tags: '["press","refit"]'
		});
		expect(result).toEqual({
			ok: true,
			args: {
				...args,
				guests: 12.5,
				confirmed: true,
				place: { city: 'Zaragoza', 'a/b': 'y' },
				tags: ['press', 'refit']
			}
		});
		expect(JSON.stringify(args)).toBe(before);
	});

	it.each([
		['guests', 'four', 'number'],
		['guests', '', 'number'],
		['guests', 'Infinity', 'number'],
		['tags', '[press', 'json']
	])('takes no value from %s = "%s"', (path, text, kind) => {
		expect(collect(args, argumentFields(args), { [path]: text })).toEqual({
			ok: false,
			faults: [{ path, kind }]
		});
	});

	it('gives back exactly what it was given while nothing is typed, for any JSON object', () => {
		fc.assert(
			fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })), (value) => {
				const given = JSON.parse(JSON.stringify(value)) as JSONValue;
				const fields = argumentFields(given);
				const untouched = Object.fromEntries(fields.map((field) => [field.path, textOf(field)]));
				expect(collect(given, fields, untouched)).toEqual({ ok: true, args: given });
			})
		);
	});

	it('an argument called __proto__ is an argument', () => {
		const given = JSON.parse('{"__proto__":{"role":"user"}}') as JSONValue;
		const result = collect(given, argumentFields(given), { '__proto__/role': 'admin' });
		expect(JSON.stringify(result)).toBe('{"ok":true,"args":{"__proto__":{"role":"admin"}}}');
		expect(({} as { role?: string }).role).toBeUndefined();
	});

	it('finds the field an issue belongs to, or none', () => {
		const fields = argumentFields(args);
		const at = (path: string) => fieldFor(fields, { path, message: '' })?.path;
		expect([at('guests'), at('/place/city'), at('tags/0'), at('missing'), at('')]).toEqual([
			'guests',
			'place/city',
			'tags',
			undefined,
			undefined
		]);
	});

	it('says keys in words', () => {
		expect([fieldName('dueDate'), fieldName('values/due_date'), pathName('place/postCode')]).toEqual([
			'Due date',
			'Due date',
			'Place › Post code'
		]);
	});
});

describe('S2-65 many step numbers', () => {
	it('are told in runs', () => {
		expect(ranges([1, 3, 4, 5, 8, 9])).toEqual(['1', '3–5', '8', '9']);
		expect(ranges([])).toEqual([]);
	});
});
