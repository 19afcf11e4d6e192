import { fillIn, readRequest } from './fields.js';
import type { Story } from './index.js';
import { tally, turnsSoFar, words } from './request.js';

/** One value an act. When the budget ends it is asked, without tools, to say where it stands. */
export const budget: Story = (request, language) => {
	const es = language === 'es';
	const { done, other } = tally(request);
	if (request.tools.length === 0) {
		const said = es
			? `Se acabó el presupuesto: ${done} valores escritos, ${other} sin escribir. Con más actos sigo donde lo dejé.`
			: `The budget is spent: ${done} values written, ${other} not yet. With more acts I go on where I left off.`;
		return { say: words(said) };
	}
	if (turnsSoFar(request) > 0)
		return { say: words(es ? `Listo: ${done} valores escritos.` : `Done: ${done} values written.`) };
	const { fields } = readRequest(request);
	return {
		say: words(es ? 'Escribo los valores uno a uno.' : 'I write the values one by one.'),
		calls: Object.entries(fields).map(([name, value]) => fillIn({ [name]: value }))
	};
};
