/** Something that is waited for, and comes once. */
export function latch<T>(): { readonly opened: Promise<T>; open(value: T): void } {
	let open = (_: T) => {};
	const opened = new Promise<T>((resolve) => (open = resolve));
	return { opened, open: (value) => open(value) };
}
