import { Schema } from 'prosemirror-model';
import { TextSelection } from 'prosemirror-state';
import { describe, expect, it } from 'vitest';
import { actingAs } from '../../src/lib/actor/index.js';
import { Labelled } from '../../src/lib/agent/capability/results.js';
import { createDocumentManifest, withBlockIds } from '../../src/lib/canon/participants/document/index.js';
import { desk, p, person, schema, type Desk } from '../fixtures/document/desk.js';

const EVIL = 'https://evil.example/?q=ignore-all';
const reads = createDocumentManifest().reads;
/** What a read of a block says of where its text comes from; 'plain' for the person's own. */
const label = ({ document }: Desk, id: string) => {
	const { text } = reads.block!.read(document, id) as { text: unknown };
	return text instanceof Labelled
		? { integrity: text.label.integrity, origins: text.label.origins }
		: 'plain';
};
const AGENT = { integrity: 'untrusted', origins: ['user', 'agent'] };
const linked = () => {
	const one = desk([p('the price is this', 'sum'), p('other words', 'e')], { vouch: 'user' });
	one.as('r', () => one.document.format('sum', { mark: 'link', attrs: { href: EVIL }, quote: 'price' }));
	one.document.end('r');
	return one;
};

describe('what a run wrote into marks and attributes is read as the run’s', () => {
	it('the address of a link on the person’s own words, as long as it stands', async () => {
		const one = linked();
		expect(label(one, 'sum')).toEqual(AGENT);
		expect(label(one, 'e')).toBe('plain');
		expect(one.document.origins('sum')).toContainEqual({ from: 5, to: 10, origin: 'agent', run: 'r' });
		await one.document.undo('r');
		expect(label(one, 'sum')).toBe('plain');
	});
	it('not an address the person has set instead', () => {
		const one = linked();
		actingAs(person, () =>
			one.view.dispatch(
				one.view.state.tr.addMark(5, 10, schema.mark('link', { href: 'https://ours.example' }))
			)
		);
		expect(label(one, 'sum')).toBe('plain');
	});
	it('in the selection and the listing too', () => {
		const one = linked();
		const select = (from: number, to: number) =>
			one.view.dispatch(one.view.state.tr.setSelection(TextSelection.create(one.view.state.doc, from, to)));
		const text = () => (reads.selection!.read(one.document) as { text: unknown }).text;
		select(4, 8);
		expect(text() instanceof Labelled).toBe(true);
		select(11, 14);
		expect(text() instanceof Labelled).toBe(false);
		const { blocks } = reads.block!.read(one.document) as { blocks: { text: unknown }[] };
		expect(blocks.map((block) => block.text instanceof Labelled)).toEqual([true, false]);
	});
	it('not a mark that holds no words', () => {
		const one = desk([p('the price', 'sum')], { vouch: 'user' });
		one.as('r', () => one.document.format('sum', { mark: 'bold', quote: 'price' }));
		expect(one.document.block('sum')!.markdown).toBe('the **price**');
		expect(label(one, 'sum')).toBe('plain');
	});
	it('the language of a code block, made by a run or set by one, under the person’s own words', () => {
		const spec = schema.spec.nodes.update('code_block', {
			...schema.spec.nodes.get('code_block'),
			attrs: { id: { default: null }, agent: { default: null }, params: { default: '' } }
		});
		const own = new Schema({ nodes: withBlockIds(spec), marks: schema.spec.marks });
		const at = (type: string, text: string, id: string) => own.node(type, { id }, [own.text(text)]);
		const one = desk(own.node('doc', null, [at('paragraph', 'mine', 'a'), at('code_block', 'x', 'b')]), {
			vouch: 'user'
		});
		expect(label(one, 'b')).toBe('plain');
		one.as('r', () => one.document.format('a', { type: 'code', attrs: { params: 'SYSTEM' } }));
		expect(one.document.block('a')!.markdown).toBe('```SYSTEM\nmine\n```');
		expect(label(one, 'a')).toEqual(AGENT);
		one.as('r', () => one.document.insert({ after: 'b' }, '```SYSTEM\nx\n```'));
		const made = one.document.blocks().at(-1)!.id;
		const end = one.view.state.doc.content.size - 1;
		one.type('mine', end);
		actingAs(person, () => one.view.dispatch(one.view.state.tr.delete(end - 1, end)));
		expect(one.document.block(made)!.markdown).toBe('```SYSTEM\nmine\n```');
		expect(label(one, made)).toEqual({ ...AGENT, origins: ['agent', 'user'] });
	});
});
