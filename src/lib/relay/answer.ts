import { isObject } from './body.js';
import { type Refusal, refusal } from './codes.js';
import { Blotter, redact } from './secrets.js';

/** Types of a provider's answer. Anything else comes from something in between. */
const TYPES = new Set(['text/event-stream', 'application/json', 'application/x-ndjson', 'application/jsonl']);

/** Of what an error says, as much as this is read, in bytes and milliseconds. */
const MOST = 16_384;
const WAIT = 3_000;

const typeOf = (headers: Headers): string =>
	(headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';

/** Seconds or a date, as the standard has it (RFC 9110, 10.2.3). */
const retryAfter = (headers: Headers): string | undefined => {
	const value = headers.get('retry-after') ?? '';
	return /^\d{1,9}$/.test(value) || (value.length < 40 && !Number.isNaN(Date.parse(value)))
		? value
		: undefined;
};

/** Why an answer is not passed on as it is. */
export async function judgeAnswer(
	upstream: Response,
	secrets: readonly string[],
	host: string
): Promise<Refusal | undefined> {
	const { status, headers } = upstream;
	if (upstream.type === 'opaqueredirect' || (status >= 300 && status < 400)) return refusal('redirect');
	if (status >= 200 && status < 300)
		return !upstream.body || TYPES.has(typeOf(headers)) ? undefined : refusal('answer');
	// A key that is refused is the operator's business, and providers repeat parts of it.
	const words = [401, 403, 407].includes(status) ? undefined : await wordsOf(upstream);
	const more = `It says ${status}${words === undefined ? '.' : `: ${redact(words, secrets, host)}`}`;
	if (status < 400 || status > 599) return refusal('upstream', more);
	const wait = retryAfter(headers);
	return refusal('upstream', more, { status, ...(wait !== undefined && { retryAfter: wait }) });
}

/** What a provider says in an error of JSON, wherever it says it. A page of HTML says nothing. */
async function wordsOf(upstream: Response): Promise<string | undefined> {
	if (!upstream.body || typeOf(upstream.headers) !== 'application/json') return undefined;
	try {
		const body: unknown = JSON.parse(await beginning(upstream.body));
		const one: unknown = Array.isArray(body) ? body[0] : body;
		const error = isObject(one) ? (one.error ?? one) : undefined;
		const text = isObject(error) ? (error.message ?? error.text) : error;
		return typeof text === 'string' && text !== '' ? text : undefined;
	} catch {
		return undefined;
	}
}

async function beginning(body: ReadableStream<Uint8Array>): Promise<string> {
	const reader = body.getReader();
	const decoder = new TextDecoder();
	const pieces: string[] = [];
	let bytes = 0;
	let timer: ReturnType<typeof setTimeout> | undefined;
	const late = new Promise<'late'>((resolve) => (timer = setTimeout(resolve, WAIT, 'late')));
	try {
		while (bytes <= MOST) {
			const step = await Promise.race([reader.read(), late]);
			if (step === 'late' || step.done) break;
			bytes += step.value.byteLength;
			pieces.push(decoder.decode(step.value, { stream: true }));
		}
		return pieces.join('');
	} finally {
		clearTimeout(timer);
		reader.cancel().catch(() => undefined);
	}
}

/** What passing an answer through needs. */
export interface Passing {
	secrets: readonly string[];
	/** Longest silence of either side, in milliseconds. */
	idleMs: number;
	/** Ends the request to the provider. */
	hangUp(): void;
	/** Called once, when nothing more comes. */
	over(): void;
}

/** The headers of an answer that passes. */
export function passHeaders(upstream: Response, headers: Headers): Headers {
	headers.set('content-type', upstream.headers.get('content-type') ?? 'application/octet-stream');
	const wait = retryAfter(upstream.headers);
	if (wait !== undefined) headers.set('retry-after', wait);
	return headers;
}

/** The same bytes, piece by piece as they come and no faster than they are taken, without the secrets. */
export function passBody(
	body: ReadableStream<Uint8Array>,
	{ secrets, idleMs, hangUp, over }: Passing
): ReadableStream<Uint8Array> {
	const reader = body.getReader();
	const blotter = new Blotter(secrets);
	let timer: ReturnType<typeof setTimeout> | undefined;
	const finish = (): void => {
		clearTimeout(timer);
		over();
	};
	const broken = (): Error => new Error('The answer broke off.');
	return new ReadableStream<Uint8Array>(
		{
			async pull(controller) {
				const wait = (): void => {
					clearTimeout(timer);
					timer = setTimeout(() => {
						finish();
						controller.error(broken());
						hangUp();
					}, idleMs);
				};
				try {
					for (;;) {
						wait();
						const { done, value } = await reader.read();
						const out = done ? blotter.end() : blotter.push(value);
						if (out.length > 0) controller.enqueue(out);
						if (done) {
							finish();
							controller.close();
							return;
						}
						if (out.length > 0) break;
					}
					// A page that takes nothing more holds a line to the provider open.
					wait();
				} catch {
					finish();
					controller.error(broken());
					hangUp();
				}
			},
			cancel() {
				finish();
				hangUp();
			}
		},
		{ highWaterMark: 0 }
	);
}
