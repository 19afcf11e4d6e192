import { TextSelection } from 'prosemirror-state';
import { describe, expect, it } from 'vitest';
import {
	createDocumentManifest,
	type DocumentProvider,
	type DocumentScope
} from '../../src/lib/canon/participants/document/index.js';
import { person } from '../../src/lib/testing/index.js';
import { bench } from '../fixtures/engine.js';
import { desk, h, li, p, quote, table, ul, type Desk } from '../fixtures/document/desk.js';

type Content = Parameters<typeof desk>[0];
const act = (name: string, args: Record<string, string | number>) => ({
	instance: 'letter',
	act: name,
	args
});
const at = ({ view }: Desk, id: string) => {
	let found = -1;
	view.state.doc.descendants((node, pos) => void (node.attrs['id'] === id && (found = pos)));
	return found;
};

/** Runs the calls, each in a turn of its own; answers how the steps ended and what the document is then. */
async function after(
	content: Content,
	scope: DocumentScope,
	calls: readonly ReturnType<typeof act>[],
	select?: readonly (readonly [block: string, offset: number])[]
) {
	const one = desk(content, { vouch: 'user' });
	if (select) {
		const points = select.map(([id, offset]) => at(one, id) + 1 + offset);
		one.view.dispatch(
			one.view.state.tr.setSelection(TextSelection.create(one.view.state.doc, points[0]!, points[1]))
		);
	}
	const made = bench([...calls.map((call) => ({ calls: [call] })), {}], { policy: { ceiling: 'auto' } });
	made.dispose();
	made.registry.register(createDocumentManifest({ scope }), one.document, { id: 'letter', label: 'Letter' });
	const run = made.engine.run('write', { by: person });
	await run.returned;
	const steps = run.state.steps.map(({ status, reasons }) => (reasons[0]?.code ?? status) as string);
	return { steps, shape: one.shape() };
}

const sections = () => [h(2, 'A', 'a'), p('mine', 'm'), h(2, 'B', 'b'), p('not open', 's')];
const shape = 'h2#a A | p#m mine | h2#b B | p#s not open';
const byHeading = (document: DocumentProvider, { id }: { id: string }) =>
	document.sectionsOf(id).includes('a');

describe('S2-70 what is open does not grow by a write', () => {
	const raises = [
		act('format', { block: 'a', format: 'heading', level: 1 }),
		act('format', { block: 'a', format: 'paragraph' }),
		act('rewrite', { block: 'a', text: '# A' }),
		act('rewrite', { block: 'a', text: 'A' }),
		act('rewriteSection', { section: 'a', text: '# A\n\nmine' }),
		act('remove', { block: 'a' })
	];
	it.each(
		raises.flatMap((call) =>
			(
				[
					['named sections', { sections: ['a'] }],
					['section of the caret', 'section']
				] as const
			).map(([name, scope]) => [`${call.act} ${JSON.stringify(call.args)}`, name, call, scope] as const)
		)
	)('the heading of what is open keeps its level and stays: %s, %s', async (_, _name, call, scope) => {
		const calls = [call, act('rewrite', { block: 's', text: 'OVERWRITTEN' })];
		expect(await after(sections(), scope, calls, [['m', 1]])).toEqual({
			steps: ['out-of-scope', 'out-of-scope'],
			shape
		});
	});

	it('a function that asks for the section lets none be taken in by it', async () => {
		for (const call of raises
			.slice(0, 5)
			.filter(({ args }) => JSON.stringify(args).includes('1') || args['text'] === '# A'))
			expect(await after(sections(), byHeading, [call])).toEqual({ steps: ['out-of-scope'], shape });
		const lost = await after(sections(), byHeading, [act('insert', { after: 'm', text: '# Evil' })]);
		expect(lost).toEqual({ steps: ['out-of-scope'], shape });
	});

	it.each([
		['insert', { after: 'm2', text: '# Evil\n\nhi' }],
		['insert', { after: 'm2', text: 'x\n\n# Evil' }],
		['insert', { after: 'm', text: '## Same' }],
		['rewrite', { block: 'm', text: '## Same\n\nmine' }],
		['rewriteSection', { section: 'a', text: '## A\n\nmine\n\n## More' }],
		['format', { block: 'm2', format: 'heading', level: 2 }]
	])('nothing is written that stands outside: %s %j', async (name, args) => {
		const content = [
			h(1, 'T', 't'),
			h(2, 'A', 'a'),
			p('mine', 'm'),
			p('mine2', 'm2'),
			h(2, 'B', 'b'),
			p('s', 's')
		];
		expect(await after(content, { sections: ['a'] }, [act(name, args)])).toEqual({
			steps: ['out-of-scope'],
			shape: 'h1#t T | h2#a A | p#m mine | p#m2 mine2 | h2#b B | p#s s'
		});
	});

	it('what stays inside is written: text, smaller sections, the heading in other words', async () => {
		const calls = [
			act('rewrite', { block: 'a', text: '## Alpha' }),
			act('insert', { after: 'm', text: '### Small\n\nmore' }),
			act('rewriteSection', { section: 'a', text: '## Aleph\n\nmine\n\n### Small\n\nless' }),
			act('move', { block: 'm', after: 'a' }),
			act('remove', { block: 'm' })
		];
		const { steps, shape } = await after(sections(), { sections: ['a'] }, calls.toSpliced(3, 1));
		expect(steps).toEqual(['confirmed', 'confirmed', 'confirmed', 'confirmed']);
		expect(shape.replace(/#n\d+/g, '')).toBe('h2#a Aleph | h3 Small | p less | h2#b B | p#s not open');
	});

	it('the block of the caret is not taken out: the caret would open the next one', async () => {
		const content = [p('one', 'a'), p('two', 'b')];
		for (const id of ['a', 'b']) {
			const calls = [
				act('remove', { block: id }),
				act('rewrite', { block: id === 'a' ? 'b' : 'a', text: 'OVER' })
			];
			expect(await after(content, 'block', calls, [[id, 1]])).toEqual({
				steps: ['out-of-scope', 'out-of-scope'],
				shape: 'p#a one | p#b two'
			});
		}
		const written = await after(
			content,
			'block',
			[act('rewrite', { block: 'a', text: '- x\n- y' })],
			[['a', 3]]
		);
		expect(written.steps).toEqual(['confirmed']);
		expect(written.shape).toMatch(/^ul#\w+\(li\(p#\w+ x\), li\(p#\w+ y\)\) \| p#b two$/);
	});

	it('an item is not moved together with a block in it that is not open', async () => {
		const list = () =>
			ul('list', li(p('one', 'i1'), p('CLOSED', 'i1b')), li(p('two', 'i2')), li(p('three', 'i3')));
		const call = act('move', { block: 'i1', after: 'i3' });
		expect(await after([list()], { blocks: ['i1', 'i3'] }, [call])).toEqual({
			steps: ['out-of-scope'],
			shape: 'ul#list(li(p#i1 one, p#i1b CLOSED), li(p#i2 two), li(p#i3 three))'
		});
		const open = await after([list()], { blocks: ['i1', 'i1b', 'i3'] }, [call]);
		expect(open).toEqual({
			steps: ['confirmed'],
			shape: 'ul#list(li(p#i2 two), li(p#i3 three), li(p#i1 one, p#i1b CLOSED))'
		});
	});
});

describe('S2-70 of a selection the blocks of text it touches are open, not what holds them', () => {
	const list = () => [ul('list', li(p('one', 'i1')), li(p('two', 'i2')), li(p('three', 'i3'))), p('z', 'z')];
	it.each([
		['another item', act('rewrite', { block: 'i1', text: 'OVER' })],
		['the whole list', act('rewrite', { block: 'list', text: '- OVER' })],
		['the list taken out', act('remove', { block: 'list' })],
		['behind another item', act('insert', { after: 'i1', text: 'OVER' })]
	])('two letters of an item: %s is closed', async (_, call) => {
		expect(
			await after(
				list(),
				'selection',
				[call],
				[
					['i2', 0],
					['i2', 2]
				]
			)
		).toEqual({
			steps: ['out-of-scope'],
			shape: 'ul#list(li(p#i1 one), li(p#i2 two), li(p#i3 three)) | p#z z'
		});
	});

	it('the item itself is open', async () => {
		const call = act('rewrite', { block: 'i2', text: 'New' });
		expect(
			await after(
				list(),
				'selection',
				[call],
				[
					['i2', 0],
					['i2', 2]
				]
			)
		).toEqual({
			steps: ['confirmed'],
			shape: 'ul#list(li(p#i1 one), li(p#i2 New), li(p#i3 three)) | p#z z'
		});
	});

	it('nothing enters behind the list where the caret stands in one open item of it', async () => {
		const call = act('insert', { after: 'selection', text: 'x' });
		for (const scope of ['block', { blocks: ['i2'] }] as const)
			expect((await after(list(), scope, [call], [['i2', 1]])).steps).toEqual(['out-of-scope']);
		const whole = await after(list(), { blocks: ['list'] }, [call], [['i2', 1]]);
		expect(whole.steps).toEqual(['confirmed']);
		expect(whole.shape).toMatch(/ \| p#\w+ x \| p#z z$/);
	});

	it('over several items each that is touched is written, and no other', async () => {
		const call = act('rewriteSelection', { text: '- 1\n- 2' });
		const over = await after(
			list(),
			'selection',
			[call],
			[
				['i1', 0],
				['i2', 3]
			]
		);
		expect(over).toEqual({
			steps: ['confirmed'],
			shape: 'ul#list(li(p#i1 1), li(p#i2 2), li(p#i3 three)) | p#z z'
		});
	});

	it('cells of a table, paragraphs of a quote', async () => {
		const cells = [table('t', [[p('one', 'c1')], [p('two', 'c2')]])];
		const closed = await after(
			cells,
			'selection',
			[act('rewrite', { block: 'c2', text: 'OVER' })],
			[
				['c1', 0],
				['c1', 2]
			]
		);
		expect(closed.steps).toEqual(['out-of-scope']);
		const said = [quote('q', p('one', 'x'), p('two', 'y'))];
		const open = await after(
			said,
			'selection',
			[act('rewrite', { block: 'y', text: 'OVER' })],
			[
				['x', 0],
				['x', 2]
			]
		);
		expect(open).toEqual({ steps: ['out-of-scope'], shape: 'q#q(p#x one, p#y two)' });
	});
});
