import { example, highlight } from './docs/docs.server.js';

export const load = () => ({ example: highlight(example.replace(/^```svelte\n|\n```$/g, ''), 'svelte') });
