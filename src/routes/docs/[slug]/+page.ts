import type { Component } from 'svelte';
import type { PageLoad } from './$types.js';

const examples = import.meta.glob<{ default: Component }>('../examples/*.svelte');

/** The components a page shows alive: only a page that has some brings them along. */
export const load: PageLoad = async ({ data }) => {
	const names = data.parts.flatMap((part) => (part.kind === 'example' ? [part.name] : []));
	const loaded = await Promise.all(
		names.map(async (name) => [name, (await examples[`../examples/${name}.svelte`]?.())?.default] as const)
	);
	return { ...data, live: Object.fromEntries(loaded) };
};
