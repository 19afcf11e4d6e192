import type { AgentRead } from '../capability/manifest.js';
import type { Entry } from '../capability/registry.js';
import { keyed } from '../journal/memory.js';
import { CLEAN, join } from '../protocol/labels.js';
import type { Label, Touch } from '../protocol/words.js';

interface Raised extends Touch {
	label: Label;
	/** Version that the write left behind; none while nobody knows whether it is still to land. */
	version: string | number | undefined;
	/** What stood there then. */
	text: string;
	/** Which component was written into. */
	holder: object;
}

/** A component, and the place where it stands. */
type Where = Pick<Entry, 'identity' | 'place'>;

// By what stands for the provider, so that the label of a write holds for every engine of the page and goes with the
// component; and by its place, where another component may come to hold the same content.
const raised = new WeakMap<object, Map<string, Raised>>();

/** Remembers under which label an agent wrote a key. @since 0.1.0 */
export function raise(
	where: Where,
	read: string,
	key: string | undefined,
	label: Label,
	version: string | number | undefined,
	value: unknown
): void {
	const holder = where.identity()!;
	const name = keyed({ read, key });
	for (const on of [holder, where.place]) {
		const marks = raised.get(on) ?? new Map<string, Raised>();
		const all = join(marks.get(name)?.label ?? CLEAN, label);
		raised.set(on, marks.set(name, { read, key, label: all, version, text: bare(value), holder }));
	}
}

/**
 * The declared label of a read, joined with those of what agents wrote into it. A key that a person wrote anew since then
 * is the person's again: that is known where the read declares that people write it. What still holds what the agent wrote,
 * however it was trimmed or formatted, is nobody else's, and no remount makes it so.
 * @since 0.1.0
 */
export function raisedLabel<P>(
	where: Where,
	provider: P,
	read: string,
	declared: AgentRead<P>,
	label: Label,
	key?: string
): Label {
	const holder = where.identity()!;
	let out = label;
	for (const on of [holder, where.place]) {
		const marks = raised.get(on);
		// Of one key: its own, and that of the whole.
		const names = key === undefined ? marks?.keys() : [keyed({ read, key }), read];
		for (const name of names ?? []) {
			const mark = marks?.get(name);
			if (mark?.read !== read) continue;
			if (mark.holder === holder) {
				if (declared.trust === 'user' && edited(provider, declared, mark)) marks!.delete(name);
				else out = join(out, mark.label);
			} else if (mark.text !== '' && stands(provider, declared, mark)) out = join(out, mark.label);
		}
	}
	return out;
}

function edited<P>(provider: P, read: AgentRead<P>, mark: Raised): boolean {
	const { key, version } = mark;
	if (version === undefined || read.sensitivity === 'secret') return false;
	try {
		return read.version(provider, key) !== version && !stands(provider, read, mark);
	} catch {
		return false;
	}
}

/** Shorter text is found by chance. */
const TELLING = 3;

/** Is what was written there still, or most of it? What cannot be read may be. */
function stands<P>(provider: P, read: AgentRead<P>, { key, text }: Raised): boolean {
	try {
		return contains(text, bare(read.read(provider, key)));
	} catch {
		return true;
	}
}

/** Does a value still hold what was written, however it was trimmed or formatted? @internal */
export const isStanding = (was: unknown, now: unknown): boolean => contains(bare(was), bare(now));

function contains(text: string, now: string): boolean {
	const [short, long] = text.length < now.length ? [text, now] : [now, text];
	return text === now || (short.length >= TELLING && long.includes(short));
}

/** A value without what formatting changes. */
const bare = (value: unknown): string =>
	(JSON.stringify(value) ?? '').toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
