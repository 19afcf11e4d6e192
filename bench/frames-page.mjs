// What runs in the browser for the bench `frames`: an editor, a stream, and a count of frames.
import { baseKeymap } from 'prosemirror-commands';
import { history } from 'prosemirror-history';
import { keymap } from 'prosemirror-keymap';
import { Schema } from 'prosemirror-model';
import { marks, nodes } from 'prosemirror-schema-basic';
import { EditorState, TextSelection } from 'prosemirror-state';
import { EditorView } from 'prosemirror-view';
import {
	clearGhost,
	completeBlockIds,
	documentRow,
	edit,
	paintGhost,
	withBlockIds,
	withProvenance
} from '../src/lib/canon/participants/document/index.ts';
import '../src/lib/styles.css';

const WORDS = 'The presses were handed over on the day that we had agreed and have been running since '.split(
	' '
);
const bare = new Schema({ nodes, marks });
const full = (() => {
	const specs = withProvenance({ nodes, marks });
	return new Schema({ nodes: withBlockIds(specs.nodes), marks: specs.marks });
})();

/** @param {Schema} schema @param {number} blocks @param {number} words @param {boolean} agent @param {boolean} ids */
function letter(schema, blocks, words, agent, ids) {
	let word = 0;
	const by = agent ? [schema.mark('agentText', { run: 'run-1', agent: 'ada', name: 'Ada', at: 1 })] : [];
	const text = () => Array.from({ length: words }, () => WORDS[word++ % WORDS.length] || 'and').join(' ');
	return schema.node(
		'doc',
		null,
		// A document that was saved has its ids.
		Array.from({ length: blocks }, (_, index) =>
			schema.node('paragraph', schema === full && ids ? { id: `b${index}` } : null, [schema.text(text(), by)])
		)
	);
}

/** @type {EditorView | undefined} */
let view;
let transactions = 0;
const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));
const afterPaint = async () => {
	await nextFrame();
	await new Promise((resolve) => setTimeout(resolve));
};

/**
 * Opens an editor with all that a document takes, or one with ProseMirror alone; answers ms until it is on the screen.
 * `ids`: `saved` with the document, given `before` the editor begins, or by the plugin `after` it has.
 */
async function open({ ours = true, blocks = 100, words = 20, agent = false, ids = 'saved' }) {
	view?.destroy();
	document.body.replaceChildren();
	const place = document.createElement('div');
	place.style.cssText = 'block-size: 600px; overflow: auto; font: 16px/1.5 serif; white-space: pre-wrap';
	document.body.append(place);
	const given = letter(ours ? full : bare, blocks, words, agent, ids === 'saved');
	const plain = [history(), keymap(baseKeymap)];
	await nextFrame();
	const began = performance.now();
	const doc = ids === 'before' ? completeBlockIds(given) : given;
	view = new EditorView(place, {
		state: EditorState.create({ doc, plugins: ours ? documentRow(plain) : plain }),
		dispatchTransaction(tr) {
			transactions += 1;
			view.updateState(view.state.apply(tr));
		}
	});
	await afterPaint();
	return performance.now() - began;
}

/** Waits until every block has its id. */
async function identified() {
	while (view.state.doc.lastChild.attrs.id === null) await afterPaint();
}

/** Puts the caret into a block. */
function caret(block) {
	let pos = 1;
	for (let index = 0; index < block; index += 1) pos += view.state.doc.child(index).nodeSize;
	view.dispatch(view.state.tr.setSelection(TextSelection.create(view.state.doc, pos + 4)));
	view.focus();
}

/** Counts frames for a while. */
async function frames(ms) {
	const gaps = [];
	let last = performance.now();
	const until = last + ms;
	while (last < until) {
		await nextFrame();
		const now = performance.now();
		gaps.push(now - last);
		last = now;
	}
	return gaps;
}

/** A stream of 200 words a second into one place, painted or written, and the frames meanwhile. */
async function stream({ ms, how, pos }) {
	transactions = 0;
	let text = '';
	let token = 0;
	const began = performance.now();
	const timer = setInterval(() => {
		const due = Math.floor((performance.now() - began) / 5);
		let more = '';
		for (; token < due; token += 1) more += `${WORDS[token % WORDS.length] || 'and'} `;
		if (!more) return;
		text += more;
		if (how === 'painted') paintGhost(view, { key: 'bench', pos, text });
		else if (how === 'written')
			view.dispatch(edit(view.state, 'bench', (tr) => tr.insertText(more, pos + text.length - more.length)));
	}, 5);
	const gaps = await frames(ms);
	clearInterval(timer);
	const result = { gaps, tokens: token, transactions };
	clearGhost(view, 'bench');
	return result;
}

let counting = false;
/** Counts frames until {@link counted} is asked. */
function count() {
	counting = true;
	const gaps = [];
	let last = performance.now();
	const tick = (now) => {
		if (!counting) return;
		gaps.push(now - last);
		last = now;
		requestAnimationFrame(tick);
	};
	requestAnimationFrame((now) => {
		last = now;
		requestAnimationFrame(tick);
	});
	counts = gaps;
}
/** @type {number[]} */
let counts = [];
function counted() {
	counting = false;
	return counts;
}

Object.assign(window, { desk: { open, identified, caret, stream, count, counted, afterPaint } });
