/** Where a link or a picture leads, once it was looked at. */
export interface Address {
	/** What a browser makes of it. */
	href: string;
	/** What a person is told: the host, of mail the one who gets it. */
	host: string;
}

const PROTOCOLS: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:']);

/**
 * Signs that a server may undo after the browser has not: a step up, a slash, a backslash, an escape of an escape, a control
 * character, a sign in more bytes than it needs.
 */
const DISGUISED = /%(?:2e|2f|5c|25|[01]|7f|c[01]|u)/i;

/** What may stand beside the one who gets a letter: whatever would add another reader is seen by nobody who presses. */
const OF_LETTERS: ReadonlySet<string> = new Set(['subject', 'body']);

function parsed(address: string): URL | undefined {
	try {
		return new URL(address);
	} catch {
		return undefined;
	}
}

/** A path as a server may read it, as it is written where nothing can be made of it. */
const plain = ({ pathname }: URL): string => {
	try {
		return decodeURIComponent(pathname);
	} catch {
		return pathname;
	}
};

/** Is a letter to those alone who are named, in signs that can be seen? */
const isLetter = (url: URL): boolean =>
	!/[\p{C}\s]/u.test(plain(url)) &&
	[...url.searchParams].every(
		([field, text]) =>
			OF_LETTERS.has(field.toLowerCase()) && (field.toLowerCase() === 'body' || !/\p{Cc}/u.test(text))
	);

/**
 * Reads an address as a browser does. Nothing that is relative, that has a name or a password before its host, or that is
 * of any other protocol than http, https and mailto is one; neither is a letter with more readers than it shows.
 */
export function addressOf(written: string): Address | undefined {
	const url = parsed(written);
	if (!url || !PROTOCOLS.has(url.protocol) || url.username !== '' || url.password !== '') return undefined;
	const mail = url.protocol === 'mailto:';
	const host = mail ? plain(url) : url.host;
	return host === '' || (mail && !isLetter(url)) ? undefined : { href: url.href, host };
}

const segments = ({ pathname }: URL): string[] => pathname.split('/').slice(1);

/**
 * Is an address one of those an app allows? An entry is an origin (`https://example.com`), an origin with the beginning of a
 * path (`https://example.com/help`), `mailto:` for every mail address, or one mail address. Origins are compared whole and
 * paths segment by segment; subdomains are entries of their own.
 */
export function isAllowed(written: string, allowed: readonly string[]): boolean {
	const url = parsed(written);
	if (!url || !addressOf(written)) return false;
	return allowed.some((entry) => {
		const given = parsed(entry);
		if (!given || given.protocol !== url.protocol) return false;
		if (given.protocol === 'mailto:')
			return given.pathname === '' || plain(given).toLowerCase() === plain(url).toLowerCase();
		if (given.origin !== url.origin) return false;
		const wanted = segments(given);
		if (wanted.at(-1) === '') wanted.pop();
		if (wanted.length === 0) return true;
		const path = segments(url);
		return (
			!DISGUISED.test(url.pathname) &&
			!path.slice(0, -1).includes('') &&
			!plain(url)
				.normalize('NFKC')
				.split(/[/\\]/)
				.some((segment) => segment.startsWith('..')) &&
			wanted.every((segment, index) => path[index] === segment)
		);
	});
}
