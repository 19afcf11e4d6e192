import fc from 'fast-check';
import { history, undo, redo } from 'prosemirror-history';
import { splitBlock } from 'prosemirror-commands';
import { type Node, Schema, Slice, Fragment } from 'prosemirror-model';
import { marks, nodes } from 'prosemirror-schema-basic';
import { EditorState, TextSelection, type Transaction } from 'prosemirror-state';
import { describe, expect, it } from 'vitest';
import {
	acceptProvenance,
	provenance,
	provenancePlugin,
	provenanceKey,
	stampInserted,
	withProvenance,
	type Provenance
} from '../../src/lib/canon/participants/document/provenance/index.js';

const schema = new Schema(withProvenance({ nodes, marks }));
const bare = new Schema({ nodes, marks });
const ada: Provenance = { run: 'run-1', agent: 'ada', name: 'Ada', version: '2', at: 1000 };
const bruno: Provenance = { run: 'run-2', agent: 'bruno', at: 2000 };

const p = (...content: (string | Node)[]): Node =>
	schema.node(
		'paragraph',
		null,
		content.map((one) => (typeof one === 'string' ? schema.text(one) : one))
	);
const by = (text: string, who: Provenance, ...more: string[]): Node =>
	schema.text(text, [schema.mark('agentText', { ...who }), ...more.map((name) => schema.mark(name))]);
const doc = (...blocks: Node[]): Node => schema.node('doc', null, blocks);

class Desk {
	state: EditorState;
	constructor(start: Node, options?: Parameters<typeof provenancePlugin>[0]) {
		this.state = EditorState.create({ doc: start, plugins: [history(), provenancePlugin(options)] });
	}
	/** As an agent's transaction is: outside the person's history, and stamped. */
	run(edit: (tr: Transaction) => Transaction, who: Provenance = ada): this {
		this.state = this.state.apply(stampInserted(edit(this.state.tr), who).setMeta('addToHistory', false));
		return this;
	}
	type(text: string, from: number, to = from): this {
		const { state } = this;
		this.state = state.apply(
			state.tr.setSelection(TextSelection.create(state.doc, from, to)).insertText(text)
		);
		return this;
	}
	does(command: (state: EditorState, dispatch: (tr: Transaction) => void) => boolean): this {
		command(this.state, (tr) => (this.state = this.state.apply(tr)));
		return this;
	}
	at(pos: number): this {
		this.state = this.state.apply(this.state.tr.setSelection(TextSelection.create(this.state.doc, pos)));
		return this;
	}
	get said(): string[] {
		return provenance(this.state.doc).map(({ agent, text }) => `${agent}:${text}`);
	}
}

describe('S2-108 provenance(doc)', () => {
	it('gives run, agent, version, time and place of each stretch', () => {
		const desk = new Desk(doc(p('Hello world'))).run((tr) => tr.insertText(' big', 6));
		expect(provenance(desk.state.doc)).toEqual([
			{ run: 'run-1', agent: 'ada', name: 'Ada', version: '2', at: 1000, from: 6, to: 10, text: ' big' }
		]);
	});

	it('tells neighbours of one origin as one, whatever other marks lie across', () => {
		const start = doc(p(by('one ', ada), by('two', ada, 'strong'), by(' three', bruno), ' four'));
		expect(provenance(start).map(({ from, to, text, agent }) => [from, to, text, agent])).toEqual([
			[1, 8, 'one two', 'ada'],
			[8, 14, ' three', 'bruno']
		]);
	});

	it('tells blocks that hold no words of the run, and none twice', () => {
		const made = (type: string, content?: Node[]) => schema.node(type, { agent: ada }, content);
		const start = doc(
			made('paragraph', [by('mine', ada)]),
			made('horizontal_rule'),
			made('blockquote', [p('hers')])
		);
		expect(provenance(start).map(({ from, to, text }) => [from, to, text])).toEqual([
			[1, 5, 'mine'],
			[6, 7, ''],
			[7, 15, '']
		]);
	});

	it('knows words in code, which takes no other mark', () => {
		const desk = new Desk(doc(p('a'), schema.node('code_block', null, [schema.text('x = 1')])));
		desk.run((tr) => tr.insertText('y = 2\n', 4));
		expect(desk.said).toEqual(['ada:y = 2\n']);
		expect(desk.state.doc.check()).toBeUndefined();
	});

	it('is empty where the schema has no place for it, and nothing breaks', () => {
		const start = bare.node('doc', null, [bare.node('paragraph', null, [bare.text('Hello')])]);
		const desk = new Desk(start).run((tr) => tr.insertText(' you', 6)).type('!', 10);
		expect([desk.said, desk.state.doc.textContent]).toEqual([[], 'Hello you!']);
		expect(acceptProvenance(desk.state, { run: 'run-1' })).toBeNull();
	});
});

describe('S2-67 provenance is content', () => {
	it('survives saving and loading', () => {
		const desk = new Desk(doc(p('Hello'))).run((tr) => tr.insert(7, p('Made')).insertText(' you', 6));
		const loaded = schema.nodeFromJSON(JSON.parse(JSON.stringify(desk.state.doc.toJSON())));
		expect(loaded.eq(desk.state.doc)).toBe(true);
		expect(provenance(loaded)).toEqual(provenance(desk.state.doc));
		expect(provenance(loaded).map(({ text }) => text)).toEqual([' you', 'Made']);
	});

	it('is refused when it was saved by somebody who did not know its shape', () => {
		const json = (attrs: object) => ({
			type: 'doc',
			content: [
				{ type: 'paragraph', content: [{ type: 'text', text: 'x', marks: [{ type: 'agentText', attrs }] }] }
			]
		});
		expect(() => schema.nodeFromJSON(json({ run: 1, agent: 'ada', at: 1 })).check()).toThrow(RangeError);
		expect(schema.nodeFromJSON(json({ ...ada })).check()).toBeUndefined();
		const block = { type: 'doc', content: [{ type: 'paragraph', attrs: { agent: 'ada' } }] };
		expect(() => schema.nodeFromJSON(block).check()).toThrow(/no provenance/);
	});

	it('a document loaded by a transaction keeps it, even over the same document', () => {
		const start = doc(p(by('Agent', ada), ' mine'), p(by('More', ada)));
		const desk = new Desk(start);
		desk.state = desk.state.apply(desk.state.tr.replaceWith(0, start.content.size, start.content));
		expect(desk.said).toEqual(['ada:Agent', 'ada:More']);
	});

	it('a block moved within the document keeps it', () => {
		const desk = new Desk(doc(p(by('One', ada)), p(by('Two', ada)), p('mine')));
		const block = desk.state.doc.child(0);
		desk.state = desk.state.apply(desk.state.tr.delete(0, 5).insert(5, block));
		expect(desk.said).toEqual(['ada:Two', 'ada:One']);
	});
});

describe('S2-67 what the person types is theirs', () => {
	const start = () => new Desk(doc(p('Hi ', by('AGENT', ada), ' end')));

	it.each<[string, (desk: Desk) => Desk, string[]]>([
		['inside', (desk) => desk.type('x', 6), ['ada:AG', 'ada:ENT']],
		['at the end', (desk) => desk.type('x', 9), ['ada:AGENT']],
		['at the start', (desk) => desk.type('x', 4), ['ada:AGENT']],
		['over a part', (desk) => desk.type('x', 5, 7), ['ada:A', 'ada:NT']],
		['over all of it', (desk) => desk.type('x', 4, 9), []],
		[
			'after all of it was deleted',
			(desk) => desk.does((s, d) => (d(s.tr.delete(4, 9)), true)).type('x', 4),
			[]
		],
		['inside, then undone', (desk) => desk.type('x', 6).does(undo), ['ada:AGENT']],
		['inside, undone and redone', (desk) => desk.type('x', 6).does(undo).does(redo), ['ada:AG', 'ada:ENT']],
		['Enter inside', (desk) => desk.at(6).does(splitBlock), ['ada:AG', 'ada:ENT']]
	])('%s', (_, act, said) => {
		expect(act(start()).said).toEqual(said);
	});

	it('in every document, whatever is typed where, and an undo brings each word of the agent back', () => {
		const span = fc.tuple(fc.string({ minLength: 1, maxLength: 6 }), fc.boolean(), fc.boolean());
		fc.assert(
			fc.property(
				fc.array(fc.array(span, { maxLength: 4 }), { minLength: 1, maxLength: 4 }),
				fc.array(fc.tuple(fc.nat(), fc.nat({ max: 8 })), { minLength: 1, maxLength: 12 }),
				(blocks, edits) => {
					const desk = new Desk(
						doc(
							...blocks.map((spans) =>
								p(
									...spans.map(([text, agent, bold]) =>
										agent ? by(text, ada, ...(bold ? ['strong'] : [])) : text
									)
								)
							)
						)
					);
					const first = desk.state.doc;
					for (const [at, length] of edits) {
						const size = desk.state.doc.content.size;
						const from = 1 + (at % Math.max(1, size - 1));
						const selection = TextSelection.between(
							desk.state.doc.resolve(from),
							desk.state.doc.resolve(Math.min(size, from + length))
						);
						if (!selection.$from.parent.inlineContent) continue;
						// A sign that no generated text holds.
						desk.type('☺', selection.from, selection.to);
						expect(desk.said.join('')).not.toContain('☺');
					}
					while (undo(desk.state)) desk.does(undo);
					expect(desk.state.doc.eq(first)).toBe(true);
				}
			),
			{ numRuns: 150 }
		);
	});

	it('the half of a block that the person split off is no longer one that the run made', () => {
		const desk = new Desk(doc(p('before'))).run((tr) => tr.insert(8, p('Agent words')));
		expect(desk.state.doc.child(1).attrs['agent']).toMatchObject({ run: 'run-1' });
		desk.at(14).does(splitBlock);
		expect([1, 2].map((index) => desk.state.doc.child(index).attrs['agent']?.run)).toEqual([
			'run-1',
			undefined
		]);
		expect(desk.said).toEqual(['ada:Agent', 'ada: words']);
		desk.does(undo);
		expect(desk.said).toEqual(['ada:Agent words']);
	});

	it('a style the person has just switched on stays switched on', () => {
		const desk = start().at(6);
		const strong = schema.mark('strong');
		const tr = desk.state.tr.insertText('x').setStoredMarks([strong]);
		desk.state = desk.state.apply(tr);
		expect(desk.state.storedMarks).toEqual([strong]);
		expect(desk.said).toEqual(['ada:AG', 'ada:ENT']);
	});

	it('what a peer or another plugin brings is left as it came', () => {
		const desk = start();
		desk.state = desk.state.apply(
			desk.state.tr.replaceWith(6, 6, by('remote', ada)).setMeta('y-sync$', { isChangeOrigin: true })
		);
		expect(desk.said).toEqual(['ada:AGremoteENT']);
	});
});

describe('S2-108 stampInserted', () => {
	it('marks what came in and nothing that was there', () => {
		const desk = new Desk(doc(p('keep this'), p('and this'))).run((tr) =>
			tr
				.insertText('X', 3)
				.replaceWith(6, 7, schema.text('YY'))
				.delete(14, 16)
				.insert(tr.doc.content.size, p('new'))
		);
		expect(desk.said).toEqual(['ada:X', 'ada:YY', 'ada:new']);
	});

	it('follows later steps of the same transaction', () => {
		const desk = new Desk(doc(p('abcdef'))).run((tr) =>
			tr.insertText('one', 4).insertText('two', 2).delete(8, 9)
		);
		expect([desk.state.doc.textContent, ...desk.said]).toEqual(['atwobcoedef', 'ada:two', 'ada:oe']);
	});

	it('does not claim a block whose type alone it changes, nor one that it moves', () => {
		const desk = new Desk(doc(p('one'), p('two'), schema.node('horizontal_rule')));
		desk.run((tr) => tr.setBlockType(1, 1, schema.nodes['heading']!, { level: 2 }));
		const [first] = [desk.state.doc.child(0)];
		desk.run((tr) => tr.delete(0, 5).insert(tr.doc.content.size, first!));
		expect(desk.state.doc.toString()).toBe('doc(paragraph("two"), horizontal_rule, heading("one"))');
		expect(desk.said).toEqual([]);
	});

	it('claims what it puts round the person’s blocks, not the blocks', () => {
		const desk = new Desk(doc(p('one'), p('two'))).run((tr) => {
			const range = tr.doc.resolve(1).blockRange(tr.doc.resolve(8))!;
			return tr.wrap(range, [{ type: schema.nodes['blockquote']! }]);
		});
		expect(provenance(desk.state.doc).map(({ from, to, text }) => [from, to, text])).toEqual([[0, 12, '']]);
	});

	it('the later agent is the author of the words it wrote over', () => {
		const desk = new Desk(doc(p(by('AGENT', ada)))).run((tr) => tr.replaceWith(2, 4, by('xx', ada)), bruno);
		expect(desk.said).toEqual(['ada:A', 'bruno:xx', 'ada:NT']);
	});
});

describe('S2-67 acceptance', () => {
	const written = () =>
		new Desk(doc(p('mine ')))
			.run((tr) => tr.insertText('Ada’s', 6).insert(tr.doc.content.size, p('Her block')))
			.run((tr) => tr.insertText('Bruno’s ', 1), bruno);

	it('takes provenance off a run, in the person’s history', () => {
		const desk = written();
		const before = desk.state.doc;
		desk.state = desk.state.apply(acceptProvenance(desk.state, { run: 'run-1' })!);
		expect(desk.said).toEqual(['bruno:Bruno’s ']);
		expect(desk.state.doc.child(1).attrs['agent']).toBeNull();
		desk.does(undo);
		expect(desk.state.doc.eq(before)).toBe(true);
		desk.does(redo);
		expect(desk.said).toEqual(['bruno:Bruno’s ']);
	});

	it('takes it off a range alone; a block counts as accepted with the last of its words', () => {
		const desk = written();
		const [, , block] = provenance(desk.state.doc);
		desk.state = desk.state.apply(acceptProvenance(desk.state, { from: block!.from, to: block!.from + 3 })!);
		expect(desk.said).toEqual(['bruno:Bruno’s ', 'ada:Ada’s', 'ada: block']);
		expect(desk.state.doc.child(1).attrs['agent']).toMatchObject({ run: 'run-1' });
		desk.state = desk.state.apply(acceptProvenance(desk.state, { from: block!.from, to: block!.to })!);
		expect(desk.state.doc.child(1).attrs['agent']).toBeNull();
		expect(desk.said).toEqual(['bruno:Bruno’s ', 'ada:Ada’s']);
	});

	it('is null where there is nothing to accept', () => {
		const { state } = written();
		expect(acceptProvenance(state, { run: 'run-9' })).toBeNull();
		expect(acceptProvenance(state, { from: 9, to: 12 })).toBeNull();
	});
});

describe('S2-67 one description a block', () => {
	const descriptions = (desk: Desk) =>
		provenanceKey
			.getState(desk.state)!
			.set.find()
			.map(({ from, to }) => desk.state.doc.textBetween(from, to));

	it('keeps the painted blocks right through every edit', () => {
		const text = fc.string({ minLength: 1, maxLength: 8 });
		fc.assert(
			fc.property(
				fc.array(fc.tuple(text, fc.boolean()), { minLength: 1, maxLength: 6 }),
				fc.array(fc.tuple(fc.nat(), fc.nat(), fc.constantFrom('type', 'run', 'delete', 'split', 'block')), {
					maxLength: 15
				}),
				(blocks, edits) => {
					const desk = new Desk(doc(...blocks.map(([words, agent]) => p(agent ? by(words, ada) : words))));
					for (const [a, b, what] of edits) {
						const { doc: now } = desk.state;
						const { from, to } = TextSelection.between(
							now.resolve(a % now.content.size),
							now.resolve(b % now.content.size)
						);
						if (!now.resolve(from).parent.inlineContent) continue;
						if (what === 'type') desk.type('t', from, to);
						else if (what === 'run') desk.run((tr) => tr.insertText('run', from));
						else if (what === 'block') desk.run((tr) => tr.insert(0, p('block')), bruno);
						else if (what === 'split') desk.at(from).does(splitBlock);
						else desk.state = desk.state.apply(desk.state.tr.delete(from, to));
					}
					const fresh = new Desk(desk.state.doc);
					const shape = (one: Desk) =>
						provenanceKey
							.getState(one.state)!
							.set.find()
							.map((decoration) => [
								decoration.from,
								decoration.to,
								JSON.stringify((decoration as never)['type'])
							])
							.sort();
					expect(shape(desk)).toEqual(shape(fresh));
				}
			),
			{ numRuns: 200 }
		);
	});

	it('paints what is near the view, where a document has too many such blocks for all', () => {
		const many = (count: number) =>
			new Desk(doc(...Array.from({ length: count }, (_, index) => p(by(`Block ${index}`, ada)))));
		const all = many(1400);
		expect([descriptions(all).length, provenanceKey.getState(all.state)!.part]).toEqual([1400, null]);
		// One more than an editor can be asked about: from here on it is the part around the caret.
		all.at(2).run((tr) => tr.insert(0, doc(...Array.from({ length: 20 }, () => p(by('x', ada)))).content));
		expect(descriptions(all).length).toBe(121);

		const desk = many(3000);
		expect(descriptions(desk).at(-1)).toBe('Block 100');
		desk.state = desk.state.apply(
			desk.state.tr.setMeta(provenanceKey, { around: desk.state.doc.content.size / 2 })
		);
		expect(descriptions(desk).length).toBe(201);
		const first = Number(descriptions(desk)[0]!.slice(6));
		expect(first).toBeGreaterThan(1300);
		// Edits outside of the part carry it along; edits inside are painted; a new document is painted as far as it goes.
		desk
			.run((tr) => tr.insertText('before ', 1))
			.run((tr) => tr.insertText('after', tr.doc.content.size - 1));
		expect(descriptions(desk)[0]).toBe(`Block ${first}`);
		const { from } = provenanceKey.getState(desk.state)!.set.find()[0]!;
		desk.type('mine', from + 1, from + 1 + `Block ${first}`.length);
		expect([descriptions(desk)[0], descriptions(desk).length]).toEqual([`Block ${first + 1}`, 200]);
		desk.state = desk.state.apply(
			desk.state.tr.replaceWith(0, desk.state.doc.content.size, p('New ', by('words', ada)))
		);
		expect(descriptions(desk)).toEqual(['New words']);
	});

	it('goes with the last of the words', () => {
		const desk = new Desk(doc(p('Hi ', by('AGENT', ada)), p('x')));
		expect(descriptions(desk)).toEqual(['Hi AGENT']);
		desk.type('me', 4, 9);
		expect(descriptions(desk)).toEqual([]);
	});

	it('pastes of whole slices keep who wrote them', () => {
		const desk = new Desk(doc(p('Hi '), p('x')));
		const slice = new Slice(Fragment.from(p(by('AGENT', ada))), 1, 1);
		desk.state = desk.state.apply(desk.state.tr.replace(4, 4, slice).setMeta('paste', true));
		expect(descriptions(desk)).toEqual(['Hi AGENT']);
		expect(desk.said).toEqual(['ada:AGENT']);
	});
});
