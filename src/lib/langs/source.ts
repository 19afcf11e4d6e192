import { keyInWords } from './key-in-words.js';
import type { EarlyLanguage } from './language.js';
import { nameIn } from './name.js';

/** What an address in a label is about. @since 0.1.0 */
export interface Source {
	/** `name` and `description`: words by which an instance is known, and not what it holds. */
	kind: 'read' | 'attachment' | 'name' | 'description' | 'other';
	/** Id of the instance, name of the attachment, or the address itself. */
	of: string;
	read?: string;
	key?: string;
}

/** Takes an address of a label apart: `invoice.values:amount`, `attachment:bill.txt`, `invoice (name)`. @since 0.1.0 */
export function sourceOf(address: string): Source {
	const [, instance, read, key] = /^([^.:]+)\.([^:]+)(?::(.*))?$/s.exec(address) ?? [];
	if (instance !== undefined && read !== undefined)
		return { kind: 'read', of: instance, read, ...(key !== undefined && { key }) };
	const [, known, words] = /^(.+) \((name|description)\)$/s.exec(address) ?? [];
	if (known !== undefined) return { kind: words as 'name' | 'description', of: known };
	return address.startsWith('attachment:')
		? { kind: 'attachment', of: address.slice('attachment:'.length) }
		: { kind: 'other', of: address };
}

/**
 * Addresses in words, each instance once with all that is meant of it, in the order in which they came: "the text and name
 * of Letter". What the person said themself is no source to look at.
 * @param name an instance, fit to stand in a sentence
 * @param part label of a key of a read, where anybody gave it one: a key is for machines
 * @since 0.1.0
 */
export function sourceNames(
	addresses: readonly string[],
	lang: EarlyLanguage,
	name: (instance: string) => string,
	part: (instance: string, key: string) => string | undefined = () => undefined
): readonly string[] {
	const words = lang.sources;
	const all = new Map<string, { say: (parts: readonly string[]) => string; parts: Set<string> }>();
	for (const address of addresses) {
		if (address === 'goal') continue;
		const { kind, of, read = '', key } = sourceOf(address);
		const at = kind === 'attachment' ? address : of;
		const one = all.get(at) ?? {
			say: (parts) =>
				kind === 'attachment'
					? words.attachment(nameIn(lang, of, { foreign: true }))
					: parts.length === 0
						? name(of)
						: words.source(name(of), parts),
			parts: new Set()
		};
		all.set(at, one);
		const keyed = key === undefined ? undefined : part(of, key);
		if (kind === 'read') one.parts.add(nameIn(lang, keyed ?? keyInWords(read).toLowerCase()));
		else if (kind === 'name' || kind === 'description') one.parts.add(words.knownBy[kind]);
	}
	return [...new Set(Array.from(all.values(), ({ say, parts }) => say([...parts])))];
}

/** Addresses that came with a reason: where what led to it, or what would go along, comes from. @since 0.1.0 */
export interface Trace {
	sources: readonly string[];
	/** By argument, where that is known. */
	args: Readonly<Record<string, readonly string[]>>;
}

/** What a reason says about where things come from; nothing of it is taken on trust. @since 0.1.0 */
export function traceOf({ data }: { data?: unknown }): Trace {
	const { sources, args } = (typeof data === 'object' && data !== null ? data : {}) as Record<
		string,
		unknown
	>;
	const by = typeof args === 'object' && args !== null ? Object.entries(args) : [];
	return {
		sources: texts(sources),
		args: Object.fromEntries(by.map(([name, from]) => [name, texts(from)]))
	};
}

/** What the person said themself is no source to look at. */
const texts = (list: unknown): readonly string[] =>
	Array.isArray(list) ? list.filter((one): one is string => typeof one === 'string' && one !== 'goal') : [];
