import { TextSelection } from 'prosemirror-state';
import { describe, expect, it } from 'vitest';
import {
	createDocumentManifest,
	type DocumentManifestOptions
} from '../../src/lib/canon/participants/document/index.js';
import {
	createFormManifest,
	createFormProvider,
	nativeSource
} from '../../src/lib/canon/participants/form/index.js';
import { auditActs, auditManifest } from '../../src/lib/testing/index.js';
import { desk, h, li, p, ul } from '../fixtures/document/desk.js';

function form() {
	document.body.innerHTML = `<form>
		<label>Customer <input name="customer" value="Old" required></label>
		<label>Amount <input name="amount" type="number" min="0" step="any" value="3"></label>
		<label>Paid <input name="paid" type="checkbox"></label>
		<label>Note <textarea name="note">Hello</textarea></label>
	</form>`;
	return createFormProvider(nativeSource(document.querySelector('form')!));
}

function letter() {
	const one = desk(
		[
			h(1, 'Letter', 'title'),
			p('Dear Bruno,', 'greeting'),
			h(2, 'Price', 'price'),
			p('The price is 100 euros.', 'sum'),
			ul('list', li(p('fast', 'i1')), li(p('cheap', 'i2'))),
			h(2, 'End', 'end-head'),
			p('Yours, Ada', 'bye')
		],
		{ vouch: 'user' }
	);
	const { view, document } = one;
	// "Dear" is selected.
	let at = 0;
	view.state.doc.descendants((node, position) => void (node.text === 'Dear Bruno,' && (at = position)));
	view.dispatch(view.state.tr.setSelection(TextSelection.create(view.state.doc, at, at + 4)));
	return document;
}

/** Acts that are left out of one audit. */
const without = (...acts: readonly string[]): Record<string, readonly unknown[]> =>
	Object.fromEntries(acts.map((act) => [act, []]));

describe('S2-76 the house keeps what its own manifests declare', () => {
	it(
		'S2-76 a form: filling and clearing do what they say and can be taken back',
		{ timeout: 30_000 },
		async () => {
			const manifest = createFormManifest({ submit: false });
			expect(auditManifest(manifest, form())).toEqual([]);
			expect(
				await auditActs(
					manifest,
					form,
					{
						fill: [
							{ values: { customer: 'New' } },
							{ values: { customer: 'New', amount: 12.5, paid: true, note: '' } },
							{ values: { amount: null } }
						],
						clear: [{ paths: ['note'] }, { paths: ['customer', 'amount'] }]
					},
					// What is wrong with the values, and whether a field is closed, follows from them.
					{ derived: ['errors', 'fields'] }
				)
			).toEqual([]);
		}
	);

	it(
		'S2-76 a document: every act changes the blocks it names, and nothing else',
		{ timeout: 30_000 },
		async () => {
			for (const options of [{}, { format: 'text' }] as DocumentManifestOptions[]) {
				const manifest = createDocumentManifest(options);
				expect(auditManifest(manifest, letter())).toEqual([]);
				const samples: Record<string, readonly unknown[]> = {
					insert: [
						{ after: 'sum', text: 'And more.' },
						{ after: 'end', text: 'P.S.' }
					],
					rewrite: [
						{ block: 'sum', text: 'The price is 120 euros.' },
						{ block: 'price', text: 'Cost' }
					],
					replaceText: [{ block: 'sum', find: '100', text: '120' }],
					remove: [{ block: 'bye' }, { block: 'sum' }],
					move: [
						{ block: 'sum', after: 'list' },
						{ block: 'greeting', after: 'end' }
					],
					format: [{ block: 'sum', format: 'bold', quote: '100 euros' }],
					...without('rewriteSection', 'rewriteSelection', 'comment')
				};
				// Outline, sections and selection follow from the blocks.
				const derived = ['outline', 'section', 'selection'];
				expect(await auditActs(manifest, letter, samples, { derived })).toEqual([]);
				// Seen from a section or from a selection it is the blocks that follow, and the sections around it.
				const views = ['outline', 'block', 'section', 'selection'];
				const whole: Record<string, readonly unknown[]> = {
					rewriteSection: [{ section: 'price', text: 'It costs 120 euros.' }],
					rewriteSelection: [{ text: 'Good morning' }],
					// The version of a block counts comments, which its Markdown does not show.
					comment: [{ block: 'sum', text: 'Are you sure?' }],
					...without('insert', 'rewrite', 'replaceText', 'remove', 'move', 'format')
				};
				for (const [act, [sample]] of Object.entries(whole).filter(([, given]) => given.length > 0))
					expect(
						await auditActs(
							manifest,
							letter,
							{ ...without(...Object.keys(manifest.acts)), [act]: [sample] },
							{ derived: views }
						),
						act
					).toEqual([]);
			}
		}
	);
});
