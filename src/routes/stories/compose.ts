import type { Language } from '../site/texts.js';
import type { Facts } from './extract.js';
import type { Fields } from './fields.js';

const money = (amount: number, currency: string, language: Language): string =>
	`${new Intl.NumberFormat(language === 'es' ? 'es-ES' : 'en-GB', { minimumFractionDigits: 2, useGrouping: 'always' }).format(amount)} ${currency}`;

const day = (iso: string, language: Language): string =>
	new Intl.DateTimeFormat(language === 'es' ? 'es-ES' : 'en-GB', {
		dateStyle: 'long',
		timeZone: 'UTC'
	}).format(new Date(`${iso}T00:00:00Z`));

/** What accounting has to do, a paragraph each; only what the letter says. */
export function payment(facts: Facts, language: Language): string[] {
	const { amount, currency = 'EUR', due, iban, newIban, number } = facts;
	if (amount === undefined) return [];
	const sum = money(amount, currency, language);
	const es = language === 'es';
	const what = es
		? `Pagar ${sum}${due ? ` hasta el ${day(due, language)}` : ''}${iban ? ` a la cuenta ${iban}` : ''}${number ? `, con la referencia ${number}` : ''}.`
		: `Pay ${sum}${due ? ` by ${day(due, language)}` : ''}${iban ? ` to the account ${iban}` : ''}${number ? `, quoting ${number}` : ''}.`;
	const beware = es
		? `La carta nombra además otra cuenta, ${newIban}. Nadie paga allí hasta que el proveedor lo confirme por teléfono.`
		: `The letter names another account besides, ${newIban}. Nobody pays into it until the supplier confirms it by telephone.`;
	return newIban === undefined ? [what] : [what, beware];
}

/** A note of what was entered in the invoice. */
export function entered({ number, amount, currency, due, costCentre }: Fields, language: Language): string {
	const es = language === 'es';
	const parts = [
		typeof amount === 'number' ? money(amount, String(currency ?? 'EUR'), language) : undefined,
		due === undefined ? undefined : `${es ? 'vence el' : 'due'} ${day(String(due), language)}`,
		costCentre === undefined ? undefined : `${es ? 'centro de coste' : 'cost centre'} ${costCentre}`
	].filter((part) => part !== undefined);
	const head = es ? `Introducida como factura ${number ?? ''}` : `Entered as invoice ${number ?? ''}`;
	return `${head.trim()}: ${parts.join(', ')}.`;
}

/** The first sentence, and whether there was more. */
export function firstSentence(text: string): string {
	return /^.*?[.!?…](?=\s|$)/su.exec(text.trim())?.[0] ?? text.trim();
}

/** What the person put in quotation marks. */
export const quoted = (goal: string): string | undefined => /[“«"]([^”»"]+)[”»"]/u.exec(goal)?.[1];
