const WORDS = 64;

// Fractional parts of the cube roots of the first 64 primes, and of the square roots of the first 8 (FIPS 180-4, 4.2.2 and 5.3.3).
const { rounds: K, start: START } = (() => {
	const rounds = new Int32Array(WORDS);
	const start = new Int32Array(8);
	const fraction = (x: number) => ((x - Math.floor(x)) * 2 ** 32) | 0;
	for (let n = 2, found = 0; found < WORDS; n++) {
		let prime = true;
		for (let d = 2; d * d <= n; d++) if (n % d === 0) prime = false;
		if (!prime) continue;
		if (found < 8) start[found] = fraction(Math.sqrt(n));
		rounds[found++] = fraction(Math.cbrt(n));
	}
	return { rounds, start };
})();

const encoder = new TextEncoder();

/** What longer texts are hashed in is not kept. */
const KEPT = 1 << 16;

// A hash never waits, so what one needs serves the next.
const kept = new Uint8Array(KEPT);
const hash = new Int32Array(8);
const w = new Int32Array(WORDS);

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/**
 * SHA-256 of a text as lower-case hex. Synchronous, because a grant is checked in the same tick as the act it allows, which
 * the web's own digest cannot do. The text is hashed as UTF-8; a lone surrogate has no UTF-8 form and counts as U+FFFD, as
 * `TextEncoder` does, so hash canonical JSON (it escapes them) where that difference matters.
 * @see FIPS 180-4
 * @since 0.1.0
 */
export function sha256(text: string): string {
	const { length } = text;
	// At most three bytes a code unit, then a mark, zeros and the length.
	const room = length * 3 + 72;
	const bytes = room > KEPT ? new Uint8Array(room) : kept;
	const size = encoder.encodeInto(text, bytes).written;
	const end = (((size + 8) >> 6) + 1) << 6;
	bytes[size] = 0x80;
	bytes.fill(0, size + 1, end);
	for (let i = 1, bits = size * 8; i <= 8; i++, bits = Math.floor(bits / 256)) bytes[end - i] = bits % 256;

	hash.set(START);
	for (let offset = 0; offset < end; offset += 64) compress(bytes, offset);

	let hex = '';
	for (let i = 0; i < 8; i++) {
		const word = hash[i]!;
		hex += HEX[word >>> 24]! + HEX[(word >>> 16) & 255]! + HEX[(word >>> 8) & 255]! + HEX[word & 255]!;
	}
	return hex;
}

function compress(bytes: Uint8Array, offset: number): void {
	for (let i = 0, at = offset; i < 16; i++, at += 4)
		w[i] = (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!;
	for (let i = 16; i < WORDS; i++) {
		const x = w[i - 15]!;
		const y = w[i - 2]!;
		const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
		const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
		w[i] = (w[i - 16]! + s0 + w[i - 7]! + s1) | 0;
	}
	let a = hash[0]!;
	let b = hash[1]!;
	let c = hash[2]!;
	let d = hash[3]!;
	let e = hash[4]!;
	let f = hash[5]!;
	let g = hash[6]!;
	let h = hash[7]!;
	for (let i = 0; i < WORDS; i++) {
		const S1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
		const t1 = (h + S1 + (g ^ (e & (f ^ g))) + K[i]! + w[i]!) | 0;
		const S0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
		const t2 = (S0 + ((a & b) | (c & (a | b)))) | 0;
		h = g;
		g = f;
		f = e;
		e = (d + t1) | 0;
		d = c;
		c = b;
		b = a;
		a = (t1 + t2) | 0;
	}
	hash[0]! += a;
	hash[1]! += b;
	hash[2]! += c;
	hash[3]! += d;
	hash[4]! += e;
	hash[5]! += f;
	hash[6]! += g;
	hash[7]! += h;
}
