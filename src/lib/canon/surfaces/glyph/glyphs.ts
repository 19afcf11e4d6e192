const ring = 'M14 8A6 6 0 1 1 2 8a6 6 0 0 1 12 0Z';

/**
 * The signs of the house on a 16 × 16 field: strokes and, behind the bar, what is filled. One sign, one meaning: the nib
 * writes, the eye asks to be looked at, two bars rest, the octagon cannot be undone, the broken square came from outside.
 * @since 0.1.0
 */
export const GLYPHS = {
	act: 'M8 1.5l4.2 6-4.2 7-4.2-7ZM8 14v-5.5',
	ask: 'M1 8c4-6.2 10-6.2 14 0c-4 6.2-10 6.2-14 0Z|M10 8a2 2 0 1 1-4 0 2 2 0 0 1 4 0Z',
	question: 'M5.2 5.5c0-3.6 5.7-3.6 5.7-.2C10.9 7.5 8 7.4 8 9.8M8 12.8v.4',
	pause: 'M5.5 3v10M10.5 3v10',
	fail: 'M3.5 3.5l9 9M12.5 3.5l-9 9',
	refuse: `${ring}M4 4l8 8`,
	risk: 'M5.3 1.5h5.4l3.8 3.8v5.4l-3.8 3.8H5.3l-3.8-3.8V5.3ZM8 4.5v4M8 11v.5',
	taint:
		'M2 5V2h3M7 2h2.5M12 2h2v2M14 6.5V9M14 12v2h-3M9 14H6.5M4 14H2v-2M2 9.5V7.5|M5.5 6h.6v3.6h-.6ZM9.9 6h.6v3.6h-.6Z',
	undo: 'M5.5 2.5l-3 3 3 3M2.5 5.5h7a4 4 0 0 1 0 8H6',
	redo: 'M10.5 2.5l3 3-3 3M13.5 5.5h-7a4 4 0 0 0 0 8H10',
	stop: '|M4 4h8v8H4Z',
	clock: `${ring}M8 4.5V8l2.5 1.5`,
	down: 'M8 2.5v10M3.5 8.5L8 13l4.5-4.5',
	read: 'M2 4h12M2 8h12M2 12h7',
	edit: 'M10.5 2.5l3 3L6 13l-3.7.7L3 10Z',
	done: 'M2.5 8.5l3.6 3.7L13.5 4',
	return: 'M1.5 8H9|M14 8a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0Z'
} as const;

/** Name of a glyph. @since 0.1.0 */
export type GlyphName = keyof typeof GLYPHS;
