/**
 * Leads a person to a surface: focuses its title, or else the first control in it. Only for handlers of the person's own
 * events; nothing ever moves focus by itself.
 * @param agent id of the agent whose surface it has to be @default any
 * @returns false where no such surface waits on the page
 * @since 0.1.0
 */
export function goTo(
	document: Document,
	surface: 'review-card' | 'question-card' | 'turn-line',
	agent?: string
): boolean {
	const roots = document.querySelectorAll<HTMLElement>(
		`[data-surface='${surface}']:is([data-state='open'], [data-state='stale'], [data-state='later'], [data-state='waiting'])`
	);
	const root = [...roots].find(({ dataset }) => agent === undefined || dataset['agent'] === agent);
	if (root === undefined) return false;
	// Put off, it is one press away from being looked at.
	const again = root.querySelector<HTMLElement>(`[data-state='later'] [data-action='review-again']`);
	const title = again ?? root.querySelector<HTMLElement>(`[data-part='title'][tabindex]`);
	const target = title ?? root.querySelector<HTMLElement>('button, input, select, textarea, a[href]');
	target?.focus();
	return target !== null && target !== undefined;
}
