import { list } from './words.js';

/** How it is called where something comes from. @since 0.1.0 */
export const sources = {
	/** An instance, and what is meant of it. */
	source: (label: string, parts: readonly string[]): string => `the ${list(parts)} of ${label}`,
	attachment: (name: string): string => `the attachment ${name}`,
	/** Words by which something is known, and not what it holds. */
	knownBy: { name: 'name', description: 'description' }
};
