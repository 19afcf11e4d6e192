import { canonicalJSON } from '../journal/canonical-json.js';
import { sha256 } from '../journal/sha256.js';
import type { JSONValue, Label } from '../protocol/words.js';
import { block } from './rendering.js';
import { sanitise, sanitiseLine } from './sanitise.js';

/** A text that came with the goal. @since 0.1.0 */
export interface Attachment {
	readonly name: string;
	readonly text: string;
	readonly label: Label;
}

/** Below this many characters a beginning says nothing. */
const SHORTEST = 80;

/** An attachment in its fence: whole, else its beginning, else nothing. @internal */
export function attachmentBlock(
	{ name, text, label }: Attachment,
	nonce: string,
	room: number,
	estimate: (text: string) => number
) {
	const digest = sha256(canonicalJSON(text));
	const render = (length: number) => {
		const body = text.slice(0, length);
		const cut = length < text.length ? `only the first ${length} of ${text.length} characters` : undefined;
		const rendered = block(
			nonce,
			{
				address: sanitiseLine(`attachment:${name}`, nonce),
				of: sanitiseLine('Attachment', nonce),
				about: sanitiseLine(name, nonce),
				label,
				...(cut === undefined ? {} : { cut: sanitiseLine(cut, nonce) })
			},
			sanitise(body, nonce)
		);
		return { text: rendered, cost: estimate(rendered), body };
	};
	let length = text.length;
	let made = render(length);
	while (made.cost > room) {
		// By proportion first, so that a few rounds are enough; always shorter, so that it ends.
		length = whole(text, Math.min(length - 1, Math.floor((length * room) / made.cost) - SHORTEST / 2));
		if (length < SHORTEST) return undefined;
		made = render(length);
	}
	const value: JSONValue = made.body;
	const form: 'full' | 'summary' = length === text.length ? 'full' : 'summary';
	const shown = {
		instance: `attachment:${name}`,
		epoch: 0,
		read: 'text',
		version: digest.slice(0, 16),
		label,
		form,
		digest,
		value
	};
	return { text: made.text, cost: made.cost, shown };
}

/** A length that does not cut a surrogate pair. */
const whole = (text: string, length: number): number =>
	/[\ud800-\udbff]/.test(text.charAt(length - 1)) ? length - 1 : length;
