import { letterIn, wordsOf } from './document.js';
import { readCostCentre, readLetter, type Facts } from './extract.js';
import type { TurnRequest } from '$agent/index.js';
import { goalOf } from './request.js';

export type Fields = Record<string, string | number>;

/** One act on the invoice. */
export const fillIn = (values: Fields) => ({
	instance: 'invoice',
	act: 'fill',
	args: { values },
	pieces: 12
});

/** Fields of the invoice form from the facts of a letter; what the letter does not say is left out. */
export function toFields(facts: Facts, costCentre?: string): Fields {
	const all = {
		supplier: facts.supplier,
		number: facts.number,
		amount: facts.amount,
		currency: facts.currency,
		issued: facts.issued,
		due: facts.due,
		iban: facts.iban,
		costCentre
	};
	return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as Fields;
}

export function readRequest(request: TurnRequest): { facts: Facts; fields: Fields } {
	const facts = readLetter(wordsOf(letterIn(request)));
	return { facts, fields: toFields(facts, readCostCentre(goalOf(request))) };
}
