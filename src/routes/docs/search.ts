export interface Section {
	slug: string;
	title: string;
	id: string;
	heading: string;
	text: string;
}

const fold = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** Sections that hold every word asked for: headings weigh most, then the page's title, then how often it is said. */
export function search(index: readonly Section[], query: string, most = 8): Section[] {
	const words = fold(query).split(/\s+/).filter(Boolean);
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
