import { Fault } from './fault.js';
import { isObject } from './history.js';

/** What passes by itself: too many requests, too much to do, a fault of the machine. */
const PASSES =
	/rate.?limit|too.?many|overload|server.?error|internal|api.?error|unavailable|time.?out|capacity|busy|resource|again/i;
/** What does not, though it is called a limit. */
const STAYS = /quota|billing|credit|context|invalid/i;

/**
 * An error that a provider reported in its own words, in the stream or in place of one: an object with any of `message`, `type`,
 * `code` and `status`, or a text. Tried again where its status or its type says that it passes.
 * @internal
 */
export function reported(error: unknown): Fault {
	const about: Record<string, unknown> = isObject(error) ? error : { message: error };
	const named = [about.type, about.code, about.status].filter(
		(one): one is string | number => typeof one === 'string' || typeof one === 'number'
	);
	const status = named.map(Number).find((code) => code >= 400 && code < 600);
	// A bare text is all there is to go by.
	const kind = typeof error === 'string' ? error : named.join(' ');
	const passes =
		status === undefined
			? PASSES.test(kind) && !STAYS.test(kind)
			: status === 408 || status === 429 || status >= 500;
	const { message } = about;
	const told = typeof message === 'string' && message !== '' ? message : kind || JSON.stringify(error);
	return new Fault('provider', told ?? 'The provider reported an error.', { retryable: passes });
}
