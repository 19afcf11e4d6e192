/**
 * Is this a development build? Vite answers through `import.meta.env`, other tools and Node through `NODE_ENV`.
 * @returns false where nobody says
 * @since 0.1.0
 */
export function inDevelopment(): boolean {
	const vite = (import.meta as ImportMeta & { env?: { DEV?: boolean } }).env?.DEV;
	if (vite !== undefined) return vite;
	const node = (globalThis as { process?: { env?: Record<string, string | undefined> } }).process;
	return node?.env !== undefined && node.env.NODE_ENV !== 'production';
}
