import { type Attack, dressed } from './attacks.js';

interface Line {
	id: string;
	kind: 'goal' | 'template' | 'payload';
	text: string;
	effect: string;
}

/** Tokens of a corpus begin behind those of our own texts. */
const FIRST = 100_000;

/**
 * Attack texts of a corpus in lines of JSON: goals in every template, payloads as they are.
 * @throws where a line is none, so that no line is passed over in silence
 */
export function attacksOf(lines: string): readonly Attack[] {
	const all = lines
		.split('\n')
		.filter((line) => line.trim() !== '')
		.map((line, i): Line => {
			const { id, kind, text, effect } = JSON.parse(line) as Partial<Line>;
			if (!id || !text || !effect || !['goal', 'template', 'payload'].includes(kind!))
				throw new TypeError(`Line ${i + 1} of the corpus is none.`);
			return { id, kind: kind!, text, effect };
		});
	const templates = all.filter(({ kind }) => kind === 'template');
	const fields = { user: 'the person', model: 'Ada', tools: '' };
	let index = FIRST;
	const put = ({ id, text, effect: harm }: Line, wrapper: readonly [string, string]) =>
		dressed({ id, text, harm }, wrapper, (index += 1), fields);
	return all.flatMap((line) => {
		if (line.kind === 'payload') return [put(line, ['as-it-is', '{goal}'])];
		return line.kind === 'goal' ? templates.map(({ id, text }) => put(line, [id, text])) : [];
	});
}
