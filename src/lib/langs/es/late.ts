import type { LateWords } from '../language.js';

/** @since 0.1.0 */
export const late: LateWords = {
	failed: 'El resto no se ha podido cargar y no se ha decidido nada.',
	again: 'Intentar de nuevo'
};
