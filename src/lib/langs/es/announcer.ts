import type { AnnouncerWords } from '../language.js';
import type { Situation } from '../situation.js';
import { list, some, tally, within } from './words.js';

/** Why it is not like any other. */
const led = ({ tainted, sources }: Situation): string => {
	if (tainted === 0) return '';
	const named = sources.length > 3 ? [sources[0]!, `otros ${sources.length - 1} lugares`] : sources;
	const where = named.length === 0 ? '' : `: ${list(named)}`;
	const what = tainted === 1 ? 'esto' : `${tainted} de ellos`;
	return ` Un texto que no es de confianza puede haber llevado a ${what}${where}.`;
};

/** @since 0.1.0 */
export const announcer: AnnouncerWords = {
	started: (agent, goal) => `${agent}: empieza con «${goal}».`,
	planned: (f) => `${f.agent}: ha planeado ${some(f.steps, 'paso')}${within(f)}.`,
	progress: (f) => `${f.agent}: ${f.at} de ${f.steps}${within(f)}.`,
	needsReview: (f, shortcut) =>
		`${f.agent} necesita tu revisión: ${some(f.steps, 'paso')}${
			f.final === 0 ? '' : `, ${f.final} no se ${f.final === 1 ? 'puede' : 'pueden'} deshacer`
		}.${led(f)}${shortcut === '' ? '' : ` Pulsa ${shortcut} para ir allí.`}`,
	stale: (f, shortcut) =>
		`${f.agent} necesita una nueva revisión: algo ha cambiado, tu aprobación ya no vale y ${
			f.done === 0
				? 'no se ha hecho nada'
				: `antes ya ${f.done === 1 ? 'se hizo' : 'se hicieron'} ${some(f.done, 'paso')}`
		}.${shortcut === '' ? '' : ` Pulsa ${shortcut} para ir allí.`}`,
	asks: (agent, text) => `${agent} te pregunta: ${text}`,
	offers: (agent, goal) => `${agent} espera tu visto bueno: «${goal}».`,
	sentence: (sentence) => `${sentence}.`,
	paused: (agent) => `${agent}: en pausa.`,
	resumed: (agent) => `${agent}: reanuda el trabajo.`,
	stopping: (agent) => `${agent}: trabajo detenido. Tienes el control.`,
	returned: (f) =>
		`${f.agent}: te devuelve el control. ${tally(f).replace(/^./, (first) => first.toUpperCase())}.${
			f.undoable ? ' Puedes deshacer.' : ''
		}`,
	ended: (sentence, undoable) => `${sentence}.${undoable ? ' Puedes deshacer.' : ''}`,
	redone: (agent) => `${agent}: lo deshecho vuelve a valer.`
};
