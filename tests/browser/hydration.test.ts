import { flushSync, hydrate, mount, unmount } from 'svelte';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { html as busy } from 'served:busy';
import { html as idle } from 'served:idle';
import { late } from '../../src/lib/canon/surfaces/late/late.svelte.js';
import AllSurfaces from '../fixtures/AllSurfaces.svelte';

const noise: string[] = [];

/** Tags, attributes and words, one element a line. Ids are made anew and mean nothing to anybody. */
function outline(root: ParentNode): string {
	return [...root.querySelectorAll('*')]
		.map((element) => {
			const own = [...element.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE);
			const marks = [...element.attributes]
				.filter(({ name }) => !/^(id|for|style|aria-(labelledby|describedby|controls))$/.test(name))
				.map(({ name, value }) => `${name}=${value}`);
			const words = own.map(({ textContent }) => textContent!.trim()).join('');
			return [element.tagName, ...marks.sort(), words].join(' ').trimEnd();
		})
		.join('\n');
}

/** Takes over what a server sent, all before any body can have come. @returns what went other than it should */
function takeOver(html: string, isBusy: boolean): string[] {
	noise.length = 0;
	const props = { busy: isBusy };
	const root = document.body.appendChild(document.createElement('div'));
	root.innerHTML = html;
	const sent = [...root.querySelectorAll('*')];
	// As a person sees it before the first script has run.
	const first = outline(root);
	const taken = hydrate(AllSurfaces, { target: root, props });
	flushSync();
	const found = [...noise];
	const lost = sent.filter((node) => !node.isConnected).length;
	if (lost > 0) found.push(`replaced ${lost} of ${sent.length} elements`);
	const now = outline(root);
	const made = document.body.appendChild(document.createElement('div'));
	const fresh = mount(AllSurfaces, { target: made, props });
	flushSync();
	if (outline(made) !== now) found.push(`became another page:\n${now}\n  instead of\n${outline(made)}`);
	// Attributes and words that differ are taken over in silence: what was sent is what was seen.
	if (now !== first) found.push(`was another page before:\n${first}\n  instead of\n${now}`);
	void unmount(taken);
	void unmount(fresh);
	root.remove();
	made.remove();
	return found;
}

describe('S2-109 a page with every surface, made on a server and taken over in a browser', () => {
	const changed = (from: string, to: string) => {
		if (!busy.includes(from)) throw new Error(`no ${from} was sent`);
		return busy.replace(from, to);
	};
	const found: Record<string, string[]> = {};
	let hasCome: boolean;
	beforeAll(() => {
		for (const kind of ['warn', 'error'] as const)
			vi.spyOn(console, kind).mockImplementation((...said: unknown[]) => void noise.push(said.join(' ')));
		found['idle'] = takeOver(idle, false);
		found['busy'] = takeOver(busy, true);
		found['tag'] = takeOver(changed('<p>An invoice</p>', '<b>An invoice</b>'), true);
		found['word'] = takeOver(changed('waits for you', 'rests'), true);
		found['attribute'] = takeOver(changed('data-state="waiting"', 'data-state="idle"'), true);
		hasCome = late.now !== undefined;
		vi.restoreAllMocks();
	});

	it.each(['idle', 'busy'])('is the same before and after, node by node, and silent: %s', (page) => {
		expect(found[page]).toEqual([]);
		expect(hasCome).toBe(false);
	});

	it.each([
		['tag', /became another page/],
		['word', /was another page before|became another page/],
		['attribute', /was another page before|became another page/]
	])('is noticed where a server sends another %s', (what, why) => {
		expect(found[what]!.join('\n')).toMatch(why);
	});
});
