const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789';
const LENGTH = 8;

/** Eight characters at random: short enough to be repeated by a model, rare enough for a million blocks. @since 0.1.0 */
export function randomId(): string {
	const bytes = crypto.getRandomValues(new Uint8Array(LENGTH));
	return Array.from(bytes, (byte) => ALPHABET[byte % ALPHABET.length]).join('');
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
