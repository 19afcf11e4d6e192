import { canonicalJSON } from '../journal/canonical-json.js';
import { sha256 } from '../journal/sha256.js';
import { CLEAN, join } from '../protocol/labels.js';
import type { JSONValue, Label } from '../protocol/words.js';
import { attachmentBlock } from './attachments.js';
import type { Attachment } from './attachments.js';
import type { AgentRead } from './manifest.js';
import { ranked, switchedOff } from './ranking.js';
import type { Attention } from './ranking.js';
import { isEnabled, readAddress, readValue } from './reading.js';
import type { Entry } from './registry.js';
import type { Heading } from './rendering.js';
import { block, legend, line, listing } from './rendering.js';
import { sanitise, sanitiseLine } from './sanitise.js';

export { consentVerdict } from './consent.js';
export { readLabel, readValue } from './reading.js';

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

/** Four characters a token: coarse, but the same everywhere. @since 0.1.0 */
export const estimateTokens = (text: string): number => Math.ceil(text.length / 4);

/** Share of the budget kept for naming what was left out. */
const LISTING_SHARE = 0.15;

interface Piece {
	text: string;
	cost: number;
	shown: Shown;
}
interface Candidate {
	entry: Entry;
	read: string;
	line: { text: string; cost: number };
	/** Reads the value, once. A string says why there is none. */
	open(): { full: Piece; summary?: Piece; line: Piece } | string;
}
interface Omitted {
	instance: string;
	read: string;
	why: string;
}

/**
 * What the model sees of the page: deterministic, under a token budget, and honest about what is missing. By rank each read is
 * shown whole, else as its summary, else as a line that names it, else only listed. Values stand in fences with the nonce of
 * the run, sanitised, so that no text of a page can end its fence. What needs consent or is secret is not even read.
 * @since 0.1.0
 */
export function assemble(input: AssemblyInput): Assembly {
	const { nonce, tokens } = input;
	const estimate = guarded(input.estimate);
	const consentNeeded: string[] = [];
	const { candidates, omitted } = select(input, estimate, consentNeeded);
	const asked = new Set(consentNeeded);
	const head = legend(nonce);
	let left = tokens - estimate(head);
	const pieces: Piece[] = [];

	for (const attachment of input.attachments ?? []) {
		const share = candidates.length > 0 ? Math.min(left, tokens / 2) : left;
		const piece = attachmentBlock(attachment, nonce, share, estimate);
		if (piece) {
			pieces.push(piece);
			left -= piece.cost;
		} else omitted.push({ instance: `attachment:${attachment.name}`, read: 'text', why: 'budget' });
	}
	if (!takeWhole(candidates, left, pieces, omitted)) {
		takeByRank(candidates, left - Math.floor(tokens * LISTING_SHARE), pieces, omitted);
	}

	// An estimator need not be additive; the budget holds for the whole text.
	let text = compose(head, pieces, omitted, asked, input, estimate);
	while (estimate(text) > tokens && pieces.length > 0) {
		const { shown } = pieces.pop() as Piece;
		const { instance, read } = shown;
		if (shown.form !== 'line') omitted.push({ instance, read, why: 'budget' });
		text = compose(head, pieces, omitted, asked, input, estimate);
	}
	if (estimate(text) > tokens) text = '';
	return {
		text,
		shown: pieces.map(({ shown }) => shown),
		leftOut: omitted,
		label: joined(pieces.map(({ shown }) => shown.label)),
		consentNeeded
	};
}

/** Sorts out what may not be shown, and orders the rest. */
function select(
	input: AssemblyInput,
	estimate: (text: string) => number,
	consentNeeded: string[]
): { candidates: Candidate[]; omitted: Omitted[] } {
	const off = switchedOff(input.entries);
	const candidates: Candidate[] = [];
	const omitted: Omitted[] = [];
	for (const entry of ranked(input.entries, input)) {
		const provider = entry.provider();
		for (const [read, declared] of Object.entries(
			entry.manifest.reads as Record<string, AgentRead<unknown>>
		)) {
			const why = ((): string | undefined => {
				if (declared.sensitivity === 'secret') return 'secret';
				if (off.has(entry.id)) return 'disabled';
				if (provider === undefined) return 'not-ready';
				if (!isEnabled(declared, provider)) return 'disabled';
				const verdict = input.consent(entry, read);
				if (verdict === 'ask') consentNeeded.push(`#${entry.id}.${read}`);
				return verdict === 'allow' ? undefined : 'consent';
			})();
			if (why === undefined) candidates.push(candidate(entry, read, declared, input, estimate));
			else omitted.push({ instance: entry.id, read, why });
		}
	}
	return { candidates, omitted };
}

function candidate(
	entry: Entry,
	read: string,
	declared: AgentRead<unknown>,
	{ nonce, labelOf }: AssemblyInput,
	estimate: (text: string) => number
): Candidate {
	const inside = entry.parent === undefined ? '' : ` in ${entry.parent}`;
	const heading = {
		address: sanitiseLine(readAddress(entry.id, read), nonce),
		of: sanitiseLine(`${entry.label} (${entry.kind}${inside})`, nonce),
		about: sanitiseLine(declared.description, nonce)
	};
	const named = line(nonce, { ...heading, label: CLEAN });
	const cost = estimate(named);
	let opened: ReturnType<Candidate['open']> | undefined;
	const open: Candidate['open'] = () => {
		const out = readValue(entry, read);
		if (!out.ok) return out.reason.code;
		const { value, version } = out;
		const label = labelOf(entry, read, out.label);
		const digest = sha256(canonicalJSON(value));
		const shown = { instance: entry.id, epoch: entry.epoch, read, version, label, digest };
		const facts: Heading = { ...heading, version: sanitiseLine(String(version), nonce), label };
		const whole = block(nonce, facts, sanitise(JSON.stringify(value), nonce));
		const short = summaryOf(declared, entry);
		const brief =
			short &&
			block(
				nonce,
				{ ...facts, cut: sanitiseLine('summary: pull for the whole', nonce) },
				sanitise(short, nonce)
			);
		return {
			full: { text: whole, cost: estimate(whole), shown: { ...shown, form: 'full', value } },
			...(brief
				? { summary: { text: brief, cost: estimate(brief), shown: { ...shown, form: 'summary', value } } }
				: {}),
			line: { text: named, cost, shown: { ...shown, form: 'line', label: CLEAN } }
		};
	};
	return { entry, read, line: { text: named, cost }, open: () => (opened ??= open()) };
}

function summaryOf(read: AgentRead<unknown>, entry: Entry): string | undefined {
	try {
		const text: unknown = read.summary?.(entry.provider());
		return typeof text === 'string' && text !== '' ? text : undefined;
	} catch {
		// A summary is a convenience: without one the line is shown.
		return undefined;
	}
}

/** Everything whole, if it fits. Otherwise nothing is taken. */
function takeWhole(
	candidates: readonly Candidate[],
	left: number,
	pieces: Piece[],
	omitted: Omitted[]
): boolean {
	const taken: Piece[] = [];
	const failed: Omitted[] = [];
	for (const { entry, read, open } of candidates) {
		const forms = open();
		if (typeof forms === 'string') {
			failed.push({ instance: entry.id, read, why: forms });
			continue;
		}
		left -= forms.full.cost;
		if (left < 0) return false;
		taken.push(forms.full);
	}
	pieces.push(...taken);
	omitted.push(...failed);
	return true;
}

function takeByRank(
	candidates: readonly Candidate[],
	left: number,
	pieces: Piece[],
	omitted: Omitted[]
): void {
	for (const { entry, read, line: named, open } of candidates) {
		const at = { instance: entry.id, read };
		// Where not even its name fits, the value is not read.
		const forms = named.cost <= left ? open() : 'budget';
		if (typeof forms === 'string') {
			omitted.push({ ...at, why: forms });
			continue;
		}
		const piece = [forms.full, forms.summary, forms.line].find((form) => form && form.cost <= left);
		if (piece) {
			pieces.push(piece);
			left -= piece.cost;
		}
		if (!piece || piece.shown.form === 'line') omitted.push({ ...at, why: 'budget' });
	}
}

function compose(
	head: string,
	pieces: readonly Piece[],
	omitted: readonly Omitted[],
	asked: ReadonlySet<string>,
	{ nonce, tokens }: AssemblyInput,
	estimate: (text: string) => number
): string {
	const text = head + pieces.map((piece) => piece.text).join('');
	const named = new Set(pieces.map(({ shown }) => readAddress(shown.instance, shown.read)));
	const names = omitted.flatMap(({ instance, read, why }) => {
		const address = readAddress(instance, read);
		// A denied read is no offer: only what a person could still allow is named.
		const asks = why === 'consent' && asked.has(`#${address}`);
		if (named.has(address) || !(asks || why === 'budget') || instance.startsWith('attachment:')) return [];
		return sanitiseLine(asks ? `${address} (needs consent)` : address, nonce);
	});
	return text + listing(names, tokens - estimate(text), estimate);
}

/** Join over many labels in one pass: sources are gathered in a set. */
function joined(labels: readonly Label[]): Label {
	const sources = new Set<string>();
	let label = CLEAN;
	for (const next of labels) {
		for (const source of next.sources) sources.add(source);
		label = join(label, { ...next, sources: [] });
	}
	return { ...label, sources: [...sources] };
}

/** An app's estimator may throw or count nonsense; the budget then holds by our own. */
const guarded =
	(estimate: (text: string) => number) =>
	(text: string): number => {
		try {
			const count = estimate(text);
			return Number.isFinite(count) && count >= 0 ? count : estimateTokens(text);
		} catch {
			return estimateTokens(text);
		}
	};
