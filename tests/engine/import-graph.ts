import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import ts from 'typescript';

/** A file's text, or undefined when there is none. */
export type ReadSource = (path: string) => string | undefined;

const seen = new Map<string, string | undefined>();

export const readFromDisk: ReadSource = (path) => {
	if (!seen.has(path)) seen.set(path, existsSync(path) ? readFileSync(path, 'utf8') : undefined);
	return seen.get(path);
};

/** The scripts of a component, or the whole text of a module. */
export function scriptsOf(path: string, text: string): string {
	if (!path.endsWith('.svelte')) return text;
	return [...text.matchAll(/<script[^>]*>([\s\S]*?)<\/script>/g)].map((match) => match[1]).join('\n');
}

/** Specifiers that exist at run time: what is imported as a type alone does not reach anything. */
function valueImports(path: string, text: string): string[] {
	// Parsing costs most of the walk; what holds no specifier is not parsed.
	if (!/\b(from|import)\b/.test(text)) return [];
	const found: string[] = [];
	const source = ts.createSourceFile(
		path,
		scriptsOf(path, text),
		ts.ScriptTarget.ESNext,
		false,
		ts.ScriptKind.TS
	);
	const visit = (node: ts.Node): void => {
		if (ts.isImportDeclaration(node) && !isTypeOnly(node)) found.push(textOf(node.moduleSpecifier));
		if (ts.isExportDeclaration(node) && !node.isTypeOnly && node.moduleSpecifier)
			found.push(textOf(node.moduleSpecifier));
		if (
			ts.isCallExpression(node) &&
			node.expression.kind === ts.SyntaxKind.ImportKeyword &&
			node.arguments[0]
		)
			found.push(textOf(node.arguments[0]));
		ts.forEachChild(node, visit);
	};
	visit(source);
	return found;
}

const textOf = (node: ts.Node): string => (ts.isStringLiteralLike(node) ? node.text : '');

function isTypeOnly({ importClause }: ts.ImportDeclaration): boolean {
	if (!importClause) return false;
	if (importClause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true;
	const { name, namedBindings } = importClause;
	if (name || !namedBindings || !ts.isNamedImports(namedBindings)) return false;
	return namedBindings.elements.length > 0 && namedBindings.elements.every((one) => one.isTypeOnly);
}

/** Every file and every package that `entry` leads to when it runs, itself included. */
export function reach(entry: string, read: ReadSource): { files: Set<string>; packages: Set<string> } {
	const files = new Set<string>();
	const packages = new Set<string>();
	const open = [resolve(entry)];
	for (let path = open.pop(); path !== undefined; path = open.pop()) {
		if (files.has(path)) continue;
		files.add(path);
		const text = read(path);
		if (text === undefined || path.endsWith('.css')) continue;
		for (const specifier of valueImports(path, text)) {
			if (!specifier.startsWith('.')) packages.add(specifier);
			else open.push(locate(join(dirname(path), specifier), read));
		}
	}
	return { files, packages };
}

/** `./x.js` in the source is `./x.ts` on disk. */
function locate(path: string, read: ReadSource): string {
	const typed = path.replace(/\.js$/, '.ts');
	const found = [path, typed].find((one) => read(one) !== undefined);
	if (found === undefined) throw new Error(`${path} is imported and does not exist`);
	return found;
}
