import type { Turn } from '../wire/turn.js';

/** Whose words are not the model's. */
const OTHERS = new Set<unknown>(['user', 'system', 'developer', 'tool', 'function']);

/** Words of a message: text if they are the model's, else an event with the role, which nobody takes for its words. @internal */
export function say(turn: Turn, role: unknown, words: string): void {
	if (!OTHERS.has(role)) turn.text(words);
	else if (words !== '')
		turn.tell({ type: 'custom', name: 'message', value: { role: role as string, delta: words } });
}
