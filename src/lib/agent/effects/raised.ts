import type { AgentRead } from '../capability/manifest.js';
import { join } from '../protocol/labels.js';
import type { Label } from '../protocol/words.js';

interface Raised {
	label: Label;
	/** Version that the write left behind. */
	version: string | number;
}

// By provider object, so that the label of a write holds for every engine of the page and goes with the component.
const raised = new WeakMap<object, Map<string, Raised>>();

const name = (read: string, key?: string): string => (key === undefined ? read : `${read}:${key}`);

/** Remembers under which label an agent wrote a key. @since 0.1.0 */
export function raise(
	provider: object,
	read: string,
	key: string | undefined,
	label: Label,
	version: string | number
): void {
	let marks = raised.get(provider);
	if (!marks) raised.set(provider, (marks = new Map()));
	const before = marks.get(name(read, key));
	marks.set(name(read, key), { label: before ? join(before.label, label) : label, version });
}

/**
 * The declared label of a read, joined with those of what agents wrote into it. A key that a person edited since then is
 * the person's again: that is known where the read declares that people write it.
 * @since 0.1.0
 */
export function raisedLabel<P extends object>(
	provider: P,
	read: string,
	declared: AgentRead<P>,
	label: Label,
	key?: string
): Label {
	const marks = raised.get(provider);
	if (!marks) return label;
	let out = label;
	for (const [marked, { label: written, version }] of marks) {
		const [of, ...rest] = marked.split(':');
		const markedKey = rest.length > 0 ? rest.join(':') : undefined;
		if (of !== read || (key !== undefined && markedKey !== undefined && markedKey !== key)) continue;
		if (declared.trust === 'user' && edited(provider, declared, markedKey, version)) {
			marks.delete(marked);
			continue;
		}
		out = join(out, written);
	}
	return out;
}

function edited<P>(
	provider: P,
	read: AgentRead<P>,
	key: string | undefined,
	version: string | number
): boolean {
	try {
		return read.version(provider, key) !== version;
	} catch {
		return false;
	}
}
