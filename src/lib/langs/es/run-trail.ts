import type { RunTrailWords } from '../language.js';
import { list, some } from './words.js';

/** What the RunTrail says. @since 0.1.0 */
export const runTrail: RunTrailWords = {
	title: (agent) => `Qué hizo ${agent}`,
	none: 'Este encargo no se conoce aquí.',
	empty: (agent) => `${agent} no ha hecho nada todavía.`,
	nothingThere: 'En este encargo no se hizo nada ahí.',
	run: 'Encargo',
	place: 'Componente',
	everywhere: 'En todas partes',
	copy: 'Copiar como líneas JSON',
	copied: (n) => `${some(n, 'registro')} en el portapapeles.`,
	hashCopied: 'Copiado.',
	notCopied: 'El navegador no permitió copiar.',
	copyHash: 'Copiar entero',
	task: 'El encargo',
	turn: (n) => `Turno ${n}`,
	afterwards: 'Después',
	more: (n) => `Mostrar ${n.toLocaleString('es')} más`,
	exact: 'Detalles',
	does: {
		asked: 'pidió esto',
		offered: 'se ofreció a hacer esto',
		accepted: 'aceptó la oferta',
		thought: 'preguntó al modelo',
		planned: (n) => `planeó ${some(n, 'paso')}`,
		review: (n) => `pidió una decisión sobre ${some(n, 'paso')}`,
		decided: (approved, rejected, edited) =>
			list(
				[
					approved && `aprobó ${some(approved, 'paso')}`,
					rejected && `rechazó ${some(rejected, 'paso')}`,
					edited && `cambió ${some(edited, 'paso')}`
				].filter((part) => part !== 0)
			),
		question: 'preguntó',
		answered: 'respondió',
		declined: 'no respondió',
		expired: 'dejó pasar el plazo para responder',
		halted: (why) => `se detuvo: ${why.replace(/\.$/, '')}`,
		paused: 'pausó el encargo',
		wentOn: 'dejó seguir el encargo',
		renewed: (amounts) => `renovó el presupuesto: ${amounts}`,
		widened: (label) => `permitió trabajar en ${label}`,
		consented: (what, verdict) =>
			({
				allow: `permitió leer ${what}`,
				ask: `quiere que se le pregunte antes de leer ${what}`,
				deny: `no permitió leer ${what}`
			})[verdict],
		level: (level) => `fijó el nivel: ${level}`,
		said: 'dijo',
		stopped: 'detuvo el encargo',
		ruled: {
			done: 'dijo que sí ocurrió',
			'not-done': 'dijo que no ocurrió',
			abandon: 'dejó sin aclarar si ocurrió'
		},
		undone: (n) => `deshizo ${some(n, 'cambio')}`,
		redone: (n) => `rehizo ${some(n, 'cambio')}`,
		other: (kind) => `dejó un registro de la clase ${kind}`
	},
	reviews: {
		open: 'te espera',
		settled: 'decidido',
		superseded: 'sustituido',
		expired: 'caducado'
	},
	how: {
		person: 'en una revisión',
		sticky: 'por un permiso permanente',
		policy: 'Las reglas de esta aplicación y tus ajustes'
	},
	facts: {
		requester: 'Lo pidió',
		version: 'Instrucción',
		decider: 'Lo decidió',
		permission: 'Permiso',
		operation: 'Operación',
		cost: 'Coste',
		where: 'Componente',
		outcome: 'Desenlace',
		reason: 'Motivo',
		result: 'Resultado',
		edited: 'Se había propuesto',
		sources: 'Puede proceder de',
		level: 'Nivel',
		limits: 'Presupuesto',
		attached: 'Adjunto',
		tokens: 'Tokens',
		answer: 'Respuesta',
		kept: 'Se queda',
		records: 'Registros'
	},
	versionOf: (n) => `versión ${n}`,
	decidedBy: (name, how) => `${name}, ${how}`,
	tokens: (input, output) =>
		`${input.toLocaleString('es')} de entrada, ${output.toLocaleString('es')} de salida`
};
