import { codes, type CodeEntry } from '../../lib/agent/index.js';

const GROUPS: Record<CodeEntry['group'], string> = {
	registration: 'At registration',
	call: 'Calls of the model',
	gate: 'At the gate',
	decision: 'Decisions of a person',
	act: 'While an act runs',
	turn: 'Turns of the model',
	budget: 'Budgets',
	run: 'Runs',
	record: 'Records and stores'
};

const cell = (value: string): string => value.replace(/\|/g, '\\|');

const table = (group: string): string =>
	[
		'| code | means | what to do |',
		'| --- | --- | --- |',
		...Object.entries(codes)
			.filter(([, entry]) => entry.group === group)
			.map(([code, { means, cure }]) => `| \`${code}\` | ${cell(means)} | ${cell(cure)} |`)
	].join('\n');

/** `docs/codes.md`, made of the table the engine itself speaks from. A test holds the file against it. */
export const codesPage = (): string =>
	[
		'# Codes',
		'A refusal is a value, `{ code, text }`, never an exception. Programs compare the code; people and models read the text. This page is generated from the table the engine itself speaks from.',
		...Object.entries(GROUPS).flatMap(([group, title]) => [`## ${title}`, table(group)])
	].join('\n\n') + '\n';
