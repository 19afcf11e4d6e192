import type { JSONValue } from '../agent/protocol/words.js';
import { type Body, isObject } from './body.js';
import { type Refusal, refusal } from './codes.js';

/**
 * What a page may send in one wire format. A relay lends its key: whatever a provider lets a key do, a page could ask for
 * (a hundred answers at once, tools that run over there, files and answers of others that are stored under the same key), so
 * only what is named here goes through.
 * @since 0.1.0
 */
export interface RelayWire {
	/** Fields of the body that may be sent. @default all, for a backend of your own */
	fields?: readonly string[];
	/** Fields that are set, whatever was sent. */
	set?: Readonly<Record<string, JSONValue>>;
	/** The field that names the model. @default none: the address says it, or the backend */
	model?: string;
	/** Fields that limit the answer, in tokens; the first is set where none was sent. @default none */
	output?: readonly string[];
	/** Types of tools that may be offered in `tools`; `undefined` is a tool without a type. @default all */
	tools?: readonly (string | undefined)[];
	/** The list of messages, whose parts may name nothing that is stored at the provider. @default not looked at */
	messages?: string;
}

/** What a relay makes sure of in a body. */
export interface Terms {
	wire: RelayWire;
	/** One: it is always asked. Several: the page may choose, the first is asked where it does not. None: it is not touched. */
	models: readonly string[];
	/** The page may choose. */
	choice: boolean;
	/** Most tokens of an answer. */
	maxOutputTokens: number;
	/** Fields that are let through beside those of the wire. */
	fields: readonly string[];
	/** Types of tools that are let through beside those of the wire. */
	tools: readonly string[];
}

/** The body that is sent on, as JSON. */
export type Shaped = { ok: true; json: string } | { ok: false; refusal: Refusal };

const no = (why: Refusal): Shaped => ({ ok: false, refusal: why });

/** A name from outside, fit to be repeated. */
const named = (name: unknown): string => JSON.stringify(String(name).slice(0, 60));

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Something of a message that names what is stored under the key: a file, an answer, a container. */
function isReference(part: unknown): boolean {
	if (!isObject(part)) return false;
	if (part.type === 'item_reference' || part.type === 'container_upload') return true;
	return [part, part.source, part.file, part.image_url].some(
		(one) => isObject(one) && typeof one.file_id === 'string'
	);
}

/** Parts lie in a message, and once more in the result of a tool. */
function refers(message: unknown): boolean {
	if (isReference(message)) return true;
	const parts = isObject(message) ? list(message.content ?? message.output) : [];
	return parts.some(
		(part) => isReference(part) || (isObject(part) && list(part.content).some((inner) => isReference(inner)))
	);
}

/** What to write so that a tool of the provider passes, where it says its type. */
function howToAllow(tool: unknown): string | undefined {
	if (!isObject(tool) || typeof tool.type !== 'string') return undefined;
	return `${named(tool.type)} runs at the provider; the relay's option \`tools\` names the types that may.`;
}

/** Lowers what the page asks for; what is no number of tokens is what the relay gives. */
const capped = (asked: unknown, most: number): number =>
	typeof asked === 'number' && asked >= 1 ? Math.min(Math.floor(asked), most) : most;

/** Judges a body and makes of it the one that is sent: read once, written anew, so that both sides see the same. */
export function shape(body: Body, terms: Terms): Shaped {
	const { wire, models, choice, maxOutputTokens } = terms;
	// Without a prototype every name is only a name.
	const out = Object.create(null) as Record<string, unknown>;
	const set = new Map(Object.entries(wire.set ?? {}));
	for (const [name, value] of Object.entries(body)) {
		if (wire.fields && !wire.fields.includes(name) && !terms.fields.includes(name) && !set.has(name))
			return no(refusal('field', `${named(name)} is not on the list.`));
		out[name] = value;
	}
	if (wire.tools) {
		const allowed: readonly unknown[] = [...wire.tools, ...terms.tools];
		const tools = out.tools ?? [];
		const other = Array.isArray(tools)
			? tools.find((tool) => !isObject(tool) || !allowed.includes(tool.type))
			: tools;
		if (other !== undefined) return no(refusal('tool', howToAllow(other)));
	}
	if (wire.messages !== undefined && list(out[wire.messages]).some((message) => refers(message)))
		return no(refusal('reference'));
	if (wire.model !== undefined && models[0] !== undefined) {
		const asked = choice ? (out[wire.model] ?? models[0]) : models[0];
		if (!models.includes(asked as string)) return no(refusal('model', `${named(asked)} is not on the list.`));
		out[wire.model] = asked;
	}
	const limits = wire.output ?? [];
	for (const field of limits) if (out[field] !== undefined) out[field] = capped(out[field], maxOutputTokens);
	if (limits[0] !== undefined && !limits.some((field) => out[field] !== undefined))
		out[limits[0]] = maxOutputTokens;
	for (const [name, value] of set) out[name] = value;
	return { ok: true, json: JSON.stringify(out) };
}
