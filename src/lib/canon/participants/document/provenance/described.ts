import { DOMSerializer, type Mark, type Node, type Schema } from 'prosemirror-model';
import { describeBlock, writtenIn, type WrittenBlock } from './paint.js';
import { withAttributes } from './schema.js';
import { isWritten, MARK } from './written.js';

/**
 * The schema's own HTML with a sentence on who wrote what, for HTML that leaves the editor: on a block that is an agent's
 * altogether, else on its words.
 */
export function describedSerializer(
	schema: Schema,
	describe: (block: WrittenBlock) => string = describeBlock
): DOMSerializer {
	const said = (block: WrittenBlock): Record<string, string> => {
		const text = describe(block);
		return text === '' ? {} : { 'aria-description': text };
	};
	const nodes = Object.entries(DOMSerializer.nodesFromSchema(schema)).map(([name, toDOM]) => {
		const described = (node: Node) => {
			const block = node.isBlock && (node.inlineContent || node.isLeaf) ? writtenIn(node) : undefined;
			return block?.whole ? withAttributes(toDOM(node), said(block)) : toDOM(node);
		};
		return [name, described] as const;
	});
	const marks = DOMSerializer.marksFromSchema(schema);
	const plain = marks[MARK];
	const words = (mark: Mark, inline: boolean) => {
		const by: unknown = mark.attrs;
		return withAttributes(plain!(mark, inline), isWritten(by) ? said({ by: [by], whole: true }) : {});
	};
	return new DOMSerializer(Object.fromEntries(nodes), plain ? { ...marks, [MARK]: words } : marks);
}

/** Takes off what stands on the block around it already: nobody wants to hear it twice. */
export function toldOnce(host: ParentNode): void {
	for (const inner of host.querySelectorAll('[aria-description] [aria-description]')) {
		const outer = inner.parentElement!.closest('[aria-description]')!;
		if (outer.getAttribute('aria-description') === inner.getAttribute('aria-description'))
			inner.removeAttribute('aria-description');
	}
}
