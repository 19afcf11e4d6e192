// Whether a guard `file#symbol` really stands in the sources.
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** Comments do not declare anything. @param {string} source */
const withoutComments = (source) => source.replace(/^\s*\/\*[\s\S]*?\*\//gm, '').replace(/^\s*\/\/.*$/gm, '');

/** @param {string} text */
const escaped = (text) => text.replace(/[$.*+?^{}()|[\]\\]/g, '\\$&');

/**
 * @param {string} source
 * @param {string} symbol `name` or `Class.member`
 */
export function declares(source, symbol) {
	const code = withoutComments(source);
	const [name = '', member] = symbol.split('.').map(escaped);
	const declared =
		new RegExp(`\\b(?:function\\*?|class|const|let|interface|type)\\s+${name}(?![\\w$])`).test(code) ||
		new RegExp(`\\bexport\\s*\\{[^}]*(?<![\\w$])${name}(?![\\w$])[^}]*\\}`).test(code);
	if (!declared || member === undefined) return declared;
	const modifiers = '(?:(?:public|protected|private|static|override|readonly|async|get|set)\\s+|\\*\\s*)*';
	return new RegExp(`^\\s+${modifiers}#?${member}\\s*[(<=:?!;]`, 'm').test(code);
}

/**
 * Why a guard does not resolve, or undefined if it does.
 * @param {string} guard `file#symbol`
 * @param {string} root
 * @returns {string | undefined}
 */
export function unresolved(guard, root) {
	const [file, symbol, ...rest] = guard.split('#');
	if (!file || !symbol || rest.length) return `guard "${guard}" is not of the form file#symbol`;
	const path = join(root, file);
	if (!existsSync(path)) return `guard ${guard}: no such file`;
	const source = readFileSync(path, 'utf8');
	const found = file.endsWith('.json')
		? Object.hasOwn(JSON.parse(source), symbol)
		: declares(source, symbol) || (file.endsWith('.svelte') && basename(file, '.svelte') === symbol);
	return found ? undefined : `guard ${guard}: the file declares no ${symbol}`;
}
