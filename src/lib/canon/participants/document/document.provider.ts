import { carry, currentCause } from '../../../actor/index.js';
import type { EmissionListener } from '../../../uix/sema/index.js';
import { createRuntime, type Runtime } from '../../../uix/soma/index.js';
import type { Transaction } from 'prosemirror-state';
import type { EditorView } from 'prosemirror-view';
import { addressesBrought, type DocumentAddress } from './addresses.js';
import { blockIdsKey, canHaveIds, type DocumentPart, newBlockId, openIn } from './blocks/index.js';
import { busy, composed } from './composition.js';
import { documentMorfo } from './document.morfo.js';
import { delegated, drafted, draftOf, type Outcome, writtenBy } from './draft.js';
import {
	anchorPos,
	type DocumentAnchor,
	type DocumentChange,
	type DocumentContent,
	type DocumentFormat,
	type DocumentRefusal,
	type MarkdownLimits,
	no,
	type Plan,
	planOf
} from './edits/index.js';
import { clearGhost, paintGhost } from './ghost/index.js';
import { tidied, toMarkdown } from './markdown/index.js';
import { endorse } from './origins/index.js';
import { acceptProvenance, type Provenance } from './provenance/index.js';
import { reachesOut } from './reach.js';
import { DocumentReader } from './reader.js';
import { endRun, redoRun, runs, timelineKey, undoRun } from './timeline/index.js';
import { type DocumentUndo, keptOf, leftOf, nothingTo, notUndone } from './kept.js';
import { isGone, type ViewSource } from './view.js';
import { noteWriter } from './writers.js';

/** What {@link createDocumentProvider} takes. @since 0.1.0 */
export interface DocumentOptions {
	/** What a text handed over as content is. @default 'markdown' */
	format?: 'markdown' | 'text';
	/** What is taken of Markdown. @default everything the editor's schema can hold */
	markdown?: MarkdownLimits;
	/** Hears the document's semantic events. */
	onemit?: EmissionListener;
	/** Time in ms, for provenance and comments. @default Date.now */
	now?: () => number;
}

/** What was written: ids of the blocks that stand there now, and the hash of every block it may have changed. @since 0.1.0 */
export type DocumentReport =
	| {
			readonly ok: true;
			readonly blocks: readonly string[];
			readonly versions: Readonly<Record<string, string>>;
	  }
	| DocumentRefusal;

/**
 * What a change would do, in Markdown, and the addresses it brings: links and images that what it takes the place of did not
 * have.
 * @since 0.1.0
 */
export type DocumentTrial =
	| {
			readonly ok: true;
			readonly before: string;
			readonly after: string;
			readonly brings: readonly DocumentAddress[];
	  }
	| DocumentRefusal;

/** How a write waits for a composition. @since 0.1.0 */
export interface WriteOptions {
	signal?: AbortSignal;
	/** ms until the wait is given up. @default 10,000 */
	timeoutMs?: number;
	/** Asked after a wait, in the tick of the write: why it is to be dropped after all. */
	still?: () => DocumentRefusal | undefined;
}

/** What is accepted: a block, a run, or everything. @since 0.1.0 */
export type Acceptance = { readonly block: string } | { readonly run: string };

/** The event each change is told as. */
const EVENTS = {
	insert: 'insert',
	rewrite: 'rewrite',
	rewriteSection: 'rewrite',
	rewriteSelection: 'rewrite',
	replaceText: 'rewrite',
	remove: 'remove',
	move: 'move',
	format: 'format',
	comment: 'comment'
} as const;

/**
 * The life of a document, the same for the app and for whoever writes in it: reads, writes of one transaction each, undo of
 * a run, and the knowledge of who wrote what. Knows nothing of agents; it asks who acts now. What a run writes stands
 * outside the person's history and never moves the caret; what anybody else writes is a step of that history.
 * @since 0.1.0
 */
export class DocumentProvider extends DocumentReader {
	readonly #format: 'markdown' | 'text';
	readonly #markdown: MarkdownLimits;
	readonly #now: () => number;
	readonly #runtime: Runtime<typeof documentMorfo>;

	constructor(
		source: ViewSource,
		{ format = 'markdown', markdown = {}, onemit, now = Date.now }: DocumentOptions = {}
	) {
		super(source);
		this.#format = format;
		this.#markdown = markdown;
		this.#now = now;
		this.#runtime = createRuntime({
			morfo: documentMorfo,
			element: () => this.element(),
			...(onemit && { onemit })
		});
		this.meet();
	}

	/** What a text handed over as content is. */
	get contentFormat(): 'markdown' | 'text' {
		return this.#format;
	}

	/** What a change would do, or why it would be refused. Does nothing. */
	check(change: DocumentChange): DocumentTrial {
		const found = this.#plan(change);
		if (!found.ok) return found;
		const outcome = drafted(found.plan, found.view.state.tr);
		if (!outcome.ok) return outcome;
		const { before, after } = outcome;
		return {
			ok: true,
			before: toMarkdown(before),
			after: toMarkdown(after),
			brings: addressesBrought(before, after)
		};
	}

	/** Why a change would reach out of a part of the document: it touches what is outside, or alters what is. Does nothing. */
	leaves(change: DocumentChange, part: DocumentPart): DocumentRefusal | undefined {
		const found = this.#plan(change);
		return found.ok ? reachesOut(found.view.state, found.plan, part) : undefined;
	}

	/** Ids of the blocks that make up a part of the document. */
	blocksOf(part: DocumentPart): ReadonlySet<string> {
		const state = this.editor();
		return state ? openIn(state.doc, state.selection, part) : new Set();
	}

	/** Makes a change, in one transaction, or refuses. While the person composes in a block it touches: `composing`. */
	apply(change: DocumentChange): DocumentReport {
		const found = this.#plan(change);
		if (!found.ok) return found;
		const { view, plan, written } = found;
		const by = currentCause();
		if (by.kind !== 'human' && busy(view, plan)) return no('composing');
		const draft = draftOf(view.state, plan, by, written);
		if (!draft.ok) return draft;
		return this.#runtime.trigger(EVENTS[change.kind], {
			payload: { blocks: draft.outcome.blocks },
			handler: () => {
				const taken = this.#dispatch(view, draft.tr);
				if (taken && written) noteWriter(view, written);
				return taken ? this.#report(draft.outcome) : no('prevented');
			}
		});
	}

	/**
	 * Makes a change as soon as the person's composition allows: at once where nothing is composed there, else when it has
	 * ended, found anew at that moment.
	 */
	write(
		change: DocumentChange,
		{ signal, timeoutMs, still }: WriteOptions = {}
	): DocumentReport | Promise<DocumentReport> {
		const report = this.apply(change);
		if (report.ok || report.code !== 'composing') return report;
		const again = carry((): DocumentReport => still?.() ?? this.apply(change));
		return this.#composed(change, signal, timeoutMs).then((refused) => refused ?? again());
	}

	/** Puts content in: behind a block, at the start or the end, or behind the block the caret stands in. */
	insert(at: DocumentAnchor, content: DocumentContent): DocumentReport {
		return this.apply({ kind: 'insert', at, content });
	}

	/** Writes a block anew; words that stay keep who wrote them, and what the person types beside them. */
	rewrite(id: string, content: DocumentContent): DocumentReport {
		return this.apply({ kind: 'rewrite', id, content });
	}

	/** Writes what stands under a heading anew; content that begins with a heading takes the place of the old one. */
	rewriteSection(heading: string, content: DocumentContent): DocumentReport {
		return this.apply({ kind: 'rewriteSection', id: heading, content });
	}

	/** Writes over what is selected. */
	rewriteSelection(content: DocumentContent): DocumentReport {
		return this.apply({ kind: 'rewriteSelection', content });
	}

	/** Puts other words in the place of some that stand in a block exactly so. */
	replaceText(id: string, find: string, text: string, options: { all?: boolean } = {}): DocumentReport {
		return this.apply({ kind: 'replaceText', id, find, text, ...options });
	}

	/** Takes a block out. Where something has to stay, its place stays empty. */
	remove(id: string): DocumentReport {
		return this.apply({ kind: 'remove', id });
	}

	/** Moves a block as it is, an item with its list's mark. */
	move(id: string, to: 'start' | 'end' | { readonly after: string }): DocumentReport {
		return this.apply({ kind: 'move', id, to });
	}

	/** Puts a mark on a block or a quote of it, or makes it another kind of textblock. */
	format(id: string, format: DocumentFormat): DocumentReport {
		return this.apply({ kind: 'format', id, format });
	}

	/** Puts a comment on a block or a quote of it. */
	comment(id: string, text: string, quote?: string): DocumentReport {
		return this.apply({ kind: 'comment', id, text, ...(quote !== undefined && { quote }) });
	}

	/**
	 * Takes back exactly what a run wrote, at any later time; words of others that stand inside it stay and are counted. Waits
	 * for a composition. In a read-only editor nothing is changed, and the report says so.
	 */
	undo(run: string): DocumentUndo | Promise<DocumentUndo> {
		return this.#turn(run, 'undo');
	}

	/** Puts back what {@link undo} took. */
	redo(run: string): DocumentUndo | Promise<DocumentUndo> {
		return this.#turn(run, 'redo');
	}

	/** The run is over: from here it is one step that Mod-z takes back. Without it a run stays open. */
	end(run: string): void {
		const view = this.meet();
		if (!view || !runs(view.state).some((one) => one.run === run && one.live)) return;
		view.dispatch(endRun(view.state, run));
		this.#busy(view);
	}

	/**
	 * Shows text that is still arriving, beside the content: nothing is written, nothing is spoken, the caret stays.
	 * @param key what the next call of it continues; for a step its id, then the write takes its place
	 * @param at where it is to enter; of a block to be rewritten its id: it then stands below
	 * @returns whether it can be seen; never in a read-only editor, where nothing can come of it
	 */
	paint(key: string, at: DocumentAnchor, text: string): boolean {
		const view = this.view();
		const pos = view && anchorPos(view.state, at);
		if (!view?.editable || typeof pos !== 'number') return false;
		const by = currentCause();
		return paintGhost(view, { key, pos, text: tidied(text), ...(delegated(by) && { agent: by.id }) });
	}

	/** Takes away what {@link paint} showed. */
	unpaint(key: string): void {
		const view = this.meet();
		if (view) clearGhost(view, key);
	}

	/**
	 * The person takes the words for their own: the marks of who wrote them go.
	 * @param what @default everything
	 * @returns whether any went; never in a read-only editor
	 */
	accept(what?: Acceptance): boolean {
		const view = this.view();
		if (!view?.editable) return false;
		const { state } = view;
		const place = what && 'block' in what ? this.places().get(what.block) : undefined;
		if (what && 'block' in what && !place) return false;
		const { pos, end } = place ?? { pos: 0, end: state.doc.content.size };
		const range = what && 'run' in what ? what : { from: pos, to: end };
		const tr = acceptProvenance(state, range);
		if (!tr) return false;
		return this.#runtime.trigger('accept', {
			payload: what ?? {},
			handler: () => this.#dispatch(view, endorse(tr, range))
		});
	}

	/** Hears the document's semantic events; returns how to stop. */
	subscribe(listener: EmissionListener): () => void {
		return this.#runtime.subscribe(listener);
	}

	protected override met(view: EditorView): void {
		this.#busy(view);
	}

	/** A change against the state as it is now. */
	#plan(
		change: DocumentChange
	): { ok: true; view: EditorView; plan: Plan; written: Provenance | undefined } | DocumentRefusal {
		const view = this.view();
		if (!view) return no(this.state === 'destroyed' ? 'destroyed' : 'not-ready');
		const { state } = view;
		if (!view.editable) return no('read-only');
		const by = currentCause();
		if (!blockIdsKey.get(state) || !canHaveIds(state.schema)) return no('unprepared');
		if (delegated(by) && by.run !== undefined && !timelineKey.get(state)) return no('unprepared');
		const at = this.#now();
		const written = writtenBy(by, at);
		const plan = planOf(
			{
				state,
				format: this.#format,
				markdown: this.#markdown,
				by: by.id,
				at,
				newId: () => newBlockId(state),
				...(written && { written })
			},
			change
		);
		return plan.ok ? { ok: true, view, plan, written } : plan;
	}

	/** Whether the editor took it: a filter of its own may have refused. */
	#dispatch(view: EditorView, tr: Transaction): boolean {
		const { doc } = view.state;
		view.dispatch(tr);
		this.#busy(view);
		return view.state.doc !== doc;
	}

	#report({ blocks, all }: Outcome): DocumentReport {
		const places = this.places();
		const here = all.filter((id) => places.has(id));
		return {
			ok: true,
			blocks: blocks.filter((id) => places.has(id)),
			versions: Object.fromEntries(here.map((id) => [id, places.get(id)!.block.hash]))
		};
	}

	/** Waits for a composition; why nothing may be written then. */
	async #composed(
		change: DocumentChange,
		signal?: AbortSignal,
		timeoutMs?: number
	): Promise<DocumentRefusal | undefined> {
		const view = this.view();
		if (!view) return no('destroyed');
		const reach = () => {
			const found = this.#plan(change);
			return found.ok ? { from: found.plan.from, to: found.plan.to } : { from: 0, to: 0 };
		};
		const ended = await composed(view, reach, {
			...(signal && { signal }),
			...(timeoutMs !== undefined && { timeoutMs })
		});
		if (ended === 'ready') return undefined;
		return no(ended === 'destroyed' ? 'destroyed' : 'composing');
	}

	#turn(run: string, way: 'undo' | 'redo'): DocumentUndo | Promise<DocumentUndo> {
		const view = this.view();
		if (!view) return notUndone(this.state === 'destroyed' ? 'destroyed' : 'not-ready');
		if (!busy(view, undefined)) return this.#turned(view, run, way) ?? notUndone('run-live');
		const go = carry(() =>
			isGone(view) ? notUndone('destroyed') : (this.#turned(view, run, way) ?? notUndone('run-live'))
		);
		return composed(view).then((ended) => {
			if (ended === 'ready') return go();
			return notUndone(ended === 'destroyed' ? 'destroyed' : 'composing');
		});
	}

	#turned(view: EditorView, run: string, way: 'undo' | 'redo'): DocumentUndo | undefined {
		if (!view.editable) return notUndone('read-only');
		const known = runs(view.state).find((one) => one.run === run);
		if (!known || known.stands === (way === 'redo')) return nothingTo(view.state.doc, run, way);
		if (known.live) return undefined;
		const turned = (way === 'undo' ? undoRun : redoRun)(view.state, run);
		if (!turned) return nothingTo(view.state.doc, run, way);
		return this.#runtime.trigger(way, {
			payload: { run },
			handler: () => {
				const steps = turned.tr.steps.length;
				if (!this.#dispatch(view, turned.tr) && steps > 0) return notUndone('prevented');
				return keptOf(turned.report, steps, way, leftOf(view.state.doc, run));
			}
		});
	}

	#busy({ dom, state }: EditorView): void {
		const live = timelineKey.get(state) !== undefined && runs(state).some((one) => one.live);
		const says = live ? 'busy' : 'idle';
		// The editor watches its element: what it says already is not said again.
		if (dom.getAttribute('data-state') !== says) dom.setAttribute('data-state', says);
	}
}

/**
 * Gives a document life over an editor's view, which may come later and go.
 * @example createDocumentProvider(() => editor?.view)
 * @since 0.1.0
 */
export function createDocumentProvider(source: ViewSource, options?: DocumentOptions): DocumentProvider {
	return new DocumentProvider(source, options);
}
