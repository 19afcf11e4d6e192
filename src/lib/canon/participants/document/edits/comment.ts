import type { Attrs, MarkSpec, Node } from 'prosemirror-model';
import { blockAt, placesOf } from '../blocks/index.js';
import { tidied } from '../markdown/index.js';
import { type DocumentChange, type DocumentRefusal, type Ground, no, type Plan } from './change.js';
import { spansOf } from './quoted.js';

/** A comment that stands on some text. @since 0.1.0 */
export interface DocumentComment {
	readonly id: string;
	/** What is said. */
	readonly text: string;
	/** What it is said of. */
	readonly quote: string;
	/** Id of the block it stands in. */
	readonly block: string | undefined;
	/** Who says it. */
	readonly by: string;
	/** Of an agent: the run it says it in, and its version. */
	readonly run?: string;
	readonly version?: string;
	/** When, in ms since 1970. */
	readonly at: number;
}

/** Attribute of the HTML that carries a comment. */
const ATTRIBUTE = 'data-comment';

/** What only an agent's comment has. */
const agentIn = <P extends string>(attrs: Attrs, prefix: P): { [K in `${P}${'run' | 'version'}`]?: string } =>
	Object.fromEntries(
		['run', 'version'].flatMap((key) => (attrs[key] == null ? [] : [[`${prefix}${key}`, String(attrs[key])]]))
	) as { [K in `${P}${'run' | 'version'}`]?: string };

/** The mark a comment is. Several may lie over one word. @since 0.1.0 */
export const commentMark: MarkSpec = {
	attrs: {
		id: { default: '' },
		text: { default: '' },
		by: { default: '' },
		run: { default: null },
		version: { default: null },
		at: { default: 0 }
	},
	inclusive: false,
	excludes: '',
	parseDOM: [
		{
			tag: `span[${ATTRIBUTE}]`,
			getAttrs: (dom) => ({
				id: dom.getAttribute(ATTRIBUTE),
				text: dom.getAttribute('data-text') ?? '',
				by: dom.getAttribute('data-by') ?? '',
				run: dom.getAttribute('data-run'),
				version: dom.getAttribute('data-version'),
				at: Number(dom.getAttribute('data-at')) || 0
			})
		}
	],
	toDOM: ({ attrs }) => [
		'span',
		{
			[ATTRIBUTE]: String(attrs['id']),
			'data-text': String(attrs['text']),
			'data-by': String(attrs['by']),
			...agentIn(attrs, 'data-'),
			'data-at': String(attrs['at'])
		},
		0
	]
};

/** Mark types of a schema: a plain object, or the ordered map some packages export. @since 0.1.0 */
export type MarkSpecs =
	Readonly<Record<string, MarkSpec>> | { forEach(visit: (name: string, spec: MarkSpec) => void): void };

/**
 * Adds the mark `comment` to a schema that is written by hand. Without it commenting is refused.
 * @example new Schema({ nodes, marks: withComments(marks) })
 * @since 0.1.0
 */
export function withComments(marks: MarkSpecs): Record<string, MarkSpec> {
	const out: [string, MarkSpec][] = [];
	if (typeof marks.forEach === 'function')
		(marks as { forEach(visit: (name: string, spec: MarkSpec) => void): void }).forEach(
			(name, spec) => void out.push([name, spec])
		);
	else out.push(...Object.entries(marks as Record<string, MarkSpec>));
	return Object.fromEntries([...out, ['comment', commentMark]]);
}

/** @internal */
export function comment(
	ground: Ground,
	{ id, text, quote }: DocumentChange & { kind: 'comment' }
): Plan | DocumentRefusal {
	const { doc, schema } = ground.state;
	const place = placesOf(doc).get(id);
	if (!place) return no('block-unknown');
	const type = schema.marks['comment'];
	if (!type || type.spec.attrs?.['text'] === undefined)
		return no('schema', 'The editor has no comments.', place.block);
	const said = tidied(text);
	if (said.trim() === '') return no('nothing', 'A comment says something.', place.block);
	const spans = spansOf(ground, place, quote);
	if (!spans.ok) return spans;
	const known = type.spec.attrs;
	const attrs = Object.fromEntries(
		Object.entries({
			id: ground.newId(),
			text: said,
			by: ground.by,
			run: ground.written?.run ?? null,
			version: ground.written?.version ?? null,
			at: ground.at
		}).filter(([key]) => Object.hasOwn(known, key))
	);
	const lacking = Object.keys(known).find((key) => !('default' in known[key]!) && !Object.hasOwn(attrs, key));
	if (lacking !== undefined) return no('schema', `The editor's comments need "${lacking}".`, place.block);
	return {
		ok: true,
		from: place.pos,
		to: place.end,
		stamps: false,
		write: (tr) => {
			for (const { from, to } of spans.found) tr.addMark(from, to, type.create(attrs));
		}
	};
}

/** Every comment of a document, in its order. @internal */
export function commentsIn(doc: Node): readonly DocumentComment[] {
	const found = new Map<string, { -readonly [K in keyof DocumentComment]: DocumentComment[K] }>();
	doc.descendants((node, pos) => {
		for (const { type, attrs } of node.marks) {
			if (type.name !== 'comment') continue;
			const id = String(attrs['id'] ?? '');
			const known = found.get(id);
			if (known) known.quote += node.text ?? '';
			else
				found.set(id, {
					id,
					text: String(attrs['text'] ?? ''),
					quote: node.text ?? '',
					block: blockAt(doc, pos + 1)?.block.id,
					by: String(attrs['by'] ?? ''),
					...agentIn(attrs, ''),
					at: Number(attrs['at']) || 0
				});
		}
	});
	return [...found.values()];
}
