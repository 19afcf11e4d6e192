/** How far the frame stands off, in px. */
const OUTSET = 8;

/**
 * Lays an absolutely placed element around another one and keeps it there, whatever moves: sizes, scrolling, what comes and
 * goes around it. While the other is out of the page or scrolled out of sight, the frame is hidden.
 * @internal
 */
export function layAround(frame: HTMLElement, target: Element): () => void {
	const { ownerDocument } = target;
	const view = ownerDocument.defaultView;
	let waiting = 0;
	const lay = () => {
		waiting = 0;
		const box = target.getBoundingClientRect();
		const { style } = frame;
		style.visibility = target.isConnected && isInSight(target, box) ? '' : 'hidden';
		const parent = frame.offsetParent;
		const origin = (parent ?? ownerDocument.documentElement).getBoundingClientRect();
		style.inset = 'auto';
		style.left = `${box.left - origin.left - (parent?.clientLeft ?? 0) + (parent?.scrollLeft ?? 0) - OUTSET}px`;
		style.top = `${box.top - origin.top - (parent?.clientTop ?? 0) + (parent?.scrollTop ?? 0) - OUTSET}px`;
		style.width = `${box.width + 2 * OUTSET}px`;
		style.height = `${box.height + 2 * OUTSET}px`;
	};
	// However much happens, once a frame is enough.
	const again = () => void (waiting ||= view?.requestAnimationFrame(lay) ?? 0);
	lay();
	const sizes = typeof ResizeObserver === 'function' ? new ResizeObserver(again) : undefined;
	sizes?.observe(target);
	if (frame.offsetParent !== null) sizes?.observe(frame.offsetParent);
	const changes = new MutationObserver((all) => {
		if (all.some((one) => !frame.contains(one.target))) again();
	});
	changes.observe(ownerDocument.body, {
		childList: true,
		subtree: true,
		attributeFilter: ['class', 'style', 'hidden', 'open']
	});
	const moved = ['scroll', 'resize', 'transitionend', 'animationend'];
	for (const type of moved) view?.addEventListener(type, again, { capture: true, passive: true });
	return () => {
		if (waiting) view?.cancelAnimationFrame(waiting);
		sizes?.disconnect();
		changes.disconnect();
		for (const type of moved) view?.removeEventListener(type, again, { capture: true });
	};
}

/** Does any of it show in each box that cuts it off? */
function isInSight(target: Element, box: DOMRect): boolean {
	for (let one = target.parentElement; one; one = one.parentElement) {
		const { overflowX, overflowY } = getComputedStyle(one);
		if (overflowX === 'visible' && overflowY === 'visible') continue;
		const cut = one.getBoundingClientRect();
		// What nobody lays out, as a body of no height, cuts nothing off.
		if (one.ownerDocument.body === one || cut.height === 0) continue;
		if (box.bottom <= cut.top || box.top >= cut.bottom || box.right <= cut.left || box.left >= cut.right)
			return false;
	}
	return true;
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
