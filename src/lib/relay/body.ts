import { type Refusal, refusal } from './codes.js';

/** A JSON object as it came. */
export type Body = Readonly<Record<string, unknown>>;

/** What is read, or why not. */
export type Read = { ok: true; body: Body } | { ok: false; refusal: Refusal };

const no = (why: Refusal): Read => ({ ok: false, refusal: why });

export const isObject = (value: unknown): value is Body =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** Said before anything is read: the type, and the length that is declared. */
export function judgeHead({ headers }: Request, maxBytes: number): Refusal | undefined {
	const type = (headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase();
	// A form can be sent by any page unasked; JSON cannot.
	if (type !== 'application/json' || (headers.get('content-encoding') ?? 'identity') !== 'identity')
		return refusal('content-type');
	return Number(headers.get('content-length') ?? 0) > maxBytes
		? refusal('too-large', `At most ${maxBytes} bytes.`)
		: undefined;
}

/** Levels of nesting of a text of JSON. Told without parsing, in one pass. */
export function depthOf(json: string): number {
	let depth = 0;
	let deepest = 0;
	let quoted = false;
	for (let at = 0; at < json.length; at++) {
		const code = json.charCodeAt(at);
		if (quoted) {
			if (code === 92) at += 1;
			else if (code === 34) quoted = false;
		} else if (code === 34) quoted = true;
		else if (code === 123 || code === 91) deepest = Math.max(deepest, (depth += 1));
		else if (code === 125 || code === 93) depth -= 1;
	}
	return deepest;
}

/** Reads a body to its end, never more than `maxBytes` of it, and no longer than until it is `stopped`. */
export async function readBody(
	request: Request,
	{ maxBytes, maxDepth }: { maxBytes: number; maxDepth: number },
	stopped: Promise<Refusal>
): Promise<Read> {
	if (!request.body) return no(refusal('json'));
	const reader = request.body.getReader();
	const decoder = new TextDecoder('utf-8', { fatal: true });
	const pieces: string[] = [];
	let bytes = 0;
	try {
		for (;;) {
			const step = await Promise.race([reader.read(), stopped]);
			if ('code' in step) return no(step);
			if (step.done) break;
			bytes += step.value.byteLength;
			if (bytes > maxBytes) return no(refusal('too-large', `At most ${maxBytes} bytes.`));
			pieces.push(decoder.decode(step.value, { stream: true }));
		}
		pieces.push(decoder.decode());
		const json = pieces.join('');
		if (depthOf(json) > maxDepth) return no(refusal('depth', `At most ${maxDepth} levels.`));
		const body: unknown = JSON.parse(json);
		return isObject(body) ? { ok: true, body } : no(refusal('json'));
	} catch {
		return no(refusal('json'));
	} finally {
		void drain(reader, maxBytes);
	}
}

/** How long what was refused may go on arriving, in milliseconds. */
const LINGER = 1_000;

/**
 * Lets some more arrive before the line is cut: servers cut it at once where a body is given up, and whoever is still sending
 * would never read why it was refused.
 */
async function drain(reader: ReadableStreamDefaultReader<Uint8Array>, most: number): Promise<void> {
	let bytes = 0;
	let timer: ReturnType<typeof setTimeout> | undefined;
	const late = new Promise<'late'>((resolve) => (timer = setTimeout(resolve, LINGER, 'late')));
	try {
		while (bytes <= most) {
			const step = await Promise.race([reader.read(), late]);
			if (step === 'late' || step.done) break;
			bytes += step.value.byteLength;
		}
	} catch {
		// It is gone already.
	}
	clearTimeout(timer);
	reader.cancel().catch(() => undefined);
}
