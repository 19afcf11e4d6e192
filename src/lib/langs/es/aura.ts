import type { AuraWords } from '../language.js';
import { list, some } from './words.js';

/** Why the house's own components keep something. */
const WHYS: Readonly<Record<string, string>> = {
	'changed since': 'ha cambiado desde entonces',
	'being written in': 'alguien está escribiendo ahí',
	'no longer in the form': 'ya no está en el formulario',
	'the field does not take the value any more': 'el campo ya no admite ese valor'
};

/** @since 0.1.0 */
export const aura: AuraWords = {
	question: '¿Quién actúa ahora?',
	you: 'Tú',
	youMark: 'T',
	yourTurn: 'Tienes el control',
	yourTurnAgain: 'El control vuelve a ti',
	is: {
		idle: 'aún no ha empezado',
		thinking: 'está pensando',
		waiting: 'te espera',
		paused: 'está en pausa',
		failed: 'ha fallado',
		refused: 'quedó sin permiso',
		returned: 'te devuelve el control'
	},
	acting: (kind, label) => {
		const what = kind === 'form' ? 'está rellenando' : kind === 'document' ? 'está reescribiendo' : '';
		if (what === '') return label === undefined ? 'está actuando' : `está actuando en ${label}`;
		return label === undefined ? what : `${what} ${label}`;
	},
	count: (at, of) => `${at} de ${of}`,
	steps: (n) => some(n, 'paso'),
	done: (n) => some(n, 'hecho'),
	rejected: (n) => some(n, 'rechazado'),
	stop: (agent) => `Detener a ${agent}`,
	pause: 'Pausar',
	resume: 'Reanudar',
	tryAgain: 'Intentar de nuevo',
	review: 'Revisar',
	answer: 'Responder',
	accept: (agent) => `Que ${agent} empiece`,
	declineOffer: 'No, gracias',
	undo: 'Deshacer este encargo',
	redo: 'Rehacer este encargo',
	allow: (label) => `Permitir ${label}`,
	happened: 'Ha ocurrido',
	notHappened: 'No ha ocurrido',
	leave: 'Dejarlo así',
	controls: (agent) => `Qué puedes hacer con ${agent}`,
	renew: (amounts) => `Renovar: ${amounts}`,
	amount: {
		acts: (n) => `${some(n, 'acto')} más`,
		turns: (n) => `${some(n, 'turno')} más`,
		tokens: (n) => `${n.toLocaleString('es')} tokens más`,
		cost: (n) => `${n.toLocaleString('es')} más de gasto`,
		ms: (n) => `${some(Math.max(1, Math.round(n / 60_000)), 'minuto')} más`,
		actsPerInstance: (n) => `${some(n, 'acto')} más en un mismo lugar`,
		actsPerMinute: (n) => `${some(n, 'acto')} más por minuto`
	},
	list: (parts) => list(parts),
	whatBecame: (act, label) =>
		`Nadie sabe si «${act}» en ${label} ha ocurrido. Compruébalo y di qué ha sido de ello.`,
	mayAlso: (agent, label) => `${agent} quiere trabajar en ${label}, que no habías permitido.`,
	tookBack: (undone) => `${some(undone, 'cambio deshecho', 'cambios deshechos')}.`,
	broughtBack: (redone) => `${some(redone, 'cambio rehecho', 'cambios rehechos')}.`,
	kept: (what, why) => `Se conserva: ${what} (${WHYS[why] ?? why.replace(/\.$/, '')}).`,
	final: 'no se puede deshacer',
	gone: 'ya no está en la página',
	because: (what, why) => `${what}: ${why}`
};
