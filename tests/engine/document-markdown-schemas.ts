// The schemas that the document is proven with, and random documents of them.
import { defineBasicExtension } from '@prosekit/basic';
import { getSchema } from '@tiptap/core';
import { TaskItem, TaskList } from '@tiptap/extension-list';
import { TableKit } from '@tiptap/extension-table';
import StarterKit from '@tiptap/starter-kit';
import fc from 'fast-check';
import { Fragment, Schema, type MarkSpec, type Node, type NodeType } from 'prosemirror-model';
import { schema as basicSchema } from 'prosemirror-schema-basic';
import { addListNodes } from 'prosemirror-schema-list';

const agentText: MarkSpec = {
	attrs: {
		run: { default: null },
		agent: { default: null },
		version: { default: null },
		at: { default: null }
	},
	inclusive: false,
	toDOM: ({ attrs }) => ['span', { 'data-agent-run': attrs.run, 'data-agent-name': attrs.agent }, 0]
};

/** Bare ProseMirror, with lists and the attributes and mark of authorship that the document brings. */
export const basic = new Schema({
	nodes: addListNodes(basicSchema.spec.nodes, 'paragraph block*', 'block')
		.update('paragraph', {
			...basicSchema.spec.nodes.get('paragraph')!,
			attrs: { id: { default: null }, agent: { default: null } }
		})
		.update('heading', {
			...basicSchema.spec.nodes.get('heading')!,
			attrs: { level: { default: 1 }, id: { default: null }, agent: { default: null } }
		}),
	marks: basicSchema.spec.marks.addToEnd('agentText', agentText)
});

const signed = ({ spec: { nodes, marks } }: Schema): Schema =>
	new Schema({
		nodes: nodes as Schema['spec']['nodes'],
		marks: (marks as typeof basicSchema.spec.marks).addToEnd('agentText', agentText)
	});

export const starter = signed(
	getSchema([StarterKit, TableKit, TaskList, TaskItem.configure({ nested: true })])
);
export const starterAlone = getSchema([StarterKit]);
export const prosekit = signed(defineBasicExtension().schema!);

const WORDS = [
	'one',
	'two ',
	' three',
	'snake_case',
	'é',
	'e\u0301',
	'שלום',
	'مرحبا',
	'👩‍👩‍👧',
	'🇪🇸',
	'漢字',
	'\u00a0',
	'  ',
	' '
];
const SIGNS = [
	...'*_~`[]()<>#+-=|\\!&.:;"0123',
	'**',
	'***',
	'~~',
	'++',
	'- ',
	'1. ',
	'# ',
	'> ',
	'```',
	'&amp;',
	'&#32;'
];
const ODD = [
	'<!-- -->',
	'<!-- agent:x -->',
	'[x] ',
	'[table 1 × 1]',
	'[image: x]',
	'](',
	'---',
	'| - |',
	'\t',
	'\n',
	'x\n',
	'$',
	'\u200b'
];

const text = fc
	.array(fc.constantFrom(...WORDS, ...WORDS, ...SIGNS, ...ODD), { minLength: 1, maxLength: 6 })
	.map((parts) => parts.join(''));
const codeText = text.map((plain) => plain.replace(/[\n\r]/g, ' '));

const hrefs = ['https://a.b/c', 'mailto:a@b.c', '/rel', 'x_(y)', 'a"b', 'https://a/?b=1&amp;c=[2]', '#x\\y'];
const titles = [null, 'Title', 'a "b" \\ & c &amp; [x](y)', 'two\nlines'];

function inlineOf(schema: Schema, type: NodeType): fc.Arbitrary<Fragment> {
	const names = Object.values(schema.marks).filter(({ name }) => name !== 'agentText');
	const marks = fc.subarray(names).chain((types) =>
		fc.tuple(fc.constantFrom(...hrefs), fc.constantFrom(...titles)).map(([href, title]) =>
			types
				.filter((mark) => type.allowsMarkType(mark))
				.map((mark) =>
					mark.create(
						mark.name === 'link' ? { href, ...('title' in (mark.spec.attrs ?? {}) && { title }) } : null
					)
				)
				.reduce<readonly import('prosemirror-model').Mark[]>((set, mark) => mark.addToSet(set), [])
		)
	);
	const leaves = ['hardBreak', 'hard_break', 'image']
		.map((name) => schema.nodes[name])
		.filter((leaf) => leaf?.isInline);
	const leaf = fc
		.tuple(fc.constantFrom(...leaves), fc.constantFrom(null, 'alt', 'a [b] *c*'))
		.map(([node, alt]) =>
			node!.name === 'image' ? node!.create({ src: 'x.png', alt, title: alt }) : node!.create()
		);
	const word = fc.oneof(
		{
			weight: 5,
			arbitrary: fc
				.tuple(text, codeText, marks)
				.map(([plain, code, set]) =>
					schema.text(set.some((mark) => mark.type.name === 'code') ? code : plain, set)
				)
		},
		{
			weight: 1,
			arbitrary: fc
				.tuple(leaf, marks)
				.map(([node, set]) => node.mark(set.filter((mark) => mark.type.name !== 'code')))
		}
	);
	return fc.array(word, { maxLength: 6 }).map((nodes) => Fragment.fromArray(nodes));
}

/** Random rows of blocks: everything of the subset that the schema has. */
export function blocksOf(schema: Schema): fc.Arbitrary<Node[]> {
	const named = (...names: string[]): NodeType | undefined =>
		names.map((name) => schema.nodes[name]).find(Boolean);
	const paragraph = named('paragraph')!;
	const bullet = named('bulletList', 'bullet_list');
	const ordered = named('orderedList', 'ordered_list');
	const item = named('listItem', 'list_item');
	const code = named('codeBlock', 'code_block')!;
	const language = 'language' in (code.spec.attrs ?? {});
	const { blocks } = fc.letrec<{ blocks: Node[]; block: Node; leaf: Node; rest: Node[] }>((tie) => {
		const para = inlineOf(schema, paragraph).map((content) => paragraph.create(null, content));
		const leaf = fc.oneof(
			{ weight: 4, arbitrary: para },
			inlineOf(schema, schema.nodes.heading!).chain((content) =>
				fc.integer({ min: 1, max: 6 }).map((level) => schema.nodes.heading!.create({ level }, content))
			),
			fc.constant(named('horizontalRule', 'horizontal_rule')!.create()),
			fc
				.tuple(
					fc.array(fc.constantFrom('a', '  b', '', '```', '~~~~', '   ', '\tx', '> q', '- l')),
					fc.constantFrom('js', 'c++')
				)
				.map(([lines, name]) =>
					code.create(
						language && lines.length % 2 ? { language: name } : null,
						lines.join('\n') ? schema.text(lines.join('\n')) : null
					)
				)
		);
		const block = tie('block') as fc.Arbitrary<Node>;
		const rest = fc.array(block, { maxLength: 2 });
		const some = fc.array(block, { minLength: 1, maxLength: 3 });
		const containers: fc.Arbitrary<Node>[] = [
			some.map((inner) => schema.nodes.blockquote!.create(null, inner))
		];
		if (item && bullet && ordered) {
			const items = fc.array(
				fc
					.tuple(para, fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, rest))
					.map(([first, more]) => item.create(null, [first, ...more])),
				{ minLength: 1, maxLength: 3 }
			);
			containers.push(
				items.map((inner) => bullet.create(null, inner)),
				fc
					.tuple(items, fc.integer({ min: 0, max: 30 }))
					.map(([inner, first]) =>
						ordered.create({ ['start' in ordered.spec.attrs! ? 'start' : 'order']: first }, inner)
					)
			);
		}
		if (schema.nodes.taskList) {
			const tasks = fc.array(
				fc
					.tuple(para, rest, fc.boolean())
					.map(([first, more, checked]) => schema.nodes.taskItem!.create({ checked }, [first, ...more])),
				{ minLength: 1, maxLength: 3 }
			);
			containers.push(tasks.map((inner) => schema.nodes.taskList!.create(null, inner)));
		}
		if (schema.nodes.list) {
			containers.push(
				fc
					.tuple(some, fc.constantFrom('bullet', 'ordered', 'task'), fc.boolean())
					.map(([inner, kind, checked]) =>
						schema.nodes.list!.create({ kind, checked: kind === 'task' && checked }, inner)
					)
			);
		}
		if (schema.nodes.table) {
			const head = named('tableHeader', 'tableHeaderCell')!;
			const cells = fc
				.integer({ min: 1, max: 3 })
				.chain((width) =>
					fc.array(fc.array(para, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 3 })
				);
			containers.push(
				cells.map((rows) =>
					schema.nodes.table!.create(
						null,
						rows.map((row, index) =>
							schema.nodes.tableRow!.create(
								null,
								row.map((cell) => (index ? schema.nodes.tableCell! : head).create(null, cell))
							)
						)
					)
				)
			);
		}
		return {
			leaf,
			block: fc.oneof({ depthSize: 'small', withCrossShrink: true, maxDepth: 3 }, leaf, ...containers),
			rest,
			blocks: fc.array(block, { minLength: 1, maxLength: 5 })
		};
	});
	return blocks;
}
