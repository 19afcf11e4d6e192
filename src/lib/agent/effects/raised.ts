import type { AgentRead } from '../capability/manifest.js';
import { keyed } from '../journal/memory.js';
import { CLEAN, join } from '../protocol/labels.js';
import type { Label, Touch } from '../protocol/words.js';

interface Raised extends Touch {
	label: Label;
	/** Version that the write left behind; none while nobody knows whether it is still to land. */
	version: string | number | undefined;
	/** What stood there then. */
	text: string;
}

// By what stands for the provider, so that the label of a write holds for every engine of the page and goes with the component.
const raised = new WeakMap<object, Map<string, Raised>>();

/** Remembers under which label an agent wrote a key. @since 0.1.0 */
export function raise(
	holder: object,
	read: string,
	key: string | undefined,
	label: Label,
	version: string | number | undefined,
	value: unknown
): void {
	const marks = raised.get(holder) ?? new Map<string, Raised>();
	const name = keyed({ read, key });
	raised.set(
		holder,
		marks.set(name, {
			read,
			key,
			label: join(marks.get(name)?.label ?? CLEAN, label),
			version,
			text: bare(value)
		})
	);
}

/**
 * The declared label of a read, joined with those of what agents wrote into it. A key that a person wrote anew since then
 * is the person's again: that is known where the read declares that people write it. What still holds what the agent wrote,
 * however it was trimmed or formatted, is nobody else's.
 * @since 0.1.0
 */
export function raisedLabel<P>(
	holder: object,
	provider: P,
	read: string,
	declared: AgentRead<P>,
	label: Label,
	key?: string
): Label {
	let out = label;
	for (const [name, mark] of raised.get(holder) ?? []) {
		if (mark.read !== read || (key ?? mark.key) !== (mark.key ?? key)) continue;
		if (declared.trust === 'user' && edited(provider, declared, mark)) raised.get(holder)!.delete(name);
		else out = join(out, mark.label);
	}
	return out;
}

function edited<P>(provider: P, read: AgentRead<P>, { key, version, text }: Raised): boolean {
	if (version === undefined) return false;
	try {
		return read.version(provider, key) !== version && !holds(text, bare(read.read(provider, key)));
	} catch {
		return false;
	}
}

/** Shorter text is found by chance. */
const TELLING = 3;

function holds(before: string, now: string): boolean {
	if (before === now) return true;
	const [short, long] = before.length < now.length ? [before, now] : [now, before];
	return short.length >= TELLING && long.includes(short);
}

/** A value without what formatting changes. */
const bare = (value: unknown): string =>
	(JSON.stringify(value) ?? '').toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
