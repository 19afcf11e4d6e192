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

/** Words that name a place in a document or what is selected there. */
const PLACES: readonly string[] = ['start', 'end', 'selection'];
const TAME = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * Can this be the id of a block? Ids are shown to a model as the app's own word, so they are short and made of letters, digits,
 * `-` and `_`, and none is a word that means something else: `start`, `end`, `selection`, or what every object has.
 * @internal
 */
export const isBlockId = (id: string): boolean => TAME.test(id) && !PLACES.includes(id) && !(id in {});

/** The shape of {@link randomId}, numbered or not: in eight characters nobody says anything. @internal */
export const isMadeHere = (id: string): boolean => /^[a-z0-9]{8}(-\d{1,6})?$/.test(id) && isBlockId(id);

/** How often a generator may repeat itself before its ids are numbered. */
const PATIENCE = 100;

/** An id that nobody has yet; a generator that repeats itself cannot break this. @internal */
export function freshId(ids: () => string, taken: { has(id: string): boolean }): string {
	let id = '';
	for (let turn = 0; turn < PATIENCE; turn++) {
		id = String(ids());
		if (isBlockId(id) && !taken.has(id)) return id;
	}
	// What it makes is no id, or would not be one with a number behind it.
	if (!isBlockId(`${id}-${Number.MAX_SAFE_INTEGER}`)) return freshId(randomId, taken);
	let number = 2;
	while (taken.has(`${id}-${number}`)) number++;
	return `${id}-${number}`;
}
