const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789';
const LENGTH = 8;

// One question to the source of randomness is slow, whether it gives eight bytes or a thousand.
const pool = new Uint8Array(128 * LENGTH);
let used = pool.length;

/** Eight characters at random: short enough to be repeated by a model, rare enough for a million blocks. @since 0.1.0 */
export function randomId(): string {
	if (used === pool.length) {
		crypto.getRandomValues(pool);
		used = 0;
	}
	let id = '';
	for (const end = used + LENGTH; used < end; used++) id += ALPHABET[pool[used]! % ALPHABET.length];
	return id;
}

/** How often a generator may repeat itself before its ids are numbered. */
const PATIENCE = 100;

/** An id that nobody has yet; a generator that repeats itself cannot break this. @internal */
export function freshId(ids: () => string, taken: { has(id: string): boolean }): string {
	let id = '';
	for (let turn = 0; turn < PATIENCE; turn++) {
		id = String(ids());
		if (id !== '' && !taken.has(id)) return id;
	}
	let number = 2;
	while (taken.has(`${id}-${number}`)) number++;
	return `${id}-${number}`;
}
