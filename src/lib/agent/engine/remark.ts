import { isObject } from '../journal/copy.js';
import type { Kinds, TouchAt } from '../journal/kinds.js';
import { at, keyed } from '../journal/memory.js';
import { CLEAN, join, sound } from '../protocol/labels.js';
import type { JournalRecord } from '../protocol/records.js';
import type { JSONValue, Label } from '../protocol/words.js';
import type { Core } from './core.js';
import { MASK } from './mask.js';

/** Does a record say what was written, and under which label? */
export const marks = ({ kind, data }: JournalRecord): boolean =>
	(kind === 'effect.settled' || kind === 'effect.late') &&
	(data as { marked?: JSONValue }).marked !== undefined;

interface Written {
	touch: TouchAt;
	label: Label;
	was: JSONValue | undefined;
}

/**
 * Labels of writes hold wherever what was written stands again: after a restore, a reload, a redo. Over all writes of a key
 * they are joined; what the last of them left tells whether a person has written there since.
 */
export function remark(core: Core, records: readonly JournalRecord[]): void {
	const all = new Map<string, Written>();
	for (const { data } of records.filter(marks).sort((a, b) => a.at - b.at)) {
		const done = data as unknown as Kinds['effect.settled'] & Kinds['effect.late'];
		for (const touch of done.marked!) {
			const label = join(all.get(at(touch))?.label ?? CLEAN, sound(done.written));
			all.set(at(touch), { touch, label, was: left(done, touch) });
		}
	}
	for (const { touch, label, was } of all.values()) core.mark(touch, label, false, was);
}

/** What a write left there, where its record tells all of it. */
function left({ content }: Partial<Kinds['effect.settled']>, touch: TouchAt): JSONValue | undefined {
	const state = isObject(content) && isObject(content.state) ? content.state : {};
	const was = (Object.hasOwn(state, keyed(touch)) ? state[keyed(touch)] : undefined) as JSONValue | undefined;
	const cut = (isObject(was) && Object.hasOwn(was, 'cut')) || JSON.stringify(was ?? null).includes(MASK);
	return cut ? undefined : was;
}
