import type { EditorState } from 'prosemirror-state';
import type { EditorView } from 'prosemirror-view';
import {
	beginBlockIds,
	blockAt,
	type DocumentBlock,
	ensureBlockIds,
	hashOf,
	idOf,
	type Outline,
	outlineOf,
	type Place,
	placesIn,
	placesOf,
	spanOf
} from './blocks/index.js';
import { watchComposition } from './composition.js';
import { commentsIn, type DocumentComment } from './edits/index.js';
import { type FormatChange, formatsIn, placeOf } from './formats.js';
import { toHTML, toMarkdown } from './markdown/index.js';
import type { OriginRange } from './origins/index.js';
import { acceptProvenance, type Provenance, provenance, type ProvenanceRange } from './provenance/index.js';
import { type DocumentSelection, selectionOf } from './selection.js';
import { sourcesIn } from './sources.js';
import { isGone, viewOf, type ViewSource } from './view.js';
import { writerOfRun } from './writers.js';

/** A section of the document. @since 0.1.0 */
export interface DocumentSection {
	readonly heading: DocumentBlock;
	/** Children of the document in it, the heading first. */
	readonly blocks: readonly DocumentBlock[];
	readonly markdown: string;
	readonly hash: string;
}

/** Where a stretch of provenance stands. @since 0.1.0 */
export type DocumentProvenance = ProvenanceRange & { readonly block: string | undefined };

/** A format that a run gave, who wrote in that run and when last, and the block it stands in. @since 0.1.0 */
export type DocumentFormatted = FormatChange & {
	readonly by?: Pick<Required<Provenance>, 'agent' | 'name' | 'version' | 'at'>;
	readonly block: string | undefined;
};

const EMPTY: Outline = Object.freeze({ headings: [], before: 0, blocks: 0, words: 0 });

/** What can be read of a document, over a view that may come later and go. The reading half of the provider. @since 0.1.0 */
export class DocumentReader {
	readonly #source: ViewSource;
	#closed = false;
	#last: EditorView | undefined;
	#element: HTMLElement | undefined;

	constructor(source: ViewSource) {
		this.#source = source;
	}

	/** Is there an editor that could be written in? Its code otherwise: `not-ready`, `destroyed` or `read-only`. */
	get state(): 'ready' | 'not-ready' | 'destroyed' | 'read-only' {
		if (this.#closed) return 'destroyed';
		const view = this.meet();
		if (!view) return this.#last && isGone(this.#last) ? 'destroyed' : 'not-ready';
		return view.editable ? 'ready' : 'read-only';
	}

	/** Every block there is, in order: children of the document and the blocks of text inside them. */
	blocks(): readonly DocumentBlock[] {
		return [...this.places().values()].map(({ block }) => block);
	}

	/** One block. */
	block(id: string): DocumentBlock | undefined {
		return this.places().get(id)?.block;
	}

	/** The blocks of text inside a list, a quote, a table. */
	parts(id: string): readonly DocumentBlock[] {
		const state = this.editor();
		const place = this.places().get(id);
		if (!state || !place || place.node.isTextblock) return [];
		return placesIn(state.doc, place.pos, place.end).flatMap(({ block }) => (block.id === id ? [] : [block]));
	}

	/** The headings, and how much stands under each. */
	outline(): Outline {
		const state = this.editor();
		return state ? outlineOf(state.doc) : EMPTY;
	}

	/** A heading and all that stands under it, smaller sections included. */
	section(heading: string): DocumentSection | undefined {
		const state = this.editor();
		const place = this.places().get(heading);
		const span =
			state && place && place.block.inside === undefined ? spanOf(state.doc, place.index) : undefined;
		if (!state || !place || !span) return undefined;
		const nodes = Array.from({ length: span.to - span.from }, (_, at) => state.doc.child(span.from + at));
		const blocks = nodes.flatMap((node) => this.places().get(idOf(node) ?? '')?.block ?? []);
		return {
			heading: place.block,
			blocks,
			get markdown() {
				return blocks.map(({ markdown }) => markdown).join('\n\n');
			},
			hash: nodes.map(hashOf).join('.')
		};
	}

	/** Headings of the sections a block stands in, the largest first. */
	sectionsOf(id: string): readonly string[] {
		const state = this.editor();
		const place = this.places().get(id);
		if (!state || !place) return [];
		return this.outline().headings.flatMap(({ id: heading }) => {
			const at = this.places().get(heading);
			const span = at && spanOf(state.doc, at.index);
			return span && span.from <= place.index && place.index < span.to ? [heading] : [];
		});
	}

	/** What the person has selected, or where the caret stands. */
	selection(): DocumentSelection | undefined {
		const state = this.editor();
		return state && selectionOf(state);
	}

	/** Changes when what the document, or one block, says changes; `''` where there is none. Fast, and no secret. */
	version(id?: string): string {
		const state = this.editor();
		if (!state) return '';
		return id === undefined ? hashOf(state.doc) : (this.block(id)?.hash ?? '');
	}

	/**
	 * Where the text of a block comes from, by stretches; without an id that of the selection. What a run wrote into a mark or
	 * an attribute, as the address of a link, is a stretch of its own over the words it is about.
	 */
	origins(id?: string): readonly OriginRange[] {
		const state = this.editor();
		const place = id === undefined ? undefined : this.places().get(id);
		if (!state || (id !== undefined && !place)) return [];
		const { from, to } = place ? { from: place.pos, to: place.end } : state.selection;
		return sourcesIn(state, from, to, !place);
	}

	/** Every comment there is. */
	comments(): readonly DocumentComment[] {
		const state = this.editor();
		return state ? commentsIn(state.doc) : [];
	}

	/** What agents wrote and nobody accepted: which run, which agent, when, and where. */
	provenance(): readonly DocumentProvenance[] {
		const state = this.editor();
		if (!state) return [];
		return provenance(state.doc).map((range) => ({
			...range,
			block: blockAt(state.doc, range.from)?.block.id
		}));
	}

	/**
	 * What runs changed about words and blocks that are not their own: which run, which agent, and where. As long as the
	 * editor is open: words carry who wrote them, formats do not.
	 */
	formats(): readonly DocumentFormatted[] {
		const view = this.view();
		if (!view) return [];
		const { state } = view;
		const written = new Map(provenance(state.doc).map((range) => [range.run, range]));
		return formatsIn(state).map((change) => {
			const by = writerOfRun(view, change.run) ?? written.get(change.run);
			return {
				...change,
				...(by && { by: { agent: by.agent, name: by.name ?? null, version: by.version ?? null, at: by.at } }),
				block: blockAt(state.doc, placeOf(change, state.doc))?.block.id
			};
		});
	}

	/** The document as text or JSON. @param options.provenance whether it says what agents wrote @default false */
	export(options: { format: 'markdown' | 'html'; provenance?: boolean }): string;
	export(options: { format: 'json'; provenance?: boolean }): Readonly<Record<string, unknown>>;
	export({
		format,
		provenance: told = false
	}: {
		format: 'markdown' | 'html' | 'json';
		provenance?: boolean;
	}): string | Readonly<Record<string, unknown>> {
		const state = this.editor();
		if (!state) return format === 'json' ? {} : '';
		const { doc } = state;
		if (format === 'markdown') return toMarkdown(doc, { provenance: told });
		if (format === 'html') return toHTML(doc, { provenance: told });
		const plain = told ? doc : (acceptProvenance(state, { from: 0, to: doc.content.size })?.doc ?? doc);
		return plain.toJSON() as Readonly<Record<string, unknown>>;
	}

	/** Nothing is read or written through it any more; the editor stays as it is. */
	destroy(): void {
		this.#closed = true;
		// `data-participant` is of the plugins, which stay.
		this.#element?.removeAttribute('data-state');
	}

	/** The element of the editor that was there last. */
	protected element(): Element | undefined {
		return this.#element;
	}

	/** Called when a view is met for the first time. */
	protected met(_view: EditorView): void {}

	/** The editor as it is; {@link view} for one of whose blocks every one can be named. */
	protected meet(): EditorView | undefined {
		const view = this.#closed ? undefined : viewOf(this.#source);
		if (!view || view.isDestroyed) return undefined;
		if (view !== this.#last) {
			this.#last = view;
			this.#element = view.dom;
			watchComposition(view);
			this.met(view);
		}
		beginBlockIds(view);
		return view;
	}

	protected view(): EditorView | undefined {
		const view = this.meet();
		// A document that was set anew has no ids yet.
		if (view) ensureBlockIds(view);
		return view;
	}

	protected editor(): EditorState | undefined {
		return this.view()?.state;
	}

	protected places(): ReadonlyMap<string, Place> {
		const state = this.editor();
		return state ? placesOf(state.doc) : new Map<string, Place>();
	}
}
