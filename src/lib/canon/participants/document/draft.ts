import { closeHistory } from 'prosemirror-history';
import type { Node } from 'prosemirror-model';
import type { EditorState, Transaction } from 'prosemirror-state';
import type { Actor } from '../../../actor/index.js';
import { idOf, placesIn } from './blocks/index.js';
import { type DocumentRefusal, no, type Plan } from './edits/index.js';
import { ghostKey } from './ghost/index.js';
import { type Provenance, stampInserted } from './provenance/index.js';
import { edit, runs } from './timeline/index.js';

/** What a change came to, in the document after it. @internal */
export interface Outcome {
	readonly ok: true;
	/** Nodes that stood in its place before, and that stand there now. */
	readonly before: readonly Node[];
	readonly after: readonly Node[];
	/** Ids of the blocks that stand there now, outermost alone. */
	readonly blocks: readonly string[];
	/** Ids of every block it may have changed, those around and inside included. */
	readonly all: readonly string[];
}

/**
 * Writes a plan into a transaction and looks at what came of it. A plan that does not fit after all, or changes nothing, is
 * refused; the transaction is then thrown away.
 * @internal
 */
export function drafted(plan: Plan, tr: Transaction): Outcome | DocumentRefusal {
	const start = tr.steps.length;
	const old = tr.doc;
	try {
		plan.write(tr);
		if (tr.steps.length === start || tr.doc.eq(old)) return no('nothing');
		const range = [
			tr.mapping.slice(start).map(plan.from, -1),
			tr.mapping.slice(start).map(plan.to, 1)
		] as const;
		for (const node of childrenIn(tr.doc, ...range)) node.check();
		if (!tr.doc.type.validContent(tr.doc.content)) return no('place');
		return outcome(plan, old, tr.doc, range);
	} catch (error) {
		// Steps say with an exception that they do not fit.
		return no('place', error instanceof Error ? error.message : undefined);
	}
}

function outcome(plan: Plan, old: Node, doc: Node, [from, to]: readonly [number, number]): Outcome {
	const after = nodesBetween(doc, from, to);
	const blocks = after.flatMap((node) => idOf(node) ?? firstIds(node));
	const all = placesIn(doc, Math.max(0, from), Math.min(doc.content.size, to)).map(({ block }) => block.id);
	return {
		ok: true,
		before: nodesBetween(old, plan.from, plan.to),
		after,
		blocks,
		all: [...new Set([...all, ...blocks])]
	};
}

/** The nodes between two borders of one parent. */
function nodesBetween(doc: Node, from: number, to: number): readonly Node[] {
	const nodes: Node[] = [];
	if (from < to) doc.slice(from, to).content.forEach((node) => void nodes.push(node));
	return nodes;
}

/** Children of the document that a range touches. */
function childrenIn(doc: Node, from: number, to: number): readonly Node[] {
	const nodes: Node[] = [];
	doc.forEach((node, pos) => {
		if (pos <= to && pos + node.nodeSize >= from) nodes.push(node);
	});
	return nodes;
}

/** Of what is no block itself, as an item of a list: the first ones inside it. */
function firstIds(node: Node): readonly string[] {
	const ids: string[] = [];
	node.forEach((child) => {
		const id = child.isInline ? undefined : idOf(child);
		if (id !== undefined) ids.push(id);
		else if (!child.isLeaf && !child.isTextblock) ids.push(...firstIds(child));
	});
	return ids;
}

/** Does this actor write on somebody's behalf? @internal */
export const delegated = ({ kind, run }: Actor): boolean =>
	kind === 'agent' || ((kind === 'rule' || kind === 'outside') && run !== undefined);

/** What is noted as the writer of new words; nobody where the person or the app acts. @param at time in ms @internal */
export const writtenBy = (by: Actor, at: number): Provenance | undefined =>
	delegated(by)
		? { run: by.run ?? '', agent: by.id, name: by.name ?? null, version: by.version ?? null, at }
		: undefined;

/**
 * The transaction of a change, as it is for the one who acts: a run's stands outside of the person's history and says who
 * wrote it; anybody else's is an ordinary step.
 * @param written of the new words
 * @internal
 */
export function draftOf(
	state: EditorState,
	plan: Plan,
	by: Actor,
	written: Provenance | undefined
): { readonly ok: true; readonly tr: Transaction; readonly outcome: Outcome } | DocumentRefusal {
	const { run, step } = by;
	let outcome: Outcome | DocumentRefusal = no('nothing');
	const fill = (tr: Transaction): Transaction => {
		outcome = drafted(plan, tr);
		if (outcome.ok && plan.stamps && written) stampInserted(tr, written);
		// What was painted and what is written change places.
		if (step !== undefined) tr.setMeta(ghostKey, { clear: step });
		// A link that is written is one somebody was asked about; an editor that links bare addresses by itself is told to wait.
		return delegated(by) ? tr.setMeta('preventAutolink', true) : tr;
	};
	let tr: Transaction;
	if (!delegated(by) || run === undefined) tr = fill(state.tr);
	else {
		tr = edit(state, run, fill);
		// What the person types before and after the run is two events of theirs, not one with a run in it.
		if (!runs(state).some((one) => one.run === run)) tr = closeHistory(tr);
	}
	const out = outcome as Outcome | DocumentRefusal;
	const carried = out.ok ? plan.carry?.(tr, state.selection) : undefined;
	// A selection set anew would forget that the person has just switched bold on.
	if (carried) tr.setSelection(carried).setStoredMarks(state.storedMarks);
	return out.ok ? { ok: true, tr, outcome: out } : out;
}
