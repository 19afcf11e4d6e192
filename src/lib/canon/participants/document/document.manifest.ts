import {
	type ActCall,
	type ActResult,
	type AgentAct,
	type AgentManifest,
	defineManifest,
	digest,
	done,
	type JSONValue,
	type Label,
	labelled,
	type Preview,
	refuse,
	retry
} from '../../../agent/capability/index.js';
import { boolean, number, object, optional, type SmallSchema, string } from '../schema.js';
import type { DocumentBlock, Outline } from './blocks/index.js';
import type { DocumentProvider, DocumentReport } from './document.provider.js';
import type { DocumentAnchor, DocumentChange, DocumentFormat, DocumentRefusal } from './edits/index.js';
import type { OriginRange } from './origins/index.js';

/** Where an inserted text may enter: behind a named block, at the start or end, or behind the block the caret stands in. @since 0.1.0 */
export type DocumentEntrance = 'after' | 'start' | 'end' | 'selection';

/**
 * How far an agent may write: everywhere, in the section the caret stands in, in what is selected, in the block of the caret;
 * in named sections (by heading) or blocks; or wherever a function says so, asked for each block before each write.
 * @since 0.1.0
 */
export type DocumentScope =
	| 'document'
	| 'section'
	| 'selection'
	| 'block'
	| { readonly sections: readonly string[] }
	| { readonly blocks: readonly string[] }
	| ((document: DocumentProvider, block: DocumentBlock) => boolean);

/** Names of what an agent may do in a document. @since 0.1.0 */
export type DocumentAct =
	| 'insert'
	| 'rewrite'
	| 'rewriteSection'
	| 'rewriteSelection'
	| 'replaceText'
	| 'remove'
	| 'move'
	| 'format'
	| 'comment';

/** What {@link createDocumentManifest} takes. @since 0.1.0 */
export interface DocumentManifestOptions {
	/** What the document is for, for the model. @default a general sentence */
	description?: string;
	/** What the agent writes: Markdown, parsed against the editor's own schema, or nothing but characters. @default 'markdown' */
	format?: 'markdown' | 'text';
	/** Whether what is inserted or rewritten shows while it arrives. @default true */
	paint?: boolean;
	/** Where an inserted text may enter. @default everywhere */
	enter?: readonly DocumentEntrance[];
	/** How far the agent may write. Reading is not narrowed by it. @default 'document' */
	scope?: DocumentScope;
	/** Acts to leave out: `{ remove: false }`. @default none */
	acts?: Readonly<Partial<Record<DocumentAct, boolean>>>;
	/** Who may see the text: `private` asks the person once a run. @default 'page' */
	sensitivity?: 'public' | 'page' | 'private';
}

type Reads = 'outline' | 'block' | 'selection' | 'section';

/** Texts of a listing stay whole while they are no longer than this together. */
const WHOLE = 6_000;
/** Else each of the first so many blocks is named with its beginning. */
const LISTED = 100;
const GLIMPSE = 80;
/** A section that is longer is listed block by block. */
const LONGEST = 24_000;

/** Where a block is put that is put behind no block. */
const isPlace = (text: string): text is 'start' | 'end' => text === 'start' || text === 'end';
const anchorOf = (after: string): DocumentAnchor =>
	isPlace(after) || after === 'selection' ? after : { after };

/** By something that is made anew whenever what it stands for changes. */
function remembered<K extends object, V>(make: (of: K) => V): (of: K) => V {
	const known = new WeakMap<K, V>();
	return (of) => {
		if (!known.has(of)) known.set(of, make(of));
		return known.get(of)!;
	};
}

const versionOfBlock = remembered((block: DocumentBlock) => digest(block.content as JSONValue));
const versionOfOutline = remembered((outline: Outline) => digest(outline as unknown as JSONValue));

const ids = new WeakMap<Outline, string>();
function versionOfIds(document: DocumentProvider): string {
	// The outline is one object as long as the document is the same.
	const outline = document.outline();
	if (!ids.has(outline)) ids.set(outline, digest(document.blocks().map(({ id }) => id)));
	return ids.get(outline)!;
}

const versionOf = (block: DocumentBlock | undefined): string => (block ? versionOfBlock(block) : 'none');
const versionOfSection = (document: DocumentProvider, id: string): string => {
	const section = document.section(id);
	return section ? digest(section.blocks.map(versionOfBlock)) : 'none';
};

/** Labels of runs that said so when they wrote; of others nobody knows what led to their words. */
const labels = new WeakMap<DocumentProvider, Map<string, Partial<Label>>>();

/** A text with the label of where it comes from, unless the person typed all of it. */
function marked<T>(document: DocumentProvider, value: T, ranges: readonly OriginRange[]): T {
	let trusted = true;
	const origins = new Set<Label['origins'][number]>();
	for (const { origin, run } of ranges) {
		const known = origin === 'agent' && run !== undefined ? labels.get(document)?.get(run) : undefined;
		if (origin === 'imported' || (origin === 'agent' && known?.integrity !== 'trusted')) trusted = false;
		for (const one of [origin, ...(known?.origins ?? [])]) origins.add(one);
	}
	if (origins.size === 0 || (origins.size === 1 && origins.has('user'))) return value;
	return labelled(value, { integrity: trusted ? 'trusted' : 'untrusted', origins: [...origins] });
}

const glimpse = (text: string): string =>
	text.length > GLIMPSE ? `${text.slice(0, GLIMPSE - 1).replace(/[\ud800-\udbff]$/, '')}…` : text;

/** A block as the model sees it. */
function shown(document: DocumentProvider, block: DocumentBlock, short = false): JSONValue {
	const { id, type, level, inside, markdown } = block;
	const text = marked(document, short ? glimpse(markdown) : markdown, document.origins(id));
	return { id, type, ...(level !== undefined && { level }), ...(inside !== undefined && { inside }), text };
}

/** A block by itself, with the blocks of text inside it, which can be written one by one. */
function whole(document: DocumentProvider, block: DocumentBlock): JSONValue {
	const parts = block.inside === undefined ? document.parts(block.id) : [];
	return {
		...(shown(document, block) as object),
		...(parts.length > 0 && { parts: parts.map((part) => shown(document, part)) })
	};
}

/** Blocks as far as there is room; what is left out is counted. */
function listed(document: DocumentProvider, blocks: readonly DocumentBlock[], room: number): JSONValue {
	let left = room;
	const fits = blocks.every(({ markdown }) => (left -= markdown.length) >= 0);
	if (fits) return { blocks: blocks.map((block) => whole(document, block)) };
	const first = blocks.slice(0, LISTED);
	return {
		blocks: first.map((block) => shown(document, block, true)),
		shortened: true,
		...(blocks.length > first.length && { more: blocks.length - first.length })
	};
}

const listing = (document: DocumentProvider): JSONValue =>
	listed(
		document,
		document.blocks().filter(({ inside }) => inside === undefined),
		WHOLE
	);

/** Is this block open to a write? */
function within(document: DocumentProvider, scope: DocumentScope, block: DocumentBlock): boolean {
	const { id, inside } = block;
	const self = [id, ...(inside === undefined ? [] : [inside])];
	if (scope === 'document') return true;
	if (typeof scope === 'function') return scope(document, block);
	if (typeof scope === 'object') {
		if ('blocks' in scope) return self.some((one) => scope.blocks.includes(one));
		return document.sectionsOf(id).some((heading) => scope.sections.includes(heading));
	}
	const selection = document.selection();
	if (!selection) return false;
	if (scope === 'section') {
		const here = document.sectionsOf(selection.to.block).at(-1);
		return here !== undefined && document.sectionsOf(id).includes(here);
	}
	if (scope === 'block') return self.includes(selection.to.block);
	return !selection.empty && self.some((one) => selection.blocks.includes(one));
}

/** The blocks a change is about: each has to be open. */
function concerned(
	document: DocumentProvider,
	change: DocumentChange
): readonly (DocumentBlock | undefined)[] {
	const block = (id: string) => document.block(id);
	const behind = (at: DocumentAnchor) => {
		if (typeof at === 'object') return [block(at.after)];
		return at === 'selection' ? [block(document.selection()?.to.block ?? '')] : [undefined];
	};
	switch (change.kind) {
		case 'insert':
			return behind(change.at);
		case 'move':
			return [block(change.id), ...behind(change.to)];
		case 'rewriteSection':
			return document.section(change.id)?.blocks ?? [block(change.id)];
		case 'rewriteSelection':
			return document.selection()?.blocks.map(block) ?? [];
		default:
			return [block(change.id)];
	}
}

/**
 * What a document lets an agent read and write. Every act can be taken back, reaches no further than the page, and depends on
 * the blocks it names alone: typing in another paragraph never voids a permission.
 * @since 0.1.0
 */
export function createDocumentManifest(
	options: DocumentManifestOptions = {}
): AgentManifest<DocumentProvider, Reads> {
	const { format = 'markdown', paint = true, scope = 'document', acts = {}, sensitivity = 'page' } = options;
	const { enter = ['after', 'start', 'end', 'selection'] } = options;
	const trust = { trust: 'user', sensitivity } as const;
	const content = (text: string) => (format === 'markdown' ? { markdown: text } : { text });
	const written =
		format === 'markdown' ? 'in Markdown, without HTML' : 'plain text, without any signs of format';

	/** Outside of what is open, or through an entrance that is closed. */
	function barred(document: DocumentProvider, change: DocumentChange): DocumentRefusal | undefined {
		const out = (text: string, current?: DocumentBlock): DocumentRefusal => ({
			ok: false,
			code: 'out-of-scope',
			text,
			...(current && { current })
		});
		if (change.kind === 'insert') {
			const entrance = typeof change.at === 'object' ? 'after' : change.at;
			if (!enter.includes(entrance))
				return out(`Nothing may be put in there (${entrance}); open: ${enter.join(', ')}.`);
		}
		if (scope === 'document') return undefined;
		for (const block of concerned(document, change)) {
			// What is not there is refused by the document itself, with its own code.
			if (!block && change.kind !== 'insert' && change.kind !== 'move') continue;
			if (!block) return out('Only a place inside the open part can be written in.');
			if (!within(document, scope, block)) return out(`Block "${block.id}" is not open to a write.`);
		}
		return undefined;
	}

	const refused = ({ code, text, current }: DocumentRefusal): ActResult => {
		if (code === 'composing' || code === 'not-ready') return retry(code, text, 1_000);
		return refuse(code, current ? `${text} It reads now:\n${current.markdown}` : text);
	};

	/** Versions of what is touched, by `read:key`. */
	const present = (document: DocumentProvider, read: Reads, key?: string): string =>
		String(reads[read].version(document, key));

	/** After a wait the permission may hold no longer. */
	const stale =
		(document: DocumentProvider, { expect }: ActCall) =>
		(): DocumentRefusal | undefined => {
			for (const [name, version] of Object.entries(expect)) {
				const [read, key] = name.includes(':')
					? [name.slice(0, name.indexOf(':')), name.slice(name.indexOf(':') + 1)]
					: [name];
				if (!Object.hasOwn(reads, read!) || present(document, read as Reads, key) === String(version))
					continue;
				const current = key === undefined ? undefined : document.block(key);
				return { ok: false, code: 'stale', text: 'The text has changed since.', ...(current && { current }) };
			}
			return undefined;
		};

	const preview = (document: DocumentProvider, change: DocumentChange): Preview | ActResult => {
		const closed = barred(document, change);
		if (closed) return refused(closed);
		const trial = document.check(change);
		if (!trial.ok) return refused(trial);
		if (change.kind === 'comment')
			return {
				kind: 'note',
				text: change.quote === undefined ? change.text : `“${change.quote}”: ${change.text}`
			};
		// A format that Markdown does not show.
		if (trial.before === trial.after)
			return { kind: 'note', text: `${JSON.stringify(change)}\n${trial.after}` };
		return { kind: 'text', before: trial.before, after: trial.after };
	};

	const carryOut = (
		document: DocumentProvider,
		change: DocumentChange,
		call: ActCall
	): ActResult | Promise<ActResult> => {
		const closed = barred(document, change);
		if (closed) return refused(closed);
		if (call.label) remember(document, call.run, call.label);
		const answer = (report: DocumentReport): ActResult => {
			if (!report.ok) return refused(report);
			const blocks = report.blocks.flatMap((id) => document.block(id) ?? []);
			const ids = Object.keys(report.versions);
			const more = change.kind === 'remove' ? [change.id] : [];
			const versions = Object.fromEntries(
				[...new Set([...ids, ...more])].map((id) => [`block:${id}`, present(document, 'block', id)])
			);
			if (change.kind === 'rewriteSection')
				versions[`section:${change.id}`] = present(document, 'section', change.id);
			if (change.kind === 'rewriteSelection') versions['selection'] = present(document, 'selection');
			return done({ blocks: blocks.map((block) => whole(document, block)) }, { versions });
		};
		const report = document.write(change, {
			signal: call.signal,
			still: () => barred(document, change) ?? stale(document, call)()
		});
		return report instanceof Promise ? report.then(answer) : answer(report);
	};

	const block = string('Id of a block');
	const text = string(`The text, ${written}`);
	const quote = optional(string('Words of the block, exactly as they stand there; left out: all of it'));
	const touching = (id: string) => [{ read: 'block' as const, key: id }];
	const behind = (after: string) =>
		after === 'selection'
			? { read: 'selection' as const, key: 'block' }
			: { read: 'block' as const, key: after };
	const sinks = format === 'markdown' ? { sinks: { text: 'markup' as const } } : {};

	const shows = <A extends { text: string }>(at: (args: Partial<A>) => DocumentChange | undefined) =>
		paint
			? {
					stream: 'text',
					paint(
						document: DocumentProvider,
						partial: Partial<A> | undefined,
						{ step }: Pick<ActCall, 'step'>
					) {
						if (partial === undefined) return document.unpaint(step);
						const change = at(partial);
						if (!change || partial.text === undefined || barred(document, change)) return;
						const place =
							change.kind === 'insert' ? change.at : 'id' in change ? { after: change.id } : 'selection';
						document.paint(step, place, partial.text);
					}
				}
			: {};

	const reads = {
		outline: {
			description:
				'The headings with their ids, level and how much stands under each; how long the document is',
			read: (document: DocumentProvider) => {
				const { headings, ...rest } = document.outline();
				return {
					headings: headings.map((entry) => ({
						...entry,
						text: marked(document, entry.text, document.origins(entry.id))
					})),
					...rest
				};
			},
			version: (document: DocumentProvider) => versionOfOutline(document.outline()),
			summary: (document: DocumentProvider) => summary(document.outline()),
			...trust
		},
		block: {
			description:
				'The blocks in order, each with its id; in a long document their beginnings only. With a block’s id as key: that block, whole, with the blocks inside it',
			read: (document: DocumentProvider, key?: string) => {
				if (key === undefined) return listing(document);
				if (isPlace(key)) return { place: key };
				const one = document.block(key);
				return one ? whole(document, one) : null;
			},
			version: (document: DocumentProvider, key?: string) => {
				if (key === undefined) return `${document.version()}.${versionOfIds(document)}`;
				// A place is the same whatever stands beside it.
				return isPlace(key) ? key : versionOf(document.block(key));
			},
			summary: (document: DocumentProvider) => summary(document.outline()),
			...trust
		},
		selection: {
			description:
				'What the person has selected, or where the caret stands: block ids, offsets, the selected text',
			read: (document: DocumentProvider, key?: string) => {
				const selection = document.selection();
				if (!selection) return null;
				if (key === 'block') return { block: selection.to.block };
				const { empty, from, to, blocks, markdown } = selection;
				return {
					empty,
					from: { ...from },
					to: { ...to },
					blocks,
					text: marked(document, markdown, document.origins())
				};
			},
			version: (document: DocumentProvider, key?: string) => {
				const selection = document.selection();
				if (!selection) return 'none';
				if (key === 'block') return selection.to.block;
				const { from, to, markdown } = selection;
				return digest([{ ...from }, { ...to }, markdown]);
			},
			...trust
		},
		section: {
			description:
				'With a heading’s id as key: the section, all that stands under that heading, block by block',
			read: (document: DocumentProvider, key?: string) => {
				if (key === undefined) return { pull: 'Give the id of a heading as key; the outline lists them.' };
				const section = document.section(key);
				return section ? listed(document, section.blocks, LONGEST) : null;
			},
			version: (document: DocumentProvider, key?: string) =>
				key === undefined ? 'none' : versionOfSection(document, key),
			summary: () => 'Sections are read one by one, by the id of their heading.',
			...trust
		}
	};

	/** One act: everything it does goes through the change that its arguments stand for. */
	function act<A>(
		description: string,
		args: SmallSchema<A>,
		change: (args: A) => DocumentChange,
		touches: (args: A) => readonly { read: Reads; key?: string }[],
		more: Partial<AgentAct<DocumentProvider, SmallSchema<A>, Reads>> = {}
	): AgentAct<DocumentProvider, SmallSchema<A>, Reads> {
		return {
			description,
			args,
			effect: 'reversible',
			reach: 'page',
			touches: (_, given) => touches(given as A),
			available: (document) => document.state === 'ready' || CLOSED[document.state],
			preview: (document, given) => preview(document, change(given as A)),
			perform: (document, given, call) => carryOut(document, change(given as A), call),
			...more
		};
	}

	const insert = ({ after, text }: { after: string; text: string }): DocumentChange => ({
		kind: 'insert',
		at: anchorOf(after),
		content: content(text)
	});
	const words = enter.filter((one) => one !== 'after');
	const anchor = string(
		[
			...(enter.includes('after') ? ['Id of the block to put it behind'] : []),
			...words.map((one) => `"${one}"`)
		].join(' or ')
	);
	const every: Record<DocumentAct, AgentAct<DocumentProvider, never, Reads>> = {
		insert: act(
			`Put new blocks into the document, ${written}. Answers with the new blocks.`,
			object({ after: anchor, text }),
			insert,
			({ after }) => [behind(after)],
			{
				...sinks,
				...shows(({ after, text }) =>
					after === undefined || text === undefined ? undefined : insert({ after, text })
				)
			}
		),
		rewrite: act(
			`Write one block anew, ${written}; it may become several. Words that stay the same stay as they are.`,
			object({ block, text }),
			({ block, text }) => ({ kind: 'rewrite', id: block, content: content(text) }),
			({ block }) => touching(block),
			{
				...sinks,
				...shows(({ block, text }) =>
					block === undefined || text === undefined
						? undefined
						: { kind: 'rewrite', id: block, content: content(text) }
				)
			}
		),
		rewriteSection: act(
			`Write a whole section anew, ${written}. A text that begins with a heading takes the place of the old one too.`,
			object({ section: string('Id of the heading'), text }),
			({ section, text }) => ({ kind: 'rewriteSection', id: section, content: content(text) }),
			({ section }) => [{ read: 'section', key: section }],
			{
				...sinks,
				...shows(({ section, text }) =>
					section === undefined || text === undefined
						? undefined
						: { kind: 'rewriteSection', id: section, content: content(text) }
				)
			}
		),
		rewriteSelection: act(
			`Write over what the person has selected, ${written}.`,
			object({ text }),
			({ text }) => ({ kind: 'rewriteSelection', content: content(text) }),
			() => [{ read: 'selection' }],
			{
				...sinks,
				...shows(({ text }) =>
					text === undefined ? undefined : { kind: 'rewriteSelection', content: content(text) }
				)
			}
		),
		replaceText: act(
			'Put other words in the place of some that stand in a block. Refused where they do not stand there, or more than once.',
			object({
				block,
				find: string('The words to be replaced, exactly as they stand there'),
				text: string(`The new words, ${written}`),
				all: optional(boolean('Wherever they stand in the block'))
			}),
			({ block, find, text, all }) => ({
				kind: 'replaceText',
				id: block,
				find,
				text: content(text),
				...(all !== undefined && { all })
			}),
			({ block }) => touching(block),
			sinks
		),
		remove: act(
			'Take a block out of the document.',
			object({ block }),
			({ block }) => ({ kind: 'remove', id: block }),
			({ block }) => touching(block)
		),
		move: act(
			'Move a block as it is to behind another one.',
			object({ block, after: string('Id of the block to put it behind, or "start" or "end"') }),
			({ block, after }) => ({ kind: 'move', id: block, to: isPlace(after) ? after : { after } }),
			({ block, after }) => [...touching(block), ...touching(after)]
		),
		format: act(
			'Format words of a block, or make the block a paragraph, a heading or code.',
			object({
				block,
				format: string(
					'bold, italic, strike, underline, code, link; or for the block: paragraph, heading, codeBlock'
				),
				quote,
				off: optional(boolean('Take the format away instead')),
				href: optional(string('Address of a link')),
				level: optional(number('Level of a heading, 1 the highest'))
			}),
			({ block, format, quote, off, href, level }) => ({
				kind: 'format',
				id: block,
				format: formatOf({ format, quote, off, href, level })
			}),
			({ block }) => touching(block),
			{ sinks: { href: 'url' } }
		),
		comment: act(
			'Put a comment on a block or on words of it. The text of the document stays as it is.',
			object({ block, text: string('What is to be said, plain text'), quote }),
			({ block, text, quote }) => ({
				kind: 'comment',
				id: block,
				text,
				...(quote !== undefined && { quote })
			}),
			({ block }) => touching(block)
		)
	} as Record<DocumentAct, AgentAct<DocumentProvider, never, Reads>>;

	return defineManifest<DocumentProvider>()({
		kind: 'document',
		description:
			options.description ??
			'A text document: blocks with ids, in sections under headings, which can be read and written one by one.',
		reads,
		acts: Object.fromEntries(
			Object.entries(every).filter(([name]) => acts[name as DocumentAct] !== false)
		) as unknown as Record<string, AgentAct<DocumentProvider, SmallSchema<unknown>, Reads>>,
		undo: (document, run) => document.undo(run),
		redo: (document, run) => document.redo(run),
		ended: (document, run) => document.end(run)
	}) as AgentManifest<DocumentProvider, Reads>;
}

const CLOSED = {
	'not-ready': 'The editor is not there yet.',
	destroyed: 'The editor is gone.',
	'read-only': 'The editor is read-only.'
} as const;

const BLOCK_TYPES: readonly string[] = ['paragraph', 'heading', 'codeBlock'];

function formatOf(given: {
	format: string;
	quote: string | undefined;
	off: boolean | undefined;
	href: string | undefined;
	level: number | undefined;
}): DocumentFormat {
	const { format, quote, off, href, level } = given;
	if (BLOCK_TYPES.includes(format))
		return {
			type: format === 'codeBlock' ? 'code' : format,
			...(level !== undefined && { attrs: { level } })
		};
	return {
		mark: format,
		...(href !== undefined && { attrs: { href } }),
		...(quote !== undefined && { quote }),
		...(off !== undefined && { off })
	};
}

/** What a run's words are worth is what led to them, and it may write several times. */
function remember(document: DocumentProvider, run: string, label: Label): void {
	const known = labels.get(document) ?? new Map<string, Partial<Label>>();
	labels.set(document, known);
	const before = known.get(run);
	const untrusted = before?.integrity === 'untrusted' || label.integrity !== 'trusted';
	known.set(run, {
		integrity: untrusted ? 'untrusted' : 'trusted',
		origins: [...new Set([...(before?.origins ?? []), ...label.origins])]
	});
}

function summary({ headings, blocks, words }: Outline): string {
	const first = headings.slice(0, 12).map(({ text }) => text);
	return `${blocks} blocks, ${words} words.${first.length > 0 ? ` Sections: ${first.join('; ')}` : ''}`;
}

/** The manifest of a document in which the page's agents may read and, under review, write everything. @since 0.1.0 */
export const documentManifest = createDocumentManifest();
