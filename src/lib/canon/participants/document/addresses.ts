import type { Attrs, Node } from 'prosemirror-model';

/** Somewhere a document leads or loads from: a `link` waits for a click, an `image` (or what else is loaded) does not. @since 0.1.0 */
export interface DocumentAddress {
	readonly kind: 'link' | 'image';
	readonly address: string;
}

/** Attributes that hold an address, whatever the schema calls the node or the mark. */
const KINDS: Readonly<Record<string, DocumentAddress['kind']>> = {
	href: 'link',
	cite: 'link',
	src: 'image',
	srcset: 'image',
	poster: 'image',
	data: 'image',
	background: 'image'
};

/** By what two of them are the same. */
const nameOf = ({ kind, address }: DocumentAddress): string => `${kind} ${address}`;

function addressesIn(nodes: readonly Node[]): Map<string, DocumentAddress> {
	const found = new Map<string, DocumentAddress>();
	const look = (attrs: Attrs): void => {
		for (const [name, kind] of Object.entries(KINDS)) {
			const value: unknown = attrs[name];
			if (typeof value !== 'string' || value === '') continue;
			const one = { kind, address: value };
			found.set(nameOf(one), one);
		}
	};
	const visit = (node: Node): void => {
		look(node.attrs);
		for (const mark of node.marks) look(mark.attrs);
		node.forEach(visit);
	};
	nodes.forEach(visit);
	return found;
}

/** Addresses in `after` that were not in `before`, told from the nodes: what no reader of Markdown made a link of is none. @internal */
export function addressesBrought(
	before: readonly Node[],
	after: readonly Node[]
): readonly DocumentAddress[] {
	const known = addressesIn(before);
	return [...addressesIn(after).values()].filter((one) => !known.has(nameOf(one)));
}
