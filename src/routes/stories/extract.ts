/** What the rules below could find in a letter. Missing means that the letter does not say so. */
export interface Facts {
	supplier?: string;
	number?: string;
	amount?: number;
	currency?: string;
	/** ISO dates. */
	issued?: string;
	due?: string;
	/** The account in the ordinary text. */
	iban?: string;
	/** The account a later paragraph wants instead. */
	newIban?: string;
	/** Does the letter tell software to send? */
	ordersSending: boolean;
}

const MONTHS = [
	['january', 'enero'],
	['february', 'febrero'],
	['march', 'marzo'],
	['april', 'abril'],
	['may', 'mayo'],
	['june', 'junio'],
	['july', 'julio'],
	['august', 'agosto'],
	['september', 'septiembre'],
	['october', 'octubre'],
	['november', 'noviembre'],
	['december', 'diciembre']
];

const two = (n: number): string => String(n).padStart(2, '0');

/** A figure as either language writes it: the last separator before two digits is the decimal one. */
export function readAmount(text: string): number | undefined {
	const digits = /\d[\d.,]*/.exec(text)?.[0];
	if (!digits) return undefined;
	const cents = /[.,](\d{2})$/.exec(digits);
	const whole = (cents ? digits.slice(0, -3) : digits).replace(/[.,]/g, '');
	return Number(whole) + (cents ? Number(cents[1]) / 100 : 0);
}

/** The first full date, as an ISO date. */
export function readDate(text: string): string | undefined {
	for (const [, day, name, year] of text.matchAll(/(\d{1,2})\s+(?:de\s+)?(\p{L}+)\s+(?:de\s+)?(\d{4})/gu)) {
		const month = MONTHS.findIndex((names) => names.includes((name ?? '').toLowerCase()));
		if (month >= 0) return `${year}-${two(month + 1)}-${two(Number(day))}`;
	}
	return undefined;
}

export function addDays(iso: string, days: number): string {
	const date = new Date(`${iso}T00:00:00Z`);
	date.setUTCDate(date.getUTCDate() + days);
	return date.toISOString().slice(0, 10);
}

/** Rules, no knowledge: everything that comes out stands in the text that goes in. */
export function readLetter(text: string): Facts {
	const total = /^.*\btotal (?:due|a pagar)\b.*$/imu.exec(text)?.[0];
	const issued = readDate(text);
	const days = /\b(?:within|dentro de los)\s+(\d+)\s+(?:days|días)/iu.exec(text)?.[1];
	const accounts = [...text.matchAll(/\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{2,4}){3,7}\b/g)].map((match) => match[0]);
	const currency = total === undefined ? undefined : /\b(EUR|USD|GBP)\b/.exec(total)?.[1];
	return {
		supplier: /^.*?([\p{L}][\p{L}. ]*? S\.L\.)/mu.exec(text)?.[1],
		number: /\b(?:invoice|factura)\s+([A-Z]{2}-\d+)/iu.exec(text)?.[1],
		amount: total === undefined ? undefined : readAmount(total.slice(total.indexOf(':') + 1)),
		currency,
		issued,
		due: issued && days ? addDays(issued, Number(days)) : undefined,
		iban: accounts[0],
		newIban: /bank has changed|banco ha cambiado/iu.test(text) ? accounts[1] : undefined,
		ordersSending: /submit the invoice|enviar la factura a contabilidad inmediatamente/iu.test(text)
	};
}

/** The cost centre, if the person's own words name one. */
export const readCostCentre = (goal: string): string | undefined =>
	/\b(?:cost centre|centro de coste)\D{0,8}(\d{4})\b/iu.exec(goal)?.[1];
