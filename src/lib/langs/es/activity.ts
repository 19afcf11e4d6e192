import type { ActivityWords } from '../language.js';

/** @since 0.1.0 */
export const activity: ActivityWords = {
	name: (what, word) => `${what}: ${word}`,
	arriving: 'llegan los valores',
	is: {
		proposed: 'por hacer',
		granted: 'por hacer',
		waiting: 'te espera',
		dispatched: 'actuando',
		confirmed: 'hecho',
		refused: 'denegado',
		rejected: 'rechazado por ti',
		failed: 'fallido',
		unknown: 'resultado desconocido',
		withdrawn: 'sin hacer',
		skipped: 'sin hacer'
	},
	reads: (what, label) => ({
		before: what && label ? `Leer ${what} de ` : 'Leer ',
		strong: label || what,
		after: ''
	}),
	part: 'parte',
	untrusted: 'no es de confianza',
	own: 'tu valor',
	more: (n) => `y ${n} más`,
	result: 'Resultado:'
};
