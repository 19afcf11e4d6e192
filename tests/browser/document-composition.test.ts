import { afterEach, describe, expect, it } from 'vitest';
import { composed, watchComposition } from '../../src/lib/canon/participants/document/composition.js';
import { clearDesks, Desk, doc, frame, ime, p, schema } from './fixtures/document-desk.js';

afterEach(async () => {
	await ime.commit('');
	clearDesks();
});

/** Waits, then writes; answers how the waiting ended. */
async function writes(desk: Desk, at: () => number, limits?: { signal?: AbortSignal; timeoutMs?: number }) {
	const outcome = await composed(desk.view, () => ({ from: at(), to: at() }), limits);
	if (outcome === 'ready') desk.run((tr) => tr.insertText('AG', at()));
	return outcome;
}
const settled = (desk: Desk) => expect.poll(() => desk.view.composing).toBe(false);

describe('S2-70 に → にほ → にほん → 日本 while an agent writes', () => {
	it.each([
		[
			'behind the composed text',
			(desk: Desk) => desk.view.state.doc.child(0).nodeSize - 1,
			'Hello日本AG|Other'
		],
		['before it', () => 1, 'AGHello日本|Other'],
		['at the caret', (desk: Desk) => desk.view.state.selection.head, 'Hello日本AG|Other']
	])('%s: it waits, and both texts are exact', async (_, at, text) => {
		const desk = new Desk(doc(p('Hello'), p('Other'))).at(6);
		await ime.compose('に');
		await ime.compose('にほ');
		expect(desk.view.composing).toBe(true);
		const outcome = writes(desk, () => at(desk));
		await ime.compose('にほん');
		await frame();
		expect(desk.text).toBe('Helloにほん|Other');
		await ime.commit('日本');
		expect(await outcome).toBe('ready');
		await settled(desk);
		expect(desk.text).toBe(text);
		expect(desk.said).toEqual(['AG']);
		await desk.keys('!');
		expect(desk.text.replace('!', '')).toBe(text);
	});

	it('a change of the block’s type waits as well', async () => {
		const desk = new Desk(doc(p('Hello'), p('Other'))).at(6);
		await ime.compose('に');
		await ime.compose('にほ');
		const outcome = composed(desk.view, { from: 0, to: 7 }).then((said) => {
			desk.run((tr) => tr.setBlockType(1, 1, schema.nodes['heading']!, { level: 2 }));
			return said;
		});
		await ime.commit('日本');
		expect([await outcome, desk.text]).toEqual(['ready', 'Hello日本|Other']);
		expect(desk.view.state.doc.child(0).type.name).toBe('heading');
	});

	it('in another block: at once, and the composition goes on', async () => {
		const desk = new Desk(doc(p('Hello'), p('Other'))).at(6);
		await ime.compose('に');
		await ime.compose('にほ');
		const other = () => desk.view.state.doc.content.size - 1;
		expect(await writes(desk, other)).toBe('ready');
		expect(desk.view.composing).toBe(true);
		expect(desk.text).toBe('Helloにほ|OtherAG');
		await ime.compose('にほん');
		await ime.commit('日本');
		await settled(desk);
		expect(desk.text).toBe('Hello日本|OtherAG');
	});

	it('the person’s Mod-z afterwards takes their word and leaves the agent’s', async () => {
		const desk = new Desk(doc(p('Hello'), p('Other'))).at(6);
		await ime.compose('に');
		const outcome = writes(desk, () => 1);
		await ime.commit('日本');
		await outcome;
		await desk.keys('{Control>}z{/Control}');
		expect(desk.text).toBe('AGHello|Other');
	});
});

describe('S2-70 a composition that does not end', () => {
	it('times out, and nothing was written', async () => {
		const desk = new Desk(doc(p('Hello'))).at(6);
		await ime.compose('に');
		expect(await writes(desk, () => 1, { timeoutMs: 60 })).toBe('timeout');
		expect(desk.text).toBe('Helloに');
		await ime.commit('日本');
		await settled(desk);
		expect(desk.text).toBe('Hello日本');
	});

	it('a run that stops stops waiting', async () => {
		const desk = new Desk(doc(p('Hello'))).at(6);
		await ime.compose('に');
		const stop = new AbortController();
		const outcome = writes(desk, () => 1, { signal: stop.signal });
		stop.abort();
		expect(await outcome).toBe('aborted');
		expect(await composed(desk.view, undefined, { signal: stop.signal })).toBe('aborted');
	});

	it('an editor that goes away ends the wait', async () => {
		const desk = new Desk(doc(p('Hello'))).at(6);
		await ime.compose('に');
		const outcome = writes(desk, () => 1);
		desk.close();
		expect(await outcome).toBe('destroyed');
		expect(await composed(desk.view)).toBe('destroyed');
	});
});

describe('S2-70 no composition', () => {
	it('nothing waits', async () => {
		const desk = new Desk(doc(p('Hello'))).at(6);
		expect(await composed(desk.view)).toBe('ready');
		expect(await composed(desk.view, { from: 1, to: 1 })).toBe('ready');
	});

	it('one that has just ended still counts until the editor has taken it in', async () => {
		const desk = new Desk(doc(p('Hello'), p('Other'))).at(6);
		watchComposition(desk.view);
		watchComposition(desk.view);
		await ime.compose('に');
		const ended = new Promise<boolean>((resolve) =>
			desk.view.dom.addEventListener('compositionend', () => {
				let waited = true;
				void composed(desk.view).then(() => resolve(waited));
				setTimeout(() => (waited = false), 0);
			})
		);
		await ime.commit('日本');
		expect(await ended).toBe(false);
		expect(desk.text).toBe('Hello日本|Other');
	});

	it('positions that were fixed before an edit stand for the whole document after it', async () => {
		const desk = new Desk(doc(p('Hello'), p('Other'))).at(6);
		await ime.compose('に');
		const outcome = composed(desk.view, { from: 1, to: 2 }, { timeoutMs: 5000 });
		desk.run((tr) => tr.insertText('long before', 9));
		await ime.commit('日本');
		expect(await outcome).toBe('ready');
		expect(desk.text).toBe('Hello日本|long beforeOther');
	});
});
