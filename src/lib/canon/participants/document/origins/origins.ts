import type { Mark, Node } from 'prosemirror-model';
import { Plugin, PluginKey, type EditorState, type Transaction } from 'prosemirror-state';
import { AddMarkStep } from 'prosemirror-transform';
import { currentCause } from '../../../../actor/index.js';
import { isTakeBack, runOf } from '../timeline/index.js';
import { Gesture } from './gesture.js';
import { Runs, type Run } from './runs.js';
import { Stash, tokensBetween } from './stash.js';

/** Where text comes from. @since 0.1.0 */
export type TextOrigin = 'user' | 'app' | 'agent' | 'imported';

/** A stretch of the document and where it comes from. @since 0.1.0 */
export interface OriginRange {
	readonly from: number;
	readonly to: number;
	readonly origin: TextOrigin;
	/** Of text that a run wrote. */
	readonly run?: string;
}

/** What {@link origins} takes. @since 0.1.0 */
export interface OriginsOptions {
	/**
	 * Who stands for what is loaded and for what the app inserts without a person's hand: nobody, the person whose document it
	 * is, or the app. Pasted text and text from others in a shared document are never vouched for.
	 * @default imported: nobody
	 */
	vouch?: 'user' | 'app';
}

/** `agent:` and the run, or the origin itself. */
type Value = string;

interface OriginState {
	runs: Runs<Value>;
}

const originsKey = new PluginKey<OriginState>('textOrigins');
const RANK: readonly TextOrigin[] = ['user', 'app', 'agent', 'imported'];
const kindOf = (value: Value): TextOrigin =>
	value.startsWith('agent:')
		? 'agent'
		: (((RANK as readonly string[]).includes(value) ? value : 'imported') as TextOrigin);
const worst = (a: Value, b: Value): Value => (RANK.indexOf(kindOf(a)) >= RANK.indexOf(kindOf(b)) ? a : b);

/**
 * Keeps which text a person typed, which was pasted, dropped, loaded or came from others, and which a run wrote. What is
 * deleted and brought back, moved or put in the same place again stays what it was.
 * @since 0.1.0
 */
export function origins({ vouch }: OriginsOptions = {}): Plugin {
	const base = vouch ?? 'imported';
	const gesture = new Gesture();
	// Of this editor, not of one of its states: a memory that only ever errs to the careful side.
	const stash = new Stash<Value>(worst);
	return new Plugin<OriginState>({
		key: originsKey,
		props: gesture.props,
		state: {
			init: (_config, { doc }) => ({ runs: loaded(doc, base) }),
			apply(tr, value) {
				if (!tr.docChanged) return value;
				const accepted = tr.getMeta(originsKey) as Endorsed | undefined;
				const runs = follow(value.runs, tr, wayOf(tr, base, gesture), stash);
				return { runs: accepted && currentCause().kind === 'human' ? endorsed(runs, accepted) : runs };
			},
			toJSON: ({ runs }) => runs.all() as unknown,
			fromJSON: (_config, value: unknown, { doc }) => ({ runs: saved(value, doc) ?? loaded(doc, base) })
		}
	});
}

type Endorsed = { readonly from: number; readonly to: number } | { readonly run: string };

/**
 * Says with a transaction that a person takes an agent's words for their own, of a range or of a run. Counts where a person
 * acts, and for nothing else: what was pasted stays what it was.
 * @internal
 */
export const endorse = (tr: Transaction, what: Endorsed): Transaction => tr.setMeta(originsKey, what);

function endorsed(runs: Runs<Value>, what: Endorsed): Runs<Value> {
	const [from, to] = 'run' in what ? [0, runs.size] : [Math.max(0, what.from), Math.min(runs.size, what.to)];
	const meant = (value: Value) => ('run' in what ? value === `agent:${what.run}` : kindOf(value) === 'agent');
	return runs.replace(
		from,
		to,
		runs.slice(from, to).map(([length, value]): Run<Value> => [length, meant(value) ? 'user' : value])
	);
}

/** What was loaded. */
const loaded = (doc: Node, base: Value): Runs<Value> => Runs.of(told(doc, 0, doc.content.size, base));

/** One value over a range, but for what says itself that an agent wrote it, where the rest is better than that. */
function told(doc: Node, from: number, to: number, base: Value): readonly Run<Value>[] {
	if (RANK.indexOf(kindOf(base)) >= RANK.indexOf('agent')) return [[to - from, base]];
	const runs: Run<Value>[] = [];
	let at = from;
	doc.nodesBetween(from, to, (node, pos) => {
		const mark = node.marks.find(({ type }) => type.name === 'agentText');
		if (!mark) return;
		const [start, end] = [Math.max(from, pos), Math.min(to, pos + node.nodeSize)];
		runs.push([start - at, base], [end - start, agentOf(mark)]);
		at = end;
	});
	return [...runs, [to - at, base]];
}

const agentOf = ({ attrs }: Mark): Value => `agent:${String(attrs['run'] ?? '')}`;

/** Saved ones, where they fit the document. */
function saved(value: unknown, doc: Node): Runs<Value> | undefined {
	const sound =
		Array.isArray(value) &&
		value.every(
			(run: unknown) =>
				Array.isArray(run) &&
				Number.isInteger(run[0]) &&
				(run[0] as number) >= 0 &&
				typeof run[1] === 'string'
		);
	const runs = sound ? Runs.of(value as Run<Value>[]) : undefined;
	return runs?.size === doc.content.size ? runs : undefined;
}

/** How a transaction is to be taken: whose new text is, and whether old text may come back with it. */
interface Way {
	value: (length: number) => Value;
	/** May it bring back what was deleted before, or only what it takes out itself? */
	brings: boolean;
}

const REMOTE = ['y-sync$', 'collab$', 'rebased'];

function wayOf(tr: Transaction, base: Value, gesture: Gesture): Way {
	const root = (tr.getMeta('appendedTransaction') as Transaction | undefined) ?? tr;
	const plain = (value: Value, brings = false): Way => ({ value: () => value, brings });
	const ui: unknown = root.getMeta('uiEvent');
	if (root.getMeta('history$') || isTakeBack(root)) return plain('imported', true);
	const run = runOf(root);
	if (run !== undefined) return plain(`agent:${run}`);
	if (root.getMeta('paste') || ui === 'paste' || ui === 'drop') return plain('imported');
	if (REMOTE.some((key) => root.getMeta(key) !== undefined && !isLocal(root, key)))
		return plain('imported', true);
	const { kind, run: delegation } = currentCause();
	if (kind === 'agent' || delegation !== undefined) return plain(`agent:${delegation ?? ''}`);
	if (kind === 'human') return plain('user');
	return { value: (length) => (gesture.typed(root, length) ? 'user' : base), brings: false };
}

/** Shared-document plugins also mark transactions that change nothing from outside. */
const isLocal = (tr: Transaction, key: string): boolean => {
	const meta = tr.getMeta(key) as { isChangeOrigin?: unknown } | undefined;
	return key === 'y-sync$' && meta?.isChangeOrigin === false;
};

/** Shorter text is found by chance. */
const TELLING = 3;
const lettersIn = (tokens: string): number => [...tokens].filter((one) => one > '\u0002').length;

function follow(
	before: Runs<Value>,
	tr: Transaction,
	{ value, brings }: Way,
	stash: Stash<Value>
): Runs<Value> {
	let runs = before;
	// What this very transaction takes out: a move puts it back elsewhere.
	const own = new Stash<Value>(worst);
	const alone = tr.steps.length === 1;
	tr.steps.forEach((step, index) => {
		const [was, now] = [tr.docs[index]!, tr.docs[index + 1] ?? tr.doc];
		// Somebody says, or the undo of an acceptance says again, that an agent wrote this.
		if (step instanceof AddMarkStep && step.mark.type.name === 'agentText')
			runs = runs.replace(
				step.from,
				step.to,
				runs
					.slice(step.from, step.to)
					.map(([length, old]): Run<Value> => [length, worst(agentOf(step.mark), old)])
			);
		step.getMap().forEach((oldFrom, oldTo, from, to) => {
			const [out, put] = [tokensBetween(was, oldFrom, oldTo), tokensBetween(now, from, to)];
			// Tokens that stand there as before were not replaced.
			const [head, tail] = rims(out, put);
			// Ranges of one map are met from left to right, so what lies left of this one is in place already.
			const [start, end] = [from + head, from + out.length - tail];
			const gone = runs.slice(start, end);
			const text = out.slice(head, out.length - tail);
			own.keep(text, gone, start, false);
			stash.keep(text, gone, start, alone);
			const fresh = put.slice(head, put.length - tail);
			if (text === '' && fresh === '') return;
			const held = brings ? stash : fresh.length < TELLING ? undefined : own;
			runs = runs.replace(
				start,
				end,
				held?.find(fresh) ?? told(now, from + head, to - tail, value(lettersIn(fresh)))
			);
		});
	});
	return runs;
}

/** How many tokens at both ends are the same. */
function rims(a: string, b: string): [head: number, tail: number] {
	const most = Math.min(a.length, b.length);
	let head = 0;
	while (head < most && a[head] === b[head]) head++;
	let tail = 0;
	while (tail < most - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
	return [head, tail];
}

/** Where the text of a range comes from; without the plugin nobody knows, which is `imported`. @since 0.1.0 */
export function originsIn(state: EditorState, from: number, to: number): readonly OriginRange[] {
	const kept = originsKey.getState(state);
	if (!kept) return from < to ? [{ from, to, origin: 'imported' }] : [];
	let at = from;
	return kept.runs.slice(from, to).map(([length, value]) => {
		const origin = kindOf(value);
		const start = at;
		at += length;
		const run = origin === 'agent' ? value.slice('agent:'.length) : '';
		return { from: start, to: at, origin, ...(run !== '' && { run }) };
	});
}
