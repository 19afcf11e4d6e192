import { judgeAnswer, passBody, passHeaders } from './answer.js';
import { judgeHead, readBody } from './body.js';
import { type Refusal, type RelayCode, refusal, refuse } from './codes.js';
import { admitsOrigin, allowPreflight, type Doors, hintOf, originSet, shareHeaders } from './origin.js';
import { redact, secretsOf } from './secrets.js';
import type { RelayTarget } from './targets.js';
import { shape, type Terms } from './wire.js';

/** What an app answers when it is asked whether somebody may ask a model now. @since 0.1.0 */
export type Admission = boolean | { /** Milliseconds after which to come again. */ retryAfterMs: number };

/** What a relay did not do, for the app's own log. @since 0.1.0 */
export interface RelayReport {
	code: RelayCode;
	status: number;
	text: string;
	/** What was thrown, in words, without what lets anybody in. Never sent to the page. */
	cause?: string;
}

/** How a relay behaves. @since 0.1.0 */
export interface RelayOptions {
	/**
	 * The model. One: it is asked, whatever the page says. Several: the page may choose among them, the first is asked where it
	 * does not. Left out only where the target names no field for it.
	 */
	model?: string | readonly string[];
	/**
	 * Origins whose pages may use it, exactly, as `https://app.example`; the app's own has to be among them.
	 * @default the origin of the page itself, and no other
	 */
	origins?: readonly string[];
	/** Programs that are no browser may use it: what comes with no `Origin` and no `Sec-Fetch-Site`. @default false */
	withoutOrigin?: boolean;
	/**
	 * Asked before anything is read: who is it, and is it too often? `false` is refused, `{ retryAfterMs }` too, with
	 * `Retry-After`. What throws is not admitted. Must not read the body. @default everybody, always
	 */
	admit?(request: Request): Admission | Promise<Admission>;
	/** Most bytes of a request. @default 2,000,000 */
	maxBytes?: number;
	/** Most levels of nesting in a request. @default 64 */
	maxDepth?: number;
	/** Most tokens of an answer; what the page asks for beyond it is lowered to it. @default 8,192 */
	maxOutputTokens?: number;
	/** Fields of the body that may be sent beside those of the target's wire. */
	fields?: readonly string[];
	/** Types of tools that may be offered beside the page's own: they run at the provider, at your cost. */
	tools?: readonly string[];
	/** Longest until the provider begins to answer, and until the request has arrived, in milliseconds. @default 120,000 */
	timeoutMs?: number;
	/** Longest silence within an answer, of the provider or of who takes it, in milliseconds. @default 120,000 */
	idleMs?: number;
	/** @default the global one */
	fetch?(url: string, init: RequestInit): Promise<Response>;
	/** Hears of everything that was refused or failed. */
	report?(what: RelayReport): void;
}

/** A request of a page in, the provider's answer out. It never throws. @since 0.1.0 */
export type RelayHandler = (request: Request) => Promise<Response>;

interface Settled {
	url: URL;
	headers: NonNullable<RelayTarget['headers']>;
	doors: Doors;
	terms: Terms;
	bounds: { maxBytes: number; maxDepth: number };
	timeoutMs: number;
	idleMs: number;
	options: RelayOptions;
}

/** Throws at what could never work, in words without the address: it may hold a key. */
function settle(target: RelayTarget, options: RelayOptions): Settled {
	const { wire = {}, headers = () => ({}) } = target;
	const { model, origins, withoutOrigin = false } = options;
	if (!URL.canParse(target.url))
		throw new TypeError('A relay needs `url`: the whole address of one endpoint.');
	const url = new URL(target.url);
	if (url.username !== '' || url.password !== '')
		throw new TypeError('The `url` of a relay carries no user and no password: give them as a header.');
	const models = model === undefined ? [] : typeof model === 'string' ? [model] : model;
	if (wire.model !== undefined && !models.some((name) => name !== ''))
		throw new TypeError('A relay needs `model`: the one to ask, or a list of those that may be asked.');
	return {
		url,
		headers,
		doors: { withoutOrigin, ...(origins && { origins: originSet(origins) }) },
		terms: {
			wire,
			models,
			choice: typeof model !== 'string',
			maxOutputTokens: options.maxOutputTokens ?? 8_192,
			fields: options.fields ?? [],
			tools: options.tools ?? []
		},
		bounds: { maxBytes: options.maxBytes ?? 2_000_000, maxDepth: options.maxDepth ?? 64 },
		timeoutMs: options.timeoutMs ?? 120_000,
		idleMs: options.idleMs ?? 120_000,
		options
	};
}

/** Why a request was stopped on its way. */
interface Stopper {
	stopped: Promise<Refusal>;
	abort: AbortController;
	/** What the waiting is for, from now on. */
	late(code: RelayCode): void;
	/** The provider answers: the clock stands, the visitor may still leave. */
	begun(): void;
	over(): void;
}

function stopper(request: Request, timeoutMs: number): Stopper {
	const abort = new AbortController();
	let code: RelayCode = 'slow';
	let stop: (why: Refusal) => void;
	const stopped = new Promise<Refusal>((resolve) => (stop = resolve));
	const end = (why: Refusal): void => {
		stop(why);
		abort.abort();
	};
	const left = (): void => end(refusal('aborted'));
	const timer = setTimeout(() => end(refusal(code)), timeoutMs);
	request.signal.addEventListener('abort', left);
	if (request.signal.aborted) left();
	return {
		stopped,
		abort,
		late: (next) => (code = next),
		begun: () => clearTimeout(timer),
		over() {
			clearTimeout(timer);
			request.signal.removeEventListener('abort', left);
		}
	};
}

const wordsOf = (error: unknown): string => {
	const { message, cause } = error instanceof Error ? error : { message: String(error) };
	return cause instanceof Error ? `${message}: ${cause.message}` : message;
};

/**
 * Lends a key to the pages of an app without giving it away: takes a provider's request from the page, sees that it asks for
 * nothing but an answer, adds the key, and streams the answer back. One `Request` in, one `Response` out, so it stands in any
 * server that speaks them; `toNode` puts it into those that do not.
 *
 * It decides what may be asked, not who may ask: an origin is a browser's word, and a program can say anything. Know your
 * visitors in `admit`, or before you call it.
 * @example
 * const answer = relay(toOpenAI({ key: process.env.OPENAI_API_KEY }), { model: 'gpt-5-mini' });
 * export const POST = ({ request }) => answer(request);
 * @since 0.1.0
 */
export function relay(target: RelayTarget, options: RelayOptions = {}): RelayHandler {
	const settled = settle(target, options);
	return async (request) => {
		const share = shareHeaders(request, settled.doors);
		share.set('cache-control', 'no-store, no-transform');
		share.set('x-content-type-options', 'nosniff');
		let secrets: readonly string[] = secretsOf(new Headers(), settled.url);
		const failed = (why: Refusal, cause?: unknown): Response => {
			const { code, status, text } = why;
			const words = cause === undefined ? undefined : redact(wordsOf(cause), secrets, '');
			try {
				settled.options.report?.({ code, status, text, ...(words !== undefined && { cause: words }) });
			} catch {
				// A log that fails is no reason to leave somebody without an answer.
			}
			return refuse(why, share);
		};
		const stop = stopper(request, settled.timeoutMs);
		let passing = false;
		try {
			const early = judgeEarly(request, settled);
			if (early === 'preflight') return allowPreflight(request, share);
			if (early) return failed(early);
			const admitted = await admission(request, settled);
			if (!('ok' in admitted)) return failed(admitted.refusal, admitted.cause);
			const read = await readBody(request, settled.bounds, stop.stopped);
			if (!read.ok) return failed(read.refusal);
			const shaped = shape(read.body, settled.terms);
			if (!shaped.ok) return failed(shaped.refusal);
			stop.late('silent');
			const sent = await headersOf(settled);
			if (!('headers' in sent)) return failed(sent.refusal, sent.cause);
			secrets = secretsOf(sent.headers, settled.url);
			const upstream = await ask(settled, sent.headers, shaped.json, stop);
			if (!('response' in upstream)) return failed(upstream.refusal, upstream.cause);
			const { response } = upstream;
			stop.begun();
			const why = await judgeAnswer(response, secrets, settled.url.host);
			if (why) {
				stop.abort.abort();
				return failed(why);
			}
			const { status, body } = response;
			if (!body) return new Response(null, { status, headers: share });
			passing = true;
			return new Response(
				passBody(body, {
					secrets,
					idleMs: settled.idleMs,
					hangUp: () => stop.abort.abort(),
					over: stop.over
				}),
				{ status, headers: passHeaders(response, share) }
			);
		} catch (error) {
			passing = false;
			return failed(refusal('internal'), error);
		} finally {
			if (!passing) stop.over();
		}
	};
}

type Failed = { refusal: Refusal; cause?: unknown };

/** What is said before anybody is asked or anything is read. */
function judgeEarly(request: Request, { doors, bounds }: Settled): Refusal | 'preflight' | undefined {
	const { method, headers } = request;
	if (method === 'OPTIONS' && headers.has('access-control-request-method'))
		return doors.origins?.has(headers.get('origin') ?? '') === true ? 'preflight' : refusal('origin');
	if (method !== 'POST') return refusal('method');
	if (!admitsOrigin(request, doors)) return refusal('origin', hintOf(request));
	return judgeHead(request, bounds.maxBytes);
}

async function admission(request: Request, { options }: Settled): Promise<{ ok: true } | Failed> {
	try {
		const may = options.admit === undefined || (await options.admit(request));
		if (may === true) return { ok: true };
		const wait = typeof may === 'object' && may !== null ? may.retryAfterMs : undefined;
		return {
			refusal: wait === undefined ? refusal('denied') : refusal('rate', undefined, { retryAfter: wait })
		};
	} catch (cause) {
		return { refusal: refusal('internal'), cause };
	}
}

/** The headers that are sent, and no other: nothing of what the page said of itself goes on. */
async function headersOf(settled: Settled): Promise<{ headers: Headers } | Failed> {
	try {
		const headers = new Headers(await settled.headers());
		headers.set('content-type', 'application/json');
		if (!headers.has('accept'))
			headers.set('accept', 'text/event-stream, application/x-ndjson, application/json');
		return { headers };
	} catch {
		// What is said of a header that cannot be sent repeats it.
		return { refusal: refusal('internal'), cause: 'The headers of the target could not be made.' };
	}
}

async function ask(
	{ url, options }: Settled,
	headers: Headers,
	body: string,
	{ stopped, abort }: Stopper
): Promise<{ response: Response } | Failed> {
	const send = options.fetch ?? ((to: string, init: RequestInit) => fetch(to, init));
	try {
		// Led elsewhere, the key would go along.
		const init: RequestInit = { method: 'POST', headers, body, redirect: 'manual', signal: abort.signal };
		const answer = send(url.href, init);
		const first = await Promise.race([answer, stopped]);
		if (!('code' in first)) return { response: first };
		// Answered after all, it is not left open.
		answer.then((late) => late.body?.cancel()).catch(() => undefined);
		return { refusal: first };
	} catch (cause) {
		return { refusal: refusal('unreachable'), cause };
	}
}
