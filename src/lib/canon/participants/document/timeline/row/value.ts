import type { Attrs, Mark, NodeType } from 'prosemirror-model';

/**
 * What can be changed on a token without taking it out, as a key: `type`, `a:<attribute>`, `m:<mark>`. A mark that may
 * stand twice on one text (a comment) has its attributes in its key.
 */
export type ValueKey = string;

/**
 * Somebody changed a value: what it was, what it is now. The mark itself or null under `m:`, a type's name under `type`.
 * @since 0.1.0
 */
export interface Op {
	readonly key: ValueKey;
	/**
	 * The run, or NOBODY. A person's change is final: it wipes the runs' ops of its key. It is noted, as nobody's, only
	 * where a run may turn the type into one that does not know the attribute, so that it is still there afterwards.
	 */
	readonly by: string;
	readonly was: unknown;
	readonly now: unknown;
}

/** A difference in one value, before it is known whose it is. */
export type Change = Omit<Op, 'by'>;

export const NO_OPS: readonly Op[] = [];

/** The author of an op that never stands: what it found holds where no run says anything else. */
export const NOBODY = '';

/** Ops that runs have a part in; what nobody else's change could hide needs no note. */
export const pruned = (ops: readonly Op[]): readonly Op[] =>
	ops.every((op) => op.by === NOBODY) ? NO_OPS : ops;

/** The key of a mark. */
export const markKey = (mark: Mark): ValueKey =>
	mark.type.excludes(mark.type) ? `m:${mark.type.name}` : `m:${mark.type.name}${JSON.stringify(mark.attrs)}`;

/** Same plain JSON, same mark? */
export const sameValue = (a: unknown, b: unknown): boolean =>
	a === b ||
	(typeof a === 'object' && typeof b === 'object' && a !== null && b !== null
		? JSON.stringify(a) === JSON.stringify(b)
		: false);

/** Does the run stand? */
export type Stands = (run: string) => boolean;

/** The value of `key`: what the last op says whose author stands, else what the first one found. */
export function valueOf(ops: readonly Op[], key: ValueKey, stands: Stands): unknown {
	let first: Op | undefined;
	let last: Op | undefined;
	for (const op of ops) {
		if (op.key !== key) continue;
		first ??= op;
		if (stands(op.by)) last = op;
	}
	return last ? last.now : first?.was;
}

/** The keys of these ops, each once, in order. */
export const keysOf = (ops: readonly Op[]): ValueKey[] => [...new Set(ops.map((op) => op.key))];

/** What carries values: a node, a tag. */
export interface Valued {
	readonly type: NodeType;
	readonly attrs: Attrs;
	readonly marks: readonly Mark[];
}

/** In which marks two sets differ. */
export function markChanges(before: readonly Mark[], after: readonly Mark[]): Change[] {
	const out: Change[] = [];
	for (const key of new Set([...before, ...after].map(markKey))) {
		const was = before.find((mark) => markKey(mark) === key) ?? null;
		const now = after.find((mark) => markKey(mark) === key) ?? null;
		if (!sameValue(was, now)) out.push({ key, was, now });
	}
	return out;
}

/** In which values two nodes differ: type, attributes, marks; their content aside. */
export function changes(before: Valued, after: Valued): Change[] {
	const out: Change[] = [];
	if (before.type !== after.type) out.push({ key: 'type', was: before.type.name, now: after.type.name });
	for (const name of new Set([...Object.keys(before.attrs), ...Object.keys(after.attrs)]))
		if (!sameValue(before.attrs[name], after.attrs[name]))
			out.push({ key: `a:${name}`, was: before.attrs[name], now: after.attrs[name] });
	return [...out, ...markChanges(before.marks, after.marks)];
}
