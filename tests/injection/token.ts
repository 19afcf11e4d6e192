/**
 * Signs by which an attack text is known again, whatever was done to it on its way: letters and digits alone, so that
 * neutralised marks, changed white space and JSON's escapes leave them whole.
 */
export const tokenOf = (index: number): string => `zqv${index.toString(36).padStart(4, '0')}vqz`;

const TOKEN = /zqv[0-9a-z]{4}vqz/g;

/** Text with its invisible signs taken out and its letters made plain, as an attentive reader would see it. */
export const plain = (text: string): string =>
	text
		.normalize('NFKC')
		.replace(/[\p{Default_Ignorable_Code_Point}\p{Cc}]/gu, '')
		.toLowerCase();

/** Every token that stands in a text. */
export const tokensIn = (text: string): ReadonlySet<string> => new Set(plain(text).match(TOKEN) ?? []);
