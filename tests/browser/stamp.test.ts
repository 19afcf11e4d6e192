import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { late } from '../../src/lib/canon/surfaces/late/late.svelte.js';
import '../../src/lib/styles.css';
import { holdOf, stamp, sustain, type Emission } from '../../src/lib/uix/sema/index.js';

beforeAll(() => late.load());

const act: Emission = {
	family: 'delegate',
	verb: 'act',
	event: 'act',
	component: 'aura',
	actor: { kind: 'agent', id: 'ada' },
	payload: undefined
};

let stage: HTMLElement;
beforeEach(() => {
	stage = document.body.appendChild(document.createElement('div'));
	stage.style.inlineSize = '600px';
});
afterEach(() => stage.remove());

function aura(state: string): { root: HTMLElement; ring: CSSStyleDeclaration } {
	stage.innerHTML = `<div data-aura-host="frame"><label>Amount <input></label>
		<div data-surface="aura" data-state="${state}" data-shape="frame" data-agent="ada">
			<div data-part="ring"><i data-part="stroke"></i></div>
			<p data-part="flag"><span data-part="who">Ada</span><span data-part="what"><span data-part="status">acts</span></span></p>
		</div></div>`;
	const root = stage.querySelector<HTMLElement>("[data-surface='aura']")!;
	return { root, ring: getComputedStyle(root.querySelector("[data-part='ring']")!) };
}

describe('a stamp on the page', () => {
	it('S2-126 of ten acts within one hold leaves nothing behind', async () => {
		const { root } = aura('acting');
		const verbs: (string | null)[] = [];
		const watch = new MutationObserver(() => verbs.push(root.getAttribute('data-event-verb')));
		watch.observe(root, { attributeFilter: ['data-event-verb'] });
		for (let count = 0; count < 10; count++) stamp(root, act);
		expect(root.dataset.eventVerb).toBe('act');
		await vi.waitFor(() => expect(root.hasAttribute('data-event-verb')).toBe(false), {
			timeout: 5 * holdOf('delegate', 'act')
		});
		expect(root.getAttributeNames().filter((name) => name.startsWith('data-event'))).toEqual([]);
		watch.disconnect();
		expect(verbs.at(-1)).toBeNull();
	});

	it('S2-54 of what lasts stays until it is released, though another passes over it', async () => {
		const { root } = aura('acting');
		const release = sustain(root, { ...act, family: 'sustain', verb: 'processing' }, { holdMs: 1 });
		stamp(root, act, { holdMs: 1 });
		await vi.waitFor(() => expect(root.dataset.eventVerb).toBe('processing'));
		release();
		expect(root.dataset.eventVerb).toBeUndefined();
	});

	it('is seen: a result that went well draws its line under the words', () => {
		const { root } = aura('acting');
		const words = getComputedStyle(root.querySelector("[data-part='what']")!);
		expect(words.boxShadow).toBe('none');
		stamp(root, { ...act, family: 'commit', verb: 'apply', intent: 'affirm' });
		expect(words.boxShadow).not.toBe('none');
	});
});

describe('the line', () => {
	it.each([
		['thinking', 'solid'],
		['acting', 'solid'],
		['waiting', 'double'],
		['paused', 'dashed'],
		['failed', 'dotted'],
		['refused', 'dotted'],
		['returned', 'solid']
	])('of Aura that is %s is %s', (state, style) => {
		expect(aura(state).ring.borderTopStyle).toBe(style);
	});

	it('is not there when nobody acts', () => {
		expect(getComputedStyle(aura('idle').root).display).toBe('none');
	});

	it('never takes the pointer from the field it surrounds', () => {
		aura('acting');
		const field = stage.querySelector('input')!;
		const box = field.getBoundingClientRect();
		expect(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)).toBe(field);
	});

	it('leaves the app as it is: a button outside keeps its look, and what the app writes wins inside', () => {
		stage.innerHTML = '<button>Plain</button>';
		const plain = getComputedStyle(stage.querySelector('button')!).backgroundColor;
		const bare = document.body.appendChild(document.createElement('iframe'));
		bare.contentDocument!.body.innerHTML = '<button>Plain</button>';
		const untouched = bare.contentWindow!.getComputedStyle(
			bare.contentDocument!.querySelector('button')!
		).backgroundColor;
		bare.remove();
		expect(plain).toBe(untouched);

		stage.innerHTML = `<style>.mine { background: rgb(1, 2, 3) }</style>
			<article data-surface="review-card" data-state="open"><footer data-part="actions">
			<button class="mine" data-part="action" data-action="decide">Do it</button></footer></article>`;
		expect(getComputedStyle(stage.querySelector('button')!).backgroundColor).toBe('rgb(1, 2, 3)');
	});
});
