import { fillIn, readRequest } from './fields.js';
import type { Story } from './index.js';
import { tally, turnsSoFar, words } from './request.js';

/** One act per group of fields, so that a change in one of them concerns one step. */
export const drift: Story = (request, language) => {
	const es = language === 'es';
	if (turnsSoFar(request) > 0) {
		const { done, other } = tally(request);
		return { say: words(es ? `${done} hechos, ${other} no.` : `${done} done, ${other} not.`) };
	}
	const { fields } = readRequest(request);
	const pick = (...names: string[]) =>
		Object.fromEntries(names.flatMap((name) => (fields[name] === undefined ? [] : [[name, fields[name]]])));
	const groups = [pick('supplier', 'number'), pick('amount', 'currency'), pick('issued', 'due')].filter(
		(group) => Object.keys(group).length > 0
	);
	return {
		say: words(es ? 'Propongo tres pasos, uno por bloque.' : 'I propose one step for each block.'),
		calls: groups.map((group) => fillIn(group))
	};
};
