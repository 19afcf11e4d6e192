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
const view = new DataView(kept.buffer);
const hash = new Int32Array(8);

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

	compress(bytes === kept ? view : new DataView(bytes.buffer), end);

	let hex = '';
	for (let i = 0; i < 8; i++) {
		const word = hash[i]!;
		hex += HEX[word >>> 24]! + HEX[(word >>> 16) & 255]! + HEX[(word >>> 8) & 255]! + HEX[word & 255]!;
	}
	return hex;
}

/**
 * All blocks up to `end`. Sixteen rounds at a time are written out, so that neither words nor state are moved about in memory:
 * a loop over the rounds takes half as long again, and each record and permission is hashed.
 */
// prettier-ignore
function compress(view: DataView, end: number): void {
	let A = START[0]!, B = START[1]!, C = START[2]!, D = START[3]!, E = START[4]!, F = START[5]!, G = START[6]!, H = START[7]!;
	for (let at = 0; at < end; at += 64) {
		let w0 = view.getInt32(at), w1 = view.getInt32(at + 4), w2 = view.getInt32(at + 8), w3 = view.getInt32(at + 12);
		let w4 = view.getInt32(at + 16), w5 = view.getInt32(at + 20), w6 = view.getInt32(at + 24), w7 = view.getInt32(at + 28);
		let w8 = view.getInt32(at + 32), w9 = view.getInt32(at + 36), w10 = view.getInt32(at + 40), w11 = view.getInt32(at + 44);
		let w12 = view.getInt32(at + 48), w13 = view.getInt32(at + 52), w14 = view.getInt32(at + 56), w15 = view.getInt32(at + 60);
		let a = A, b = B, c = C, d = D, e = E, f = F, g = G, h = H;
		for (let i = 0; ; i += 16) {
			h = (h + ((e >>> 6 | e << 26) ^ (e >>> 11 | e << 21) ^ (e >>> 25 | e << 7)) + (g ^ e & (f ^ g)) + K[i]! + w0) | 0;
			d = (d + h) | 0;
			h = (h + ((a >>> 2 | a << 30) ^ (a >>> 13 | a << 19) ^ (a >>> 22 | a << 10)) + (a & b | c & (a | b))) | 0;
			g = (g + ((d >>> 6 | d << 26) ^ (d >>> 11 | d << 21) ^ (d >>> 25 | d << 7)) + (f ^ d & (e ^ f)) + K[i + 1]! + w1) | 0;
			c = (c + g) | 0;
			g = (g + ((h >>> 2 | h << 30) ^ (h >>> 13 | h << 19) ^ (h >>> 22 | h << 10)) + (h & a | b & (h | a))) | 0;
			f = (f + ((c >>> 6 | c << 26) ^ (c >>> 11 | c << 21) ^ (c >>> 25 | c << 7)) + (e ^ c & (d ^ e)) + K[i + 2]! + w2) | 0;
			b = (b + f) | 0;
			f = (f + ((g >>> 2 | g << 30) ^ (g >>> 13 | g << 19) ^ (g >>> 22 | g << 10)) + (g & h | a & (g | h))) | 0;
			e = (e + ((b >>> 6 | b << 26) ^ (b >>> 11 | b << 21) ^ (b >>> 25 | b << 7)) + (d ^ b & (c ^ d)) + K[i + 3]! + w3) | 0;
			a = (a + e) | 0;
			e = (e + ((f >>> 2 | f << 30) ^ (f >>> 13 | f << 19) ^ (f >>> 22 | f << 10)) + (f & g | h & (f | g))) | 0;
			d = (d + ((a >>> 6 | a << 26) ^ (a >>> 11 | a << 21) ^ (a >>> 25 | a << 7)) + (c ^ a & (b ^ c)) + K[i + 4]! + w4) | 0;
			h = (h + d) | 0;
			d = (d + ((e >>> 2 | e << 30) ^ (e >>> 13 | e << 19) ^ (e >>> 22 | e << 10)) + (e & f | g & (e | f))) | 0;
			c = (c + ((h >>> 6 | h << 26) ^ (h >>> 11 | h << 21) ^ (h >>> 25 | h << 7)) + (b ^ h & (a ^ b)) + K[i + 5]! + w5) | 0;
			g = (g + c) | 0;
			c = (c + ((d >>> 2 | d << 30) ^ (d >>> 13 | d << 19) ^ (d >>> 22 | d << 10)) + (d & e | f & (d | e))) | 0;
			b = (b + ((g >>> 6 | g << 26) ^ (g >>> 11 | g << 21) ^ (g >>> 25 | g << 7)) + (a ^ g & (h ^ a)) + K[i + 6]! + w6) | 0;
			f = (f + b) | 0;
			b = (b + ((c >>> 2 | c << 30) ^ (c >>> 13 | c << 19) ^ (c >>> 22 | c << 10)) + (c & d | e & (c | d))) | 0;
			a = (a + ((f >>> 6 | f << 26) ^ (f >>> 11 | f << 21) ^ (f >>> 25 | f << 7)) + (h ^ f & (g ^ h)) + K[i + 7]! + w7) | 0;
			e = (e + a) | 0;
			a = (a + ((b >>> 2 | b << 30) ^ (b >>> 13 | b << 19) ^ (b >>> 22 | b << 10)) + (b & c | d & (b | c))) | 0;
			h = (h + ((e >>> 6 | e << 26) ^ (e >>> 11 | e << 21) ^ (e >>> 25 | e << 7)) + (g ^ e & (f ^ g)) + K[i + 8]! + w8) | 0;
			d = (d + h) | 0;
			h = (h + ((a >>> 2 | a << 30) ^ (a >>> 13 | a << 19) ^ (a >>> 22 | a << 10)) + (a & b | c & (a | b))) | 0;
			g = (g + ((d >>> 6 | d << 26) ^ (d >>> 11 | d << 21) ^ (d >>> 25 | d << 7)) + (f ^ d & (e ^ f)) + K[i + 9]! + w9) | 0;
			c = (c + g) | 0;
			g = (g + ((h >>> 2 | h << 30) ^ (h >>> 13 | h << 19) ^ (h >>> 22 | h << 10)) + (h & a | b & (h | a))) | 0;
			f = (f + ((c >>> 6 | c << 26) ^ (c >>> 11 | c << 21) ^ (c >>> 25 | c << 7)) + (e ^ c & (d ^ e)) + K[i + 10]! + w10) | 0;
			b = (b + f) | 0;
			f = (f + ((g >>> 2 | g << 30) ^ (g >>> 13 | g << 19) ^ (g >>> 22 | g << 10)) + (g & h | a & (g | h))) | 0;
			e = (e + ((b >>> 6 | b << 26) ^ (b >>> 11 | b << 21) ^ (b >>> 25 | b << 7)) + (d ^ b & (c ^ d)) + K[i + 11]! + w11) | 0;
			a = (a + e) | 0;
			e = (e + ((f >>> 2 | f << 30) ^ (f >>> 13 | f << 19) ^ (f >>> 22 | f << 10)) + (f & g | h & (f | g))) | 0;
			d = (d + ((a >>> 6 | a << 26) ^ (a >>> 11 | a << 21) ^ (a >>> 25 | a << 7)) + (c ^ a & (b ^ c)) + K[i + 12]! + w12) | 0;
			h = (h + d) | 0;
			d = (d + ((e >>> 2 | e << 30) ^ (e >>> 13 | e << 19) ^ (e >>> 22 | e << 10)) + (e & f | g & (e | f))) | 0;
			c = (c + ((h >>> 6 | h << 26) ^ (h >>> 11 | h << 21) ^ (h >>> 25 | h << 7)) + (b ^ h & (a ^ b)) + K[i + 13]! + w13) | 0;
			g = (g + c) | 0;
			c = (c + ((d >>> 2 | d << 30) ^ (d >>> 13 | d << 19) ^ (d >>> 22 | d << 10)) + (d & e | f & (d | e))) | 0;
			b = (b + ((g >>> 6 | g << 26) ^ (g >>> 11 | g << 21) ^ (g >>> 25 | g << 7)) + (a ^ g & (h ^ a)) + K[i + 14]! + w14) | 0;
			f = (f + b) | 0;
			b = (b + ((c >>> 2 | c << 30) ^ (c >>> 13 | c << 19) ^ (c >>> 22 | c << 10)) + (c & d | e & (c | d))) | 0;
			a = (a + ((f >>> 6 | f << 26) ^ (f >>> 11 | f << 21) ^ (f >>> 25 | f << 7)) + (h ^ f & (g ^ h)) + K[i + 15]! + w15) | 0;
			e = (e + a) | 0;
			a = (a + ((b >>> 2 | b << 30) ^ (b >>> 13 | b << 19) ^ (b >>> 22 | b << 10)) + (b & c | d & (b | c))) | 0;
			if (i === 48) break;
			w0 = (w0 + ((w1 >>> 7 | w1 << 25) ^ (w1 >>> 18 | w1 << 14) ^ w1 >>> 3) + w9 + ((w14 >>> 17 | w14 << 15) ^ (w14 >>> 19 | w14 << 13) ^ w14 >>> 10)) | 0;
			w1 = (w1 + ((w2 >>> 7 | w2 << 25) ^ (w2 >>> 18 | w2 << 14) ^ w2 >>> 3) + w10 + ((w15 >>> 17 | w15 << 15) ^ (w15 >>> 19 | w15 << 13) ^ w15 >>> 10)) | 0;
			w2 = (w2 + ((w3 >>> 7 | w3 << 25) ^ (w3 >>> 18 | w3 << 14) ^ w3 >>> 3) + w11 + ((w0 >>> 17 | w0 << 15) ^ (w0 >>> 19 | w0 << 13) ^ w0 >>> 10)) | 0;
			w3 = (w3 + ((w4 >>> 7 | w4 << 25) ^ (w4 >>> 18 | w4 << 14) ^ w4 >>> 3) + w12 + ((w1 >>> 17 | w1 << 15) ^ (w1 >>> 19 | w1 << 13) ^ w1 >>> 10)) | 0;
			w4 = (w4 + ((w5 >>> 7 | w5 << 25) ^ (w5 >>> 18 | w5 << 14) ^ w5 >>> 3) + w13 + ((w2 >>> 17 | w2 << 15) ^ (w2 >>> 19 | w2 << 13) ^ w2 >>> 10)) | 0;
			w5 = (w5 + ((w6 >>> 7 | w6 << 25) ^ (w6 >>> 18 | w6 << 14) ^ w6 >>> 3) + w14 + ((w3 >>> 17 | w3 << 15) ^ (w3 >>> 19 | w3 << 13) ^ w3 >>> 10)) | 0;
			w6 = (w6 + ((w7 >>> 7 | w7 << 25) ^ (w7 >>> 18 | w7 << 14) ^ w7 >>> 3) + w15 + ((w4 >>> 17 | w4 << 15) ^ (w4 >>> 19 | w4 << 13) ^ w4 >>> 10)) | 0;
			w7 = (w7 + ((w8 >>> 7 | w8 << 25) ^ (w8 >>> 18 | w8 << 14) ^ w8 >>> 3) + w0 + ((w5 >>> 17 | w5 << 15) ^ (w5 >>> 19 | w5 << 13) ^ w5 >>> 10)) | 0;
			w8 = (w8 + ((w9 >>> 7 | w9 << 25) ^ (w9 >>> 18 | w9 << 14) ^ w9 >>> 3) + w1 + ((w6 >>> 17 | w6 << 15) ^ (w6 >>> 19 | w6 << 13) ^ w6 >>> 10)) | 0;
			w9 = (w9 + ((w10 >>> 7 | w10 << 25) ^ (w10 >>> 18 | w10 << 14) ^ w10 >>> 3) + w2 + ((w7 >>> 17 | w7 << 15) ^ (w7 >>> 19 | w7 << 13) ^ w7 >>> 10)) | 0;
			w10 = (w10 + ((w11 >>> 7 | w11 << 25) ^ (w11 >>> 18 | w11 << 14) ^ w11 >>> 3) + w3 + ((w8 >>> 17 | w8 << 15) ^ (w8 >>> 19 | w8 << 13) ^ w8 >>> 10)) | 0;
			w11 = (w11 + ((w12 >>> 7 | w12 << 25) ^ (w12 >>> 18 | w12 << 14) ^ w12 >>> 3) + w4 + ((w9 >>> 17 | w9 << 15) ^ (w9 >>> 19 | w9 << 13) ^ w9 >>> 10)) | 0;
			w12 = (w12 + ((w13 >>> 7 | w13 << 25) ^ (w13 >>> 18 | w13 << 14) ^ w13 >>> 3) + w5 + ((w10 >>> 17 | w10 << 15) ^ (w10 >>> 19 | w10 << 13) ^ w10 >>> 10)) | 0;
			w13 = (w13 + ((w14 >>> 7 | w14 << 25) ^ (w14 >>> 18 | w14 << 14) ^ w14 >>> 3) + w6 + ((w11 >>> 17 | w11 << 15) ^ (w11 >>> 19 | w11 << 13) ^ w11 >>> 10)) | 0;
			w14 = (w14 + ((w15 >>> 7 | w15 << 25) ^ (w15 >>> 18 | w15 << 14) ^ w15 >>> 3) + w7 + ((w12 >>> 17 | w12 << 15) ^ (w12 >>> 19 | w12 << 13) ^ w12 >>> 10)) | 0;
			w15 = (w15 + ((w0 >>> 7 | w0 << 25) ^ (w0 >>> 18 | w0 << 14) ^ w0 >>> 3) + w8 + ((w13 >>> 17 | w13 << 15) ^ (w13 >>> 19 | w13 << 13) ^ w13 >>> 10)) | 0;
		}
		A = (A + a) | 0;
		B = (B + b) | 0;
		C = (C + c) | 0;
		D = (D + d) | 0;
		E = (E + e) | 0;
		F = (F + f) | 0;
		G = (G + g) | 0;
		H = (H + h) | 0;
	}
	hash.set([A, B, C, D, E, F, G, H]);
}
