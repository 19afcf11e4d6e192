import type { PanelWords } from '../language.js';
import { list } from './words.js';

/** @since 0.1.0 */
export const panel: PanelWords = {
	name: (agent) => `Conversación con ${agent}`,
	tell: (agent) => `Dile algo a ${agent}`,
	keys: 'Intro envía, Mayús+Intro empieza otra línea.',
	send: 'Enviar',
	attach: 'Adjuntar…',
	canUse: (agent, labels, more) =>
		`${agent} puede trabajar aquí en ${list(more > 0 ? [...labels, `${more} más`] : labels)}.`,
	nothingHere: (agent) => `Nada de esta página deja actuar a ${agent}. Aun así puede responder.`,
	suggestions: 'Puedes empezar con',
	noAgent: 'Aquí todavía no hay ningún agente.',
	writeFirst: 'Escribe algo primero.',
	steer: 'Reorientar',
	queue: 'Poner en cola',
	queued: 'Espera su turno detrás del encargo en marcha.'
};
