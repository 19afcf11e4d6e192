/**
 * A view that reads something again whenever it changes.
 * @param {() => unknown} read
 * @returns {() => void} takes it away
 */
export function reader(read) {
	return $effect.root(() => {
		$effect(() => {
			read();
		});
	});
}
