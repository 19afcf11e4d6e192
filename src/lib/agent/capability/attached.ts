import { canonicalJSON } from '../protocol/canonical-json.js';
import { sha256 } from '../protocol/sha256.js';
import type { Label } from '../protocol/words.js';
import type { Piece } from './forms.js';
import { fence } from './rendering.js';

/** A text that came with the goal. @since 0.1.0 */
export interface Attachment {
	readonly name: string;
	readonly text: string;
	readonly label: Label;
}

/** Below this many characters the beginning of an attachment says nothing. */
const SHORTEST = 80;

type Estimate = (text: string) => number;

interface Made {
	nonce: string;
	limit: number;
	estimate: Estimate;
	piece: Piece | undefined;
}

// A goal's attachments are frozen with the first record of their run, and shown anew in every turn.
const digests = new WeakMap<Attachment, string>();
const made = new WeakMap<Attachment, Made>();

/** An attachment within a limit: whole, else its beginning, else nothing. @internal */
export function attached(
	one: Attachment,
	nonce: string,
	limit: number,
	estimate: Estimate
): Piece | undefined {
	const before = made.get(one);
	if (before?.nonce === nonce && before.limit === limit && before.estimate === estimate) return before.piece;
	const piece = cutTo(one, nonce, limit, estimate);
	made.set(one, { nonce, limit, estimate, piece });
	return piece;
}

function cutTo(one: Attachment, nonce: string, limit: number, estimate: Estimate): Piece | undefined {
	const { name, text, label } = one;
	const instance = `attachment:${name}`;
	const digest = digests.get(one) ?? sha256(canonicalJSON(text));
	digests.set(one, digest);
	const { block } = fence(nonce, instance, `Attachment: ${name}`);
	const version = digest.slice(0, 16);
	const make = (value: string, ...notes: string[]): Piece => {
		const rendered = block(value, label, ...notes);
		const form = notes.length > 0 ? 'summary' : 'full';
		const shown = { instance, epoch: 0, read: 'text', version, label, form, digest, value } as const;
		return { text: rendered, cost: estimate(rendered), shown };
	};
	let { length } = text;
	let piece = make(text);
	while (piece.cost > limit) {
		// By proportion, so that a few rounds are enough; always shorter, so that it ends.
		length = Math.min(length - 1, Math.floor((length * limit) / piece.cost) - SHORTEST / 2);
		if (length < SHORTEST) return undefined;
		// No half of a surrogate pair.
		const start = text.slice(0, length).replace(/[\ud800-\udbff]$/, '');
		piece = make(start, `only the first ${start.length} of ${text.length} characters`);
	}
	return piece;
}
