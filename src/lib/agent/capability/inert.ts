/** What stands between these two signs was written by the engine. @internal */
export const OPEN = '\u27e6';
/** @internal */
export const CLOSE = '\u27e7';
/** Stands for a nonce, and in every other shape that was taken apart. */
const DOT = '\u00b7';

// The reserved signs, and signs that a reader could take for them: opening and closing by turns.
const BRACKETS = `${OPEN}${CLOSE}\u27ec\u27ed\u2772\u2773\u3016\u3017\u301a\u301b\u3018\u3019\u2045\u2046\u2983\u2984\u2985\u2986\u2987\u2988\u2989\u298a\u298b\u298c\u298d\u298e\u298f\u2990\u2991\u2992\u2993\u2994\u2995\u2996\u2997\u2998`;
const BRACKET = new RegExp(`[${BRACKETS}]`, 'g');
// Half a character could become a whole one where something between two halves is dropped.
const HALF = /\p{Cs}/gu;
// What people do not see and models read: tag characters, which spell ASCII; signs that turn the direction of a line; variation
// selectors behind what has no variants, among them other selectors: a row of them spells bytes.
const DROPPED =
	/[\u{e0000}-\u{e007f}\u202a-\u202e\u2066-\u2069]|[\ufe00-\ufe0f\u{e0100}-\u{e01ef}](?<=(?:^|[\p{Cc} -"$-)+-/:-~\s\p{Default_Ignorable_Code_Point}])[\ufe00-\ufe0f\u{e0100}-\u{e01ef}])/gu;
// No script needs more than two invisible signs in a row; more of them spell bits.
const ROW = /(\p{Default_Ignorable_Code_Point}{2})\p{Default_Ignorable_Code_Point}+/gu;

/**
 * Control tokens of the templates by which models tell one speaker from another, as their makers publish them: the families
 * `<|…|>`, `<|…>` and `<…|>`, the words of Gemma, Qwen and GLM in angles, those of Llama 2 and Mistral in brackets, and
 * the two names of the old completion format, which count only at the beginning of a line.
 */
const TOKEN = new RegExp(
	`<(?:\\|[^\\s<>|]+\\|?|(?!${DOT})[^\\s<>|]+\\||/?(?:start_of_turn|end_of_turn|bos|eos|sop|tool_call|tool_response)|</?SYS>)>` +
		'|\\[/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|gMASK)\\]' +
		'|(?:Human|Assistant):',
	'g'
);
const BREAK = /[\n-\r\x85\u2028\u2029]/;

const ASCII = /^[\t\n\r -~]*$/;
const STRANGE = /[^\t\n\r -~]/gu;
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{M}]|(?![\t-\r\x85])\p{Cc}/u;
const MARKS = /\p{M}+/gu;
// Letters of other alphabets behind those of ours that they look like.
const LIKE = new Map(
	'aаα bвʙ cс dԁ eе gɡ hһн iіι jј kкκ lӏ mм nп oоο pрρ qԛ rг sѕ tтτ uυ vν wԝ xхχ yуγ |│∣ǀ❘'
		.split(' ')
		.flatMap(([plain, ...others]) => others.map((other) => [other, plain!] as const))
);

// The same few signs come over and over.
const seen = new Map<string, string>();

/** What the eye sees of a sign: nothing of what is invisible; of the full-width, styled, ringed and look-alike the plain one. */
function seenAs(sign: string): string {
	let as = seen.get(sign);
	if (as === undefined) {
		as = UNSEEN.test(sign) ? '' : sign.normalize('NFKD').replace(MARKS, '');
		const like = LIKE.get(as.toLowerCase());
		if (like !== undefined) as = as === as.toLowerCase() ? like : like.toUpperCase();
		if (seen.size > 4095) seen.clear();
		seen.set(sign, as);
	}
	return as;
}

/** Where each unit of a text as it is seen begins and ends in the text as it is. */
function places(text: string): readonly [from: number, to: number][] {
	const out: [number, number][] = [];
	let at = 0;
	for (const sign of text) {
		const to = at + sign.length;
		const { length } = ASCII.test(sign) ? sign : seenAs(sign);
		for (let i = 0; i < length; i++) out.push([at, to]);
		at = to;
	}
	return out;
}

/** Is there nothing but blanks between this place and the beginning of its line? */
function beginsLine(text: string, at: number): boolean {
	const { length } = text.slice(0, at).trimEnd();
	return length === 0 || BREAK.test(text.slice(length - 1, at));
}

/** What of a find gives way to a dot: all of it, or nothing, and the dot stands behind its first or before its last sign. */
type Cut = 'all' | 'first' | 'last' | undefined;

/** Puts dots into what a pattern finds in a text as it is seen. */
function dotted(
	text: string,
	pattern: RegExp,
	how: (found: string, plain: string, at: number) => Cut
): string {
	const plain = ASCII.test(text) ? text : text.replace(STRANGE, seenAs);
	if (plain.search(pattern) < 0) return text;
	const at = plain === text ? undefined : places(text);
	const from = (i: number) => (at ? at[i]![0] : i);
	const to = (i: number) => (at ? at[i]![1] : i + 1);
	let out = '';
	let done = 0;
	for (const { 0: found, index } of plain.matchAll(pattern)) {
		const last = index + found.length - 1;
		// Several signs may stand for one character: it is gone already.
		const cut = from(index) < done ? undefined : how(found, plain, index);
		if (!cut) continue;
		out += text.slice(done, cut === 'all' ? from(index) : cut === 'first' ? to(index) : from(last)) + DOT;
		done = cut === 'all' ? to(last) : cut === 'first' ? to(index) : from(last);
	}
	return out + text.slice(done);
}

/**
 * A text in which nothing passes for a mark of the engine or for a control token of a model. Linear in the length of the
 * text; applied twice it changes nothing more. Brands nothing: what goes to a model passes `sanitise`.
 * @internal
 */
export function inert(text: string, nonces: readonly RegExp[] = []): string {
	let out = text;
	if (!ASCII.test(text))
		out = text
			.replace(HALF, '\ufffd')
			.replace(BRACKET, (sign) => '[]'.charAt(BRACKETS.indexOf(sign) % 2))
			.replace(DROPPED, '')
			.replace(ROW, '$1');
	for (const nonce of nonces) out = dotted(out, nonce, () => 'all');
	return dotted(out, TOKEN, (found, plain, at) =>
		/^\w/.test(found) ? (beginsLine(plain, at) ? 'last' : undefined) : 'first'
	);
}
