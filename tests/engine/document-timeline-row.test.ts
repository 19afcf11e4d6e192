import fc from 'fast-check';
import { Slice } from 'prosemirror-model';
import { describe, expect, it } from 'vitest';
import {
	isPlain,
	isWanted,
	livingSize,
	piece,
	tidy,
	type Piece
} from '../../src/lib/canon/participants/document/timeline/row/piece.js';
import { sliceOf } from '../../src/lib/canon/participants/document/timeline/row/slice.js';
import {
	buried,
	byPerson,
	byRun,
	eventOf,
	HIDDEN,
	holds,
	runOfReason,
	SCAFFOLD
} from '../../src/lib/canon/participants/document/timeline/row/tag.js';
import {
	cut,
	isBalanced,
	reading,
	rowSize,
	tokensBetween,
	withValue
} from '../../src/lib/canon/participants/document/timeline/row/token.js';
import { PieceTree } from '../../src/lib/canon/participants/document/timeline/row/tree.js';
import {
	changes,
	markKey,
	NOBODY,
	pruned,
	valueOf,
	type Op
} from '../../src/lib/canon/participants/document/timeline/row/value.js';
import { p, schema } from '../fixtures/timeline.js';

const bold = schema.marks.bold!.create();
const doc = schema.node('doc', null, [
	p('one', schema.text('two', [bold])),
	schema.node('rule'),
	schema.node('list', null, [
		schema.node('item', null, [p('a😀b', schema.node('image', { src: 'x' })), p()]),
		schema.node('item', null, [p('last')])
	])
]);
const size = doc.content.size;

describe('the document as a row', () => {
	it('S2-75 a row takes as many positions as its range, and says them in order', () => {
		for (let from = 0; from <= size; from++)
			for (let to = from; to <= size; to++) {
				const row = tokensBetween(doc, from, to);
				expect(rowSize(row)).toBe(to - from);
				expect(reading(row)).toBe(reading(tokensBetween(doc, 0, size)).slice(from, to));
				expect(reading(cut(tokensBetween(doc, 0, size), from, to))).toBe(reading(row));
			}
	});

	it('S2-75 the row of a range is the slice of that range', () => {
		for (let from = 0; from <= size; from++)
			for (let to = from; to <= size; to++) {
				const slice = sliceOf(tokensBetween(doc, from, to), schema);
				const whole = doc.slice(from, to);
				expect(slice.openStart - slice.openEnd).toBe(whole.openStart - whole.openEnd);
				expect(doc.replace(from, to, slice).eq(doc)).toBe(true);
			}
	});

	it('S2-75 a row is balanced when its tags are paired', () => {
		expect(isBalanced(tokensBetween(doc, 0, size))).toBe(true);
		expect(isBalanced(tokensBetween(doc, 0, 3))).toBe(false);
		expect(isBalanced([...tokensBetween(doc, 7, 8), ...tokensBetween(doc, 0, 1)])).toBe(false);
	});

	it('S2-75 a value that a token cannot have leaves it as it is', () => {
		const [open] = tokensBetween(doc, 0, 1);
		const [text] = tokensBetween(doc, 1, 2);
		expect(withValue(open!, 'type', 'h', schema)).toMatchObject({ type: schema.nodes.h });
		expect(withValue(open!, 'type', 'nothing', schema)).toBe(open);
		expect(withValue(text!, 'a:level', 2, schema)).toBe(text);
		expect(withValue(text!, 'm:bold', bold, schema).marks).toEqual([bold]);
	});

	it('S2-75 a tag keeps an attribute its new type does not know, and a slice leaves it out', () => {
		const [open] = tokensBetween(schema.node('doc', null, [schema.node('h', { level: 3 })]), 0, 1);
		const plain = withValue(open!, 'type', 'p', schema);
		expect(plain).toMatchObject({ attrs: { level: 3 } });
		expect(
			sliceOf([plain], schema).eq(
				new Slice(
					p()
						.slice(0)
						.content.append(sliceOf([plain], schema).content),
					0,
					1
				)
			)
		).toBe(true);
		expect(sliceOf([plain], schema).content.firstChild!.attrs).toEqual({});
	});
});

describe('values', () => {
	const op = (by: string, was: unknown, now: unknown, key = 'a:level'): Op => ({ key, by, was, now });
	const ops = [op('a', 1, 2), op('b', 2, 3)];

	it('S2-75 a value is what the last run says that stands, else what the first one found', () => {
		const at = (...standing: string[]) => valueOf(ops, 'a:level', (run) => standing.includes(run));
		expect([at('a', 'b'), at('a'), at('b'), at()]).toEqual([3, 2, 3, 1]);
	});

	it('S2-75 what nobody else’s change can hide needs no note', () => {
		expect(pruned([op(NOBODY, 1, 1)])).toEqual([]);
		expect(pruned([op(NOBODY, 1, 1), op('a', 'p', 'h', 'type')])).toHaveLength(2);
	});

	it('S2-75 a mark that may stand twice has its attributes in its key', () => {
		const comment = (id: string) => schema.marks.comment!.create({ id });
		expect(markKey(comment('1'))).not.toBe(markKey(comment('2')));
		expect(markKey(schema.marks.link!.create({ href: 'a' }))).toBe(
			markKey(schema.marks.link!.create({ href: 'b' }))
		);
	});

	it('S2-75 nodes differ in type, attributes and marks, not in content', () => {
		const h = schema.node('h', { level: 2 }, [schema.text('x')]);
		expect(changes(p('y'), h)).toEqual([
			{ key: 'type', was: 'p', now: 'h' },
			{ key: 'a:level', was: undefined, now: 2 }
		]);
		expect(changes(h, schema.node('h', { level: 2 }))).toEqual([]);
	});
});

describe('reasons', () => {
	const stands = (run: string) => run === 'on';

	it('S2-75 a reason holds while its author stands, and a person’s always', () => {
		expect(holds(byRun('on'), stands)).toBe(true);
		expect(holds(byRun('off'), stands)).toBe(false);
		expect([byPerson(3, 1), buried(byPerson(3, 1)), HIDDEN].every((each) => holds(each, stands))).toBe(true);
		expect(holds(SCAFFOLD, stands)).toBe(false);
	});

	it('S2-75 a reason names its run or the event of the person’s history', () => {
		expect(runOfReason(byRun('p:1'))).toBe('p:1');
		expect(runOfReason(byPerson(3, 1))).toBeUndefined();
		expect([eventOf(byPerson(12, 7)), eventOf(buried(byPerson(12, 7))), eventOf(byRun('x'))]).toEqual([
			12, 12, -1
		]);
	});

	it('S2-75 a token is wanted when who put it in stands and nobody who stands took it out', () => {
		const of = (ins: string | null, ...dels: string[]): Piece => ({ ...piece(1, ins), dels });
		expect(isWanted(of(null), stands)).toBe(true);
		expect(isWanted(of('off'), stands)).toBe(false);
		expect(isWanted(of('on', byRun('off')), stands)).toBe(true);
		expect(isWanted(of(null, byRun('on')), stands)).toBe(false);
	});
});

const text = (word: string): Piece['dead'] => [{ kind: 'text', text: word, marks: [] }];
const anyPiece: fc.Arbitrary<Piece> = fc.record({
	size: fc.integer({ min: 1, max: 4 }),
	dead: fc.constant(null),
	ins: fc.constantFrom(null, 'a', 'b'),
	dels: fc.constant([]),
	ops: fc.constant([]),
	sign: fc.constant(null),
	away: fc.constant(null),
	guest: fc.constant(null)
});
const deadPiece: fc.Arbitrary<Piece> = fc
	.string({ minLength: 1, maxLength: 3 })
	.map((word) => ({ ...piece(word.length, 'a'), dead: text(word), dels: [byPerson(1, 1)] }));
const row = fc.array(fc.oneof(anyPiece, deadPiece), { maxLength: 200 });
const sum = (pieces: readonly Piece[]): number => pieces.reduce((all, it) => all + livingSize(it), 0);

describe('the tree of pieces', () => {
	it('S2-75 splicing a tree is splicing a list', () => {
		expect.hasAssertions();
		fc.assert(
			fc.property(
				row,
				fc.array(fc.tuple(fc.nat(1000), fc.nat(6), fc.array(anyPiece, { maxLength: 40 })), { maxLength: 30 }),
				(start, splices) => {
					let list = [...start];
					let tree = PieceTree.of(list);
					for (const [at, gone, fresh] of splices) {
						const from = list.length > 0 ? at % (list.length + 1) : 0;
						const to = Math.min(list.length, from + gone);
						list = [...list.slice(0, from), ...fresh, ...list.slice(to)];
						tree = tree.put(from, to, fresh);
						expect(tree.toArray()).toEqual(list);
						expect([tree.count, tree.size]).toEqual([list.length, sum(list)]);
					}
				}
			)
		);
	});

	it('S2-75 a position is found where the list says it lies', () => {
		expect.hasAssertions();
		fc.assert(
			fc.property(row, fc.nat(800), (list, pos) => {
				const tree = PieceTree.of(list);
				let start = 0;
				const index = list.findIndex((it) => {
					if (start + livingSize(it) > pos) return true;
					start += livingSize(it);
					return false;
				});
				expect(tree.find(pos)).toEqual(index < 0 ? null : { index, start });
				for (const i of [0, list.length >> 1, list.length])
					expect(tree.startOf(i)).toBe(sum(list.slice(0, i)));
				expect(tree.deleted().map((each) => each.index)).toEqual(
					list.flatMap((it, i) => (it.dead ? [i] : []))
				);
			})
		);
	});

	it('S2-75 a border lies before or behind the dead, and cuts only what lives', () => {
		const dead: Piece = { ...piece(2, 'a'), dead: text('xy'), dels: [byPerson(1, 1)] };
		const tree = PieceTree.of([piece(3), dead, piece(3, 'a')]);
		expect(tree.border(3, false).index).toBe(1);
		expect(tree.border(3, true).index).toBe(2);
		const cutTree = tree.border(4, true);
		expect(cutTree.tree.toArray().map((it) => it.size)).toEqual([3, 2, 1, 2]);
		expect(cutTree.index).toBe(3);
		expect(tree.border(6, true).index).toBe(3);
	});

	it('S2-75 an older tree stays as it was', () => {
		const tree = PieceTree.of(Array.from({ length: 100 }, (_, i) => piece(1 + (i % 3), i % 2 ? 'a' : 'b')));
		const before = tree.toArray();
		tree.splice(50, 60, [piece(5)]);
		expect(tree.toArray()).toEqual(before);
	});

	it('S2-75 neighbours of one history become one, and text of one look one token', () => {
		const dead = (word: string): Piece => ({
			...piece(word.length, 'a'),
			dead: text(word),
			dels: [byRun('b')]
		});
		expect(tidy([piece(1), piece(2), piece(0), piece(1, 'a')]).map((it) => it.size)).toEqual([3, 1]);
		expect(tidy([dead('x'), dead('y'), dead('z')])).toEqual([dead('xyz')]);
		expect(isPlain(piece(1))).toBe(true);
		expect(isPlain(piece(1, 'a'))).toBe(false);
	});
});
