import { docs } from '../docs/docs.server.js';

export const prerender = true;

const intro = `# @activeuix/agent

> An agent for Svelte apps that works in the components the app already has: it reads and acts through declared manifests, a person reviews, one undo takes a run back. Svelte 5 is the only peer; there are no runtime dependencies.
`;

export const GET = () => {
	const contents = docs
		.map(({ slug, title, summary }) => `- [${title}](docs/${slug}): ${summary}`)
		.join('\n');
	const pages = docs.map(({ markdown }) => markdown.trim()).join('\n\n---\n\n');
	return new Response(`${intro}\n## Pages\n\n${contents}\n\n---\n\n${pages}\n`, {
		headers: { 'content-type': 'text/plain; charset=utf-8' }
	});
};
