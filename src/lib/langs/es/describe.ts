import type { DescribeWords } from '../language.js';
import type { Situation } from '../situation.js';
import { some, tally, within } from './words.js';

const also = ({ more }: Situation): string =>
	more === 0 ? '' : `, y hay ${more === 1 ? 'otro asunto' : `otros ${more} asuntos`} a la espera`;
const because = ({ reason }: Situation): string =>
	reason === undefined ? '' : `: ${reason.replace(/\.$/, '')}`;

/** @since 0.1.0 */
export const describe: DescribeWords = {
	offer: (f) => `${f.agent} tiene el encargo y espera a que lo confirmes`,
	queued: (f) => `${f.agent} aún no ha empezado, otro encargo va antes`,
	thinking: (f) => `${f.agent} está pensando${f.done > 0 ? `, lleva ${some(f.done, 'hecho')}` : ''}`,
	planned: (f) => `${f.agent} ha planeado ${some(f.steps, 'paso')}${within(f)}`,
	reviewing: (f) => `${f.agent} espera tu revisión de ${some(f.steps, 'cambio')}${within(f)}`,
	'reviewing-again': (f) =>
		`${f.agent} espera que revises de nuevo ${some(f.steps, 'cambio')}${within(f)}, porque algo ha cambiado entretanto`,
	authorized: (f) => `${f.agent} va a hacer el paso ${f.at} de ${f.steps}${within(f)}`,
	acting: (f) => `${f.agent} está actuando${within(f)}, ${f.at} de ${f.steps}`,
	question: (f) => `${f.agent} espera tu respuesta a una pregunta${also(f)}`,
	budget: (f) => `${f.agent} ha agotado el presupuesto y espera que lo renueves${also(f)}`,
	scope: (f) => `${f.agent} espera que digas si puede ir más allá de lo que permitiste${also(f)}`,
	drift: (f) => `${f.agent} espera porque aquello en lo que trabaja no deja de cambiar${also(f)}`,
	'unknown-effect': (f) => `${f.agent} espera que digas si un paso ha ocurrido${also(f)}`,
	consent: (f) => `${f.agent} espera tu permiso para leer algo privado${also(f)}`,
	auth: (f) => `${f.agent} espera que inicies sesión${also(f)}`,
	stall: (f) => `${f.agent} no avanza y te espera${also(f)}`,
	transport: (f) =>
		`${f.agent} no consigue conectar con su modelo y espera que lo intentes de nuevo${also(f)}`,
	desync: (f) => `${f.agent} ha perdido el hilo con el otro lado y espera que lo intentes de nuevo${also(f)}`,
	store: (f) => `${f.agent} no puede guardar lo que hace y te espera${also(f)}`,
	owner: (f) => `${f.agent} trabaja en otra ventana y aquí te espera${also(f)}`,
	paused: (f) => `${f.agent} está en pausa${also(f)}`,
	other: (f) => `${f.agent} te espera${because(f)}${also(f)}`,
	answered: (f) => `${f.agent} ha respondido y te devuelve el control`,
	completed: (f) => `${f.agent} te devuelve el control: ${tally(f)}`,
	partial: (f) => `${f.agent} te devuelve el control con parte del encargo: ${tally(f)}`,
	proposed: (f) => `${f.agent} ha propuesto ${some(f.proposed, 'paso')}${within(f)} y te devuelve el control`,
	refused: (f) => `${f.agent} te devuelve el control, el encargo fue denegado${because(f)}`,
	interrupted: (f) => `${f.agent} se detuvo y te devuelve el control: ${tally(f)}`,
	exhausted: (f) => `${f.agent} te devuelve el control, el presupuesto se agotó antes de hacer nada`,
	failed: (f) => `${f.agent} ha fallado y te devuelve el control${because(f)}`,
	superseded: (f) => `${f.agent} te devuelve el control, un encargo más reciente ocupa su lugar: ${tally(f)}`,
	abstained: (f) => `${f.agent} no tiene comentarios y te devuelve el control`,
	cancelled: (f) => `El encargo de ${f.agent} se canceló antes de hacer nada, el control es tuyo`,
	undone: (f) => `Has deshecho lo que hizo ${f.agent}`,
	'partly-undone': (f) => `Has deshecho parte de lo que hizo ${f.agent}`
};
