import type { RefusalWords } from '../language.js';

const words: Readonly<Record<string, string>> = {
	'run-over': 'Este encargo ya ha terminado.',
	'run-live': 'Este encargo sigue en marcha.',
	'person-required': 'Esto solo puede decidirlo una persona.',
	'decision-incomplete': 'Cada paso necesita una decisión.',
	'review-settled': 'Esta revisión ya está decidida.',
	'review-unknown': 'Esta revisión ya no existe.',
	'question-settled': 'Esta pregunta ya está resuelta.',
	'question-unknown': 'Esta pregunta ya no existe.',
	'answer-invalid': 'La respuesta no encaja con la pregunta.',
	expired: 'El plazo para decidir ha terminado. No se ha hecho nada.',
	stale: 'Algo ha cambiado entretanto. No se ha hecho nada.',
	'illegal-transition': 'Ahora mismo no es posible.'
};

/** @since 0.1.0 */
export const refusal: RefusalWords = (reason) => words[reason.code] ?? reason.text;
