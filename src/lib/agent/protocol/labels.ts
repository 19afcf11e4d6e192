import type { Label, Origin } from './words.js';

const RANK = { public: 0, page: 1, private: 2 } as const;

/** The label of nothing: joined with any other it changes nothing. @since 0.1.0 */
export const CLEAN: Label = Object.freeze({
	integrity: 'trusted',
	confidentiality: 'public',
	origins: Object.freeze([]) as readonly Origin[],
	sources: Object.freeze([]) as readonly string[]
});

/** What is assumed where nothing was declared: untrusted and private. @since 0.1.0 */
export const UNKNOWN: Label = Object.freeze({
	integrity: 'untrusted',
	confidentiality: 'private',
	origins: Object.freeze(['imported'] as const),
	sources: Object.freeze([]) as readonly string[]
});

/** A trusted label of one origin. @since 0.1.0 */
export const from = (
	origin: Origin,
	confidentiality: Label['confidentiality'] = 'public',
	sources: readonly string[] = []
): Label => ({ integrity: 'trusted', confidentiality, origins: [origin], sources });

/** A list longer than this is looked up. */
const MANY = 8;

// A list that is frozen stands in every label of its run.
const known = new WeakMap<readonly unknown[], ReadonlySet<unknown>>();

function lookup(list: readonly unknown[]): (item: unknown) => boolean {
	if (list.length <= MANY || !Object.isFrozen(list)) return (item) => list.includes(item);
	let set = known.get(list);
	if (!set) known.set(list, (set = new Set(list)));
	return (item) => set.has(item);
}

const covers = (list: readonly unknown[], part: readonly unknown[]): boolean =>
	part.length === 0 || part === list || part.every(lookup(list));

/** All that is in either list: one of the two, where it has the other in it. */
const union = <T>(a: readonly T[], b: readonly T[]): readonly T[] =>
	covers(a, b) ? a : covers(b, a) ? b : [...new Set([...a, ...b])];

/**
 * Join of two labels: the worst of each part. Never lowers either. Where one is no worse than the other it is that other, the
 * same object: what is worked out from a label is worked out once.
 * @see FIDES (Costa et al. 2025) and CaMeL (Debenedetti et al. 2025) for joins on everything that enters a context
 * @since 0.1.0
 */
export function join(a: Label, b: Label): Label {
	if (a === b || b === CLEAN) return a;
	if (a === CLEAN) return b;
	const origins = union(a.origins, b.origins);
	const sources = union(a.sources, b.sources);
	const integrity = b.integrity === 'untrusted' ? 'untrusted' : a.integrity;
	const confidentiality =
		RANK[b.confidentiality] > RANK[a.confidentiality] ? b.confidentiality : a.confidentiality;
	const is = (one: Label): boolean =>
		origins === one.origins &&
		sources === one.sources &&
		integrity === one.integrity &&
		confidentiality === one.confidentiality;
	if (is(a) || is(b)) return is(a) ? a : b;
	Object.freeze(origins);
	Object.freeze(sources);
	return Object.freeze({ integrity, confidentiality, origins, sources });
}

/** A label as a record holds it. One that is missing, or none, is the worst: a record may be of another making. @since 0.1.0 */
export function sound(label: unknown): Label {
	const { integrity, confidentiality, origins, sources } = (label ?? {}) as Partial<Label>;
	const known =
		(integrity === 'trusted' || integrity === 'untrusted') && Object.hasOwn(RANK, confidentiality ?? '');
	return known && Array.isArray(origins) && Array.isArray(sources) ? (label as Label) : UNKNOWN;
}

/** The label of words that anybody may have written, and that are no secret. @since 0.1.0 */
export const strange = (...sources: readonly string[]): Label => ({
	...UNKNOWN,
	confidentiality: 'public',
	sources
});

/** Is `a` more confidential than `b`? @since 0.1.0 */
export const exceeds = (a: Label['confidentiality'], b: Label['confidentiality']): boolean =>
	RANK[a] > RANK[b];

/**
 * A partial label over a base: missing fields are the base's. A word that is none, and a list that is none, counts as the
 * worst, and as anybody's. @since 0.1.0
 */
export function over(base: Label, part: Partial<Label>): Label {
	const {
		integrity = base.integrity,
		confidentiality = base.confidentiality,
		origins = base.origins,
		sources = base.sources
	} = part;
	const listed = (list: unknown): boolean =>
		Array.isArray(list) && list.every((word) => typeof word === 'string');
	if (!listed(origins) || !listed(sources)) return join(base, UNKNOWN);
	return {
		integrity: integrity === 'trusted' ? integrity : 'untrusted',
		confidentiality: Object.hasOwn(RANK, confidentiality) ? confidentiality : 'private',
		origins: [...origins],
		sources: [...sources]
	};
}
