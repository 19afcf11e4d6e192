import type { Plugin, ViteDevServer } from 'vite';

/** What a server sends for the page with every surface, as a module: `served:idle`, and `served:busy` with a run at work. */
export function served(): Plugin {
	let server: ViteDevServer;
	return {
		name: 'served',
		configureServer(made) {
			server = made;
		},
		resolveId: (id) => (id.startsWith('served:') ? `\0${id}` : undefined),
		async load(id) {
			if (!id.startsWith('\0served:')) return undefined;
			const { pageOf } = await server.ssrLoadModule('/tests/fixtures/served-page.ts');
			return `export const html = ${JSON.stringify((pageOf as (busy: boolean) => string)(id.endsWith('busy')))};`;
		}
	};
}
