import { describe, expect, it } from 'vitest';

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
	'@activeuix/agent/testing': () => import('../../src/lib/testing/index.js'),
	'@activeuix/agent/adapters/scripted': () => import('../../src/lib/agent/adapters/scripted.js')
};

interface Import {
	page: string;
	names: string[];
	from: string;
}

const imports: Import[] = Object.entries(files).flatMap(([path, markdown]) =>
	[...markdown.matchAll(/^\s*import \{([^}]*)\} from '(@activeuix\/agent[^']*)';/gm)].map(
		([, list, from]) => ({
			page: path.split('/').at(-1) ?? '',
			names: (list ?? '').split(',').map((name) => name.trim()),
			from: from ?? ''
		})
	)
);

describe('what the docs import is there', () => {
	it('finds imports on several pages', () => {
		expect(new Set(imports.map(({ page }) => page)).size).toBeGreaterThan(3);
	});

	it.each(imports)('$page: $names from $from', async ({ names, from }) => {
		const load = entries[from];
		expect(load, `"${from}" is no entry of the package`).toBeTypeOf('function');
		expect(Object.keys((await load?.()) ?? {})).toEqual(expect.arrayContaining(names));
	});
});

describe('what the docs link to is there', () => {
	const links = Object.entries(files).flatMap(([path, markdown]) =>
		[...markdown.matchAll(/\]\((\.\/|docs\/)([a-z-]+)\.md(?:#[\w-]+)?\)/g)].map((match) => ({
			page: path.split('/').at(-1) ?? '',
			to: match[2] ?? ''
		}))
	);

	it.each(links)('$page: $to', ({ to }) => {
		// The page of codes is made from the package's own table.
		expect(to === 'codes' || `../../docs/${to}.md` in files).toBe(true);
	});
});
