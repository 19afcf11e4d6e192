import type { RunState, Step } from '../../../agent/protocol/run-state.js';
import type { JSONValue, Reason } from '../../../agent/protocol/words.js';
import { nameIn, oneLine, refusalIn, type Language } from '../../../langs/index.js';
import type { StateOf } from '../../../uix/index.js';
import type { GlyphName } from '../glyph/glyphs.js';
import { fieldName } from '../review-card/argument-fields.js';
import { createNaming, isChange, whyNot, type Sentence } from '../review-card/naming.js';
import { textIn, textValue } from '../review-card/values.js';
import type { activityMorfo } from './activity.morfo.js';
import type { CallEntry } from './entries.js';

/** What became of an act, for eyes. @since 0.1.0 */
export type ActState = StateOf<typeof activityMorfo>;

/** One exact value; `before` where it changes something, empty where nothing stood there. What was cut says how long it is. @since 0.1.0 */
export interface ActValue {
	name: string;
	before?: string;
	after: string;
}

/** One act as it is shown. @since 0.1.0 */
export interface ActView {
	state: ActState;
	glyph: GlyphName;
	/** What it does, its most telling words apart. */
	sentence: Sentence;
	/** What became of it, in one or two words. */
	word: string;
	/** Arguments while they arrive, and how many characters there are so far. */
	arriving?: { text: string; length: number };
	values: readonly ActValue[];
	/** More values than are shown. */
	more: number;
	/** What the component says it does or did. */
	note?: string;
	result?: string;
	/** Why it was not done. */
	why?: string;
	/** What it brought, or what led to it, nobody vouches for. */
	untrusted: boolean;
	/** The person changed its arguments. */
	own: boolean;
}

/** How ids become words. */
export interface ActNames {
	lang: Language;
	/** An instance, fit to stand in a sentence. */
	label(instance: string): string;
}

/** Rows that are shown; the others are counted. */
const ROWS = 6;
/** Characters of one value. Here it is told what happened; whole values stand in the review and in the trail. */
const LONG = 160;

const STATES: Readonly<Record<Step['status'], ActState>> = {
	proposed: 'planned',
	granted: 'planned',
	waiting: 'waiting',
	dispatched: 'acting',
	confirmed: 'done',
	refused: 'refused',
	rejected: 'refused',
	failed: 'failed',
	unknown: 'failed',
	withdrawn: 'left',
	skipped: 'left'
};
const GLYPH: Readonly<Record<ActState, GlyphName>> = {
	arriving: 'act',
	planned: 'clock',
	waiting: 'ask',
	acting: 'act',
	done: 'done',
	refused: 'refuse',
	failed: 'fail',
	left: 'pause'
};

/** A step of a run as it stands. */
export function viewOfStep(step: Step, run: RunState, { lang, label }: ActNames): ActView {
	const words = lang.activity;
	// Under review a step is still a proposal: what holds it up is the person.
	const asked =
		step.status === 'proposed' &&
		run.reviews.some(({ status, steps }) => status === 'open' && steps.includes(step.id));
	const status = asked ? 'waiting' : step.status;
	const state = STATES[status];
	const rows = valuesOf(step, lang);
	const over = state === 'refused' || state === 'failed' || state === 'left';
	// What only was not its turn any more needs no reason.
	const why = over && step.status !== 'skipped' ? whyOf(whyNot(step), lang) : undefined;
	const note = step.preview?.kind === 'note' ? step.preview.text : undefined;
	return {
		state,
		glyph: GLYPH[state],
		sentence: createNaming(lang, label, run.steps).sentence(step),
		word: words.is[status],
		values: rows.slice(0, ROWS),
		more: Math.max(0, rows.length - ROWS),
		...(note !== undefined && { note: nameIn(lang, note, { most: 400 }) }),
		...resultOf(step.result, lang),
		...(why !== undefined && { why }),
		untrusted: step.reasons.some(({ code }) => code === 'tainted'),
		own: step.proposed !== undefined
	};
}

/** A call that became no step: a read, an act without effect, or one that was turned away at once. */
export function viewOfCall(call: CallEntry, { lang, label }: ActNames): ActView {
	const words = lang.activity;
	const { instance, ...args } = call.args;
	const where = typeof instance === 'string' ? label(instance) : '';
	const { closed } = call;
	const bad = closed?.refused || closed?.performative === 'refuse';
	const failed = closed?.performative === 'failure';
	const cancelled = closed?.performative === 'cancel';
	const state: ActState = !closed
		? 'acting'
		: bad
			? 'refused'
			: failed
				? 'failed'
				: cancelled
					? 'left'
					: 'done';
	const pull = call.name === 'pull' && call.act === undefined;
	const { read, key } = args as { read?: JSONValue; key?: JSONValue };
	const what = typeof read === 'string' ? fieldName(read).toLowerCase() : '';
	const rows = pull ? [] : Object.entries(args).map(([name, value]) => valueOf(fieldName(name), value, lang));
	if (pull && typeof key === 'string') rows.push(valueOf(words.part, key, lang));
	return {
		state,
		glyph: state === 'done' || state === 'acting' ? 'read' : GLYPH[state],
		sentence: pull
			? words.reads(what, where)
			: where
				? lang.reviewCard.does(nameIn(lang, fieldName(call.act ?? call.name)), where)
				: { before: '', strong: nameIn(lang, fieldName(call.act ?? call.name)), after: '' },
		word: words.is[
			(
				{
					done: 'confirmed',
					acting: 'dispatched',
					refused: 'refused',
					failed: 'failed',
					left: 'skipped'
				} as const
			)[state]
		],
		values: rows.slice(0, ROWS),
		more: Math.max(0, rows.length - ROWS),
		...(state === 'done' && resultOf(resultIn(closed!.content), lang)),
		...((bad || failed) && { why: whyOf(reasonIn(closed!.content), lang) }),
		untrusted: closed?.untrusted ?? false,
		own: false
	};
}

/** A call whose arguments are still arriving. */
export function viewOfArriving(
	call: { name: string; raw: string; act?: string },
	{ lang, label }: ActNames
): ActView {
	// The instance is the first of its arguments.
	const instance = /^\s*\{\s*"instance"\s*:\s*"([^"\\]*)"/.exec(call.raw.slice(0, 200))?.[1];
	const name = nameIn(lang, fieldName(call.act ?? call.name));
	return {
		state: 'arriving',
		glyph: 'act',
		sentence: instance
			? lang.reviewCard.does(name, label(instance))
			: { before: '', strong: name, after: '' },
		word: lang.activity.arriving,
		arriving: { text: call.raw.slice(-MOST_RAW), length: call.raw.length },
		values: [],
		more: 0,
		untrusted: false,
		own: false
	};
}

/** The end of what arrives is what changes: more than this is not drawn anew with every frame. */
const MOST_RAW = 600;

function valuesOf(step: Step, lang: Language): ActValue[] {
	const { preview, proposed } = step;
	// What a preview showed was the model's; what the person put in its place stands in the arguments.
	if (preview?.kind === 'fields' && proposed === undefined) {
		const changes = preview.fields.filter(isChange);
		return (changes.length > 0 ? changes : preview.fields).map(({ label, before, after }) => ({
			...valueOf(nameIn(lang, label), after, lang),
			...(isChange({ before, after }) && { before: isNothing(before) ? '' : cut(textOf(before, lang)) })
		}));
	}
	if (preview?.kind === 'text' && proposed === undefined)
		return [{ name: '', before: cut(preview.before), after: cut(preview.after) }];
	if (preview?.kind === 'note') return [];
	const args =
		typeof step.args === 'object' && step.args !== null && !Array.isArray(step.args) ? step.args : {};
	return Object.entries(args as Record<string, JSONValue>).map(([name, value]) =>
		valueOf(fieldName(name), value, lang)
	);
}

const isNothing = (value: JSONValue): boolean => value === null || value === '';

const textOf = (value: JSONValue, lang: Language): string =>
	isNothing(value) ? lang.reviewCard.empty : (textIn(value) ?? textValue(value, lang.reviewCard));

const valueOf = (name: string, value: JSONValue, lang: Language): ActValue => ({
	name: nameIn(lang, name),
	after: cut(textOf(value, lang))
});

const cut = (text: string): string => (text.length > LONG ? `${text.slice(0, LONG).trimEnd()}…` : text);

function resultOf(value: JSONValue | undefined, lang: Language): { result?: string } {
	if (value === undefined || value === null || value === '') return {};
	return { result: oneLine(textOf(value, lang), LONG) };
}

function whyOf(reason: Reason | undefined, lang: Language): string | undefined {
	return reason && (refusalIn(lang, reason) || undefined);
}

/** What came of an act, without what the model is told besides. */
function resultIn(content: JSONValue): JSONValue | undefined {
	const of = content as { done?: unknown; result?: JSONValue; value?: JSONValue } | null;
	return of?.done === true ? of.result : (of?.value ?? content);
}

/** What the model was told about why, as far as it is a reason. */
function reasonIn(content: JSONValue): Reason | undefined {
	const found = (value: unknown): Reason | undefined => {
		const { code, text } = (typeof value === 'object' && value !== null ? value : {}) as Partial<Reason>;
		return typeof code === 'string' ? { code, text: typeof text === 'string' ? text : '' } : undefined;
	};
	const of = content as { refused?: unknown; failed?: unknown; unknown?: unknown } | null;
	return found(of?.refused) ?? found(of?.failed) ?? found(of?.unknown) ?? found(content);
}
