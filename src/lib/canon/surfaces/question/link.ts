/** Where a question leads: a page of the web, with its host letter by letter, or why it cannot be opened. @since 0.1.0 */
export type QuestionLink = { href: string; host: string } | { fault: 'no-web' | 'hidden' };

/**
 * Looks at the address of a question. The host is given as the network knows it, in ASCII, so that no look-alike letter
 * passes for another; what carries a name or a password in its address is not opened.
 */
export function linkOf(url: string | undefined): QuestionLink | undefined {
	if (url === undefined) return undefined;
	if (!URL.canParse(url)) return { fault: 'no-web' };
	const { protocol, host, href, username, password } = new URL(url);
	if (protocol !== 'https:' && protocol !== 'http:') return { fault: 'no-web' };
	return username || password ? { fault: 'hidden' } : { href, host };
}
