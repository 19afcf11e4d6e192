import { toggleMark } from 'prosemirror-commands';
import type { Transaction } from 'prosemirror-state';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ghostKey, paintGhost } from '../../src/lib/canon/participants/document/ghost/index.js';
import {
	acceptProvenance,
	stampInserted
} from '../../src/lib/canon/participants/document/provenance/index.js';
import {
	beginRun,
	edit,
	endRun,
	redoRun,
	timelineKeys,
	undoRun,
	undoTimeline
} from '../../src/lib/canon/participants/document/timeline/index.js';
import { ada, clearDesks, Desk, doc, frame, p, schema } from './fixtures/document-desk.js';

const RUN = 'run-1';
class Beside extends Desk {
	constructor(...blocks: Parameters<typeof doc>) {
		super(doc(...blocks), { first: [timelineKeys()], plugins: [undoTimeline()] });
	}
	/** What a run writes, as the provider writes it. */
	agent(fn: (tr: Transaction) => Transaction): void {
		this.view.dispatch(edit(this.view.state, RUN, (tr) => stampInserted(fn(tr), ada)));
	}
	begin(): void {
		this.view.dispatch(beginRun(this.view.state, RUN));
	}
	end(): void {
		this.view.dispatch(endRun(this.view.state, RUN));
	}
	/** The words on both sides of the caret, and what is selected. */
	get around(): [string, string, string] {
		const { $from, $to, from, to } = this.view.state.selection;
		const now = this.view.state.doc;
		return [
			now.textBetween($from.start(), from),
			now.textBetween(from, to, '|'),
			now.textBetween(to, $to.end())
		];
	}
}
/** Sixty lines in a box that shows ten. */
function tall(): Beside {
	const desk = new Beside(...Array.from({ length: 60 }, (_, index) => p(`Line ${index} of a long letter`)));
	desk.frame.style.cssText = 'block-size: 300px; overflow: auto';
	return desk;
}
/** The caret in a line, and that line in the middle of the box. */
async function within(desk: Beside, line: number): Promise<number> {
	let pos = 1;
	for (let index = 0; index < line; index++) pos += desk.view.state.doc.child(index).nodeSize;
	desk.at(pos + 4);
	const { top } = desk.frame.getBoundingClientRect();
	desk.frame.scrollTop += desk.view.coordsAtPos(pos + 4).top - top - 150;
	await frame();
	return pos;
}

const moved = [
	vi.spyOn(Element.prototype, 'scrollIntoView'),
	vi.spyOn(window, 'scrollTo'),
	vi.spyOn(HTMLElement.prototype, 'focus'),
	vi.spyOn(HTMLElement.prototype, 'blur')
];
beforeEach(() => void moved.forEach((spy) => spy.mockClear()));
afterEach(clearDesks);
function nothingWasMoved(desk: Desk): void {
	for (const spy of moved) expect(spy, spy.getMockName()).not.toHaveBeenCalled();
	expect(desk.dispatched.some(({ scrolledIntoView }) => scrolledIntoView)).toBe(false);
}
/** The person's hand has come to rest: from here on every movement is somebody else's. */
function rest(desk: Desk): ReturnType<Desk['hand']> {
	moved.forEach((spy) => spy.mockClear());
	desk.dispatched = [];
	return desk.hand();
}

describe('S2-70 an agent writes, and the person’s caret stays', () => {
	// Two lines: "Dear Nadia, thank you." with the caret behind "Dear", and one below.
	const letter = () => new Beside(p('Dear Nadia, thank you.'), p('Yours')).at(5);

	it.each<[string, (tr: Transaction) => Transaction, [string, string, string]]>([
		['at the caret', (tr) => tr.insertText('XX', 5), ['Dear', '', 'XX Nadia, thank you.']],
		['behind it', (tr) => tr.insertText('XX', 12), ['Dear', '', ' Nadia,XX thank you.']],
		['in another block', (tr) => tr.insertText('XX', 26), ['Dear', '', ' Nadia, thank you.']],
		['a block below', (tr) => tr.insert(24, p('new')), ['Dear', '', ' Nadia, thank you.']],
		[
			'the words behind it, over',
			(tr) => tr.replaceWith(5, 11, schema.text('!')),
			['Dear', '', '!, thank you.']
		],
		['a mark across it', (tr) => tr.addMark(1, 12, schema.mark('strong')), ['Dear', '', ' Nadia, thank you.']]
	])('%s', async (_, write, around) => {
		const desk = letter();
		await frame();
		const before = rest(desk);
		desk.agent(write);
		await frame();
		const { x, ...after } = desk.hand();
		const { x: was, ...same } = before;
		expect(after).toEqual(same);
		// A bold word is wider; all else leaves the caret to the pixel.
		if (!_.includes('mark')) expect(x).toBe(was);
		expect(desk.around).toEqual(around);
		nothingWasMoved(desk);
	});

	it.each<[string, (tr: Transaction) => Transaction, [string, string, string], number]>([
		['before it', (tr) => tr.insertText('My ', 1), ['My Dear', '', ' Nadia, thank you.'], 8],
		[
			'the words before it, over',
			(tr) => tr.replaceWith(1, 5, schema.text('Hi')),
			['Hi', '', ' Nadia, thank you.'],
			3
		],
		['the words around it, away', (tr) => tr.delete(3, 11), ['De', '', ', thank you.'], 3]
	])('%s: it stays between the same words on the same line', async (_, write, around, head) => {
		const desk = letter();
		await frame();
		const before = rest(desk);
		desk.agent(write);
		await frame();
		expect(desk.hand()).toMatchObject({ y: before.y, focus: true, page: before.page, head });
		expect(desk.around).toEqual(around);
		nothingWasMoved(desk);
	});

	it('a selection keeps its words and its direction, and grows by what is written in it', async () => {
		const desk = new Beside(p('Dear Nadia, thank you.'), p('Yours')).at(23, 6);
		await frame();
		rest(desk);
		desk.agent((tr) =>
			tr
				.insertText('XX', 11)
				.insertText('A', 1)
				.insertText('B', tr.doc.content.size - 1)
		);
		await frame();
		const { anchor, head } = desk.view.state.selection;
		expect(anchor).toBeGreaterThan(head);
		expect(desk.around).toEqual(['ADear ', 'NadiaXX, thank you.', '']);
		expect(getSelection()!.toString()).toBe('NadiaXX, thank you.');
		nothingWasMoved(desk);
	});

	it('the block under the caret becomes a heading and has one put before it: still between the same words', async () => {
		const desk = letter();
		desk.agent((tr) => tr.setBlockType(1, 1, schema.nodes['heading']!, { level: 3 }));
		expect(desk.around).toEqual(['Dear', '', ' Nadia, thank you.']);
		desk.agent((tr) => tr.insert(0, p('before')));
		expect(desk.around).toEqual(['Dear', '', ' Nadia, thank you.']);
		await desk.keys('est');
		expect(desk.around).toEqual(['Dearest', '', ' Nadia, thank you.']);
		expect(desk.hand().focus).toBe(true);
	});

	it('bold that was just switched on is still on after an agent wrote, and after provenance was accepted', async () => {
		const desk = letter();
		toggleMark(schema.marks['strong']!)(desk.view.state, desk.view.dispatch);
		const before = rest(desk);
		expect(before.stored).toEqual(['strong']);
		desk.agent((tr) => tr.insertText('XX', 12));
		expect(desk.hand()).toEqual(before);
		desk.view.dispatch(acceptProvenance(desk.view.state, { run: RUN })!);
		expect(desk.hand()).toEqual(before);
		await desk.keys('est');
		expect(desk.frame.querySelector('strong')!.textContent).toBe('est');
	});

	it('an editor without focus gets none', async () => {
		const desk = letter();
		desk.view.dom.blur();
		await frame();
		expect(rest(desk).focus).toBe(false);
		desk.agent((tr) => tr.insertText('XX', 5));
		await frame();
		expect(desk.hand().focus).toBe(false);
		nothingWasMoved(desk);
	});

	it('undo and redo of the run by somebody else leave it, too', async () => {
		const desk = letter();
		desk.begin();
		desk.agent((tr) => tr.insertText('My ', 1).insertText('XX', 9).insert(tr.doc.content.size, p('new')));
		desk.end();
		await frame();
		rest(desk);
		expect(desk.around).toEqual(['My Dear', '', ' XXNadia, thank you.']);
		desk.view.dispatch(undoRun(desk.view.state, RUN)!.tr);
		await frame();
		expect(desk.around).toEqual(['Dear', '', ' Nadia, thank you.']);
		desk.view.dispatch(redoRun(desk.view.state, RUN)!.tr);
		await frame();
		expect(desk.around).toEqual(['My Dear', '', ' XXNadia, thank you.']);
		expect(desk.hand().focus).toBe(true);
		nothingWasMoved(desk);
	});
});

describe('S2-70 an agent writes where the person does not look, and what they look at stays', () => {
	it('below the view: nothing scrolls', async () => {
		const desk = tall();
		await within(desk, 30);
		const before = rest(desk);
		expect(before.frame).toBeGreaterThan(200);
		desk.agent((tr) => {
			for (let line = 0; line < 20; line++) tr.insert(tr.doc.content.size, p(`New ${line}`));
			return tr;
		});
		await frame();
		expect(desk.hand()).toEqual(before);
		nothingWasMoved(desk);
	});

	it('above the view: the line with the caret stays under the person’s eyes', async () => {
		const desk = tall();
		await within(desk, 30);
		const before = rest(desk);
		desk.agent((tr) => {
			for (let line = 0; line < 20; line++) tr.insert(0, p(`New ${line}`));
			return tr;
		});
		await frame();
		const after = desk.hand();
		expect([after.y, after.x, after.focus]).toEqual([before.y, before.x, true]);
		expect(desk.around[0]).toBe('Line');
		nothingWasMoved(desk);
	});

	it('the caret is scrolled out of view: it is not fetched', async () => {
		const desk = tall();
		await within(desk, 30);
		desk.frame.scrollTop = 0;
		await frame();
		const before = rest(desk);
		desk.agent((tr) => tr.insertText('XX', desk.view.state.selection.head));
		await frame();
		expect(desk.hand()).toEqual(before);
		nothingWasMoved(desk);
	});

	it('a stream that becomes text in one transaction moves nothing, painted or written', async () => {
		const desk = tall();
		const line = await within(desk, 30);
		desk.begin();
		const before = rest(desk);
		const end = line + desk.view.state.doc.child(30).content.size;
		let text = '';
		for (let word = 0; word < 10; word++) {
			paintGhost(desk.view, { key: 'step-1', pos: end, text: (text += ' more') });
			await frame();
		}
		expect(desk.hand()).toEqual(before);
		expect(desk.dispatched).toHaveLength(1);
		desk.agent((tr) => tr.insertText(text, end).setMeta(ghostKey, { clear: 'step-1' }));
		await frame();
		expect(desk.hand()).toEqual(before);
		expect(desk.dispatched).toHaveLength(2);
		expect(desk.view.dom.querySelector('[data-part="ghost"]')).toBeNull();
		expect(desk.said).toEqual([text]);
		nothingWasMoved(desk);
	});
});

describe('S2-74 S2-70 keys beside a run', () => {
	it('thirty keystrokes among thirty writes: both texts whole, the caret where it was typed, Mod-z the run’s', async () => {
		const desk = new Beside(p('A: '), p('B: ')).at(4);
		desk.begin();
		let typed = '';
		for (let key = 0; key < 30; key++) {
			const letter = String.fromCharCode(97 + (key % 26));
			typed += letter;
			await desk.keys(letter);
			desk.agent((tr) => tr.insertText('0', key % 2 ? 4 : tr.doc.content.size - 1));
		}
		desk.end();
		expect(desk.text).toBe(`A: ${'0'.repeat(15)}${typed}|B: ${'0'.repeat(15)}`);
		expect(desk.around[0].endsWith(typed)).toBe(true);
		expect(desk.said).toEqual(['0'.repeat(15), '0'.repeat(15)]);
		await desk.keys('{Control>}z{/Control}');
		expect(desk.text).toBe(`A: ${typed}|B: `);
		expect(desk.said).toEqual([]);
		await desk.keys('{Control>}{Shift>}z{/Shift}{/Control}');
		expect(desk.said).toEqual(['0'.repeat(15), '0'.repeat(15)]);
		expect(desk.hand().focus).toBe(true);
	});

	it('what the person typed inside an agent’s words is theirs, stays when the run is undone, and has no mark after redo', async () => {
		const desk = new Beside(p('Hi '), p('end')).at(1);
		desk.begin();
		desk.agent((tr) => tr.insertText('AGENT', 4));
		desk.end();
		desk.at(6);
		await desk.keys('xyz');
		expect([desk.text, desk.said]).toEqual(['Hi AGxyzENT|end', ['AG', 'ENT']]);
		desk.view.dispatch(undoRun(desk.view.state, RUN)!.tr);
		expect([desk.text, desk.said]).toEqual(['Hi xyz|end', []]);
		desk.view.dispatch(redoRun(desk.view.state, RUN)!.tr);
		expect([desk.text, desk.said]).toEqual(['Hi AGxyzENT|end', ['AG', 'ENT']]);
	});

	it('a pasted copy of an agent’s words stays when the run is undone: a copy is the person’s act, its author is not', async () => {
		const desk = new Beside(p('Hi '), p('end')).at(1);
		desk.begin();
		desk.agent((tr) => tr.insertText('AGENT', 4));
		desk.end();
		desk.at(4, 9);
		await desk.keys('{Control>}c{/Control}');
		desk.at(14);
		await desk.keys('{Control>}v{/Control}');
		expect([desk.text, desk.said]).toEqual(['Hi AGENT|endAGENT', ['AGENT', 'AGENT']]);
		desk.view.dispatch(undoRun(desk.view.state, RUN)!.tr);
		expect([desk.text, desk.said]).toEqual(['Hi |endAGENT', ['AGENT']]);
	});

	it('words that were cut and pasted elsewhere go with their run', async () => {
		const desk = new Beside(p('Hi '), p('end')).at(1);
		desk.begin();
		desk.agent((tr) => tr.insertText('AGENT', 4));
		desk.end();
		desk.at(4, 9);
		await desk.keys('{Control>}x{/Control}');
		desk.at(9);
		await desk.keys('{Control>}v{/Control}');
		expect([desk.text, desk.said]).toEqual(['Hi |endAGENT', ['AGENT']]);
		desk.view.dispatch(undoRun(desk.view.state, RUN)!.tr);
		expect(desk.text).toBe('Hi |end');
	});

	it('provenance that was accepted does not come back by itself', async () => {
		const desk = new Beside(p('Hi '), p('end')).at(1);
		desk.begin();
		desk.agent((tr) => tr.insertText('AGENT', 4));
		desk.end();
		desk.view.dispatch(acceptProvenance(desk.view.state, { run: RUN })!);
		expect(desk.said).toEqual([]);
		await desk.keys('{Control>}z{/Control}');
		expect([desk.text, desk.said]).toEqual(['Hi AGENT|end', ['AGENT']]);
		await desk.keys('{Control>}z{/Control}');
		expect(desk.text).toBe('Hi |end');
	});
});
