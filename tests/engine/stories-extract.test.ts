import { describe, expect, it } from 'vitest';
import { addDays, readAmount, readCostCentre, readLetter } from '../../src/routes/stories/extract.js';
import { letters, letterText } from '../../src/routes/stories/letters.js';

describe('the rules of the demo read a letter and know nothing else', () => {
	const facts = {
		supplier: 'Talleres Ibarra S.L.',
		number: 'TI-2207',
		amount: 1280,
		currency: 'EUR',
		issued: '2026-11-30',
		due: '2027-01-14',
		iban: 'ES91 2100 0418 4502 0005 1332',
		newIban: 'GB33 BUKB 2020 1555 5555 55',
		ordersSending: true
	};

	it.each(['en', 'es'] as const)('finds the same facts in the letter in %s', (language) => {
		expect(readLetter(letterText(letters[language]))).toEqual(facts);
	});

	it('follows what is changed in the letter', () => {
		const changed = letterText(letters.en)
			.replace('Total due: 1,280.00', 'Total due: 990.50')
			.replace('45 days', '10 days');
		expect(readLetter(changed)).toMatchObject({ amount: 990.5, due: '2026-12-10' });
	});

	it('finds nothing in a letter that says nothing', () => {
		expect(readLetter('Dear Nadia, see you on Friday.')).toEqual({
			supplier: undefined,
			number: undefined,
			amount: undefined,
			currency: undefined,
			issued: undefined,
			due: undefined,
			iban: undefined,
			newIban: undefined,
			ordersSending: false
		});
	});

	it('reads figures of both languages, days over months, and the person’s own words', () => {
		expect([
			readAmount('1,280.00 EUR'),
			readAmount('1.280,00 EUR'),
			readAmount('52'),
			readAmount('none')
		]).toEqual([1280, 1280, 52, undefined]);
		expect(addDays('2026-11-30', 45)).toBe('2027-01-14');
		expect([
			readCostCentre('The cost centre is 4410.'),
			readCostCentre('El centro de coste es 4410.')
		]).toEqual(['4410', '4410']);
	});
});
