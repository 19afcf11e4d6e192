import type { Attachment } from 'svelte/attachments';

/** Tells whether what an element holds is wider or higher than the element, now and whenever either changes. */
export function overflow(tell: (over: boolean) => void): Attachment<HTMLElement> {
	return (element) => {
		if (typeof ResizeObserver === 'undefined') return;
		const observer = new ResizeObserver(() =>
			tell(element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight)
		);
		observer.observe(element);
		if (element.firstElementChild) observer.observe(element.firstElementChild);
		return () => observer.disconnect();
	};
}
