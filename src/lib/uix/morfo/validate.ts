import { isFamily, isIntent, isVerb } from '../sema/vocabulary.js';
import type { Morfo } from './morfo.js';

const NAME = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

/**
 * Reads a contract like a strict editor: unknown words, a `delegate` event with an intent, a part without element, an
 * attribute that fewer than two layers read. Types catch most of it; contracts that come as data are caught here.
 * @returns one sentence per fault, none when the contract is sound
 * @since 0.1.0
 */
export function validateMorfo(morfo: Morfo): readonly string[] {
	const faults: string[] = [];
	const fault = (text: string) => faults.push(`${morfo.name}: ${text}`);

	if (!NAME.test(morfo.name)) fault('its name is not kebab case');
	if (new Set(morfo.states).size !== morfo.states.length) fault('it names a state twice');
	if (!('root' in morfo.parts)) fault('it has no part "root"');

	for (const [name, part] of Object.entries(morfo.parts)) {
		if (!NAME.test(name)) fault(`part "${name}" is not kebab case`);
		if (!part.element) fault(`part "${name}" names no element`);
		for (const [attribute, values] of Object.entries(part.attributes ?? {})) {
			if (values.length === 0) fault(`attribute "${attribute}" of part "${name}" promises no value`);
			const readers = new Set(morfo.consumers?.[attribute] ?? []);
			if (readers.size < 2) fault(`attribute "${attribute}" of part "${name}" has fewer than two consumers`);
		}
	}
	const states: unknown = morfo.parts.root?.attributes?.['data-state'];
	if (Array.isArray(states) && states.join() !== morfo.states.join())
		fault('its states differ from "data-state" of its root');

	for (const [name, event] of Object.entries(morfo.events)) {
		const { family, verb, intent, allowedFamilies } = event as {
			family?: string;
			verb?: string;
			intent?: string;
			allowedFamilies?: readonly string[];
		};
		if (!family) fault(`event "${name}" has no family`);
		else if (!isFamily(family)) fault(`event "${name}" has the unknown family "${family}"`);
		else if (!verb || !isVerb(family, verb)) fault(`event "${name}": "${verb}" is no verb of ${family}`);
		if (intent !== undefined && !isIntent(intent))
			fault(`event "${name}" has the unknown intent "${intent}"`);
		if (family === 'delegate' && intent !== undefined)
			fault(`event "${name}" is a delegate and carries an intent; intent belongs to the result`);
		for (const allowed of allowedFamilies ?? [])
			if (!isFamily(allowed)) fault(`event "${name}" allows the unknown family "${allowed}"`);
	}
	return faults;
}
