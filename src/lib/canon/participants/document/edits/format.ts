import type { MarkType, NodeType, Schema } from 'prosemirror-model';
import { placesOf } from '../blocks/index.js';
import { safeAddress } from '../markdown/href.js';
import {
	type DocumentChange,
	type DocumentFormat,
	type DocumentRefusal,
	type Ground,
	no,
	type Plan
} from './change.js';
import { spansOf } from './quoted.js';

/** What schemas call the same thing. */
const MARKS: Readonly<Record<string, readonly string[]>> = {
	bold: ['bold', 'strong'],
	italic: ['italic', 'em'],
	strike: ['strike', 's', 'strikethrough', 'del'],
	underline: ['underline', 'u'],
	code: ['code'],
	link: ['link']
};
const BLOCKS: Readonly<Record<string, readonly string[]>> = {
	paragraph: ['paragraph'],
	heading: ['heading'],
	code: ['codeBlock', 'code_block']
};

const own = <T>(names: Readonly<Record<string, T>>, name: string): T | undefined =>
	Object.hasOwn(names, name) ? names[name] : undefined;

const pick = <T>(types: Readonly<Record<string, T>>, names: readonly string[]): T | undefined =>
	names.map((name) => own(types, name)).find((type) => type !== undefined);

const markOf = ({ marks }: Schema, name: string): MarkType | undefined =>
	pick<MarkType>(marks, [...(own(MARKS, name) ?? []), name]);

const blockOf = ({ nodes }: Schema, name: string): NodeType | undefined => {
	const type = pick<NodeType>(nodes, [...(own(BLOCKS, name) ?? []), name]);
	return type?.isTextblock ? type : undefined;
};

/** @internal */
export function format(
	ground: Ground,
	{ id, format }: DocumentChange & { kind: 'format' }
): Plan | DocumentRefusal {
	return 'mark' in format ? marked(ground, id, format) : retyped(ground, id, format);
}

function marked(
	ground: Ground,
	id: string,
	{ mark: name, attrs = {}, quote, off = false }: Extract<DocumentFormat, { mark: string }>
): Plan | DocumentRefusal {
	const { doc, schema } = ground.state;
	const place = placesOf(doc).get(id);
	if (!place) return no('block-unknown');
	const type = markOf(schema, name);
	// Comments and provenance are no formatting: they say who said what.
	if (!type || ['comment', 'agentText'].includes(type.name))
		return no('schema', `The editor knows no format "${name}".`, place.block);
	const fault = off ? undefined : badAttrs(type.name, type.spec.attrs, attrs);
	if (fault) return no('schema', fault, place.block);
	if (!off && name === 'link' && !safeAddress(String(attrs['href'] ?? ''), 'link'))
		return no('link', undefined, place.block);
	const spans = spansOf(ground, place, quote);
	if (!spans.ok) return spans;
	return {
		ok: true,
		from: place.pos,
		to: place.end,
		stamps: false,
		write: (tr) => {
			for (const { from, to } of spans.found)
				if (off) tr.removeMark(from, to, type);
				else tr.addMark(from, to, type.create(attrs));
		}
	};
}

function retyped(
	{ state: { doc, schema } }: Ground,
	id: string,
	{ type: name, attrs = {} }: Extract<DocumentFormat, { type: string }>
): Plan | DocumentRefusal {
	const place = placesOf(doc).get(id);
	if (!place) return no('block-unknown');
	const { node, pos, end, block } = place;
	const type = blockOf(schema, name);
	if (!type) return no('schema', `The editor knows no block "${name}" of text.`, block);
	if (!node.isTextblock) return no('schema', `${node.type.name} is no block of text.`, block);
	const fault = badAttrs(type.name, type.spec.attrs, attrs);
	if (fault) return no('schema', fault, block);
	const $pos = doc.resolve(pos);
	if (!$pos.parent.canReplaceWith($pos.index(), $pos.index() + 1, type))
		return no('place', `${type.name} cannot stand there, in ${$pos.parent.type.name}.`, block);
	const known = type.spec.attrs ?? {};
	const kept = Object.fromEntries(Object.entries(node.attrs).filter(([key]) => Object.hasOwn(known, key)));
	return {
		ok: true,
		from: pos,
		to: end,
		stamps: false,
		write: (tr) => void tr.setBlockType(pos + 1, end - 1, type, { ...kept, ...attrs })
	};
}

/** An attribute that is not there, lacks, or does not fit, in one sentence. */
function badAttrs(
	name: string,
	specs: Readonly<Record<string, { default?: unknown; validate?: unknown }>> = {},
	given: Readonly<Record<string, unknown>>
): string | undefined {
	const known = Object.keys(specs).filter((key) => key !== 'id' && key !== 'agent');
	const stray = Object.keys(given).find((key) => !known.includes(key));
	if (stray !== undefined)
		return `${name} has no "${stray}"${known.length > 0 ? `, only ${known.join(', ')}` : ''}.`;
	const missing = known.find((key) => !('default' in specs[key]!) && !Object.hasOwn(given, key));
	return missing === undefined ? undefined : `${name} needs "${missing}".`;
}
