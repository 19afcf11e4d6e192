import { whyClosed } from './deny.js';
import type { FormRejection, FormSource, FormValue } from './field.js';
import { same } from './ledger.js';

type Values = Readonly<Record<string, FormValue>>;

/** Why a field is not open to a write now. @internal */
export function refusalOf(source: FormSource, path: string): FormRejection | undefined {
	const facts = source.fact(path);
	if (!facts) return { path, code: 'args-invalid', text: `There is no field "${path}".` };
	const { closed, label } = facts;
	if (closed) {
		const passing = closed.reason === 'disabled' || closed.reason === 'readonly' || closed.reason === 'inert';
		return { path, code: passing ? 'unavailable' : 'denied', text: whyClosed(label, closed) };
	}
	return source.composing() === path
		? { path, code: 'unavailable', text: `The person is writing in "${label}" just now.` }
		: undefined;
}

/** Why values would be refused: the field first, then the value. @internal */
export function refusalsOf(source: FormSource, values: Values): readonly FormRejection[] {
	return Object.entries(values).flatMap(([path, value]) => {
		const refused = refusalOf(source, path);
		if (refused) return [refused];
		const text = source.objection(path, value);
		return text === undefined ? [] : [{ path, code: 'args-invalid' as const, text }];
	});
}

/** What was written and now reads otherwise. @internal */
export function adjustedIn(source: FormSource, values: Values): readonly FormRejection[] {
	return Object.entries(values).flatMap(([path, wanted]) => {
		const now = source.read(path);
		if (same(now, wanted)) return [];
		const text = now === undefined ? 'The field went away.' : `The form made ${JSON.stringify(now)} of it.`;
		return [{ path, code: 'args-invalid' as const, text }];
	});
}
