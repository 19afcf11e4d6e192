import type { DelegateVerb, Family, Verb } from './vocabulary.js';

/**
 * How a verb of delegation is perceived: the line it draws, the glyph beside it, whether anything moves, and how long its
 * stamp stays at least (ms). Line and glyph survive greyscale, stillness and forced colours; motion never stands alone.
 * @since 0.1.0
 */
export interface Cue {
	line: 'thin' | 'solid' | 'double' | 'ink';
	glyph: 'read' | 'act' | 'ask' | 'question' | 'done' | 'edit' | 'return';
	motion: 'none' | 'stroke' | 'settle';
	holdMs: number;
}

const CUES: Readonly<Record<DelegateVerb, Cue>> = {
	offer: { line: 'thin', glyph: 'edit', motion: 'none', holdMs: 600 },
	plan: { line: 'thin', glyph: 'read', motion: 'none', holdMs: 600 },
	review: { line: 'double', glyph: 'ask', motion: 'settle', holdMs: 900 },
	authorize: { line: 'ink', glyph: 'done', motion: 'none', holdMs: 600 },
	act: { line: 'solid', glyph: 'act', motion: 'stroke', holdMs: 600 },
	escalate: { line: 'double', glyph: 'question', motion: 'settle', holdMs: 900 },
	return: { line: 'ink', glyph: 'return', motion: 'settle', holdMs: 900 }
};

/** What a warning must stay, so that it can be read. */
const HOLD_SIGNAL = 900;
/** Least time any stamp stays. */
const HOLD = 600;

/** How a verb of delegation is perceived. @since 0.1.0 */
export function cueOf(verb: DelegateVerb): Cue {
	return CUES[verb];
}

/** Least time in ms the stamp of an emission stays. @since 0.1.0 */
export function holdOf(family: Family, verb: Verb): number {
	if (family === 'delegate') return CUES[verb as DelegateVerb].holdMs;
	return family === 'signal' ? HOLD_SIGNAL : HOLD;
}
