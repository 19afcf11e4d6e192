import { Fragment, Slice, type Node } from 'prosemirror-model';
import { ReplaceStep, type Step, Transform } from 'prosemirror-transform';
import { changeSiblings, children } from './block-steps.js';
import { Keys, type Ignored } from './same.js';

/** What {@link replaceBlocks} takes. @since 0.1.0 */
export interface ReplaceOptions {
	/**
	 * What else, besides ids and authorship, is no difference and stays as it is; see {@link beyondMarkdown}.
	 * @default nothing else
	 */
	ignore?: Ignored;
}

/** Whether blocks fit in a place, or why not. @since 0.1.0 */
export type Fit =
	{ readonly ok: true } | { readonly ok: false; readonly code: 'schema'; readonly text: string };

interface Row {
	readonly parent: Node;
	readonly from: number;
	readonly to: number;
}

function rowAt(doc: Node, from: number, to: number): Row {
	const $from = doc.resolve(from);
	const $to = doc.resolve(to);
	const whole = $from.sameParent($to) && !$from.parent.inlineContent && from <= to;
	if (!whole)
		throw new RangeError(
			'Give positions before and after whole blocks of one parent, such as those of blocks().'
		);
	return { parent: $from.parent, from: $from.index(), to: $to.index() };
}

/**
 * Whether {@link replaceBlocks} may make `[from, to)` become `nodes`: a list item must begin with a paragraph, a document
 * may not be empty.
 * @since 0.1.0
 */
export function canReplaceBlocks(doc: Node, from: number, to: number, nodes: readonly Node[]): Fit {
	const row = rowAt(doc, from, to);
	const fragment = Fragment.fromArray([...nodes]);
	if (row.parent.canReplace(row.from, row.to, fragment)) return { ok: true };
	const given = [...new Set(nodes.map(({ type }) => type.name))].join(', ') || 'nothing';
	const text = `A ${row.parent.type.name} takes "${row.parent.type.spec.content}"; ${given} does not fit there.`;
	return { ok: false, code: 'schema', text };
}

/**
 * Makes the whole sibling blocks of `[from, to)` become `nodes`, in the smallest steps: equal blocks are not touched; a
 * changed block keeps its id, and its words are compared, so that those which stay keep their identity, their marks, their
 * authorship, and whatever a person types beside them; a changed type or attribute is a change of the block alone. Ids and
 * authorship of the old content are no difference.
 *
 * Adds steps to `tr` and nothing else: no selection, no meta. Ask {@link canReplaceBlocks} first: blocks that do not fit
 * are a `RangeError`, with `tr` as it was.
 * @since 0.1.0
 */
export function replaceBlocks<Tr extends Transform>(
	tr: Tr,
	from: number,
	to: number,
	nodes: readonly Node[],
	{ ignore }: ReplaceOptions = {}
): Tr {
	const fit = canReplaceBlocks(tr.doc, from, to, nodes);
	if (!fit.ok) throw new RangeError(`${fit.text} Ask canReplaceBlocks() before.`);
	const row = rowAt(tr.doc, from, to);
	const old = children(row.parent).slice(row.from, row.to);
	const keys = new Keys(ignore);
	const work = new Transform(tr.doc);
	changeSiblings(work, from, old, nodes, keys);
	take(tr, reached(work, from, nodes, keys) ? work : whole(tr.doc, from, to, nodes));
	return tr;
}

/** Adds steps that were tried on the very document: applied a second time they would cost as much again. */
function take(tr: Transform, { steps, docs, doc }: Transform): void {
	// How a transform notes a step it has applied; its types do not tell of it.
	const noting = tr as Transform & { addStep?(step: Step, doc: Node): void };
	steps.forEach((step, at) => {
		if (noting.addStep) noting.addStep(step, docs[at + 1] ?? doc);
		else tr.step(step);
	});
}

function reached(work: Transform, from: number, nodes: readonly Node[], keys: Keys): boolean {
	const $from = work.doc.resolve(from);
	const index = $from.index();
	return nodes.every((node, at) => {
		const now = $from.parent.maybeChild(index + at);
		return now !== null && keys.node(now) === keys.node(node);
	});
}

/** One step: marks that shut each other out can make it the only way. */
const whole = (doc: Node, from: number, to: number, nodes: readonly Node[]): Transform =>
	new Transform(doc).step(new ReplaceStep(from, to, new Slice(Fragment.fromArray([...nodes]), 0, 0)));
