import type { MarkType, NodeType, Schema } from 'prosemirror-model';

/** The blocks and leaves that Markdown can say. @since 0.1.0 */
export type NodeWord =
	| 'paragraph'
	| 'heading'
	| 'blockquote'
	| 'codeBlock'
	| 'rule'
	| 'hardBreak'
	| 'bulletList'
	| 'orderedList'
	| 'listItem'
	| 'taskList'
	| 'taskItem'
	| 'flatList'
	| 'image'
	| 'table'
	| 'tableRow'
	| 'tableCell'
	| 'tableHeader';

/** The marks that Markdown can say. @since 0.1.0 */
export type MarkWord = 'strong' | 'em' | 'code' | 'strike' | 'underline' | 'link';

/** Own names of an app's schema, looked for before the usual ones. @since 0.1.0 */
export type MarkdownNames = Readonly<Partial<Record<NodeWord | MarkWord, string | readonly string[]>>>;

const NODES: Readonly<Record<NodeWord, readonly string[]>> = {
	paragraph: ['paragraph'],
	heading: ['heading'],
	blockquote: ['blockquote', 'block_quote'],
	codeBlock: ['codeBlock', 'code_block'],
	rule: ['horizontalRule', 'horizontal_rule'],
	hardBreak: ['hardBreak', 'hard_break'],
	bulletList: ['bulletList', 'bullet_list'],
	orderedList: ['orderedList', 'ordered_list'],
	listItem: ['listItem', 'list_item'],
	taskList: ['taskList', 'task_list'],
	taskItem: ['taskItem', 'task_item'],
	flatList: ['list'],
	image: ['image'],
	table: ['table'],
	tableRow: ['tableRow', 'table_row'],
	tableCell: ['tableCell', 'table_cell'],
	tableHeader: ['tableHeader', 'table_header', 'tableHeaderCell']
};

const MARKS: Readonly<Record<MarkWord, readonly string[]>> = {
	strong: ['bold', 'strong'],
	em: ['italic', 'em'],
	code: ['code'],
	strike: ['strike', 'strikethrough'],
	underline: ['underline'],
	link: ['link']
};

/** What a schema calls the things Markdown can say. @internal */
export interface Vocabulary {
	readonly schema: Schema;
	readonly nodes: Readonly<Partial<Record<NodeWord, NodeType>>>;
	readonly marks: Readonly<Partial<Record<MarkWord, MarkType>>>;
}

const usual = new WeakMap<Schema, Vocabulary>();

const own = (names: MarkdownNames | undefined, word: NodeWord | MarkWord): readonly string[] => {
	const name = names?.[word];
	return name === undefined ? [] : typeof name === 'string' ? [name] : name;
};

function resolve<Word extends string, Type>(
	table: Readonly<Record<Word, readonly string[]>>,
	types: Readonly<Record<string, Type>>,
	ownNames: (word: Word) => readonly string[]
): Partial<Record<Word, Type>> {
	const found: Partial<Record<Word, Type>> = {};
	for (const word of Object.keys(table) as Word[]) {
		const name = [...ownNames(word), ...table[word]].find((candidate) => Object.hasOwn(types, candidate));
		if (name !== undefined) found[word] = types[name]!;
	}
	return found;
}

/** The words of a schema: found once, unless the app names its own. @internal */
export function vocabularyOf(schema: Schema, names?: MarkdownNames): Vocabulary {
	const known = names === undefined ? usual.get(schema) : undefined;
	if (known) return known;
	const nodes = resolve(NODES, schema.nodes, (word: NodeWord) => own(names, word));
	// A flat list says with `kind` what it is; a plain node called "list" means something else.
	if (nodes.flatList && !hasAttr(nodes.flatList, 'kind')) delete nodes.flatList;
	const vocabulary = {
		schema,
		nodes,
		marks: resolve(MARKS, schema.marks, (word: MarkWord) => own(names, word))
	};
	if (names === undefined) usual.set(schema, vocabulary);
	return vocabulary;
}

/** @internal */
export const hasAttr = (type: NodeType | MarkType, name: string): boolean =>
	Object.hasOwn(type.spec.attrs ?? {}, name);

/** The first of these attributes that the type has. @internal */
export const attrOf = (type: NodeType | MarkType, ...names: readonly string[]): string | undefined =>
	names.find((name) => hasAttr(type, name));

/** Where a code block keeps its language. @internal */
export const languageAttr = (type: NodeType): string | undefined =>
	attrOf(type, 'language', 'params', 'lang');

/** Where an ordered list keeps its first number. @internal */
export const startAttr = (type: NodeType): string | undefined => attrOf(type, 'start', 'order');

const CALLED: readonly (readonly [string, (words: Vocabulary) => unknown])[] = [
	['paragraph', ({ nodes }) => nodes.paragraph],
	['heading', ({ nodes }) => nodes.heading],
	['bullet list', ({ nodes }) => (nodes.bulletList && nodes.listItem) ?? nodes.flatList],
	['ordered list', ({ nodes }) => (nodes.orderedList && nodes.listItem) ?? nodes.flatList],
	['task list', ({ nodes }) => (nodes.taskList && nodes.taskItem) ?? nodes.flatList],
	['blockquote', ({ nodes }) => nodes.blockquote],
	['fenced code block', ({ nodes }) => nodes.codeBlock],
	['horizontal rule', ({ nodes }) => nodes.rule],
	['table', ({ nodes }) => nodes.table && nodes.tableRow && nodes.tableCell],
	['image', ({ nodes }) => nodes.image],
	['hard break', ({ nodes }) => nodes.hardBreak],
	['bold', ({ marks }) => marks.strong],
	['italic', ({ marks }) => marks.em],
	['inline code', ({ marks }) => marks.code],
	['strikethrough', ({ marks }) => marks.strike],
	['underline', ({ marks }) => marks.underline],
	['link', ({ marks }) => marks.link]
];

/**
 * What an agent may write in this schema, in plain words: for the description of an act, and for a refusal.
 * @since 0.1.0
 */
export function offered(schema: Schema, names?: MarkdownNames): readonly string[] {
	const vocabulary = vocabularyOf(schema, names);
	return CALLED.filter(([, has]) => has(vocabulary)).map(([name]) => name);
}
