import { error } from '@sveltejs/kit';
import { docs, render } from '../docs.server.js';

export const entries = () => docs.map(({ slug }) => ({ slug }));

export const load = ({ params }) => {
	const at = docs.findIndex((doc) => doc.slug === params.slug);
	const doc = docs[at];
	if (!doc) error(404, 'There is no such page.');
	const { parts, headings, title, summary } = render(doc);
	const near = (other: { slug: string; title: string } | undefined) =>
		other && { slug: other.slug, title: other.title };
	return {
		slug: doc.slug,
		title,
		summary,
		parts,
		headings,
		before: near(docs[at - 1]),
		next: near(docs[at + 1])
	};
};
