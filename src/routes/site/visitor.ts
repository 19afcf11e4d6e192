import type { Actor } from '$lib/index.js';

/** The person at the page, if a real gesture says so; else nobody in particular, which the engine takes for the app. */
export const visitor = (event: Event): Actor | undefined =>
	event.isTrusted ? { kind: 'human', id: 'visitor' } : undefined;
