/** Nobody needs a longer address in a text. In characters. */
const LONGEST = 2_048;

const LINKS = new Set(['http', 'https', 'mailto']);
const IMAGES = new Set(['http', 'https']);

/** What a browser leaves out or reads as nothing in front of a scheme, and so could hide one. */
// eslint-disable-next-line no-control-regex
const UNSEEN = /[\u0000-\u0020\u007f-\u00a0\u00ad\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff]/;

/** What another reader of Markdown or HTML may take for a colon, in front of a path. */
const ENTITY = /^[^/?]*&(?:#|[a-z]+;)/i;

/**
 * Whether an address may stand in a document: http, https, mailto (links only) or relative. Anything that could be read
 * as another scheme is not.
 * @internal
 */
export function safeAddress(address: string, what: 'link' | 'image'): boolean {
	if (address === '' || address.length > LONGEST || UNSEEN.test(address) || ENTITY.test(address))
		return false;
	const head = /^[^/?#]*?:/.exec(address)?.[0];
	return head === undefined || (what === 'link' ? LINKS : IMAGES).has(head.slice(0, -1).toLowerCase());
}
