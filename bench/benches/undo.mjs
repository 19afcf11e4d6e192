import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { bundle } from '../bundle.mjs';

const lib = resolve(import.meta.dirname, '../../src/lib');
const { devDependencies: pinned } = JSON.parse(
	readFileSync(resolve(import.meta.dirname, '../package.json'), 'utf8')
);

const timeline = resolve(lib, 'canon/participants/document/timeline/index.ts');
const {
	ours,
	model,
	state: pm,
	history,
	Y,
	sync
} = await bundle(
	'undo',
	`export * as ours from ${JSON.stringify(timeline)};
	export * as model from 'prosemirror-model';
	export * as state from 'prosemirror-state';
	export * as history from 'prosemirror-history';
	export * as Y from 'yjs';
	export * as sync from 'y-prosemirror';`
);

const RUN = 'run';
const ROUNDS = 7;
const EDITS = 2000;
const schema = new model.Schema({
	nodes: {
		doc: { content: 'paragraph+' },
		paragraph: { content: 'text*', toDOM: () => ['p', 0], parseDOM: [{ tag: 'p' }] },
		text: {}
	}
});
/** @param {string[]} texts */
const docOf = (...texts) =>
	schema.node(
		'doc',
		null,
		texts.map((text) => schema.node('paragraph', null, text ? [schema.text(text)] : []))
	);

/** CPU of this process, all threads, in milliseconds. @param {() => void} work */
function cpu(work) {
	const before = process.cpuUsage();
	work();
	const { user, system } = process.cpuUsage(before);
	return (user + system) / 1000;
}
/** @param {number[]} values */
const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];
/** @param {number} value */
const ms = (value) => Math.round(value * 1000) / 1000;

/**
 * Who writes where, one character a transaction, the person and the run by turns. `left`: what must stand afterwards.
 * @typedef {{ doc: () => any, person: (i: number) => number, run: (i: number) => number, left: (n: number) => string }} Scenario
 * @type {Record<string, Scenario>}
 */
const SCENARIOS = {
	apart: {
		doc: () => docOf('', ''),
		person: (i) => 1 + i,
		run: (i) => 1 + (i + 1) + 2 + i,
		left: (n) => 'p'.repeat(n)
	},
	interleaved: {
		doc: () => docOf(''),
		person: (i) => 1 + 2 * i,
		run: (i) => 2 + 2 * i,
		left: (n) => 'p'.repeat(n)
	}
};

/**
 * One way to undo: it is given a document, takes edits of both, and takes the run's back.
 * @typedef {{ person(at: number): void, run(at: number): void, ended(): void, undo(): void, tried?(): void, doc(): any }} Desk
 */

/** @param {any} doc @param {any[]} plugins */
const open = (doc, plugins) => pm.EditorState.create({ schema, doc, plugins });

/** @type {Record<string, (doc: any) => Desk>} */
const DESKS = {
	ours(doc) {
		let state = open(doc, [history.history(), ours.undoTimeline()]);
		state = state.apply(ours.beginRun(state, RUN));
		return {
			person: (at) => void (state = state.apply(state.tr.insertText('p', at))),
			run: (at) => void (state = state.apply(ours.edit(state, RUN, (tr) => tr.insertText('r', at)))),
			ended: () => void (state = state.apply(ours.endRun(state, RUN))),
			undo: () => void (state = state.apply(ours.undoRun(state, RUN).tr)),
			tried: () => void state.apply(ours.undoRun(state, RUN).tr),
			doc: () => state.doc
		};
	},
	/** What everybody has who has a history: the run's edits are kept out of it. It cannot take the run back. */
	'history, person tracked': (doc) => historyDesk(doc, false),
	/** The other way round it takes the run back, and the person's own undo is gone. */
	'history, run tracked': (doc) => historyDesk(doc, true),
	/** An undo manager that follows the run's origin alone, bound to the editor. */
	yjs(doc) {
		const ydoc = new Y.Doc();
		const fragment = ydoc.getXmlFragment('doc');
		sync.prosemirrorToYXmlFragment(doc, fragment);
		const manager = new Y.UndoManager(fragment, { trackedOrigins: new Set([RUN]), captureTimeout: 1e9 });
		/** @type {any[]} */
		let views = [];
		const view = {
			state: open(doc, [sync.ySyncPlugin(fragment)]),
			hasFocus: () => false,
			/** @param {any} tr */
			dispatch(tr) {
				const before = view.state;
				view.state = before.apply(tr);
				for (const one of views) one.update?.(view, before);
			}
		};
		views = view.state.plugins.flatMap((/** @type {any} */ plugin) => plugin.spec.view?.(view) ?? []);
		return {
			person: (at) => view.dispatch(view.state.tr.insertText('p', at)),
			run: (at) => ydoc.transact(() => view.dispatch(view.state.tr.insertText('r', at)), RUN),
			ended() {},
			undo: () => void manager.undo(),
			doc: () => view.state.doc
		};
	},
	bare(doc) {
		let state = open(doc, []);
		/** @param {string} text */
		const write = (text) => (/** @type {number} */ at) =>
			void (state = state.apply(state.tr.insertText(text, at)));
		return { person: write('p'), run: write('r'), ended() {}, undo() {}, doc: () => state.doc };
	}
};

/** @param {any} doc @param {boolean} tracked the run, instead of the person @returns {Desk} */
function historyDesk(doc, tracked) {
	// A run is as many events as its places, more than the 100 that a history keeps of itself.
	let state = open(doc, [history.history(tracked ? { newGroupDelay: 1e9, depth: 1e9 } : {})]);
	/** @param {string} text @param {boolean} adds */
	const write = (text, adds) => (/** @type {number} */ at) =>
		void (state = state.apply(state.tr.insertText(text, at).setMeta('addToHistory', adds)));
	return {
		person: write('p', !tracked),
		run: write('r', tracked),
		ended() {},
		undo() {
			do history.undo(state, (/** @type {any} */ tr) => (state = state.apply(tr)));
			while (tracked && history.undoDepth(state) > 0);
		},
		doc: () => state.doc
	};
}

/** @param {string} desk @param {Scenario} scenario @param {number} edits */
function round(desk, scenario, edits) {
	const one = DESKS[desk](scenario.doc());
	const writing = cpu(() => {
		for (let i = 0; i < edits; i++) {
			one.person(scenario.person(i));
			one.run(scenario.run(i));
		}
	});
	const ending = cpu(() => one.ended());
	const undoing = cpu(() => one.undo());
	return { writing, ending, undoing, exact: one.doc().textContent === scenario.left(edits) };
}

/** Rounds by turns, so that no way to undo has the machine to itself. @param {string[]} desks @param {Scenario} scenario @param {number} edits */
function measure(desks, scenario, edits, rounds = ROUNDS) {
	/** @type {Record<string, ReturnType<typeof round>[]>} */
	const all = Object.fromEntries(desks.map((desk) => [desk, []]));
	for (let i = -2; i < rounds; i++)
		for (const desk of desks) {
			const one = round(desk, scenario, edits);
			if (i >= 0) all[desk].push(one);
		}
	return Object.fromEntries(
		desks.map((desk) => [
			desk,
			{
				undo: median(all[desk].map((one) => one.undoing)),
				end: median(all[desk].map((one) => one.ending)),
				each: median(all[desk].map((one) => one.writing)) / (2 * edits),
				exact: all[desk].every((one) => one.exact)
			}
		])
	);
}

/**
 * Our undo at one point, many times from one and the same state: what the writing left for the collector would else
 * be paid by the undo, and more of it at the larger size.
 * @param {number} edits
 */
function repeated(edits) {
	const one = DESKS.ours(SCENARIOS.interleaved.doc());
	for (let i = 0; i < edits; i++) {
		one.person(SCENARIOS.interleaved.person(i));
		one.run(SCENARIOS.interleaved.run(i));
	}
	one.ended();
	return median(Array.from({ length: 15 }, () => cpu(() => one.tried?.())));
}

const PARAGRAPH = 'A sentence of a long document, as long as sentences are. '.repeat(9).trim();

/** A document of 2 MB: what opening it costs, and the worst of 400 edits in its middle. @param {string} desk */
function big(desk) {
	const doc = docOf(...Array.from({ length: Math.ceil(2e6 / PARAGRAPH.length) }, () => PARAGRAPH));
	/** @type {Desk | undefined} */
	let one;
	const opening = cpu(() => (one = DESKS[desk](doc)));
	const middle = doc.child(0).nodeSize * (doc.childCount >> 1) + 40;
	const costs = [];
	for (let i = 0; i < 200; i++) {
		costs.push(cpu(() => one.person(middle + i)));
		costs.push(cpu(() => one.run(middle + 2000 + 2 * i)));
	}
	one.ended();
	return { opening, worst: Math.max(...costs), usual: median(costs), undo: cpu(() => one.undo()) };
}

/** @param {string} name @param {(number | string)[]} cells */
const row = (name, ...cells) =>
	name.padEnd(36) +
	cells.map((cell) => (typeof cell === 'number' ? cell.toFixed(3) : cell).padStart(13)).join('');

/** Undo of a run among as many edits of the person: CPU of the undo, and of keeping what it needs to know. */
export async function bench() {
	const desks = ['ours', 'history, person tracked', 'history, run tracked', 'yjs', 'bare'];
	const apart = measure(desks, SCENARIOS.apart, EDITS);
	const interleaved = measure(desks, SCENARIOS.interleaved, EDITS);
	/** @param {string} desk @param {string} beside */
	const bookkeeping = (desk, beside) =>
		Math.max(apart[desk].each - apart[beside].each, interleaved[desk].each - interleaved[beside].each);
	const perTransaction = bookkeeping('ours', 'history, person tracked');
	/** Keeping what undo needs, and the undo. @param {string} desk */
	const whole = (desk) =>
		2 * EDITS * (interleaved[desk].each - interleaved.bare.each) + interleaved[desk].undo;
	const ratios = Array.from({ length: 5 }, () => repeated(2 * EDITS) / repeated(EDITS));
	const growth = median(ratios);
	/** @type {Record<string, ReturnType<typeof big>>} */
	const bigs = {};
	for (const desk of ['ours', 'history, person tracked', 'yjs']) {
		big(desk);
		const rounds = [big(desk), big(desk), big(desk)];
		/** @param {keyof ReturnType<typeof big>} key */
		const of = (key) => median(rounds.map((one) => one[key]));
		bigs[desk] = { opening: of('opening'), worst: of('worst'), usual: of('usual'), undo: of('undo') };
	}
	/** @param {string} desk @param {string} beside */
	const figuresOf = (desk, beside) => ({
		apartMs: ms(apart[desk].undo),
		interleavedMs: ms(interleaved[desk].undo),
		perTransactionMs: ms(bookkeeping(desk, beside)),
		takesTheRunBack: apart[desk].exact && interleaved[desk].exact,
		...(bigs[desk] && {
			big: { openMs: ms(bigs[desk].opening), worstEditMs: ms(bigs[desk].worst) }
		})
	});
	const table = [row('CPU in ms', 'apart', 'interleaved', 'one edit', 'takes it back')];
	/** @type {Record<string, string>} */
	const labels = {
		ours: '@activeuix/agent',
		'history, person tracked': `prosemirror-history ${pinned['prosemirror-history']}`,
		'history, run tracked': '  the same, the run tracked instead',
		yjs: `yjs ${pinned.yjs}, y-prosemirror ${pinned['y-prosemirror']}`,
		bare: 'no undo at all'
	};
	for (const desk of desks)
		table.push(
			row(
				labels[desk],
				desk === 'bare' ? '-' : apart[desk].undo,
				desk === 'bare' ? '-' : interleaved[desk].undo,
				Math.max(apart[desk].each, interleaved[desk].each),
				apart[desk].exact && interleaved[desk].exact ? 'yes' : 'no'
			)
		);
	table.push(
		row('  a document of 2 MB', 'open', 'usual edit', 'worst edit', 'undo'),
		...Object.entries(bigs).map(([desk, one]) =>
			row(`  ${labels[desk].trim()}`, one.opening, one.usual, one.worst, one.undo)
		)
	);
	return {
		figures: {
			...figuresOf('ours', 'history, person tracked'),
			perTransactionMs: ms(perTransaction),
			growth: ms(growth),
			endMs: ms(interleaved.ours.end)
		},
		peers: {
			history: figuresOf('history, person tracked', 'bare'),
			'history-run-tracked': figuresOf('history, run tracked', 'bare'),
			yjs: figuresOf('yjs', 'bare')
		},
		ratio: ms(whole('yjs') / whole('ours')),
		table,
		notes: [
			`${EDITS} edits of a run and ${EDITS} of the person by turns, one character each: in two paragraphs, or at one point. Medians of ${ROUNDS} rounds after 2 to warm up, CPU of all threads.`,
			`perTransactionMs: what an edit costs on top of prosemirror-history, the dearer of the two scenes; for the peers on top of no undo at all. growth: undo at one point at ${2 * EDITS} + ${2 * EDITS} ÷ at ${EDITS} + ${EDITS}, each the median of 15 undos of one state, the median of 5 such pairs.`,
			`endMs: the end of a run, once, when what it left is made compact.`,
			"prosemirror-history with the run kept out of it (what editors do today) cannot take the run back: its undo takes the person's last typing instead.",
			'The same history with the run in it, the person kept out and no bound on its depth does take one run back, event by event; the person then has no undo of their own.',
			`The undo manager of Yjs follows the run's origin: it takes the run back and leaves the person's words. At one point its undo alone is ${(interleaved.ours.undo / interleaved.yjs.undo).toFixed(1)} times as fast as ours (it puts the whole document anew in one step, ours is one step that leaves every other position where it is); every edit pays for that. It needs the document in Yjs and knows no common order with the person's undo.`,
			`ratio: ${2 * EDITS} edits at one point and the undo, on top of no undo at all, by Yjs ÷ ours with prosemirror-history. Our source and the peers come out of one build with Vite, unminified, on one copy of ProseMirror; no view is drawn for anybody.`
		]
	};
}
