/** One stroke of a glyph on a 16 × 16 field. */
export interface GlyphShape {
	d: string;
	/** Filled with the text colour. */
	solid?: true;
	/** Stroke width, where it differs from the common one. */
	width?: number;
}

const ring = 'M14 8A6 6 0 1 1 2 8a6 6 0 0 1 12 0Z';

/**
 * The signs of the house. One sign, one meaning: the nib writes, the eye asks to be looked at, two bars rest, the octagon
 * cannot be undone, the broken square came from outside.
 * @since 0.1.0
 */
export const GLYPHS = {
	act: [{ d: 'M8 1.5 12.2 7.5 8 14.5 3.8 7.5Z' }, { d: 'M8 14.5V8.5' }],
	ask: [
		{ d: 'M1 8c2-3.1 4.3-4.7 7-4.7S13 4.9 15 8c-2 3.1-4.3 4.7-7 4.7S3 11.1 1 8Z' },
		{ d: 'M10 8a2 2 0 1 1-4 0 2 2 0 0 1 4 0Z', solid: true }
	],
	question: [{ d: 'M5.2 5.5c0-1.7 1.1-2.7 2.8-2.7s2.9 1 2.9 2.5C10.9 7.5 8 7.4 8 9.8' }, { d: 'M8 12.8v.4' }],
	pause: [{ d: 'M5.5 3v10M10.5 3v10' }],
	fail: [{ d: 'M3.5 3.5l9 9M12.5 3.5l-9 9' }],
	refuse: [{ d: ring }, { d: 'M3.8 3.8l8.4 8.4' }],
	risk: [{ d: 'M5.3 1.5h5.4l3.8 3.8v5.4l-3.8 3.8H5.3l-3.8-3.8V5.3Z' }, { d: 'M8 4.5v4.2M8 11.2v.3' }],
	taint: [
		{ d: 'M2 5V2h3M7 2h2.5M12 2h2v2M14 6.5V9M14 12v2h-3M9 14H6.5M4 14H2v-2M2 9.5V7.5' },
		{ d: 'M5.8 6.3v3M10.2 6.3v3', width: 2.4 }
	],
	undo: [{ d: 'M5.5 2.5l-3 3 3 3' }, { d: 'M2.5 5.5h7a4 4 0 0 1 0 8H6' }],
	redo: [{ d: 'M10.5 2.5l3 3-3 3' }, { d: 'M13.5 5.5h-7a4 4 0 0 0 0 8H10' }],
	stop: [{ d: 'M4 4h8v8H4Z', solid: true }],
	clock: [{ d: ring }, { d: 'M8 4.5V8l2.5 1.5' }],
	read: [{ d: 'M2 4h12M2 8h12M2 12h7' }],
	edit: [{ d: 'M10.5 2.5l3 3L6 13l-3.7.7L3 10Z' }],
	done: [{ d: 'M2.5 8.5l3.6 3.7L13.5 4' }],
	copy: [{ d: 'M5.5 5.5h8v8h-8Z' }, { d: 'M10.5 5.5v-3h-8v8h3' }],
	return: [{ d: 'M1.5 8H9' }, { d: 'M14 8a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0Z', solid: true }]
} as const satisfies Record<string, readonly GlyphShape[]>;

/** Name of a glyph. @since 0.1.0 */
export type GlyphName = keyof typeof GLYPHS;
