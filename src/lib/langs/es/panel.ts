import type { PanelWords } from '../language.js';
/** @since 0.1.0 */
export const panel: PanelWords = {
	name: (agent) => `Conversación con ${agent}`,
	tell: (agent) => `Dile algo a ${agent}`,
	keys: 'Intro envía, Mayús+Intro empieza otra línea.',
	send: 'Enviar',
	suggestions: 'Puedes empezar con',
	noAgent: 'Aquí todavía no hay ningún agente.',
	writeFirst: 'Escribe algo primero.',
	steer: 'Reorientar',
	queue: 'Poner en cola',
	queued: 'Espera su turno detrás del encargo en marcha.'
};
