import type { Entry } from './registry.js';
import { own, sanitiseLine, type SanitisedText } from './sanitise.js';

/** Instances with what of them can be pulled; looked at only as far as there is room. @internal */
export type Offers = Generator<{ entry: Entry; reads: () => readonly string[] }>;

/**
 * Names what can be pulled, instance by instance as far as there is room, and says how many more there are and how to find
 * them.
 * @returns the line, and the instances it names; no line where there is nothing to name, `undefined` where there is no room for it
 * @internal
 */
export function listing(
	offers: Offers,
	nonce: string,
	room: number,
	estimate: (text: string) => number
): { text: SanitisedText | undefined; named: readonly Entry[] } {
	let left = room - estimate(HEAD);
	const named: { entry: Entry; name: SanitisedText; cost: number }[] = [];
	let more = 0;
	for (const { entry, reads } of offers) {
		const open = more > 0 ? [] : reads();
		if (more === 0 && open.length === 0) continue;
		const name = more > 0 ? own`` : sanitiseLine(nameOf(entry, open), nonce);
		const cost = more > 0 ? 0 : estimate(`${name}, `);
		if (more > 0 || cost > left) more += 1;
		else {
			named.push({ entry, name, cost });
			left -= cost;
		}
	}
	if (named.length + more === 0) return NOTHING;
	// What is said of the others takes the place of the last names.
	for (let tail = estimate(rest(more)); tail > left; tail = estimate(rest(more))) {
		const last = named.pop();
		if (!last) return { text: undefined, named: [] };
		left += last.cost;
		more += 1;
	}
	const text = named.reduce(
		(all, { name }, i) => (i === 0 ? own`${all}${name}` : own`${all}, ${name}`),
		HEAD
	);
	return {
		text: own`${text}${named.length > 0 && more > 0 ? own`, ` : own``}${rest(more)}`,
		named: named.map(({ entry }) => entry)
	};
}

const HEAD = own`Not shown, pull what you need: `;
const NOTHING = { text: own``, named: [] };

const rest = (count: number): SanitisedText =>
	count > 0 ? own`and ${count} more instances (pull with "find" looks for them)\n` : own`\n`;

/** What is always said, whatever the budget: how many there are, and how to find them. @internal */
export const counted = (count: number): SanitisedText =>
	own`${count} ${count === 1 ? own`instance is` : own`instances are`} mounted; pull {} lists them\n`;

/** `task-12 "Task 12" (note, history)`; a label that says no more than the id is left out. */
const nameOf = ({ id, label }: Entry, reads: readonly string[]): string =>
	`${id}${label === id ? '' : ` "${label}"`} (${reads.join(', ')})`;
