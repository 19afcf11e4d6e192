import {
	type ActCall,
	type ActResult,
	type AgentAct,
	type AgentManifest,
	defineManifest,
	done,
	type Preview,
	refuse,
	retry
} from '../../../agent/capability/index.js';
import { boolean, number, object, optional, type SmallSchema, string } from '../schema.js';
import type { DocumentProvider, DocumentReport } from './document.provider.js';
import type { DocumentChange, DocumentFormat, DocumentRefusal } from './edits/index.js';
import { anchorOf, isPlace } from './manifest/anchor.js';
import { remember } from './manifest/labels.js';
import { whole } from './manifest/listing.js';
import type { DocumentAct, DocumentManifestOptions, DocumentRead } from './manifest/options.js';
import { outward, tried } from './manifest/outward.js';
import { readsOf } from './manifest/reads.js';
import { barred, strayed } from './manifest/scope.js';

/**
 * What a document lets an agent read and write. Every act can be taken back, reaches no further than the page, and depends on
 * the blocks it names alone: typing in another paragraph never voids a permission.
 * @since 0.1.0
 */
export function createDocumentManifest(
	options: DocumentManifestOptions = {}
): AgentManifest<DocumentProvider, DocumentRead> {
	const { format = 'markdown', paint = true, scope = 'document', acts = {}, sensitivity = 'page' } = options;
	const { enter = ['after', 'start', 'end', 'selection'], images = false } = options;
	const reads = readsOf(sensitivity);
	const content = (text: string) => (format === 'markdown' ? { markdown: text } : { text });
	const written =
		format === 'markdown' ? 'in Markdown, without HTML' : 'plain text, without any signs of format';

	const refused = ({ code, text, current }: DocumentRefusal): ActResult => {
		if (code === 'composing' || code === 'not-ready') return retry(code, text, 1_000);
		return refuse(code, current ? `${text} It reads now:\n${current.markdown}` : text);
	};

	/** Versions of what is touched, by `read:key`. */
	const present = (document: DocumentProvider, read: DocumentRead, key?: string): string =>
		String(reads[read].version(document, key));

	/** After a wait the permission may hold no longer. */
	const stale =
		(document: DocumentProvider, { expect }: ActCall) =>
		(): DocumentRefusal | undefined => {
			for (const [name, version] of Object.entries(expect)) {
				const [read, key] = name.includes(':')
					? [name.slice(0, name.indexOf(':')), name.slice(name.indexOf(':') + 1)]
					: [name];
				if (!Object.hasOwn(reads, read!) || present(document, read as DocumentRead, key) === String(version))
					continue;
				const current = key === undefined ? undefined : document.block(key);
				return { ok: false, code: 'stale', text: 'The text has changed since.', ...(current && { current }) };
			}
			return undefined;
		};

	const preview = (document: DocumentProvider, change: DocumentChange): Preview | ActResult => {
		const closed = barred(document, change, scope, enter) ?? strayed(document, change, scope);
		if (closed) return refused(closed);
		const trial = tried(document, change, images);
		if (!trial.ok) return refused(trial);
		if (change.kind === 'comment')
			return {
				kind: 'note',
				text: change.quote === undefined ? change.text : `“${change.quote}”: ${change.text}`
			};
		// A format that Markdown does not show.
		if (trial.before === trial.after) return { kind: 'note', text: unseen(change, trial.after) };
		return { kind: 'text', before: trial.before, after: trial.after };
	};

	const carryOut = (
		document: DocumentProvider,
		change: DocumentChange,
		call: ActCall
	): ActResult | Promise<ActResult> => {
		const shut = () => barred(document, change, scope, enter) ?? strayed(document, change, scope);
		const closed = shut();
		if (closed) return refused(closed);
		if (format === 'markdown' && !images) {
			const trial = tried(document, change, images);
			if (!trial.ok && trial.code === 'image') return refused(trial);
		}
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
			still: () => shut() ?? stale(document, call)()
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
						if (!change || partial.text === undefined || barred(document, change, scope, enter)) return;
						const place =
							change.kind === 'insert' ? change.at : 'id' in change ? { after: change.id } : 'selection';
						document.paint(step, place, partial.text);
					}
				}
			: {};

	/** One act: everything it does goes through the change that its arguments stand for. */
	function act<A>(
		description: string,
		args: SmallSchema<A>,
		change: (args: A) => DocumentChange,
		touches: (args: A) => readonly { read: DocumentRead; key?: string }[],
		more: Partial<AgentAct<DocumentProvider, SmallSchema<A>, DocumentRead>> = {}
	): AgentAct<DocumentProvider, SmallSchema<A>, DocumentRead> {
		return {
			description,
			args,
			effect: 'reversible',
			reach: 'page',
			refusals: 'own',
			touches: (_, given) => touches(given as A),
			available: (document) => document.state === 'ready' || CLOSED[document.state],
			...(format === 'markdown' && {
				level: (document, given) => outward(document, change(given as A))
			}),
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
	const every: Record<DocumentAct, AgentAct<DocumentProvider, never, DocumentRead>> = {
		insert: act(
			`Put new blocks into the document, ${written}. Answers with the new blocks.`,
			object({ after: anchor, text }),
			insert,
			({ after }) => [behind(after)],
			shows(({ after, text }) =>
				after === undefined || text === undefined ? undefined : insert({ after, text })
			)
		),
		rewrite: act(
			`Write one block anew, ${written}; it may become several. Words that stay the same stay as they are.`,
			object({ block, text }),
			({ block, text }) => ({ kind: 'rewrite', id: block, content: content(text) }),
			({ block }) => touching(block),
			shows(({ block, text }) =>
				block === undefined || text === undefined
					? undefined
					: { kind: 'rewrite', id: block, content: content(text) }
			)
		),
		rewriteSection: act(
			`Write a whole section anew, ${written}. A text that begins with a heading takes the place of the old one too.`,
			object({ section: string('Id of the heading'), text }),
			({ section, text }) => ({ kind: 'rewriteSection', id: section, content: content(text) }),
			({ section }) => [{ read: 'section', key: section }],
			shows(({ section, text }) =>
				section === undefined || text === undefined
					? undefined
					: { kind: 'rewriteSection', id: section, content: content(text) }
			)
		),
		rewriteSelection: act(
			`Write over what the person has selected, ${written}.`,
			object({ text }),
			({ text }) => ({ kind: 'rewriteSelection', content: content(text) }),
			() => [{ read: 'selection' }],
			shows(({ text }) =>
				text === undefined ? undefined : { kind: 'rewriteSelection', content: content(text) }
			)
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
			({ block }) => touching(block)
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
	} as Record<DocumentAct, AgentAct<DocumentProvider, never, DocumentRead>>;

	return defineManifest<DocumentProvider>()({
		kind: 'document',
		description:
			options.description ??
			'A text document: blocks with ids, in sections under headings, which can be read and written one by one.',
		reads,
		acts: Object.fromEntries(
			Object.entries(every).filter(([name]) => acts[name as DocumentAct] !== false)
		) as unknown as Record<string, AgentAct<DocumentProvider, SmallSchema<unknown>, DocumentRead>>,
		undo: (document, run) => document.undo(run),
		redo: (document, run) => document.redo(run),
		ended: (document, run) => document.end(run)
	}) as AgentManifest<DocumentProvider, DocumentRead>;
}

/** What is done, where its text looks the same before and after. */
function unseen(change: DocumentChange, text: string): string {
	if (change.kind !== 'format') return text;
	const { format } = change;
	if (!('mark' in format)) return `${format.type}: ${text}`;
	return `${format.off ? 'no ' : ''}${format.mark}: ${format.quote ?? text}`;
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

/** The manifest of a document in which the page's agents may read and, under review, write everything. @since 0.1.0 */
export const documentManifest = createDocumentManifest();
