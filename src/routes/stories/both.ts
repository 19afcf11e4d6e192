import { entered } from './compose.js';
import { fillIn, readRequest } from './fields.js';
import type { Story } from './index.js';
import { tally, turnsSoFar, words } from './request.js';

/** One plan over two components: the form is filled in, and the letter says so. */
export const both: Story = (request, language) => {
	const es = language === 'es';
	if (turnsSoFar(request) > 0) {
		const { done, other } = tally(request);
		const said = es
			? `${done} hechos, ${other} no. Un solo deshacer devuelve la carta y el formulario.`
			: `${done} done, ${other} not. One undo takes back letter and form.`;
		return { say: words(said) };
	}
	const { fields } = readRequest(request);
	if (Object.keys(fields).length === 0)
		return {
			say: words(es ? 'En la carta no encuentro ninguna cifra.' : 'I find no figures in the letter.')
		};
	return {
		say: words(es ? 'Relleno la factura y lo anoto.' : 'I fill in the invoice and note it.'),
		calls: [
			fillIn(fields),
			{
				instance: 'letter',
				act: 'insert',
				args: { after: 'end', text: entered(fields, language) },
				pieces: 4
			}
		]
	};
};
