import { compile } from 'svelte/compiler';
import type { Component } from 'svelte';
import { describe, expect, it } from 'vitest';
import { render } from 'vitest-browser-svelte';
import { page, userEvent } from 'vitest/browser';
import readme from '../../README.md?raw';

/** What a reader's imports lead to. */
const modules: Record<string, () => Promise<unknown>> = {
	'@activeuix/agent': () => import('../../src/lib/index.js'),
	'@activeuix/agent/adapters/scripted': () => import('../../src/lib/agent/adapters/scripted.js'),
	'@activeuix/agent/styles.css': () => import('../../src/lib/styles.css'),
	'svelte/internal/client': () => import('svelte/internal/client' as string),
	'svelte/internal/disclose-version': () => import('svelte/internal/disclose-version' as string),
	zod: () => import('zod')
};

const example = /```svelte\n([\s\S]*?)\n```/.exec(readme)?.[1] ?? '';

/** Compiles the block as it stands, and gives its imports what the package's entries give. */
async function load(source: string): Promise<Component> {
	const { js } = compile(source, { filename: 'Example.svelte', generate: 'client', css: 'injected' });
	const names = [...js.code.matchAll(/^import (?:.*? from )?['"]([^'"]+)['"];?$/gms)].map(
		(match) => match[1] ?? ''
	);
	const loaded: Record<string, unknown> = {};
	for (const name of names) {
		const module = modules[name];
		if (!module) throw new Error(`The example imports "${name}", which is no entry of the package.`);
		loaded[name] = await module();
	}
	Object.assign(globalThis, { readmeModules: loaded });
	const code = js.code
		.replace(/^import \* as (\S+) from (['"][^'"]+['"]);?$/gm, 'const $1 = readmeModules[$2];')
		.replace(
			/^import \{([^}]*)\} from (['"][^'"]+['"]);?$/gm,
			(_, list: string, from: string) => `const {${list.replace(/ as /g, ': ')}} = readmeModules[${from}];`
		)
		.replace(/^import ['"][^'"]+['"];?$/gm, '');
	const url = URL.createObjectURL(new Blob([code], { type: 'text/javascript' }));
	return ((await import(/* @vite-ignore */ url)) as { default: Component }).default;
}

describe('the example of the README', () => {
	it('has at most 25 lines', () => {
		expect(example.split('\n').length).toBeGreaterThan(10);
		expect(example.split('\n').length).toBeLessThanOrEqual(25);
	});

	it('runs as it stands: said in the panel, review, approve, undo', async () => {
		render(await load(example));
		const title = page.getByLabelText('Title', { exact: true });
		await expect.element(title).toHaveValue('Untitled');

		await userEvent.click(page.getByRole('button', { name: 'Find a better title' }));
		await expect.element(page.getByLabelText('Tell Ada something')).toHaveValue('Find a better title');
		await userEvent.click(page.getByRole('button', { name: 'Send' }));
		const card = page.getByRole('region', { name: /asks you to review/ });
		await expect.element(card).toBeVisible();
		await expect.element(card.getByText('Untitled')).toBeVisible();
		await expect.element(card.getByText('Minutes')).toBeVisible();
		await expect.element(title).toHaveValue('Untitled');

		await userEvent.click(card.getByRole('button', { name: /^Approve/ }));
		await expect.element(title).toHaveValue('Minutes');

		await userEvent.click(page.getByRole('button', { name: 'Undo this run' }).first());
		await expect.element(title).toHaveValue('Untitled');
	});
});
