import manifest from '../../../package.json' with { type: 'json' };
import { docs, whole } from '../docs/docs.server.js';

export const prerender = true;

const intro = `# ${manifest.name}

> An agent for Svelte apps that works in the components the app already has: it reads and acts through declared manifests, a person reviews, one undo takes a run back. Svelte 5 is the only peer; there are no runtime dependencies.

Everything below is the documentation as it stands on the site, page by page, with the examples written out. Version ${manifest.version}.
`;

const entries = Object.entries(manifest.exports)
	.filter(([entry, target]) => entry !== './package.json' && target !== null)
	.map(([entry]) => `- \`${manifest.name}${entry.slice(1)}\``)
	.join('\n');

export const GET = () => {
	const contents = docs
		.map(({ slug, title, summary }) => `- [${title}](/docs/${slug}): ${summary}`)
		.join('\n');
	const pages = docs.map(whole).join('\n\n---\n\n');
	return new Response(`${intro}\n## Entries\n\n${entries}\n\n## Pages\n\n${contents}\n\n---\n\n${pages}\n`, {
		headers: { 'content-type': 'text/plain; charset=utf-8' }
	});
};
