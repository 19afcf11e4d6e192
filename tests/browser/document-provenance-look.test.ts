import axe from 'axe-core';
import { afterEach, describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import '../../src/lib/styles.css';
import { ghostKey, paintGhost } from '../../src/lib/canon/participants/document/ghost/index.js';
import { clearDesks, Desk, doc, frame, p, prefer, schema } from './fixtures/document-desk.js';

afterEach(async () => {
	clearDesks();
	await prefer({ 'forced-colors': '', 'prefers-color-scheme': '', 'prefers-reduced-motion': '' });
	document.documentElement.style.colorScheme = '';
	await page.viewport(414, 896);
});

function letter(): Desk {
	const desk = new Desk(
		doc(
			p(['All of this line is an agent’s, and it is long enough to be broken on a narrow screen.']),
			p('Some ', ['words'], ' of this one'),
			schema.node('bullet_list', null, [schema.node('list_item', null, [p(['An entry'])])]),
			p('None of this')
		)
	);
	desk.view.dom.setAttribute('role', 'textbox');
	desk.view.dom.setAttribute('aria-multiline', 'true');
	desk.view.dom.setAttribute('aria-label', 'Letter');
	paintGhost(desk.view, {
		key: 'inline',
		pos: desk.view.state.doc.content.size - 1,
		text: ' yet',
		agent: 'ada'
	});
	paintGhost(desk.view, {
		key: 'block',
		pos: desk.view.state.doc.content.size,
		text: 'One\nTwo',
		agent: 'bruno'
	});
	return desk;
}
const part = (desk: Desk, selector: string) => desk.frame.querySelector<HTMLElement>(selector)!;
const sign = (desk: Desk, index: number) =>
	getComputedStyle([...desk.frame.querySelectorAll('[data-part="agent-block"]')][index]!, '::before');

describe('S2-67 S2-80 provenance can be told without colour', () => {
	it('a line under the words, a full leaf beside a whole block and a hollow one beside a part', () => {
		const desk = letter();
		expect(getComputedStyle(part(desk, '[data-part="agent-text"]')).textDecorationLine).toBe('underline');
		expect([sign(desk, 0).content, sign(desk, 1).content]).toEqual(['"A" / ""', '"A" / ""']);
		expect(sign(desk, 0).backgroundColor).not.toBe('rgba(0, 0, 0, 0)');
		expect(sign(desk, 1).backgroundColor).toBe('rgba(0, 0, 0, 0)');
		expect(sign(desk, 1).boxShadow).toContain('inset');
		// The words themselves keep the document's ink.
		expect(getComputedStyle(part(desk, '[data-part="agent-text"]')).color).toBe(
			getComputedStyle(desk.view.dom).color
		);
	});

	it('with forced colours as well', async () => {
		await prefer({ 'forced-colors': 'active' });
		const desk = letter();
		expect(getComputedStyle(part(desk, '[data-part="agent-text"]')).textDecorationLine).toBe('underline');
		expect(sign(desk, 0).backgroundColor).not.toBe(sign(desk, 1).backgroundColor);
		expect(sign(desk, 0).backgroundColor).not.toBe(sign(desk, 0).color);
		const ghost = getComputedStyle(part(desk, '[data-shape="inline"]'));
		expect(ghost.color).not.toBe(getComputedStyle(desk.view.dom).color);
		expect(ghost.textDecorationThickness).toBe('2px');
	});

	it('on paper the leaf is drawn by its edge, and what is still being written is not there', async () => {
		await prefer({}, 'print');
		const desk = letter();
		expect([sign(desk, 0).borderTopWidth, sign(desk, 1).borderTopWidth]).toEqual(['3px', '1px']);
		expect(getComputedStyle(part(desk, '[data-part="ghost"]')).display).toBe('none');
		await prefer({});
	});

	it('all leaves stand in one margin, beside the first line of their block', async () => {
		const desk = letter();
		await frame();
		const { left } = desk.view.dom.getBoundingClientRect();
		const text = part(desk, '[data-part="agent-text"]').getClientRects()[0]!;
		expect(text.left - left).toBeGreaterThanOrEqual(24);
		for (const index of [0, 1, 2]) {
			expect(sign(desk, index).position).toBe('absolute');
			expect(sign(desk, index).left).toBe('0px');
		}
	});

	it('nothing moves, with motion or without', async () => {
		const desk = letter();
		await frame();
		expect(desk.view.dom.getAnimations({ subtree: true })).toEqual([]);
		await prefer({ 'prefers-reduced-motion': 'reduce' });
		expect(desk.view.dom.getAnimations({ subtree: true })).toEqual([]);
	});

	it('at 320 px nothing is cut and nothing scrolls sideways', async () => {
		await page.viewport(320, 640);
		const desk = letter();
		await frame();
		expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(320);
		for (const element of desk.frame.querySelectorAll('[data-part]'))
			expect(element.getBoundingClientRect().right).toBeLessThanOrEqual(320);
	});
});

it('S2-70 a text that becomes content does not jump: the ghost has its measures', async () => {
	const desk = new Desk(doc(p('A line of text that is as long as a line may well be'), p('below')));
	const words = ' and goes on for so many words that it has to be broken once or twice on its way';
	const end = desk.view.state.doc.child(0).nodeSize - 1;
	paintGhost(desk.view, { key: 'a', pos: end, text: words });
	await frame();
	const top = () => desk.view.dom.lastElementChild!.getBoundingClientRect().top;
	const before = top();
	desk.run((tr) => tr.insertText(words, end).setMeta(ghostKey, { clear: 'a' }));
	await frame();
	expect(top()).toBe(before);
});

describe('S2-80 axe', () => {
	it.each([
		['light', { 'prefers-color-scheme': 'light' }],
		['dark', { 'prefers-color-scheme': 'dark' }],
		['forced colours', { 'forced-colors': 'active' }]
	])('finds nothing in %s', async (_, features) => {
		await prefer(features as Record<string, string>);
		document.documentElement.style.colorScheme = 'light dark';
		const desk = letter();
		desk.frame.style.cssText = 'background: var(--ax-sheet); color: var(--ax-ink)';
		await frame();
		const { violations } = await axe.run(desk.frame);
		expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
	});
});
