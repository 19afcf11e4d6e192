import { isObject } from '../journal/copy.js';
import { reason } from '../protocol/codes.js';
import type { Reason } from '../protocol/words.js';
import { inert } from './inert.js';

/**
 * Names that would not reach a model as they are. A model has to send a name back sign by sign, so it cannot be cleaned like a
 * text: what holds a reserved sign has no usable name, and its component does not come in.
 * @internal
 */
export const inexact = (place: string, names: Iterable<string>): Reason[] =>
	[...names]
		.filter((name) => inert(name) !== name)
		.map((name) =>
			reason(
				'args',
				`${place} cannot be "${inert(name)}" with the signs it is written in: they are reserved, invisible, or a control token of models. Give it a name of plain signs.`
			)
		);

/** All that a model has to repeat of a JSON Schema: names of properties and values of `enum` and `const`. @internal */
export function* namesIn(schema: unknown, value = false): Generator<string> {
	if (typeof schema === 'string' && value) yield schema;
	if (Array.isArray(schema)) for (const item of schema) yield* namesIn(item, value);
	else if (isObject(schema))
		for (const [key, item] of Object.entries(schema)) {
			yield key;
			yield* namesIn(item, value || key === 'enum' || key === 'const');
		}
}
