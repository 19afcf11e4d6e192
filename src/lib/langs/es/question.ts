import type { QuestionWords } from '../language.js';
import { list } from './words.js';

/** @since 0.1.0 */
export const question: QuestionWords = {
	asks: (agent) => `${agent} te pregunta`,
	answer: (agent) => `Responder a ${agent}`,
	decline: 'No responder',
	consent: (agent) => `¿Qué puede leer ${agent} en este encargo?`,
	read: (label, what) => `${label}: ${what}`,
	yourAnswer: 'Tu respuesta',
	optional: 'opcional',
	choose: 'Elige…',
	open: (host) => `Abrir ${host}`,
	number: 'Escribe un número.',
	whole: 'Escribe un número entero.',
	json: 'Esto no es JSON válido. Pon el texto entre comillas dobles, por ejemplo "texto".',
	missing: (label) => `Falta ${label}.`,
	faults: (n) => (n === 1 ? 'Un campo necesita revisión.' : `${n} campos necesitan revisión.`),
	secret: (labels) =>
		`${list(labels)} sería un secreto. Ningún agente puede pedirlo, así que aquí no se responde.`,
	notLoaded: 'No se pudo cargar el formulario.',
	noSecrets: 'No pongas nunca aquí una contraseña ni un número de tarjeta. Ningún agente puede pedirlos.'
};
