import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const agent = resolve(root, 'src/lib/agent');

const parsed = new Map<string, ts.SourceFile | undefined>();

/** What the compiler says about the fixture, with `text` in its place if there is any. */
function complaints(text?: string): string[] {
	const file = resolve(root, 'tests/fixtures/plain-roads.ts');
	const options: ts.CompilerOptions = {
		strict: true,
		noEmit: true,
		noUncheckedIndexedAccess: true,
		skipLibCheck: true,
		types: [],
		lib: ['lib.esnext.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
		target: ts.ScriptTarget.ESNext,
		module: ts.ModuleKind.ESNext,
		moduleResolution: ts.ModuleResolutionKind.Bundler
	};
	const host = ts.createCompilerHost(options);
	const { getSourceFile } = host;
	// Reading the library takes most of the time: once is enough.
	host.getSourceFile = (path, language) => {
		if (text !== undefined && resolve(path) === file) return ts.createSourceFile(path, text, language);
		const known = parsed.get(path) ?? getSourceFile.call(host, path, language);
		parsed.set(path, known);
		return known;
	};
	const program = ts.createProgram([file], options, host);
	return [...program.getSemanticDiagnostics(program.getSourceFile(file))].map(({ messageText }) =>
		ts.flattenDiagnosticMessageText(messageText, '\n')
	);
}

/** Where a source makes the brand of sanitised text by itself: by a cast, a guard, or a declaration. */
function brands(source: string): string[] {
	if (!/Sanitised|Opaque|Speaker/.test(source)) return [];
	const file = ts.createSourceFile('x.ts', source, ts.ScriptTarget.ESNext, true);
	const found: string[] = [];
	const says = (node: ts.Node | undefined) =>
		node !== undefined && /\b(Sanitised\w*|Opaque|Speaker)\b/.test(node.getText(file));
	const visit = (node: ts.Node): void => {
		if ((ts.isAsExpression(node) || ts.isTypeAssertionExpression(node)) && says(node.type))
			found.push(node.getText(file));
		if (ts.isTypePredicateNode(node) && says(node.type)) found.push(node.getText(file));
		if (
			ts.isVariableStatement(node) &&
			node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.DeclareKeyword) &&
			says(node)
		)
			found.push(node.getText(file));
		ts.forEachChild(node, visit);
	};
	visit(file);
	return found;
}

/** Casts that would let anything through, whatever the brand is called. */
const blind = (source: string): string[] =>
	[...source.matchAll(/\bas (any|never|unknown)\b|<any>|@ts-(?:ignore|expect-error|nocheck)/g)].map(
		([found]) => found
	);

const sources = readdirSync(agent, { recursive: true, encoding: 'utf8' })
	.filter((path) => path.endsWith('.ts'))
	.map((path) => [relative(root, join(agent, path)), readFileSync(join(agent, path), 'utf8')] as const);

describe('the types of a request', () => {
	test('S0-17 the compiler refuses a plain string on every road into a prompt', () => {
		expect(complaints()).toEqual([]);
	}, 60_000);

	test('S0-17 and it would say so if a road took one', () => {
		const fixture = readFileSync(resolve(root, 'tests/fixtures/plain-roads.ts'), 'utf8');
		const roads = fixture.match(/@ts-expect-error/g)!.length;
		const opened = fixture.replace('declare const plain: string;', 'declare const plain: any;');
		expect(roads).toBeGreaterThan(24);
		expect(
			complaints(opened).filter((text) => text.includes('@ts-expect-error')).length
		).toBeGreaterThanOrEqual(18);
	}, 60_000);
});

describe('the maker of sanitised text', () => {
	test('S0-17 is one module: nothing else casts to the brand', () => {
		const makers = sources.filter(([, source]) => brands(source).length > 0).map(([path]) => path);
		expect(makers.filter((path) => path !== 'src/lib/agent/engine/prompt.ts')).toEqual([
			'src/lib/agent/capability/sanitise.ts'
		]);
		// A schema that was sanitised stays an object: that is all the one cast there says.
		expect(brands(sources.find(([path]) => path.endsWith('engine/prompt.ts'))![1])).toEqual([
			"sanitiseJSON(schema as JSONValue, nonce) as SanitisedTool['schema']"
		]);
	});

	test('S0-17 and where requests are made nothing is cast blindly', () => {
		const rooms = [
			'engine/prompt.ts',
			'engine/history.ts',
			'engine/sanitised.ts',
			'engine/stream.ts',
			'capability/rendering.ts'
		];
		for (const room of rooms)
			expect(blind(sources.find(([path]) => path.endsWith(room))![1]), room).toEqual([]);
	});

	test('S0-17 only that module and the one that takes signs away know the reserved signs', () => {
		const knows = (source: string) => /\\u27e[67]|[\u27e6\u27e7]|\b(OPEN|CLOSE)\b.*inert\.js/.test(source);
		expect(
			sources
				.filter(([, source]) => knows(source))
				.map(([path]) => path)
				.sort()
		).toEqual(['src/lib/agent/capability/inert.ts', 'src/lib/agent/capability/sanitise.ts']);
	});

	test('S0-17 each way to make it elsewhere is seen', () => {
		for (const source of [
			'const a = b as SanitisedText;',
			'const a = b as unknown as SanitisedText;',
			'const a = <SanitisedJSON>b;',
			'const a = b as readonly SanitisedMessage[];',
			'const is = (a: string): a is SanitisedText => true;',
			'declare const a: SanitisedText;'
		])
			expect(brands(source), source).toHaveLength(1);
		expect(brands('const a: SanitisedText = sanitise(b);')).toEqual([]);
		expect(blind('f(x as never); // @ts-ignore')).toEqual(['as never', '@ts-ignore']);
	});
});
