import type { Omission } from '../journal/left-out.js';
import { CLEAN, join } from '../protocol/labels.js';
import type { Label } from '../protocol/words.js';
import { type Attachment, attached } from './attached.js';
import { estimateTokens } from './estimate.js';
import { faceOf, fit, type Piece, type Shown } from './forms.js';
import { counted, listing, type Offers } from './listing.js';
import type { AnyManifest } from './compile.js';
import type { AgentRead } from './manifest.js';
import { nameLabel } from './naming.js';
import { type Attention, type Ranked, ranked } from './ranking.js';
import { isEnabled, readAddress, readsOf } from './reading.js';
import type { Entry } from './registry.js';
import { legend } from './rendering.js';

export type { Attachment } from './attached.js';
export { consentVerdict } from './consent.js';
export { estimateTokens } from './estimate.js';
export type { Shown } from './forms.js';
export { readLabel, readValue } from './reading.js';

/** A context, and what it was made of. @since 0.1.0 */
export interface Assembly {
	text: string;
	shown: readonly Shown[];
	/**
	 * What is not shown by its value, its summary or its keys. `why`: `line` where it is named by a line of its own, `budget`
	 * where it is listed or counted at most, secret, disabled, consent, not-ready, or the code of a read that failed.
	 */
	leftOut: readonly Omission[];
	/** Join of all that was shown, and of all that was named. */
	label: Label;
	/** Entries `#instance.read` that would be shown if a person agreed; no more than a person can look through. */
	consentNeeded: readonly string[];
}

/** What a context is made from. @since 0.1.0 */
export interface AssemblyInput extends Attention {
	readonly entries: readonly Entry[];
	/** The entries in their order, where they were ranked already. */
	readonly order?: readonly Ranked[];
	/** Budget of the whole text, by `estimate`. One short line that counts what is mounted is given in any case. */
	readonly tokens: number;
	readonly estimate: (text: string) => number;
	readonly consent: (entry: Entry, read: string) => 'allow' | 'ask' | 'deny';
	/** The label that holds for a read: the declared one joined with what writes have raised it to. */
	readonly labelOf: (entry: Entry, read: string, declared: Label, key?: string) => Label;
	readonly attachments?: readonly Attachment[];
	/** A line of the engine's own, below the legend. */
	readonly note?: string;
	/** Unguessable for those who write values; the same for one run, so that equal pages give equal texts. */
	readonly nonce: string;
}

/** Share of the budget kept for naming what was left out. */
const LISTING_SHARE = 0.15;
/** Where so many names in a row had no room, the names after them have none either. */
const MISSES = 20;
/** More reads than this nobody is asked about at once. */
const MOST_ASKED = 50;

/** One read of one instance, with what became of it. */
interface Slot {
	readonly at: Ranked;
	readonly read: string;
	readonly declared: AgentRead<unknown>;
	/** May it be shown, and if not, why not; unknown until it is looked at. */
	verdict?: string;
	/** Why it is not shown whole or as a summary. */
	why: string | undefined;
}

/**
 * What the model sees of the page: deterministic, under a token budget, and honest about what is missing. By rank each read is
 * shown whole, else as its summary or the list of its keys, else as a line that names it, else only listed. Values stand in
 * fences with the nonce of the run, sanitised, so that no text of a page can end its fence. What needs consent or is secret is
 * not even read; what did not change since it was read is not read again; what there is no room for is not looked at.
 * @since 0.1.0
 */
export function assemble(input: AssemblyInput): Assembly {
	const { nonce, tokens, attachments = [], note = '' } = input;
	const estimate = steady(input.estimate);
	const asked = new Set<string>();
	const places: Place[] = (input.order ?? ranked(input.entries, input)).map((at) => ({
		at,
		slots: undefined
	}));

	const judge = (slot: Slot): string => (slot.verdict ??= verdictOf(slot, input));
	const rest = counted(places.length);
	const intro = legend(nonce);
	// A note that took more than half of the room would be most of what is said.
	const noted = estimate(intro + rest) + 2 * estimate(note) <= tokens;
	const head = intro + (noted ? note : '');
	let pieces: (Piece & { slot?: Slot })[] = [];
	let missing: string[] = [];
	let share: number | undefined;
	/** So many instances were looked at; there was no room for the others. */
	let reached = 0;
	/** The best form for this much room, else why there is none. */
	const show = (slot: Slot, left: number): Piece | string => {
		const verdict = judge(slot);
		const { entry } = slot.at;
		if (verdict === 'show')
			return fit(
				entry,
				slot.read,
				slot.declared,
				left,
				input.labelOf,
				faceOf(entry, slot.read, nonce, estimate)
			);
		if (verdict !== 'ask') return verdict;
		if (asked.size < MOST_ASKED) asked.add(`#${readAddress(entry.id, slot.read)}`);
		return 'consent';
	};
	/** Shows by rank; with `whole` only if nothing has to be cut for it. */
	const take = (left: number, whole: boolean): boolean => {
		pieces = [];
		missing = [];
		// A goal's own texts come first, but leave half of the room to the page.
		for (const one of attachments) {
			share ??= places.some((place) => slotsOf(place).some((slot) => judge(slot) === 'show'))
				? tokens / 2
				: tokens;
			const piece = attached(one, nonce, Math.min(left, share), estimate);
			if (whole && piece?.shown.form !== 'full') return false;
			if (piece) pieces.push(piece);
			else missing.push(one.name);
			left -= piece?.cost ?? 0;
		}
		let misses = 0;
		reached = 0;
		for (const place of places) {
			if (misses >= MISSES) break;
			reached += 1;
			for (const slot of slotsOf(place)) {
				const piece = show(slot, left);
				if (typeof piece === 'string') {
					slot.why = piece;
					if (piece !== 'budget') continue;
					if (whole) return false;
					misses += 1;
					continue;
				}
				const { form } = piece.shown;
				if (whole && form !== 'full') return false;
				misses = 0;
				slot.why = form === 'line' ? form : undefined;
				pieces.push({ ...piece, slot });
				left -= piece.cost;
			}
		}
		return true;
	};
	/** Names of what the model can pull, instance by instance, and whose names they are. */
	let named: readonly Entry[] = [];
	const compose = (): string => {
		const text = head + pieces.map((piece) => piece.text).join('');
		const list = listing(offered(places, judge), nonce, tokens - estimate(text), estimate);
		named = list.named;
		// Where all that may be shown is shown, nothing has to go for it.
		const crowded = whole && estimate(text + rest) > tokens;
		return text + (list.text || ((list.text === undefined || !noted) && !crowded ? rest : ''));
	};

	const room = tokens - estimate(head);
	const whole = take(room, true);
	if (!whole) take(room - Math.floor(tokens * LISTING_SHARE), false);
	let text = compose();
	// An estimator need not be additive; the budget holds for the whole text.
	for (let piece; estimate(text) > tokens && (piece = pieces.pop()); text = compose()) {
		if (piece.slot) piece.slot.why = 'budget';
		else missing.push(piece.shown.instance.slice('attachment:'.length));
	}
	const fits = estimate(text) <= tokens;
	const shown = pieces.map((piece) => piece.shown);
	const labels = [...shown.map(({ label }) => label), ...(fits ? named.map(nameLabel) : [])];
	return {
		text: fits ? text : places.length > 0 ? rest : '',
		shown,
		leftOut: grouped(places.slice(0, reached), places.slice(reached), missing),
		label: {
			...labels.reduce((label, one) => join(label, { ...one, sources: [] }), CLEAN),
			// Gathered apart, because a join of many lists is quadratic.
			sources: [...new Set(labels.flatMap(({ sources }) => sources))]
		},
		consentNeeded: [...asked]
	};
}

/** An instance with its reads, which are looked at only where there is room. */
interface Place {
	readonly at: Ranked;
	slots: readonly Slot[] | undefined;
}

const slotsOf = (place: Place): readonly Slot[] =>
	(place.slots ??= readsOf(place.at.entry.manifest).map(([read, declared]) => ({
		at: place.at,
		read,
		declared,
		why: 'budget'
	})));

type Judge = (slot: Slot) => string;

/** `show`, `ask`, or why it may not be shown. */
function verdictOf({ at: { entry, off }, read, declared }: Slot, { consent }: AssemblyInput): string {
	if (declared.sensitivity === 'secret') return 'secret';
	if (off) return 'disabled';
	const provider = entry.provider();
	if (provider === undefined) return 'not-ready';
	if (!isEnabled(declared, provider)) return 'disabled';
	const verdict = consent(entry, read);
	if (verdict === 'deny') return 'consent';
	return verdict === 'ask' ? verdict : 'show';
}

/** What the model may pull, by rank and instance. A denied read is no offer: only what a person could still allow is named. */
function* offered(places: readonly Place[], judge: Judge): Offers {
	for (const place of places) {
		const { entry } = place.at;
		if (readsOf(entry.manifest).length === 0) continue;
		const reads = () =>
			slotsOf(place).flatMap((slot) => {
				if (slot.why !== 'budget' && slot.why !== 'consent') return [];
				const verdict = judge(slot);
				if (verdict === 'ask') return [`${slot.read} needs consent`];
				return verdict === 'show' ? [slot.read] : [];
			});
		yield { entry, reads };
	}
}

/** What was left out, in groups: page after page has the same reads missing of many instances. */
function grouped(
	reached: readonly Place[],
	others: readonly Place[],
	attachments: readonly string[]
): Omission[] {
	const groups = new Map<string, { why: string; reads: readonly string[]; instances: string[] }>();
	const add = (why: string, reads: readonly string[], instance: string) => {
		const key = [why, ...reads].join('\n');
		const group = groups.get(key);
		if (group) group.instances.push(instance);
		else groups.set(key, { why, reads, instances: [instance] });
		return groups.get(key)!;
	};
	for (const name of attachments) add('budget', ['text'], `attachment:${name}`);
	for (const { at, slots = [] } of reached)
		for (const why of new Set(slots.map((slot) => slot.why)))
			if (why !== undefined)
				add(
					why,
					slots.filter((slot) => slot.why === why).map(({ read }) => read),
					at.entry.id
				);
	// Of these nothing is known but what their manifest declares: there was no room to look at them.
	const unread = new Map<AnyManifest, string[][]>();
	for (const { at } of others) {
		const { id, manifest } = at.entry;
		const known = unread.get(manifest);
		if (known) for (const instances of known) instances.push(id);
		else {
			const reads = readsOf(manifest);
			const secret = reads.filter(([, { sensitivity }]) => sensitivity === 'secret').map(([read]) => read);
			const open = reads.map(([read]) => read).filter((read) => !secret.includes(read));
			const made = [];
			if (open.length > 0) made.push(add('budget', open, id).instances);
			if (secret.length > 0) made.push(add('secret', secret, id).instances);
			unread.set(manifest, made);
		}
	}
	return [...groups.values()];
}

const steadied = new WeakMap<Estimate, Estimate>();
type Estimate = (text: string) => number;

/** An app's estimator may throw or count nonsense; the budget then holds by our own. One function for one: it is a key. */
function steady(own: Estimate): Estimate {
	let made = steadied.get(own);
	if (!made) {
		made = (text) => {
			try {
				const count = own(text);
				if (count >= 0 && count < Infinity) return count;
			} catch {
				// Ours counts instead.
			}
			return estimateTokens(text);
		};
		steadied.set(own, made);
	}
	return made;
}
