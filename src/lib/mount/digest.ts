/**
 * A short name for a plain value: equal for equal values, whatever the order of keys. Not for secrets; only tells whether
 * something moved.
 * @internal
 */
export function digest(value: unknown): string {
	const text =
		JSON.stringify(value, (_key, part: unknown) =>
			typeof part === 'object' && part !== null && !Array.isArray(part)
				? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
				: part
		) ?? 'undefined';
	return mix(text, 0) + mix(text, 0x9e3779b9);
}

/** Two multiplicative hashes side by side, 53 bits in all. */
function mix(text: string, seed: number): string {
	let a = 0xdeadbeef ^ seed;
	let b = 0x41c6ce57 ^ seed;
	for (let at = 0; at < text.length; at++) {
		const code = text.charCodeAt(at);
		a = Math.imul(a ^ code, 2654435761);
		b = Math.imul(b ^ code, 1597334677);
	}
	a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
	b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
	return (4294967296 * (2097151 & b) + (a >>> 0)).toString(36);
}
