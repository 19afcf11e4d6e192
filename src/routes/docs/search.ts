export interface Section {
	slug: string;
	title: string;
	id: string;
	heading: string;
	text: string;
}

const fold = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
const wordsOf = (query: string): string[] => fold(query).split(/\s+/).filter(Boolean);

/** Sections that hold every word asked for: headings weigh most, then the page's title, then how often it is said. */
export function search(index: readonly Section[], query: string, most = 8): Section[] {
	const words = wordsOf(query);
	if (words.length === 0) return [];
	return index
		.map((section) => {
			const heading = fold(section.heading);
			const title = fold(section.title);
			const text = fold(section.text);
			const scores = words.map(
				(word) =>
					(heading.includes(word) ? 10 : 0) +
					(title.includes(word) ? 4 : 0) +
					Math.min(3, text.split(word).length - 1)
			);
			return { section, score: scores.includes(0) ? 0 : scores.reduce((sum, score) => sum + score, 0) };
		})
		.filter(({ score }) => score > 0)
		.sort((a, b) => b.score - a.score)
		.slice(0, most)
		.map(({ section }) => section);
}

const BEFORE = 30;
const LENGTH = 110;

/** The stretch of a text where it first says what was asked for, between whole words. */
export function excerpt(text: string, query: string): string {
	const words = wordsOf(query);
	const places = words.map((word) => fold(text).indexOf(word)).filter((at) => at >= 0);
	const from = places.length === 0 ? 0 : Math.max(0, Math.min(...places) - BEFORE);
	const begin = from === 0 ? 0 : text.indexOf(' ', from) + 1;
	const cut = text.slice(begin, begin + LENGTH);
	const end = begin + LENGTH >= text.length ? cut : cut.slice(0, Math.max(0, cut.lastIndexOf(' ')));
	return `${begin > 0 ? '… ' : ''}${end}${begin + end.length < text.length ? ' …' : ''}`;
}

/** A text in pieces, what was asked for told apart. */
export function marked(text: string, query: string): { text: string; hit: boolean }[] {
	const words = wordsOf(query).map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
	if (words.length === 0) return [{ text, hit: false }];
	return text
		.split(new RegExp(`(${words.join('|')})`, 'iu'))
		.map((piece, at) => ({ text: piece, hit: at % 2 === 1 }))
		.filter((piece) => piece.text !== '');
}
