/** Shorter ones are words like `ollama` or `test`, which an answer may well contain. */
const SHORTEST = 12;

const CREDENTIAL = /auth|key|token|secret|cookie|credential/i;

/** What must never come out again: values of headers that let somebody in, with and without their scheme, and keys in the address. */
export function secretsOf(headers: Headers, url: URL): readonly string[] {
	const found: string[] = [];
	const take = (name: string, value: string) => {
		if (CREDENTIAL.test(name)) found.push(value, ...value.split(/[\s;,=]+/));
	};
	headers.forEach((value, name) => take(name, value));
	url.searchParams.forEach((value, name) => take(name, value));
	return [...new Set(found)].filter(({ length }) => length >= SHORTEST).sort((a, b) => b.length - a.length);
}

/** Words of a provider that are its own business or the operator's: keys, accounts, addresses, paths of files. */
const PRIVATE: readonly RegExp[] = [
	/\b[a-z][a-z0-9+.-]*:\/\/[^\s"'<>]+/gi,
	/\b(?:sk|pk|rk|key|gsk|xai|AIza|ghp|hf)[-_][\w*.-]{6,}/gi,
	/\bAIza[\w-]{10,}/g,
	/\b(?:Bearer|Basic)\s+\S+/gi,
	/\b(?:org|proj|acct|wrkspc)[-_][\w-]{4,}/gi,
	/\b(?:\d{1,3}\.){3}\d{1,3}(?::\d+)?\b/g,
	/\[?(?:[0-9a-f]{0,4}:){2,}[0-9a-f]{0,4}\]?(?::\d+)?/gi,
	/\b[a-z0-9-]+(?:\.[a-z0-9-]+)*:\d{2,5}\b/gi,
	/\b(?:[a-z0-9-]+\.)+(?:internal|local|localdomain|lan|corp|intranet|svc|home|arpa)\b/gi,
	/\blocalhost\b/gi,
	/(?<![\w.])(?:[a-z]:)?[\\/](?:[\w.@-]+[\\/])+[\w.@-]+/gi
];

/** Longest text of a provider that is passed on, in characters. */
const LONGEST = 300;

/** A provider's text for a developer's eyes: one line, short, without what is nobody's business. */
export function redact(text: string, secrets: readonly string[], host: string): string {
	let clean = text.slice(0, LONGEST * 4);
	for (const secret of [...secrets, host]) if (secret !== '') clean = clean.replaceAll(secret, '…');
	for (const pattern of PRIVATE) clean = clean.replace(pattern, '…');
	// eslint-disable-next-line no-control-regex -- what a terminal or a log would obey is no text
	clean = clean.replace(/[\u0000-\u001f\u007f\s]+/g, ' ').trim();
	return clean.length > LONGEST ? `${clean.slice(0, LONGEST)}…` : clean;
}

/** Blots secrets out of a stream of bytes, wherever it is cut. What could be a secret's beginning is held back until it is known. */
export class Blotter {
	readonly #secrets: readonly string[];
	// Byte for byte one character each, so a place in the text is a place in the bytes.
	readonly #decoder = new TextDecoder('latin1');
	#held = new Uint8Array(0);
	/** The same, as it goes on. */
	#shown = new Uint8Array(0);

	constructor(secrets: readonly string[]) {
		this.#secrets = secrets;
	}

	/** What may go on of what was held and what came. */
	push(chunk: Uint8Array): Uint8Array {
		if (this.#secrets.length === 0) return chunk;
		const bytes = joined(this.#held, chunk);
		const out = joined(this.#shown, chunk);
		const text = this.#decoder.decode(bytes);
		let keep = 0;
		for (const secret of this.#secrets) {
			for (let at = text.indexOf(secret); at >= 0; at = text.indexOf(secret, at + 1))
				out.fill(42, at, at + secret.length);
			keep = Math.max(keep, begins(text, secret));
		}
		const go = out.length - keep;
		this.#held = bytes.slice(go);
		this.#shown = out.slice(go);
		return out.subarray(0, go);
	}

	/** What was held and turned out to be no secret. */
	end(): Uint8Array {
		return this.#shown;
	}
}

/** How much of the end of a text is the beginning of a secret, less than all of it. */
function begins(text: string, secret: string): number {
	for (let length = Math.min(text.length, secret.length - 1); length > 0; length--)
		if (text.endsWith(secret.slice(0, length))) return length;
	return 0;
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array<ArrayBuffer> {
	const both = new Uint8Array(one.length + other.length);
	both.set(one);
	both.set(other, one.length);
	return both;
}
