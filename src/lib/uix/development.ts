const node = (globalThis as { process?: { env?: Record<string, string | undefined> } }).process?.env;

/**
 * Is this a development build? Vite answers through `import.meta.env`, other tools and Node through `NODE_ENV`; where
 * nobody says, it is none. A constant, so that a bundler leaves out what only developers read.
 * @since 0.1.0
 */
export const DEV: boolean =
	(import.meta as ImportMeta & { env?: { DEV?: boolean } }).env?.DEV ??
	(node !== undefined && node.NODE_ENV !== 'production');
