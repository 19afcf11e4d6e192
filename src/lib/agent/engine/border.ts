import { type Actor, APP } from '../../actor/actor.js';
import { copyJSON, isObject } from '../journal/copy.js';
import type { Goal, RunOptions } from './options.js';

/** Who cannot be told apart counts as a caller from outside: it decides nothing. */
const STRANGER: Actor = Object.freeze({ kind: 'outside', id: 'unknown' });

const KINDS: readonly unknown[] = ['human', 'agent', 'rule', 'app', 'outside'] satisfies Actor['kind'][];

/** Who acts, as a frozen copy of its own that can be recorded. Nobody named is the app; a kind nobody knows is a stranger. */
export function who(by: Actor = APP): Actor {
	try {
		const { kind, id } = by;
		if (!KINDS.includes(kind) || typeof id !== 'string') return STRANGER;
		const more = (['name', 'version', 'run', 'step'] as const).map((key) => [key, by[key]]);
		return Object.freeze({
			kind,
			id,
			...Object.fromEntries(more.filter(([, value]) => typeof value === 'string'))
		});
	} catch {
		return STRANGER;
	}
}

/** A text, if it is one. */
export const words = (given: unknown): string | undefined => (typeof given === 'string' ? given : undefined);

/** An object as a plain copy; what is none is empty. */
export function fields(given: unknown): Record<string, unknown> {
	const copy = copyJSON(given);
	return copy.ok && isObject(copy.value) ? copy.value : {};
}

const isText = (value: unknown): boolean => typeof value === 'string';
const among = (...known: string[]) => new Set<unknown>(known);

/** Words for a level. */
export const LEVELS = among('suggest', 'review', 'auto');
const BUSY = among('queue', 'supersede', 'refuse');

/** What a run may be asked for besides who asks and its budget, each with its test. */
const OPTIONS: Readonly<Record<string, (value: unknown) => boolean>> = {
	thread: isText,
	successorOf: isText,
	instances: (value) => Array.isArray(value) && value.every(isText),
	level: (value) => LEVELS.has(value),
	whenBusy: (value) => BUSY.has(value)
};

/** A delegation as copies that can be recorded; undefined where it is none. */
export function wanted(
	goal: string | Goal,
	options: RunOptions
): { text: string; attachments: NonNullable<Goal['attachments']>; options: RunOptions } | undefined {
	try {
		const { text, attachments = [] } = isText(goal) ? { text: goal } : fields(goal);
		const { by, budget, ...rest } = options;
		const more = copyJSON(rest);
		if (!isText(text) || !Array.isArray(attachments) || !more.ok || budget === null) return undefined;
		const sound = (one: unknown) =>
			isObject(one) && isText(one.name) && isText(one.text) && isObject(one.label ?? {});
		if (!attachments.every(sound)) return undefined;
		const plain = Object.entries(more.value as object).filter(([name]) => Object.hasOwn(OPTIONS, name));
		if (!plain.every(([name, value]) => OPTIONS[name]!(value))) return undefined;
		return {
			text: text as string,
			attachments: attachments as NonNullable<Goal['attachments']>,
			options: { ...Object.fromEntries(plain), by: who(by), budget: budget && { ...budget } }
		};
	} catch {
		return undefined;
	}
}
