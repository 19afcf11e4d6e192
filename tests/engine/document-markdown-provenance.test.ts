import fc from 'fast-check';
import { Fragment, type Node } from 'prosemirror-model';
import { describe, expect, it } from 'vitest';
import {
	parseMarkdown,
	toHTML,
	toMarkdown
} from '../../src/lib/canon/participants/document/markdown/index.js';
import { basic, blocksOf } from './document-markdown-schemas.js';

const agent = { run: 'r--1', agent: 'Ada --> <b>', version: 2, at: 5 };
const mark = basic.marks.agentText!.create(agent);
const doc = basic.node('doc', null, [
	basic.node('heading', { level: 2, agent, id: 'h' }, [basic.text('Hers', [mark])]),
	basic.node('paragraph', null, [
		basic.text('mine '),
		basic.text('hers', [mark, basic.marks.strong!.create()]),
		basic.text('.')
	])
]);

/** Every second text is an agent's. */
function signed(node: Node, count = { texts: 0 }): Node {
	if (node.isText) return count.texts++ % 2 ? node.mark(mark.addToSet(node.marks)) : node;
	const children: Node[] = [];
	node.forEach((child) => void children.push(node.type.spec.code ? child : signed(child, count)));
	const attrs = 'agent' in node.attrs ? { ...node.attrs, agent } : node.attrs;
	return node.type.create(attrs, Fragment.fromArray(children), node.marks);
}

describe('S2-67 who wrote what, in what leaves the editor', () => {
	it('S2-67 nothing unless it is asked for', () => {
		expect(toMarkdown(doc)).toBe('## Hers\n\nmine **hers**.');
	});

	it('S2-67 as comments that every reader leaves out', () => {
		const who = 'agent:Ada%20%2D%2D%3E%20%3Cb%3E run:r%2D%2D1 version:2 at:5';
		expect(toMarkdown(doc, { provenance: true })).toBe(
			`<!-- ${who} -->\n## <!-- ${who} -->Hers<!-- /agent -->\n\nmine <!-- ${who} -->**hers**<!-- /agent -->.`
		);
	});

	it('S2-67 and read back to the same words', { timeout: 120_000 }, () => {
		fc.assert(
			fc.property(blocksOf(basic), (blocks) => {
				const plain = basic.node('doc', null, blocks);
				const text = toMarkdown(signed(plain), { provenance: true });
				const back = parseMarkdown(text, basic, { depth: 40 });
				if (!back.ok) throw new Error(`${back.text}\n${text}`);
				if (!basic.node('doc', null, back.nodes).eq(plain)) throw new Error(`${text}\n${plain}`);
				expect(toMarkdown(signed(plain))).toBe(toMarkdown(plain));
			}),
			{ numRuns: Number(process.env.RUNS ?? 100) }
		);
	});

	it('S2-67 HTML needs a page, or is given one', () => {
		expect(() => toHTML(doc)).toThrow('pass { document }');
	});
});
