/** How far the frame stands off, in px. */
const OUTSET = 8;

/**
 * Lays an absolutely placed element around another one, and keeps it there while either changes its size. Both have to
 * scroll together; where they do not, put Aura around the element instead.
 * @internal
 */
export function layAround(frame: HTMLElement, target: Element): () => void {
	const lay = () => {
		const origin = (frame.offsetParent ?? frame.ownerDocument.documentElement).getBoundingClientRect();
		const parent = frame.offsetParent;
		const box = target.getBoundingClientRect();
		frame.style.inset = 'auto';
		frame.style.left = `${box.left - origin.left - (parent?.clientLeft ?? 0) + (parent?.scrollLeft ?? 0) - OUTSET}px`;
		frame.style.top = `${box.top - origin.top - (parent?.clientTop ?? 0) + (parent?.scrollTop ?? 0) - OUTSET}px`;
		frame.style.width = `${box.width + 2 * OUTSET}px`;
		frame.style.height = `${box.height + 2 * OUTSET}px`;
	};
	lay();
	if (typeof ResizeObserver !== 'function') return () => {};
	const observer = new ResizeObserver(lay);
	observer.observe(target);
	if (frame.offsetParent !== null) observer.observe(frame.offsetParent);
	return () => observer.disconnect();
}

/** Would the flag, standing on the line, lie over what has the focus? @internal */
export function covers(flag: Element, focused: Element): boolean {
	const a = flag.getBoundingClientRect();
	const b = focused.getBoundingClientRect();
	// Where it stands now may be above already; what counts is the place on the line.
	const line = flag.parentElement?.getBoundingClientRect().top ?? a.bottom;
	const top = line - a.height / 2;
	return a.left < b.right && b.left < a.right && top < b.bottom && b.top < top + a.height;
}

/**
 * Keeps as much room free at the end of what scrolls as the line takes while it is docked, so that it never lies for good
 * over what comes last, wherever an app puts the line and whatever its own styles reset.
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
		const docked = defaultView?.getComputedStyle(line).position === 'fixed';
		const height = `${docked ? Math.ceil(line.getBoundingClientRect().height + 1) : 0}px`;
		room.style.cssText = `flex:none;inline-size:100%;grid-column:1/-1;block-size:${height}`;
		documentElement.style.setProperty('--ax-dock', height);
	});
	observer.observe(line);
	return () => {
		observer.disconnect();
		room.remove();
		documentElement.style.removeProperty('--ax-dock');
	};
}
