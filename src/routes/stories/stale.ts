import { firstSentence } from './compose.js';
import { namedSection } from './document.js';
import type { Story } from './index.js';
import { tally, turnsSoFar, words } from './request.js';

/** Rewrites one paragraph, so that a change in it concerns the one step there is. */
export const stale: Story = (request, language) => {
	const es = language === 'es';
	if (turnsSoFar(request) > 0) {
		const { done } = tally(request);
		const said = es
			? done > 0
				? 'El párrafo está acortado.'
				: 'De acuerdo, el párrafo queda como lo dejaste.'
			: done > 0
				? 'The paragraph is shorter now.'
				: 'As you wish: the paragraph stays as you left it.';
		return { say: words(said) };
	}
	const block = namedSection(request)?.first;
	const text = block && firstSentence(block.text);
	if (!block || text === block.text)
		return {
			say: words(es ? 'Ahí no hay nada que acortar.' : 'There is nothing to shorten there.')
		};
	return {
		say: words(es ? 'Dejo la primera frase.' : 'I keep the first sentence.'),
		calls: [{ instance: 'letter', act: 'rewrite', args: { block: block.id, text: text ?? '' }, pieces: 4 }]
	};
};
