import { nameIn, type Language } from '../../langs/index.js';

/** What knows instances by name: a scope does. */
export interface Names {
	/** What people call an instance, as it is. */
	label(instance: string): string;
	/** Do strangers name it? */
	imported(instance: string): boolean;
}

/** What people call an instance, as it may stand in a sentence of a surface. */
export const nameOf = ({ label, imported }: Names, lang: Pick<Language, 'quote'>, instance: string): string =>
	nameIn(lang, label(instance), { foreign: imported(instance) });
