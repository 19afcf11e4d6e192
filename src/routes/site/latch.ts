/** Something that is waited for, and opened once. */
export function latch(): { readonly opened: Promise<void>; open(): void } {
	let open = () => {};
	const opened = new Promise<void>((resolve) => (open = resolve));
	return { opened, open: () => open() };
}
