import type { ReviewCardWords } from '../language.js';
import { list, some } from './words.js';
import { ranges } from '../ranges.js';

const stands = (done: readonly string[]): string =>
	done.length === 0 ? 'No se ha hecho nada.' : `Hecho antes: ${list(done)}.`;

/** Acts of the house's own components. */
const ACTS: Readonly<Record<string, string>> = { Fill: 'Rellenar', Clear: 'Vaciar', Submit: 'Enviar' };

/** @since 0.1.0 */
export const reviewCard: ReviewCardWords = {
	asksYou: 'te pregunta',
	asksYouAgain: 'te pregunta de nuevo',
	title: (n) => `Revisa ${some(n, 'paso')} antes de que ocurra nada`,
	titleStale: (what) => `${list(what)} ${what.length === 1 ? 'ha' : 'han'} cambiado mientras revisabas`,
	name: (agent, n, first) =>
		`${agent} te pide que revises ${some(n, 'paso')}: ${first}${n === 1 ? '' : ` y ${n - 1} más`}`,
	instruction: (version) => `Tu instrucción, versión ${version}`,
	field: 'Campo',
	now: 'Ahora',
	after: 'Después',
	reviewed: 'Lo que revisaste',
	added: 'añadido',
	removed: 'eliminado',
	empty: 'vacío',
	yes: 'sí',
	no: 'no',
	setFields: (names, label) => ({ before: 'Poner ', strong: list(names), after: ` en ${label}` }),
	fields: (n) => some(n, 'campo'),
	rewrite: (label, fresh, gone) => ({
		before: fresh ? 'Escribir texto en ' : gone ? 'Quitar texto de ' : 'Reescribir texto en ',
		strong: label,
		after: ''
	}),
	does: (act, label) => ({
		before: ACTS[act] === undefined ? `${act} en ` : `${ACTS[act]} `,
		strong: label,
		after: ''
	}),
	alike: (label) => `todos del mismo tipo, en ${label}`,
	steps: (numbers) =>
		ranges(numbers).length > 4 ? some(numbers.length, 'paso') : `Pasos ${list(ranges(numbers))}`,
	decided: (n, of) => `${n} de ${of} decididos`,
	next: 'Siguiente sin decidir',
	onlyUndecided: 'Solo sin decidir',
	openFirst: 'Los pasos plegados solo se aprueban de una vez cuando los has abierto.',
	showAll: (letters) => `Mostrar los ${letters} caracteres`,
	showLess: 'Mostrar menos',
	changeIn: (n) => `Cambio en el paso ${n}`,
	argumentsOf: (n) => `Valores exactos del paso ${n}`,
	textChange: 'Cambio de texto',
	movedSince: 'Lo que ha cambiado desde que lo revisaste',
	allUndoable: (n) => (n === 1 ? 'Este paso se puede deshacer.' : `Los ${n} pasos se pueden deshacer.`),
	finalStep: (n, what) => `Paso ${n}: ${what}.`,
	moreFinal: (n) => `Y ${n} más.`,
	withForeign: (sources) =>
		`Puede que un texto que no es de confianza haya llevado a esto${sources.length === 0 ? '' : `: ${list(sources)}`}.`,
	more: (first, n) => `${first} y ${n} más`,
	takenFrom: (sources) => `Procede de ${list(sources)}`,
	onPage: 'No sale de esta página',
	why: {
		level: 'Se pregunta porque lo revisas todo',
		irreversible: 'Se pregunta porque no se puede deshacer',
		tainted: 'Se pregunta porque puede deberse a un texto que no es de confianza',
		protected: 'Se pregunta porque llega más allá de lo que se puede deshacer',
		drift: 'Se pregunta de nuevo porque algo ha cambiado',
		'predecessor-failed': 'Se pregunta de nuevo porque un paso anterior no salió bien'
	},
	led: (sources) => `Se pregunta porque puede deberse a un texto que no es de confianza: ${list(sources)}`,
	carries: (sources) => `Se pregunta porque puede llevarse lo que no debería salir de aquí: ${list(sources)}`,
	reasons: 'Por qué tú',
	asked: (reason) => `Se pregunta porque: ${reason}`,
	canUndo: 'Se puede deshacer',
	cannotUndo: 'No se puede deshacer',
	finalSteps: (n) => `${some(n, 'paso')} no se ${n === 1 ? 'puede' : 'pueden'} deshacer.`,
	leavesApp: (to) => `Sale de esta aplicación${to.length === 0 ? '' : `, hacia ${list(to)}`}`,
	amends: (act) => `«${act}» puede compensarlo después`,
	costs: (amount) => `Cuesta ${amount}`,
	inApp: 'Otras personas lo verán en esta aplicación',
	comesFrom: (sources) => `Procede de ${list(sources)} · no es de confianza`,
	mayComeFrom: (sources) => `Puede proceder de ${list(sources)} · no es de confianza`,
	yourWords: 'Tus propias palabras',
	untrusted: 'Elaborado a partir de un texto que no es de confianza',
	weak: 'No queda sujeto a lo que ves aquí: lo que cambie entretanto puede pasar inadvertido',
	byPolicy: 'Se hace según tus ajustes, sin preguntar',
	rule: (reason) => `Lo pide la regla: ${reason}`,
	sure: 'He comprobado este paso',
	sureFirst: 'Para aprobar, marca antes que has comprobado este paso.',
	approve: 'Aprobar',
	edit: 'Editar',
	reject: 'Rechazar',
	rejectAll: 'Rechazar todo…',
	rejectOne: 'Rechazar…',
	later: 'Más tarde',
	approved: 'Lo has aprobado',
	editing: 'Lo estás editando',
	rejected: 'Lo has rechazado',
	reason: (agent) => `Por qué (opcional, ${agent} lo lee)`,
	decision: (n, what) => `Tu decisión sobre el paso ${n}: ${what}`,
	yourValues: (agent, n) =>
		n === 1 ? `Tu valor en lugar del de ${agent}` : `Tus valores en lugar de los de ${agent}`,
	yourValueNote: 'Se comprueba como cualquier propuesta nueva. Solo cambian los valores, nunca el acto.',
	proposed: (value) => `Propuesto: ${value}`,
	exactJson: 'valor exacto, en JSON',
	faulty: (problem) => `No se acepta: ${problem}`,
	doSteps: (numbers) =>
		numbers.length === 1 ? `Hacer el paso ${numbers[0]}` : `Hacer los pasos ${list(ranges(numbers))}`,
	doAll: (n) => `Hacer los ${n} pasos`,
	doEdited: 'Hacerlo con tus valores',
	rejectEverything: (n) => (n === 1 ? 'Rechazar este paso' : `Rechazar los ${n} pasos`),
	decideFirst: 'Decide sobre cada paso',
	back: 'Volver',
	approveUndoable: 'Aprobar todo lo que se puede deshacer',
	undecided: (numbers) =>
		numbers.length === 1
			? `No has decidido sobre el paso ${numbers[0]}.`
			: `No has decidido sobre los pasos ${list(ranges(numbers))}.`,
	uncheckedSteps: (numbers) =>
		`El paso ${list(ranges(numbers))} no se puede deshacer: marca antes que lo has comprobado.`,
	invalidSteps: (numbers) =>
		`Tu valor en el paso ${list(ranges(numbers))} necesita un repaso antes de hacer nada.`,
	approveGroup: (n) => `Aprobar estos ${n}`,
	rejectGroup: (n) => `Rechazar estos ${n}`,
	touches: 'Afecta a',
	fullNames: 'Nombres completos',
	nothingElse: (labels) => `${list(labels)}. Nada más.`,
	values: 'Valores',
	asOf: (time, held) =>
		`Tal como estaban: ${time}.${held ? ' Si alguno cambia, se te pregunta de nuevo.' : ''}`,
	then: 'Después',
	follows: (agent, n) =>
		n === 1
			? `${agent} lo hace una vez, o sabe por qué no, y sigue.`
			: `Lo que apruebes se hace en este orden. ${agent} sabe qué rechazas y por qué.`,
	keepOpen: 'Mantener abierto',
	soFar: 'Hasta ahora',
	spent: (acts, limit) => `${acts} de ${limit} ${limit === '1' ? 'acto' : 'actos'}`,
	cost: (spent, limit) => `${spent} de ${limit} gastado`,
	expires: 'Caduca',
	expiresAt: (time) => `${time}, y entonces no ocurre nada.`,
	void: (done) => `Tu aprobación ya no vale. ${stands(done)}`,
	again: 'Revisar de nuevo',
	waits: (n) => `${some(n, 'paso')} te ${n === 1 ? 'espera' : 'esperan'}. No ocurre nada hasta que decidas.`,
	approveOff: 'No se puede aprobar: este plan se hizo para el valor anterior.',
	settled: (done, of) =>
		done === 0
			? `Has rechazado ${of === 1 ? 'este paso' : `los ${of} pasos`}`
			: `Has aprobado ${done} de ${some(of, 'paso')}`,
	at: (time) => `, ${time}`,
	allowed: 'Aprobado',
	expired: (done) => `El plazo para decidir terminó. ${stands(done)}`,
	superseded: (done) => `Algo más reciente ocupa el lugar de esta revisión. ${stands(done)}`,
	proposals: (agent, n) => `${agent} ha propuesto ${some(n, 'cambio')}; no se ha hecho nada`,
	gone: (label) => `${label} ya no está en la página: esto no se puede aprobar.`,
	goneSteps: (numbers, labels) =>
		`Rechaza ${numbers.length === 1 ? 'el paso' : 'los pasos'} ${list(ranges(numbers))}: ${list(labels)} ya no está en la página.`,
	notHappened: 'Aprobado, sin hacer',
	notDone: 'Rechazado',
	yoursNote: 'tu valor'
};
