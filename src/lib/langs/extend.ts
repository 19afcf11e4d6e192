import type { Language } from './language.js';

/**
 * Some of the words of a language: any key may be missing, on every level, and none may be there that a language has not.
 * A language of your own that is complete is better typed as `Language`: then the compiler tells what is missing.
 * @since 0.1.0
 */
export type PartialLanguage = PartialWords<Language>;

type PartialWords<T> = {
	readonly [K in keyof T]?: T[K] extends (...args: never[]) => unknown
		? T[K]
		: T[K] extends object
			? PartialWords<T[K]>
			: T[K];
};

/**
 * A language made from another: `own` where it has words, `base` where it has none. For a few words of your own in English,
 * and for a translation that grows. Neither of the two is changed.
 * @example const fr = extend(en, { code: 'fr', aura: { pause: 'Suspendre' } });
 * @since 0.1.0
 */
export const extend = (base: Language, own: PartialLanguage): Language => merged(base, own);

function merged<T extends object>(base: T, own: PartialWords<T>): T {
	const words = { ...base };
	for (const key of Object.keys(base) as (keyof T)[]) {
		const said = Object.hasOwn(own, key) ? own[key] : undefined;
		const spare = base[key];
		if (said === undefined || said === null) continue;
		words[key] =
			typeof spare === 'object' && spare !== null
				? (merged(spare, said as object) as T[keyof T])
				: (said as T[keyof T]);
	}
	return words;
}
