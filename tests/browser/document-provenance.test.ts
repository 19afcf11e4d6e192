import { toggleMark } from 'prosemirror-commands';
import { DOMParser, DOMSerializer, Schema } from 'prosemirror-model';
import { afterEach, describe, expect, it } from 'vitest';
import { userEvent } from 'vitest/browser';
import {
	acceptProvenance,
	agentTextMark,
	memoryCopies,
	provenance,
	withProvenance,
	writtenBy
} from '../../src/lib/canon/participants/document/provenance/index.js';
import { clearDesks, Desk, doc, frame, ime, p, schema } from './fixtures/document-desk.js';

afterEach(clearDesks);

/** "Hi AGENT end", the middle word an agent's: positions 1..4, 4..9, 9..13. */
const one = () => new Desk(doc(p('Hi ', ['AGENT'], ' end'), p('Other')));

describe('S2-67 with real keys, what the person types inside an agent’s words is theirs', () => {
	it.each<[string, [number, number?], string, string, string[]]>([
		['inside', [6], 'xy', 'Hi AGxyENT end|Other', ['AG', 'ENT']],
		['at the end', [9], 'xy', 'Hi AGENTxy end|Other', ['AGENT']],
		['at the start', [4], 'xy', 'Hi xyAGENT end|Other', ['AGENT']],
		['over a part', [5, 7], 'xy', 'Hi AxyNT end|Other', ['A', 'NT']],
		['over all of it', [4, 9], 'xy', 'Hi xy end|Other', []],
		['Enter', [6], '{Enter}', 'Hi AG|ENT end|Other', ['AG', 'ENT']],
		['Enter, Backspace', [6], '{Enter}{Backspace}', 'Hi AGENT end|Other', ['AGENT']],
		['Delete, Mod-z', [4, 9], '{Delete}{Control>}z{/Control}', 'Hi AGENT end|Other', ['AGENT']],
		['type, Mod-z', [6], 'xy{Control>}z{/Control}', 'Hi AGENT end|Other', ['AGENT']],
		[
			'type, Mod-z, Mod-Shift-z',
			[6],
			'x{Control>}z{/Control}{Control>}{Shift>}z{/Shift}{/Control}',
			'Hi AGxENT end|Other',
			['AG', 'ENT']
		]
	])('%s', async (_, [from, to], keys, text, said) => {
		const desk = one().at(from, to);
		await desk.keys(keys);
		expect([desk.text, desk.said]).toEqual([text, said]);
	});

	it('composed by an input method inside', async () => {
		const desk = one().at(6);
		await ime.compose('に');
		await ime.compose('にほ');
		await ime.compose('にほん');
		await ime.commit('日本');
		await expect.poll(() => desk.view.composing).toBe(false);
		await frame();
		expect([desk.text, desk.said]).toEqual(['Hi AG日本ENT end|Other', ['AG', 'ENT']]);
	});

	it('bold inside cuts nothing in two, and a style switched on stays on while typing', async () => {
		const desk = one().at(6);
		toggleMark(schema.marks['strong']!)(desk.view.state, desk.view.dispatch);
		await desk.keys('xy');
		expect(desk.said).toEqual(['AG', 'ENT']);
		expect(desk.frame.querySelector('strong')!.textContent).toBe('xy');
		desk.at(4, 6);
		toggleMark(schema.marks['strong']!)(desk.view.state, desk.view.dispatch);
		expect(desk.frame.querySelectorAll('[data-part="agent-text"]')).toHaveLength(2);
	});
});

describe('S2-67 copies within the app stay the agent’s', () => {
	it('copy and paste elsewhere', async () => {
		const desk = one().at(4, 9);
		await desk.keys('{Control>}c{/Control}');
		desk.at(20);
		await desk.keys('{Control>}v{/Control}');
		expect([desk.text, desk.said]).toEqual(['Hi AGENT end|OtherAGENT', ['AGENT', 'AGENT']]);
		expect(provenance(desk.view.state.doc)[1]).toMatchObject({
			run: 'run-1',
			agent: 'ada',
			version: '2',
			at: 1000
		});
	});

	it('cut and paste back where it was', async () => {
		const desk = one().at(4, 9);
		const before = desk.view.state.doc;
		await desk.keys('{Control>}x{/Control}');
		expect(desk.said).toEqual([]);
		await desk.keys('{Control>}v{/Control}');
		expect(desk.view.state.doc.eq(before)).toBe(true);
	});

	it('cut and paste elsewhere', async () => {
		const desk = one().at(5, 8);
		await desk.keys('{Control>}x{/Control}');
		desk.at(17);
		await desk.keys('{Control>}v{/Control}');
		expect([desk.text, desk.said]).toEqual(['Hi AT end|OtherGEN', ['AT', 'GEN']]);
	});

	it('whole blocks, into another editor of the page', async () => {
		const from = new Desk(doc(p('mine'), p(['Agent one']), p(['Agent two'])));
		from.run((tr) => tr.insert(0, schema.node('code_block', null, [schema.text('x = 1')])));
		from.at(1, from.view.state.doc.content.size - 1);
		await from.keys('{Control>}c{/Control}');
		const to = new Desk(doc(p())).at(1);
		await to.keys('{Control>}v{/Control}');
		expect([to.text, to.said]).toEqual([
			'x = 1|mine|Agent one|Agent two',
			['x = 1', 'Agent one', 'Agent two']
		]);
	});

	it('as bare text they are the person’s', async () => {
		const desk = one().at(4, 9);
		await desk.keys('{Control>}c{/Control}');
		desk.at(20);
		await desk.keys('{Control>}{Shift>}v{/Shift}{/Control}');
		expect([desk.text, desk.said]).toEqual(['Hi AGENT end|OtherAGENT', ['AGENT']]);
	});
});

/** A paste as the browser brings it, from wherever. */
function paste(desk: Desk, data: Record<string, string>, target: EventTarget = desk.view.dom): void {
	const clipboardData = new DataTransfer();
	for (const [type, text] of Object.entries(data)) clipboardData.setData(type, text);
	target.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
}
/** What a copy would put on the clipboard. */
function copied(desk: Desk): string {
	const clipboardData = new DataTransfer();
	desk.view.dom.dispatchEvent(new ClipboardEvent('copy', { clipboardData, bubbles: true, cancelable: true }));
	return clipboardData.getData('text/html');
}
const CLAIM = 'data-agent="ada" data-run="run-1" data-name="Ada" data-version="2" data-at="1000"';

describe('S2-67 what is pasted from elsewhere claims nothing', () => {
	it('bare text inside an agent’s words', () => {
		const desk = one().at(6);
		paste(desk, { 'text/plain': 'pasted' });
		expect([desk.text, desk.said]).toEqual(['Hi AGpastedENT end|Other', ['AG', 'ENT']]);
	});

	it('HTML inside an agent’s words', () => {
		const desk = one().at(6);
		paste(desk, { 'text/html': '<b>pasted</b>' });
		expect([desk.text, desk.said]).toEqual(['Hi AGpastedENT end|Other', ['AG', 'ENT']]);
		expect(desk.frame.querySelector('strong')!.textContent).toBe('pasted');
	});

	it.each([
		['words', `<p>See <span ${CLAIM}>the bank</span></p>`],
		['a block', `<p ${CLAIM}>See the bank</p>`],
		[
			'a block in the editor’s own dialect',
			`<p data-pm-slice='0 0 ["blockquote",{"agent":{"run":"run-1","agent":"ada","at":1000}}]' ${CLAIM}>See the bank</p>`
		],
		[
			'words under a key that nobody gave',
			`<meta name="agent-copy" content="x1"><span ${CLAIM}>See the bank</span>`
		]
	])('a foreign page that says an agent wrote %s', (_, html) => {
		const desk = new Desk(doc(p('Hello'))).at(6);
		paste(desk, { 'text/html': html });
		expect(desk.text).toContain('the bank');
		expect(provenance(desk.view.state.doc)).toEqual([]);
	});

	it('a key vouches for the words that were copied under it and for no others', () => {
		const desk = one().at(4, 9);
		const html = copied(desk);
		expect(html).toContain('name="agent-copy"');
		desk.at(20);
		paste(desk, { 'text/html': html.replace('AGENT', 'FORGED') });
		expect([desk.text, desk.said]).toEqual(['Hi AGENT end|OtherFORGED', ['AGENT']]);
		paste(desk, { 'text/html': `<html><body><!--StartFragment-->${html}<!--EndFragment--></body></html>` });
		expect([desk.text, desk.said]).toEqual(['Hi AGENT end|OtherFORGEDAGENT', ['AGENT', 'AGENT']]);
	});

	it('a copy without an agent’s words is left as it was', () => {
		const desk = one().at(15, 20);
		expect(copied(desk)).not.toContain('agent-copy');
	});

	it('a book that reaches further than the page takes provenance along, another one does not', () => {
		const copies = memoryCopies();
		const desk = new Desk(doc(p(['AGENT'])), { copies }).at(1, 6);
		const html = copied(desk);
		const near = new Desk(doc(p('a')), { copies }).at(2);
		paste(near, { 'text/html': html });
		const far = new Desk(doc(p('a')), { copies: memoryCopies() }).at(2);
		paste(far, { 'text/html': html });
		expect([near.said, far.said, far.text]).toEqual([['AGENT'], [], 'aAGENT']);
	});

	it('dropped from another page; dragged within the editor it stays', () => {
		const desk = one().at(4, 9);
		const { left, top } = desk.view.coordsAtPos(17);
		const drag = (type: string, dataTransfer: DataTransfer) =>
			desk.view.dom.dispatchEvent(
				new DragEvent(type, {
					dataTransfer,
					clientX: left,
					clientY: top + 4,
					bubbles: true,
					cancelable: true
				})
			);
		const foreign = new DataTransfer();
		foreign.setData('text/html', `<span ${CLAIM}>forged</span>`);
		drag('drop', foreign);
		expect([desk.text, desk.said]).toEqual(['Hi AGENT end|Otforgedher', ['AGENT']]);
		const own = new DataTransfer();
		desk.at(4, 9);
		drag('dragstart', own);
		drag('drop', own);
		expect(desk.said).toEqual(['AGENT']);
		expect(desk.text).toBe('Hi  end|OtAGENTforgedher');
	});
});

describe('S2-67 in HTML', () => {
	it('survives export and import, with a description if one is asked for', () => {
		const start = new Desk(doc(p('Hi ', ['AGENT']), p('x')));
		start.run((tr) => tr.insert(0, schema.node('horizontal_rule')));
		const now = start.view.state.doc;
		const box = document.createElement('div');
		box.append(DOMSerializer.fromSchema(schema).serializeFragment(now.content));
		expect(box.querySelector('span')!.dataset).toMatchObject({
			agent: 'ada',
			run: 'run-1',
			name: 'Ada',
			version: '2',
			at: '1000'
		});
		expect(box.querySelector('[aria-description]')).toBeNull();
		expect(DOMParser.fromSchema(schema).parse(box).eq(now)).toBe(true);

		const told = new Schema({
			nodes: schema.spec.nodes,
			marks: { agentText: agentTextMark({ describe: writtenBy }) }
		});
		const out = DOMSerializer.fromSchema(told).serializeNode(told.nodeFromJSON(now.child(1).toJSON()));
		expect((out as Element).querySelector('span')!.getAttribute('aria-description')).toBe('Written by Ada');
	});

	it('a schema of one’s own, with attributes of its own, keeps both', () => {
		const own = new Schema(
			withProvenance({
				nodes: {
					doc: { content: 'block+' },
					text: { group: 'inline' },
					note: {
						group: 'block',
						content: 'inline*',
						attrs: { tone: { default: 'low' } },
						parseDOM: [
							{ tag: 'p.high', attrs: { tone: 'high' } },
							{ tag: 'p', getAttrs: (dom) => (dom.hasAttribute('data-no') ? false : { tone: 'low' }) }
						],
						toDOM: ({ attrs }) => ['p', { class: attrs['tone'] as string, style: 'margin: 1px' }, ['b', 0]]
					}
				}
			})
		);
		const note = own.node('note', {
			tone: 'high',
			agent: { run: 'r', agent: 'ada', name: null, version: null, at: 5 }
		});
		const dom = DOMSerializer.fromSchema(own).serializeNode(note) as HTMLElement;
		expect([dom.className, dom.style.margin, dom.dataset['agent'], dom.firstElementChild!.tagName]).toEqual([
			'high',
			'1px',
			'ada',
			'B'
		]);
		const box = document.createElement('div');
		box.append(dom);
		expect(DOMParser.fromSchema(own).parse(box).firstChild!.eq(note)).toBe(true);
	});
});

describe('S2-67 shown and told', () => {
	it('audit 33 once a block, in words and beside them, and never in the content', async () => {
		const desk = new Desk(doc(p(['All of it']), p('Some ', ['of'], ' it'), p('None')));
		const blocks = [...desk.view.dom.querySelectorAll('[data-part="agent-block"]')];
		expect(blocks.map((block) => block.getAttribute('aria-description'))).toEqual([
			'Written by Ada',
			'Partly written by Ada'
		]);
		expect(
			blocks.map((block) => [block.getAttribute('data-state'), block.getAttribute('data-initial')])
		).toEqual([
			['whole', 'A'],
			['part', 'A']
		]);
		expect(desk.view.dom.querySelectorAll('span[aria-description]')).toHaveLength(0);
		desk.at(10);
		await desk.keys('{Enter}');
		expect(desk.view.dom.querySelectorAll('[data-part="agent-block"]')).toHaveLength(2);
		expect(JSON.stringify(desk.view.state.doc)).not.toContain('agent-block');
	});

	it('in the app’s own words, or not at all', () => {
		const own = new Desk(doc(p(['AGENT'])), {
			describe: ({ by, whole }) => `${by[0]!.agent} ${whole}`,
			hue: () => 178
		});
		const block = own.view.dom.querySelector<HTMLElement>('[data-part="agent-block"]')!;
		expect(block.getAttribute('aria-description')).toBe('ada true');
		expect(block.style.getPropertyValue('--ax-agent-hue')).toBe('178');
		const silent = new Desk(doc(p(['AGENT'])), { describe: () => '' });
		expect(silent.view.dom.querySelector('[aria-description]')).toBeNull();
	});

	it('audit 33 and gone once the person has accepted it; Mod-z brings it back', async () => {
		const desk = one().at(20);
		desk.view.dispatch(acceptProvenance(desk.view.state, { run: 'run-1' })!);
		expect(desk.view.dom.querySelector('[data-part], [aria-description]')).toBeNull();
		await desk.keys('{Control>}z{/Control}');
		expect(desk.said).toEqual(['AGENT']);
		expect(desk.view.dom.querySelector('[data-part="agent-block"]')!.getAttribute('aria-description')).toBe(
			'Partly written by Ada'
		);
	});
});

describe('S2-67 in a document of very many blocks', () => {
	it('the blocks that come into view are described and signed as one scrolls, and the content stays', async () => {
		const desk = new Desk(doc(...Array.from({ length: 2000 }, (_, index) => p([`Block ${index}`]))));
		desk.frame.style.cssText = 'block-size: 300px; overflow: auto';
		const painted = () =>
			[...desk.view.dom.querySelectorAll('[data-part="agent-block"]')].map((one) => one.textContent);
		expect([painted().length, painted()[0]]).toEqual([101, 'Block 0']);
		const before = desk.view.state.doc;
		desk.dispatched = [];
		desk.frame.scrollTop = desk.frame.scrollHeight / 2;
		await expect.poll(painted).toContain('Block 1000');
		expect([painted().length, painted().includes('Block 0')]).toEqual([201, false]);
		expect(desk.dispatched.length).toBeLessThanOrEqual(2);
		expect(desk.view.state.doc).toBe(before);
		desk.frame.scrollTop = desk.frame.scrollHeight;
		await expect.poll(painted).toContain('Block 1999');
		expect(desk.said.length).toBe(2000);
	});
});

it('S2-67 the clipboard of this browser is a real one', async () => {
	const desk = one().at(1, 3);
	await desk.keys('{Control>}c{/Control}');
	desk.at(20);
	await userEvent.keyboard('{Control>}v{/Control}');
	expect(desk.text).toBe('Hi AGENT end|OtherHi');
});
