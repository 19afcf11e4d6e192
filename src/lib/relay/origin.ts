/** Which pages may use a relay. */
export interface Doors {
	/** Exactly these; without a list the page's own origin. */
	origins?: ReadonlySet<string>;
	/** Programs that are no browser may come in without an origin. */
	withoutOrigin: boolean;
}

/** Origins as browsers write them. Throws at what is none, for that is a slip of the pen. */
export function originSet(origins: readonly string[]): ReadonlySet<string> {
	return new Set(
		origins.map((origin) => {
			const parsed = URL.canParse(origin) ? new URL(origin).origin : 'null';
			if (parsed === 'null')
				throw new TypeError(`"${origin}" is no origin. Write it as "https://app.example", without a path.`);
			return parsed;
		})
	);
}

const ownOrigin = ({ url }: Request): string => new URL(url).origin;

/**
 * Whether a page may ask. A browser names the origin with every POST, and `Sec-Fetch-Site` where it is safe to; page script
 * can forge neither. Behind a proxy that ends TLS the request's own address is not the page's, so what the browser says of
 * the two comes first.
 */
export function admitsOrigin(request: Request, { origins, withoutOrigin }: Doors): boolean {
	const origin = request.headers.get('origin');
	const site = request.headers.get('sec-fetch-site');
	if (origin === null) return withoutOrigin && site === null;
	if (origins) return origins.has(origin);
	return site === null ? origin === ownOrigin(request) : site === 'same-origin';
}

/** What more there is to say where nobody's page asks: a program has to name the origin itself. */
export const hintOf = ({ headers }: Request): string | undefined =>
	headers.has('origin')
		? undefined
		: 'The header Origin is missing: a browser sends it with every POST, and for programs there is `withoutOrigin`.';

const NAMES = /^[\w!#$%&'*+.^`|~-]+(\s*,\s*[\w!#$%&'*+.^`|~-]+)*$/;

/** Headers by which the browser lets a page of another origin read the answer. Empty for a page of the same one. */
export function shareHeaders(request: Request, { origins }: Doors): Headers {
	const headers = new Headers();
	const origin = request.headers.get('origin');
	if (!origins) return headers;
	headers.set('vary', 'origin');
	if (origin === null || !origins.has(origin)) return headers;
	headers.set('access-control-allow-origin', origin);
	headers.set('access-control-expose-headers', 'retry-after');
	return headers;
}

/** What a browser is told that asks, before it sends, whether it may. */
export function allowPreflight(request: Request, headers: Headers): Response {
	const asked = request.headers.get('access-control-request-headers') ?? 'content-type';
	headers.set('access-control-allow-methods', 'POST');
	// None of them is passed on, so each may come.
	if (NAMES.test(asked)) headers.set('access-control-allow-headers', asked);
	headers.set('access-control-max-age', '600');
	return new Response(null, { status: 204, headers });
}
