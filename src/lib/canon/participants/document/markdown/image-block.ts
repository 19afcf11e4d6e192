import type { Node } from 'prosemirror-model';
import type { BlockReader } from './block-reader.js';
import { unescaped } from './characters.js';
import { safeAddress } from './href.js';
import { targetAt } from './target.js';
import { attrOf, hasAttr } from './words.js';

/** An image on a line of its own, in an editor whose images are blocks. @internal */
export function imageBlock(reader: BlockReader, text: string, line: number): Node | undefined {
	const type = reader.session.vocabulary.nodes.image;
	if (!text.startsWith('![') || !type || type.isInline) return undefined;
	const label = /^!\[((?:\\.|[^[\]\\\n])*)\]/.exec(text);
	if (!label) return undefined;
	const target = targetAt(text, label[0].length);
	if (target?.end !== text.length) return undefined;
	const { address: src, title } = target;
	const alt = unescaped(label[1]!);
	if (!safeAddress(src, 'image')) {
		reader.refuse('link', line, `The address of the image is not allowed: ${src.slice(0, 80)}.`);
	}
	const altAttr = attrOf(type, 'alt');
	if (alt !== '' && !altAttr) {
		reader.refuse('schema', line, 'The editor keeps no description of an image: write ![](address).');
	}
	if (title !== undefined && !hasAttr(type, 'title')) {
		reader.refuse('schema', line, 'The editor keeps no title of an image: leave the quoted title out.');
	}
	const attrs = {
		src,
		...(altAttr && { [altAttr]: alt === '' ? null : alt }),
		...(title !== undefined && { title })
	};
	return reader.make(type, attrs, [], line);
}
