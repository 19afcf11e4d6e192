import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { scriptsOf } from './import-graph.js';

const root = resolve(import.meta.dirname, '../..');

/** What an app may set. Every field of these must change something, or say `Reserved:` in its comment. */
const OPTIONS = [
	'ActCall',
	'AgentAct',
	'AgentManifest',
	'AgentOptions',
	'AgentRead',
	'Budget',
	'Goal',
	'JournalStore',
	'PolicyRule',
	'QuestionSpec',
	'RunOptions',
	'ScriptedTurn'
];

interface Sources {
	declared: Map<string, Set<string>>;
	used: Set<string>;
}

/** Fields of the interfaces above, and every name that some code reads, takes apart or sets. */
function survey(files: Iterable<[path: string, text: string]>): Sources {
	const declared = new Map<string, Set<string>>();
	const used = new Set<string>();
	const nameOf = (node: ts.Node | undefined) =>
		node && (ts.isIdentifier(node) || ts.isStringLiteralLike(node)) ? node.text : undefined;
	let source: ts.SourceFile | undefined;
	const visit = (node: ts.Node): void => {
		if (ts.isInterfaceDeclaration(node) && OPTIONS.includes(node.name.text)) {
			const fields = node.members
				.filter((member) => !/\bReserved:/.test(member.getFullText(source)))
				.map((member) => nameOf(member.name))
				.filter((name) => name !== undefined);
			declared.set(node.name.text, new Set(fields));
		}
		const read = ts.isPropertyAccessExpression(node)
			? nameOf(node.name)
			: ts.isElementAccessExpression(node)
				? nameOf(node.argumentExpression)
				: ts.isBindingElement(node)
					? nameOf(node.propertyName ?? node.name)
					: ts.isPropertyAssignment(node) || ts.isShorthandPropertyAssignment(node)
						? nameOf(node.name)
						: undefined;
		if (read !== undefined) used.add(read);
		ts.forEachChild(node, visit);
	};
	for (const [path, text] of files) {
		source = ts.createSourceFile(
			path,
			scriptsOf(path, text),
			ts.ScriptTarget.ESNext,
			false,
			ts.ScriptKind.TS
		);
		visit(source);
	}
	return { declared, used };
}

const unread = ({ declared, used }: Sources): string[] =>
	[...declared].flatMap(([name, fields]) =>
		[...fields].filter((field) => !used.has(field)).map((field) => `${name}.${field}`)
	);

// The whole library is parsed.
describe('S0-53 every declared option has a consumer', { timeout: 60_000 }, () => {
	it('each field an app may set is read by the library', () => {
		const lib = resolve(root, 'src/lib');
		const paths = readdirSync(lib, { recursive: true, encoding: 'utf8' }).filter((path) =>
			/\.(ts|svelte)$/.test(path)
		);
		const found = survey(paths.map((path) => [path, readFileSync(resolve(lib, path), 'utf8')]));
		expect([...found.declared.keys()].sort()).toEqual(OPTIONS);
		expect(unread(found)).toEqual([]);
	});

	it('a field that nobody reads is named, unless it says that it is reserved', () => {
		const found = survey([
			[
				'options.ts',
				'export interface RunOptions { level?: string; colour?: string; /** Reserved: later. */ taste?: string }'
			],
			['engine.ts', 'export const start = ({ level }: RunOptions) => level;']
		]);
		expect(unread(found)).toEqual(['RunOptions.colour']);
	});
});
