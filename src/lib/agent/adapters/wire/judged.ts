import type { JSONValue } from '../../protocol/words.js';

/** What a text is that the wire calls whole, and what of it goes on. */
interface Judged {
	verdict: 'complete' | 'incomplete' | 'invalid';
	raw: string;
}

/** The rest of a text, or of one of its escapes. */
const TEXT_ENDS = ['"', '\\"', '0"', '00"', '000"', '0000"'];
/** The rest of a word, a number, a member or a list; a key lacks its value yet. */
const ENDS = ['', '0', '"":0', ':0', 'rue', 'ue', 'e', 'alse', 'lse', 'se', 'ull', 'll', 'l'];

/**
 * Judges the arguments of a call when the wire says that they are over. Nothing is repaired: what does not parse stays as it
 * came, and is incomplete where more of it could have parsed, else invalid.
 * @param prune takes away what the strict form of the schema added
 * @internal
 */
export function judged(said: string, prune?: (value: JSONValue) => JSONValue): Judged {
	if (said.trim() === '') return { verdict: 'complete', raw: '{}' };
	try {
		const value = JSON.parse(said) as JSONValue;
		return { verdict: 'complete', raw: prune ? JSON.stringify(prune(value)) : said };
	} catch {
		return { verdict: isBeginning(said) ? 'incomplete' : 'invalid', raw: said };
	}
}

const parses = (json: string): boolean => {
	try {
		JSON.parse(json);
		return true;
	} catch {
		return false;
	}
};

/** Is there an ending with which a text parses? Every beginning of JSON needs one of few, and then its brackets closed. */
function isBeginning(said: string): boolean {
	const open: string[] = [];
	let isText = false;
	for (let at = 0; at < said.length; at += 1) {
		const sign = said[at];
		if (sign === '"') isText = !isText;
		else if (isText) at += sign === '\\' ? 1 : 0;
		else if (sign === '{') open.push('}');
		else if (sign === '[') open.push(']');
		else if (sign === '}' || sign === ']') open.pop();
	}
	const brackets = open.reverse().join('');
	const ends = isText ? TEXT_ENDS.flatMap((end) => [end, `${end}:0`]) : ENDS;
	return ends.some((end) => parses(said + end + brackets));
}
