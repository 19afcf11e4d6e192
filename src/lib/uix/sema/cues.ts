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

const CUES: Readonly<Record<DelegateVerb, Omit<Cue, 'holdMs'>>> = {
	offer: { line: 'thin', glyph: 'edit', motion: 'none' },
	plan: { line: 'thin', glyph: 'read', motion: 'none' },
	review: { line: 'double', glyph: 'ask', motion: 'settle' },
	authorize: { line: 'ink', glyph: 'done', motion: 'none' },
	act: { line: 'solid', glyph: 'act', motion: 'stroke' },
	escalate: { line: 'double', glyph: 'question', motion: 'settle' },
	return: { line: 'ink', glyph: 'return', motion: 'settle' }
};

/** How a verb of delegation is perceived. @since 0.1.0 */
export const cueOf = (verb: DelegateVerb): Cue => ({ ...CUES[verb], holdMs: holdOf('delegate', verb) });

/**
 * Least time in ms the stamp of an emission stays: what a person has to read, or get back to, stays longer.
 * @since 0.1.0
 */
export const holdOf = (family: Family, verb: Verb): number =>
	family === 'signal' || ['review', 'escalate', 'return'].includes(verb) ? 900 : 600;
