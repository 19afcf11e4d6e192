import type { AuraWords } from '../language.js';
import { list, some } from './words.js';

/** Why the house's own components keep something. */
const WHYS: Readonly<Record<string, string>> = {
	'changed since': 'ha cambiado desde entonces',
	'being written in': 'alguien está escribiendo ahí',
	'no longer in the form': 'ya no está en el formulario',
	'the field does not take the value any more': 'el campo ya no admite ese valor',
	'It stands inside what was taken back, and stays.': 'está dentro de lo que se deshizo',
	'They stand inside what was taken back, and stay.': 'están dentro de lo que se deshizo',
	'It stands inside what was taken back, and stays, with the block around them.':
		'está dentro de lo que se deshizo; también queda el bloque que lo contiene',
	'They stand inside what was taken back, and stay, with the block around them.':
		'están dentro de lo que se deshizo; también queda el bloque que los contiene',
	'Their block is gone; they stand in a paragraph of their own behind its place.':
		'su bloque ya no existe; están en un párrafo propio detrás de su lugar',
	'They came back together with the block you had removed.': 'han vuelto con el bloque que habías quitado',
	'Its old place was joined with its neighbours, so it stands behind them.':
		'su antiguo lugar se unió con los vecinos, así que está detrás de ellos',
	'It cannot go back to where or to what it was, and stays as it is.':
		'no puede volver a su lugar o a su forma anterior',
	'The structure of the document needs it so.': 'la estructura del documento lo necesita',
	'It was replaced as a whole since; whose its words are cannot be told any more.':
		'se ha reemplazado entero desde entonces; ya no se sabe de quién son sus palabras',
	'This could not be carried out; nothing was changed.': 'no se ha podido hacer; no ha cambiado nada',
	'These words were written before the editor was opened, or copied since; take them out by hand.':
		'son palabras de antes de abrir el editor o copiadas después; quítalas a mano',
	'The editor is read-only.': 'el editor es de solo lectura',
	'The editor is not there yet.': 'el editor aún no está',
	'The editor is gone.': 'el editor ya no está',
	'The editor itself did not take the change.': 'el propio editor no admitió el cambio',
	'The run is still under way.': 'el encargo sigue en marcha',
	'The person is writing in this block with an input method just now.':
		'alguien está escribiendo ahí con un método de entrada'
};

/** What of a document was kept. */
const WHATS: readonly (readonly [RegExp, (count: number) => string])[] = [
	[/^document$/, () => 'el documento'],
	[/^(\d+) characters? of yours$/, (n) => some(n, 'carácter tuyo', 'caracteres tuyos')],
	[/^(\d+) characters?$/, (n) => some(n, 'carácter', 'caracteres')],
	[/^(\d+) blocks?$/, (n) => some(n, 'bloque')],
	[/^(\d+) characters? or marks?$/, (n) => some(n, 'carácter o marca', 'caracteres o marcas')]
];

const kept = (what: string): string => {
	for (const [form, say] of WHATS) {
		const found = form.exec(what);
		if (found) return say(Number(found[1]));
	}
	return what;
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
	elsewhere: 'está en otra ventana',
	bringHere: 'Traer aquí',
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
	kept: (what, why) => `Se conserva: ${kept(what)} (${WHYS[why] ?? why.replace(/\.$/, '')}).`,
	final: 'no se puede deshacer',
	gone: 'ya no está en la página',
	because: (what, why) => `${what}: ${why}`
};
