import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { describe, expect, it } from 'vitest';
import { codesPage } from '../../src/routes/docs/codes-page.js';
import { order } from '../../src/routes/docs/pages.js';
import { partsPage } from '../fixtures/parts-page.js';

const files = import.meta.glob<string>(['../../docs/*.md', '../../README.md'], {
	query: '?raw',
	import: 'default',
	eager: true
});

/** What each entry of the package leads to. */
const entries: Record<string, () => Promise<object>> = {
	'@activeuix/agent': () => import('../../src/lib/index.js'),
	'@activeuix/agent/engine': () => import('../../src/lib/agent/index.js'),
	'@activeuix/agent/manifest': () => import('../../src/lib/agent/capability/index.js'),
	'@activeuix/agent/form': () => import('../../src/lib/canon/participants/form/index.js'),
	'@activeuix/agent/document': () => import('../../src/lib/canon/participants/document/index.js'),
	'@activeuix/agent/document/tiptap': () => import('../../src/lib/canon/participants/document/tiptap.js'),
	'@activeuix/agent/document/prosekit': () => import('../../src/lib/canon/participants/document/prosekit.js'),
	'@activeuix/agent/markdown': () => import('../../src/lib/canon/surfaces/markdown/index.js'),
	'@activeuix/agent/testing': () => import('../../src/lib/testing/index.js'),
	'@activeuix/agent/relay': () => import('../../src/lib/relay/index.js')
};
for (const [path, load] of Object.entries(
	import.meta.glob<object>(['../../src/lib/agent/adapters/*.ts', '../../src/lib/agent/stores/*.ts'])
))
	entries[path.replace('../../src/lib/agent', '@activeuix/agent').replace(/\.ts$/, '')] = load;

interface Import {
	page: string;
	names: string[];
	from: string;
}

const imports: Import[] = Object.entries(files).flatMap(([path, markdown]) =>
	[...markdown.matchAll(/^\s*import \{([^}]*)\} from '(@activeuix\/agent[^']*)';/gm)].map(
		([, list, from]) => ({
			page: path.split('/').at(-1) ?? '',
			names: (list ?? '')
				.split(',')
				.map((name) => name.trim())
				.filter((name) => !name.startsWith('type ')),
			from: from ?? ''
		})
	)
);

describe('what the docs import is there', () => {
	it('finds imports on several pages', () => {
		expect(new Set(imports.map(({ page }) => page)).size).toBeGreaterThan(3);
	});

	it.each(imports)('$page: $names from $from', { timeout: 60_000 }, async ({ names, from }) => {
		const load = entries[from];
		expect(load, `"${from}" is no entry of the package`).toBeTypeOf('function');
		expect(Object.keys((await load?.()) ?? {})).toEqual(expect.arrayContaining(names));
	});
});

describe('what the docs link to is there', () => {
	/** Ids of headings, as the site and GitHub make them of plain words. */
	const anchors = (markdown: string) =>
		[...markdown.matchAll(/^#{2,4} (.+)$/gm)].map(([, heading = '']) =>
			heading
				.toLowerCase()
				.replace(/[^\p{L}\p{N} -]/gu, '')
				.replaceAll(' ', '-')
		);
	const links = Object.entries(files).flatMap(([path, markdown]) =>
		[...markdown.matchAll(/\]\((?![a-z]+:)([^)#\s]*)(?:#([\w-]+))?\)/g)].map(([, to = '', anchor]) => ({
			page: path.replace('../../', ''),
			to,
			anchor
		}))
	);

	it('finds links on most pages', () => {
		expect(new Set(links.map(({ page }) => page)).size).toBeGreaterThan(7);
	});

	it.each(links)('$page: $to $anchor', ({ page, to, anchor }) => {
		const path = to === '' ? page : join(dirname(page), to);
		expect(existsSync(path), `${path} is not in the repository`).toBe(true);
		if (anchor !== undefined) expect(anchors(files[`../../${path}`] ?? '')).toContain(anchor);
	});

	it('leads to every page of the docs from the README', () => {
		const readme = files['../../README.md'] ?? '';
		for (const path of Object.keys(files))
			if (path.startsWith('../../docs/')) expect(readme).toContain(`](${path.replace('../../', '')})`);
	});

	it('shows every page of the docs on the site', () => {
		const names = Object.keys(files).flatMap((path) => /docs\/(.+)\.md$/.exec(path)?.[1] ?? []);
		expect([...order].sort()).toEqual(names.sort());
	});
});

describe('what is written twice is the same', () => {
	const exampleOf = (path: string) => /```svelte\n[\s\S]*?\n```/.exec(files[path] ?? '')?.[0];

	it('the start page shows the example of the README', () => {
		expect(exampleOf('../../README.md')).toBeTypeOf('string');
		expect(exampleOf('../../docs/start.md')).toBe(exampleOf('../../README.md'));
	});

	// `npx vitest run --project ssr tests/ssr/docs.test.ts -u` writes them anew.
	it('the page of codes is the table of codes', async () => {
		const options = await resolveConfig('docs/codes.md');
		const page = await format(codesPage(), { ...options, parser: 'markdown' });
		await expect(page).toMatchFileSnapshot('../../docs/codes.md');
	});

	it('the page of parts is what the contracts promise', async () => {
		const options = await resolveConfig('docs/parts.md');
		const page = await format(partsPage(), { ...options, parser: 'markdown' });
		await expect(page).toMatchFileSnapshot('../../docs/parts.md');
	});
});
