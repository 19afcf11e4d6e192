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
