import type { MorfoPart } from './morfo.js';

/**
 * Parts any surface may hold without naming them itself: the sign beside words, and words for ears alone.
 * @since 0.1.0
 */
export const SHARED_PARTS = {
	glyph: {
		element: 'svg',
		attributes: { 'data-glyph': 'name of the sign' },
		aria: { 'aria-hidden': 'true' }
	},
	unseen: { element: 'span' }
} as const satisfies Readonly<Record<string, MorfoPart>>;
