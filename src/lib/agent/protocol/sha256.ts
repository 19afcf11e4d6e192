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

/**
 * SHA-256 of a text as lower-case hex. Synchronous, because a grant is checked in the same tick as the act it allows, which
 * the web's own digest cannot do. The text is hashed as UTF-8; a lone surrogate has no UTF-8 form and counts as U+FFFD, as
 * `TextEncoder` does, so hash canonical JSON (it escapes them) where that difference matters.
 * @see FIPS 180-4
 * @since 0.1.0
 */
export function sha256(text: string): string {
	const bytes = encoder.encode(text);
	const blocks = ((bytes.length + 8) >> 6) + 1;
	const padded = new Uint8Array(blocks * 64);
	padded.set(bytes);
	padded[bytes.length] = 0x80;
	const view = new DataView(padded.buffer);
	view.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29));
	view.setUint32(padded.length - 4, (bytes.length << 3) >>> 0);

	const hash = START.slice();
	const w = new Int32Array(WORDS);
	for (let offset = 0; offset < padded.length; offset += 64) compress(hash, w, view, offset);

	let hex = '';
	for (const word of hash) hex += (word >>> 0).toString(16).padStart(8, '0');
	return hex;
}

function compress(hash: Int32Array, w: Int32Array, view: DataView, offset: number): void {
	for (let i = 0; i < 16; i++) w[i] = view.getInt32(offset + i * 4);
	for (let i = 16; i < WORDS; i++) {
		const x = w[i - 15] as number;
		const y = w[i - 2] as number;
		const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
		const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
		w[i] = ((w[i - 16] as number) + s0 + (w[i - 7] as number) + s1) | 0;
	}
	let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = hash;
	for (let i = 0; i < WORDS; i++) {
		const S1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
		const t1 = (h + S1 + ((e & f) ^ (~e & g)) + (K[i] as number) + (w[i] as number)) | 0;
		const S0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
		const t2 = (S0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
		h = g;
		g = f;
		f = e;
		e = (d + t1) | 0;
		d = c;
		c = b;
		b = a;
		a = (t1 + t2) | 0;
	}
	[a, b, c, d, e, f, g, h].forEach((word, i) => (hash[i]! += word));
}
