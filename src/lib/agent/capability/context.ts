import { canonicalJSON } from '../protocol/canonical-json.js';
import { sha256 } from '../protocol/sha256.js';
import { CLEAN, join } from '../protocol/labels.js';
import type { JSONValue, Label } from '../protocol/words.js';
import type { AgentRead } from './manifest.js';
import { estimateTokens } from './estimate.js';
import { type Attention, ranked } from './ranking.js';
import { isEnabled, readAddress, readValue } from './reading.js';
import type { Entry } from './registry.js';
import { fence, legend, listing } from './rendering.js';

export { consentVerdict } from './consent.js';
export { estimateTokens } from './estimate.js';
export { readLabel, readValue } from './reading.js';

/** A text that came with the goal. @since 0.1.0 */
export interface Attachment {
	readonly name: string;
	readonly text: string;
	readonly label: Label;
}

/** One read as the model got it. @since 0.1.0 */
export interface Shown {
	instance: string;
	epoch: number;
	read: string;
	key?: string;
	version: string | number;
	/** Of a `line` the clean label: it carries the app's own words alone. */
	label: Label;
	form: 'full' | 'summary' | 'line';
	/** SHA-256 of the canonical JSON of the whole value. */
	digest: string;
	/** The whole value; absent for a `line`. */
	value?: JSONValue;
}

/** A context, and what it was made of. @since 0.1.0 */
export interface Assembly {
	text: string;
	shown: readonly Shown[];
	/** `why`: secret, disabled, consent, budget, not-ready, or the code of a read that failed. */
	leftOut: readonly { instance: string; read: string; why: string }[];
	/** Join of all that was shown. */
	label: Label;
	/** Entries `#instance.read` that would be shown if a person agreed. */
	consentNeeded: readonly string[];
}

/** What a context is made from. @since 0.1.0 */
export interface AssemblyInput extends Attention {
	readonly entries: readonly Entry[];
	/** Budget of the whole text, by `estimate`. */
	readonly tokens: number;
	readonly estimate: (text: string) => number;
	readonly consent: (entry: Entry, read: string) => 'allow' | 'ask' | 'deny';
	/** The label that holds for a read: the declared one joined with what writes have raised it to. */
	readonly labelOf: (entry: Entry, read: string, declared: Label, key?: string) => Label;
	readonly attachments?: readonly Attachment[];
	/** Unguessable for those who write values; the same for one run, so that equal pages give equal texts. */
	readonly nonce: string;
}

/** Share of the budget kept for naming what was left out. */
const LISTING_SHARE = 0.15;
/** Below this many characters the beginning of an attachment says nothing. */
const SHORTEST = 80;

interface Piece {
	text: string;
	cost: number;
	shown: Shown;
}
interface Omitted {
	instance: string;
	read: string;
	why: string;
}
interface Candidate {
	instance: string;
	read: string;
	/** The best form for this much room, else why there is none. Reads the value at most once. */
	fit(room: number): Piece | string;
}

/**
 * What the model sees of the page: deterministic, under a token budget, and honest about what is missing. By rank each read is
 * shown whole, else as its summary, else as a line that names it, else only listed. Values stand in fences with the nonce of
 * the run, sanitised, so that no text of a page can end its fence. What needs consent or is secret is not even read.
 * @since 0.1.0
 */
export function assemble(input: AssemblyInput): Assembly {
	const { nonce, tokens, attachments = [] } = input;
	const estimate = (text: string): number => {
		try {
			const count = input.estimate(text);
			if (count >= 0 && count < Infinity) return count;
		} catch {
			// An app's estimator may throw or count nonsense; the budget then holds by our own.
		}
		return estimateTokens(text);
	};
	const withheld: Omitted[] = [];
	const asked = new Set<string>();
	const candidates: Candidate[] = [];
	for (const { entry, off } of ranked(input.entries, input)) {
		const provider = entry.provider();
		for (const [read, declared] of Object.entries(
			entry.manifest.reads as Record<string, AgentRead<unknown>>
		)) {
			let why: string | undefined;
			if (declared.sensitivity === 'secret') why = 'secret';
			else if (off) why = 'disabled';
			else if (provider === undefined) why = 'not-ready';
			else if (!isEnabled(declared, provider)) why = 'disabled';
			else {
				const verdict = input.consent(entry, read);
				if (verdict === 'ask') asked.add(`#${readAddress(entry.id, read)}`);
				if (verdict !== 'allow') why = 'consent';
			}
			if (why) withheld.push({ instance: entry.id, read, why });
			else candidates.push(readCandidate(entry, read, declared, input, estimate));
		}
	}
	// A goal's own texts come first, but leave half of the room to the page.
	const share = candidates.length > 0 ? tokens / 2 : tokens;
	candidates.unshift(...attachments.map((one) => attachmentCandidate(one, nonce, share, estimate)));

	const head = legend(nonce);
	let pieces: Piece[] = [];
	let omitted: Omitted[] = [];
	/** Shows by rank; with `whole` only if nothing has to be cut for it. */
	const take = (left: number, whole: boolean): boolean => {
		pieces = [];
		omitted = [...withheld];
		for (const { instance, read, fit } of candidates) {
			const piece = fit(left);
			const why = typeof piece === 'string' ? piece : piece.shown.form === 'line' ? 'budget' : undefined;
			if (whole && (why === 'budget' || (typeof piece !== 'string' && piece.shown.form !== 'full')))
				return false;
			if (why) omitted.push({ instance, read, why });
			if (typeof piece === 'string') continue;
			pieces.push(piece);
			left -= piece.cost;
		}
		return true;
	};
	const compose = (): string => {
		const text = head + pieces.map((piece) => piece.text).join('');
		const named = new Set(pieces.map(({ shown }) => readAddress(shown.instance, shown.read)));
		const names = omitted.flatMap(({ instance, read, why }) => {
			const address = readAddress(instance, read);
			// A denied read is no offer: only what a person could still allow is named.
			const asks = asked.has(`#${address}`);
			const offered = asks || (why === 'budget' && !instance.startsWith('attachment:'));
			return offered && !named.has(address) ? [address + (asks ? ' (needs consent)' : '')] : [];
		});
		return text + listing(nonce, names, tokens - estimate(text), estimate);
	};

	const room = tokens - estimate(head);
	if (!take(room, true)) take(room - Math.floor(tokens * LISTING_SHARE), false);
	let text = compose();
	// An estimator need not be additive; the budget holds for the whole text.
	for (let piece; estimate(text) > tokens && (piece = pieces.pop()); text = compose()) {
		const { instance, read, form } = piece.shown;
		if (form !== 'line') omitted.push({ instance, read, why: 'budget' });
	}
	const shown = pieces.map((piece) => piece.shown);
	return {
		text: estimate(text) > tokens ? '' : text,
		shown,
		leftOut: omitted,
		label: {
			...shown.reduce((label, one) => join(label, { ...one.label, sources: [] }), CLEAN),
			// Gathered apart, because a join of many lists is quadratic.
			sources: [...new Set(shown.flatMap((one) => one.label.sources))]
		},
		consentNeeded: [...asked]
	};
}

type Estimate = (text: string) => number;

function readCandidate(
	entry: Entry,
	read: string,
	declared: AgentRead<unknown>,
	{ nonce, labelOf }: AssemblyInput,
	estimate: Estimate
): Candidate {
	const { id: instance, label: name, kind, epoch, parent } = entry;
	const inside = parent === undefined ? '' : ` in ${parent}`;
	const { line, block } = fence(
		nonce,
		readAddress(instance, read),
		`${name} (${kind}${inside}): ${declared.description}`
	);
	const cost = estimate(line);
	const open = (): Piece[] | string => {
		const out = readValue(entry, read);
		if (!out.ok) return out.reason.code;
		const { value, version } = out;
		const label = labelOf(entry, read, out.label);
		const shown = { instance, epoch, read, version, label, digest: digestOf(value) };
		const note = `version ${version}`;
		const form = (form: 'full' | 'summary', text: string): Piece => ({
			text,
			cost: estimate(text),
			shown: { ...shown, form, value }
		});
		const short = summaryOf(declared, entry);
		return [
			form('full', block(JSON.stringify(value), label, note)),
			...(short ? [form('summary', block(short, label, note, 'summary: pull for the whole'))] : []),
			{ text: line, cost, shown: { ...shown, form: 'line', label: CLEAN } }
		];
	};
	let forms: Piece[] | string | undefined;
	return {
		instance,
		read,
		fit(room) {
			// Where not even its name fits, the value is not read.
			if (cost > room) return 'budget';
			forms ??= open();
			return typeof forms === 'string' ? forms : (forms.find(({ cost }) => cost <= room) ?? 'budget');
		}
	};
}

/** An attachment: whole, else its beginning, else nothing. */
function attachmentCandidate(
	{ name, text, label }: Attachment,
	nonce: string,
	share: number,
	estimate: Estimate
): Candidate {
	const instance = `attachment:${name}`;
	const read = 'text';
	const digest = digestOf(text);
	const { block } = fence(nonce, instance, `Attachment: ${name}`);
	const version = digest.slice(0, 16);
	const make = (value: string, ...notes: string[]): Piece => {
		const rendered = block(value, label, ...notes);
		const form = notes.length > 0 ? 'summary' : 'full';
		const shown: Shown = { instance, epoch: 0, read, version, label, form, digest, value };
		return { text: rendered, cost: estimate(rendered), shown };
	};
	return {
		instance,
		read,
		fit(room) {
			const limit = Math.min(room, share);
			let { length } = text;
			let piece = make(text);
			while (piece.cost > limit) {
				// By proportion, so that a few rounds are enough; always shorter, so that it ends.
				length = Math.min(length - 1, Math.floor((length * limit) / piece.cost) - SHORTEST / 2);
				if (length < SHORTEST) return 'budget';
				// No half of a surrogate pair.
				const start = text.slice(0, length).replace(/[\ud800-\udbff]$/, '');
				piece = make(start, `only the first ${start.length} of ${text.length} characters`);
			}
			return piece;
		}
	};
}

const digestOf = (value: JSONValue): string => sha256(canonicalJSON(value));

function summaryOf(read: AgentRead<unknown>, entry: Entry): string | undefined {
	try {
		const text: unknown = read.summary?.(entry.provider());
		return typeof text === 'string' ? text : undefined;
	} catch {
		// A summary is a convenience: without one the line is shown.
		return undefined;
	}
}
