import { describe, expect, it } from 'vitest';
import type { TurnRequest } from '../../src/lib/agent/index.js';
import { entered, firstSentence, payment, quoted } from '../../src/routes/stories/compose.js';
import { letterIn, namedSection, wordsOf } from '../../src/routes/stories/document.js';
import { readLetter } from '../../src/routes/stories/extract.js';
import { stories } from '../../src/routes/stories/index.js';
import { letters, letterText, type LetterBlock } from '../../src/routes/stories/letters.js';

const markdown = (block: LetterBlock): string =>
	block.kind === 'heading'
		? `${'#'.repeat(block.level)} ${block.text}`
		: block.kind === 'list'
			? block.items.map((item) => `- ${item}`).join('\n')
			: block.lines.join('\\\n');

/** A request that shows the letter as the document does. */
function request(goal: string, letter = letters.en): TurnRequest {
	const blocks = letter.map((block, at) => ({
		id: `b${at}`,
		type: block.kind,
		...(block.kind === 'heading' && { level: block.level }),
		text: markdown(block)
	}));
	return {
		run: 'r',
		turn: 't',
		thread: 'th',
		system: '',
		messages: [{ role: 'user', from: { kind: 'human', id: 'v' }, text: goal }],
		context: `⟦begin letter.block⟧\nLetter\nversion 1\n${JSON.stringify({ blocks })}\n⟦end⟧`,
		tools: [],
		limits: {}
	};
}

describe('the scripted agent of the demo knows the letter by what the request shows, and writes nothing else', () => {
	it.each(['en', 'es'] as const)(
		'reads the same words from the blocks as stand in the letter (%s)',
		(language) => {
			const shown = wordsOf(letterIn(request('', letters[language])));
			expect(readLetter(shown)).toEqual(readLetter(letterText(letters[language])));
		}
	);

	it('finds the section the person put in quotation marks, in both languages', () => {
		expect(namedSection(request('Rewrite the section “Payment” now.'))?.heading.text).toBe('Payment');
		expect(namedSection(request('Reescribe «Pago».', letters.es))?.first?.text).toContain('45 días');
		expect(namedSection(request('Rewrite the section “Nothing”.'))).toBeUndefined();
		expect(namedSection(request('Rewrite it.'))).toBeUndefined();
		expect(quoted('“a” and “b”')).toBe('a');
	});

	it('writes only what the letter says, and leaves out what it does not', () => {
		const facts = readLetter(letterText(letters.en));
		expect(payment(facts, 'en')).toEqual([
			'Pay 1,280.00 EUR by 14 January 2027 to the account ES91 2100 0418 4502 0005 1332, quoting TI-2207.',
			expect.stringContaining('GB33 BUKB 2020 1555 5555 55')
		]);
		expect(payment({ amount: 5, ordersSending: false }, 'en')).toEqual(['Pay 5.00 EUR.']);
		expect(payment({ ordersSending: true }, 'es')).toEqual([]);
		expect(entered({ number: 'A-1', amount: 1280, currency: 'EUR', due: '2027-01-14' }, 'es')).toBe(
			'Introducida como factura A-1: 1.280,00 EUR, vence el 14 de enero de 2027.'
		);
		expect(firstSentence('One. Two.')).toBe('One.');
		expect(firstSentence('no end')).toBe('no end');
	});

	it('rewrite, both and stale call the acts of the document with what they found', () => {
		const calls = (story: keyof typeof stories, goal: string) =>
			stories[story](request(goal), 'en').calls?.map(({ act, args }) => [act, args]);
		expect(calls('rewrite', 'Rewrite “Payment”.')).toMatchObject([
			['rewriteSection', { section: 'b7', text: expect.stringMatching(/^Pay 1,280.00 EUR/) }]
		]);
		expect(calls('both', 'The cost centre is 4410.')).toMatchObject([
			['fill', { values: { costCentre: '4410', amount: 1280 } }],
			['insert', { after: 'end', text: expect.stringContaining('cost centre 4410') }]
		]);
		expect(calls('stale', 'Shorten “After the work”.')).toMatchObject([
			['rewrite', { text: 'Should a roller need another look, our fitters stay until Friday.' }]
		]);
	});

	it('says so where there is nothing to do, instead of calling', () => {
		for (const story of ['rewrite', 'both', 'stale', 'fill'] as const) {
			const turn = stories[story](request('“Payment”', [{ kind: 'text', lines: ['Hello.'] }]), 'en');
			expect(turn.calls, story).toBeUndefined();
			expect(turn.say, story).not.toEqual([]);
		}
	});
});
