import { payment } from './compose.js';
import { namedSection } from './document.js';
import { readRequest } from './fields.js';
import type { Story } from './index.js';
import { tally, turnsSoFar, words } from './request.js';

/** Writes one section anew from what the letter says; it is seen while it is written. */
export const rewrite: Story = (request, language) => {
	const es = language === 'es';
	if (turnsSoFar(request) > 0) {
		const { done } = tally(request);
		const said = es
			? done > 0
				? 'La sección está reescrita. Un solo deshacer la devuelve.'
				: 'De acuerdo, la carta queda como estaba.'
			: done > 0
				? 'The section is rewritten. One undo brings the old one back.'
				: 'As you wish: the letter stays as it was.';
		return { say: words(said) };
	}
	const section = namedSection(request);
	const text = payment(readRequest(request).facts, language);
	if (!section || text.length === 0)
		return {
			say: words(es ? 'En la carta no encuentro nada que pagar.' : 'I find nothing to pay in the letter.')
		};
	return {
		say: words(es ? 'La reescribo con lo que dice la carta.' : 'I rewrite it with what the letter says.'),
		calls: [
			{
				instance: 'letter',
				act: 'rewriteSection',
				args: { section: section.heading.id, text: text.join('\n\n') },
				pieces: 4
			}
		]
	};
};
