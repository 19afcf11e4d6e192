/**
 * A language as the platform takes it for figures and times. What is none, such as `en_US`, would throw in the middle of a
 * page; it gives the platform's own.
 */
export function localeOf(code: string): string | undefined {
	try {
		return Intl.getCanonicalLocales(code)[0];
	} catch {
		return undefined;
	}
}
