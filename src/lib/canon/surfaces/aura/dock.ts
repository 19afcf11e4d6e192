/**
 * Keeps as much room free at the end of what scrolls as the line takes while it is docked, so that it never lies for good
 * over what comes last, wherever an app puts the line and whatever its own styles reset. Where it stays at the top instead,
 * its height is told to the style sheet, which keeps what the focus scrolls to clear of it.
 * @internal
 */
export function keepClear(line: HTMLElement): () => void {
	if (typeof ResizeObserver !== 'function') return () => {};
	const { documentElement, body, defaultView } = line.ownerDocument;
	const room = line.ownerDocument.createElement('div');
	room.setAttribute('data-part', 'dock');
	let scroller = line.parentElement ?? body;
	while (scroller !== body && !/auto|scroll/.test(getComputedStyle(scroller).overflowY))
		scroller = scroller.parentElement ?? body;
	scroller.append(room);
	const observer = new ResizeObserver(() => {
		// One more: a scroll ends on a whole pixel.
		const position = defaultView?.getComputedStyle(line).position;
		const height = Math.ceil(line.getBoundingClientRect().height + 1);
		const dock = `${position === 'fixed' ? height : 0}px`;
		room.style.cssText = `flex:none;inline-size:100%;grid-column:1/-1;block-size:${dock}`;
		documentElement.style.setProperty('--ax-dock', dock);
		documentElement.style.setProperty('--ax-head', `${position === 'sticky' ? height : 0}px`);
	});
	observer.observe(line);
	return () => {
		observer.disconnect();
		room.remove();
		documentElement.style.removeProperty('--ax-dock');
		documentElement.style.removeProperty('--ax-head');
	};
}
