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

const union = <T>(a: readonly T[], b: readonly T[]): readonly T[] => {
	if (a === b || b.length === 0) return a;
	if (a.length === 0) return b;
	let all: T[] | undefined;
	for (const item of b) if (!a.includes(item)) (all ??= [...a]).push(item);
	return all ?? a;
};

/**
 * Join of two labels: the worst of each part. Never lowers either.
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
	const same =
		origins === a.origins &&
		sources === a.sources &&
		integrity === a.integrity &&
		confidentiality === a.confidentiality;
	return same ? a : { integrity, confidentiality, origins, sources };
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
