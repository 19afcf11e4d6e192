import type { QuestionWords } from '../language.js';
import { list, some } from './words.js';

/** @since 0.1.0 */
export const question: QuestionWords = {
	asks: (agent) => `${agent} te pregunta`,
	inRun: (goal) => `en el encargo ${goal}`,
	answer: (agent) => `Responder a ${agent}`,
	decline: 'No responder',
	consent: (agent) => `¿Qué puede leer ${agent} en este encargo?`,
	read: (label, what) => `${label}: ${what}`,
	yourAnswer: 'Tu respuesta',
	optional: 'opcional',
	choose: 'Elige…',
	open: (host) => `Abrir ${host}`,
	waiting: (n) =>
		`${n === 1 ? 'Después de esta espera otra pregunta' : `Después de esta esperan otras ${n} preguntas`}.`,
	later: 'Más tarde',
	putOff: (agent) => `${agent} sigue esperando tu respuesta.`,
	lookAgain: 'Ver la pregunta',
	elsewhere: (host) =>
		`Esto se hace en otra página, en ${host}. Mira bien la dirección antes de escribir nada allí.`,
	badLink:
		'La dirección que venía con esta pregunta no es una dirección web, así que no se puede abrir aquí.',
	hidden: 'La dirección lleva un nombre o una contraseña. No está hecha para que la abras.',
	finished: 'Ya lo he hecho',
	fault: {
		least: (n) => `Escribe un número que sea al menos ${n.toLocaleString('es')}.`,
		most: (n) => `Escribe un número que no pase de ${n.toLocaleString('es')}.`,
		shortest: (n) => `Escribe al menos ${some(n, 'carácter', 'caracteres')}.`,
		longest: (n) => `Escribe como mucho ${some(n, 'carácter', 'caracteres')}.`,
		fewest: (n) => `Elige al menos ${n}.`,
		mostChoices: (n) => `Elige como mucho ${n}.`,
		email: 'Escribe una dirección de correo, por ejemplo nombre@ejemplo.com.',
		url: 'Escribe una dirección web, por ejemplo https://ejemplo.com.'
	},
	number: 'Escribe un número.',
	whole: 'Escribe un número entero.',
	json: 'Esto no es JSON válido. Pon el texto entre comillas dobles, por ejemplo "texto".',
	missing: (label) => `Falta ${label}.`,
	faults: (n) => (n === 1 ? 'Un campo necesita revisión.' : `${n} campos necesitan revisión.`),
	secret: (labels) =>
		`${list(labels)} sería un secreto. Ningún agente puede pedirlo, así que aquí no se responde.`,
	noSecrets: 'No pongas nunca aquí una contraseña ni un número de tarjeta. Ningún agente puede pedirlos.'
};
