import { codes, type CodeEntry } from '../../lib/agent/index.js';
import { documentCodes } from '../../lib/canon/participants/document/index.js';

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

const table = (entries: readonly (readonly [string, { means: string; cure: string }])[]): string =>
	[
		'| code | means | what to do |',
		'| --- | --- | --- |',
		...entries.map(([code, { means, cure }]) => `| \`${code}\` | ${cell(means)} | ${cell(cure)} |`)
	].join('\n');

const group = (name: string) => Object.entries(codes).filter(([, entry]) => entry.group === name);

/** `docs/codes.md`, made of the tables the engine and the participants themselves speak from. A test holds the file against it. */
export const codesPage = (): string =>
	[
		'# Codes',
		'A refusal is a value, `{ code, text }`, never an exception. Programs compare the code; people and models read the text. This page is generated from the tables the engine and the participants themselves speak from.',
		...Object.entries(GROUPS).flatMap(([name, title]) => [`## ${title}`, table(group(name))]),
		'## In a document',
		'Whatever a document refuses, it is as it was.',
		table(Object.entries(documentCodes))
	].join('\n\n') + '\n';
