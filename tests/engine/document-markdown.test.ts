import fc from 'fast-check';
import type { Node } from 'prosemirror-model';
import { describe, expect, it } from 'vitest';
import { parseMarkdown, toMarkdown } from '../../src/lib/canon/participants/document/markdown/index.js';
import { basic, blocksOf, prosekit, starter, starterAlone } from './document-markdown-schemas.js';

const SCHEMAS = { basic, starter, starterAlone, prosekit };

describe('S2-66 what is written as Markdown is read back to the same document', () => {
	// Random documents of some hundred nodes take their time on a busy machine.
	for (const [name, schema] of Object.entries(SCHEMAS)) {
		it(`S2-66 ${name}`, { timeout: 120_000 }, () => {
			fc.assert(
				fc.property(blocksOf(schema), (blocks) => {
					const doc = schema.topNodeType.create(null, blocks);
					doc.check();
					const text = toMarkdown(doc);
					const back = parseMarkdown(text, schema, { depth: 40 });
					if (!back.ok) throw new Error(`${back.text}\n${text}`);
					const again = schema.topNodeType.create(null, back.nodes);
					if (!again.eq(doc))
						throw new Error(`${text}\n---\n${JSON.stringify(doc)}\n${JSON.stringify(again)}`);
					expect(toMarkdown(again)).toBe(text);
				}),
				{ numRuns: Number(process.env.RUNS ?? 100) }
			);
		});
	}

	it('S2-66 signs of lists in lists are no rule, where nothing else stands behind them', () => {
		const { list, paragraph } = prosekit.nodes;
		const item = (...content: Node[]) => list!.create({ kind: 'bullet' }, content);
		const nested = item(item(item(paragraph!.create()), paragraph!.create()), paragraph!.create());
		const doc = prosekit.topNodeType.create(null, [nested]);
		const back = parseMarkdown(toMarkdown(doc), prosekit);
		expect(back.ok && prosekit.topNodeType.create(null, back.nodes).eq(doc)).toBe(true);
	});
});
