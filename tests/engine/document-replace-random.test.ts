import fc from 'fast-check';
import { Fragment, Slice, type Mark, type Node } from 'prosemirror-model';
import { AttrStep, ReplaceAroundStep, ReplaceStep, Transform } from 'prosemirror-transform';
import { describe, expect, it } from 'vitest';
import { canReplaceBlocks, replaceBlocks } from '../../src/lib/canon/participants/document/markdown/index.js';
import { basic, blocksOf, prosekit, starter } from './document-markdown-schemas.js';

const RUNS = Number(process.env.RUNS ?? 60);

/** The same document, with ids and authorship taken out. */
function bare(node: Node): Node {
	if (node.isText) return node.mark(node.marks.filter(({ type }) => type.name !== 'agentText'));
	const children: Node[] = [];
	node.forEach((child) => void children.push(bare(child)));
	const { id: _id, agent: _agent, ...attrs } = node.attrs;
	return node.type.create(node.isBlock ? attrs : node.attrs, Fragment.fromArray(children), node.marks);
}

/** Ids on blocks, and an agent's mark on some of the words. */
function signed(node: Node, seed: number): Node {
	let count = seed;
	const visit = (one: Node, parent?: Node): Node => {
		count++;
		if (one.isText) {
			const mark = one.type.schema.marks.agentText!.create({ run: `r${count % 3}` });
			const takes =
				parent!.type.allowsMarkType(mark.type) && mark.addToSet(one.marks).length > one.marks.length;
			return takes && count % 2 ? one.mark(mark.addToSet(one.marks)) : one;
		}
		const children: Node[] = [];
		one.forEach((child) => void children.push(visit(child, one)));
		const attrs = 'id' in one.attrs ? { ...one.attrs, id: `b${count}` } : one.attrs;
		return one.type.create(attrs, Fragment.fromArray(children), one.marks);
	};
	const made = visit(node);
	made.check();
	return made;
}

type Change = readonly ['drop' | 'copy' | 'swap' | 'word' | 'mark' | 'level' | 'type', number];

/** A document that somebody has edited here and there. */
function edited(doc: Node, changes: readonly Change[]): Node {
	const tr = new Transform(doc);
	for (const [kind, at] of changes) {
		const places: { node: Node; pos: number }[] = [];
		tr.doc.descendants((node, pos) => void (node.isInline || places.push({ node, pos })));
		const place = places[at % Math.max(places.length, 1)];
		if (!place) break;
		const { node, pos } = place;
		const end = pos + node.nodeSize;
		try {
			if (kind === 'drop') tr.step(new ReplaceStep(pos, end, Slice.empty));
			else if (kind === 'copy') tr.step(new ReplaceStep(end, end, new Slice(Fragment.from(node), 0, 0)));
			else if (kind === 'swap')
				tr.step(new ReplaceStep(pos, pos, new Slice(Fragment.from(tr.doc.lastChild!), 0, 0)));
			else if (kind === 'word' && node.isTextblock)
				tr.insert(pos + 1 + (at % (node.content.size + 1)), node.type.schema.text('new '));
			else if (kind === 'mark' && node.isTextblock && node.content.size) {
				const names = Object.values(node.type.schema.marks).filter(
					({ name }) => name !== 'agentText' && name !== 'link'
				);
				const mark: Mark = names[at % names.length]!.create();
				tr.addMark(pos + 1, pos + 1 + (at % (node.content.size + 1)), mark);
			} else if (kind === 'level' && node.type.name === 'heading')
				tr.setNodeAttribute(pos, 'level', 1 + (at % 6));
			else if (kind === 'type' && node.isTextblock) {
				const type = node.type.schema.nodes[at % 2 ? 'heading' : 'paragraph']!;
				tr.setNodeMarkup(pos, type);
			}
		} catch {
			// Not every change fits in every place; the next one may.
		}
	}
	return tr.doc;
}

const changes = fc.array(
	fc.tuple(
		fc.constantFrom('drop', 'copy', 'swap', 'word', 'mark', 'level', 'type'),
		fc.nat(1_000)
	) as fc.Arbitrary<Change>,
	{ minLength: 1, maxLength: 6 }
);

function holds(old: Node, next: Node): void {
	const nodes = [...next.content.content];
	expect(canReplaceBlocks(old, 0, old.content.size, nodes)).toEqual({ ok: true });
	const tr = replaceBlocks(new Transform(old), 0, old.content.size, nodes);
	tr.doc.check();
	if (!bare(tr.doc).eq(bare(next))) throw new Error(`${bare(tr.doc)}\n${bare(next)}`);
	// The way back holds as well: every step can be inverted.
	let back = tr.doc;
	for (let at = tr.steps.length - 1; at >= 0; at--)
		back = tr.steps[at]!.invert(tr.docs[at]!).apply(back).doc!;
	expect(back.eq(old)).toBe(true);
}

describe('S2-70 replaced blocks are exactly those that were written', () => {
	for (const [name, schema] of Object.entries({ basic, starter, prosekit })) {
		const docs = blocksOf(schema).map((blocks) => schema.topNodeType.create(null, blocks));
		it(`S2-70 any two documents of ${name}`, { timeout: 120_000 }, () => {
			fc.assert(
				fc.property(docs, docs, fc.nat(), (old, next, seed) => holds(signed(old, seed), next)),
				{ numRuns: RUNS }
			);
		});
		it(`S2-70 an edited document of ${name}`, { timeout: 120_000 }, () => {
			fc.assert(
				fc.property(docs, changes, fc.nat(), (old, list, seed) =>
					holds(signed(old, seed), edited(old, list))
				),
				{ numRuns: RUNS * 2 }
			);
		});
		it(`S2-70 the same document of ${name} takes no step`, { timeout: 120_000 }, () => {
			fc.assert(
				fc.property(docs, fc.nat(), (old, seed) => {
					const tr = replaceBlocks(new Transform(signed(old, seed)), 0, old.content.size, [
						...old.content.content
					]);
					expect(tr.steps).toEqual([]);
				}),
				{ numRuns: RUNS }
			);
		});
	}

	it('S2-70 a change of level is no new content', () => {
		const doc = basic.node('doc', null, [
			basic.node('heading', { level: 2, id: 'h' }, [basic.text('Same words')])
		]);
		const next = basic.node('heading', { level: 3 }, [basic.text('Same words')]);
		const { steps } = replaceBlocks(new Transform(doc), 0, doc.content.size, [next]);
		expect(steps.map((step) => step.constructor)).toEqual([AttrStep]);
		const para = replaceBlocks(new Transform(doc), 0, doc.content.size, [
			basic.node('paragraph', null, [basic.text('Same words')])
		]);
		expect(para.steps.map((step) => step.constructor)).toEqual([ReplaceAroundStep]);
		expect(para.doc.firstChild!.attrs.id).toBe('h');
	});
});
