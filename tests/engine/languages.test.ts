import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { en, es, extend, type Language, type Situation } from '../../src/lib/langs/index.js';

type Words = Readonly<Record<string, unknown>>;
type Say = (...args: unknown[]) => unknown;

/** Every key of a language with its path, down to texts and functions. */
function leaves(words: object, path = ''): [path: string, leaf: unknown][] {
	return Object.entries(words as Words).flatMap(([key, leaf]): [string, unknown][] => {
		const here = path === '' ? key : `${path}.${key}`;
		return typeof leaf === 'object' && leaf !== null ? leaves(leaf, here) : [[here, leaf]];
	});
}

const said = Object.fromEntries(leaves(en));

/** What the compiler says about the fixture, with `text` in its place if there is any. */
function complaints(text?: string): string[] {
	const file = resolve('tests/fixtures/languages.ts');
	const options: ts.CompilerOptions = {
		strict: true,
		noEmit: true,
		skipLibCheck: true,
		types: [],
		lib: ['lib.esnext.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
		target: ts.ScriptTarget.ESNext,
		module: ts.ModuleKind.ESNext,
		moduleResolution: ts.ModuleResolutionKind.Bundler
	};
	const host = ts.createCompilerHost(options);
	const { getSourceFile } = host;
	host.getSourceFile = (path, language) =>
		text !== undefined && resolve(path) === file
			? ts.createSourceFile(path, text, language)
			: getSourceFile.call(host, path, language);
	const program = ts.createProgram([file], options, host);
	return program
		.getSemanticDiagnostics(program.getSourceFile(file))
		.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

describe('a language of your own', () => {
	test('does not compile while a key is missing or takes something else', () => {
		expect(complaints()).toEqual([]);
	}, 60_000);

	test('and the compiler would say so if it did', () => {
		const fixture = readFileSync('tests/fixtures/languages.ts', 'utf8');
		const unchecked = fixture.replaceAll(/: (Partial)?Language = /g, ': any = ');
		expect(complaints(unchecked).filter((text) => text.includes('@ts-expect-error'))).toHaveLength(
			fixture.match(/\/\/ @ts-expect-error/g)!.length
		);
	}, 60_000);

	test('says its own words where it has some, and those of its base elsewhere, on every level', () => {
		const fr = extend(en, {
			code: 'fr',
			aura: { pause: 'Suspendre', is: { paused: 'est en pause' }, stop: (agent) => `Arrêter ${agent}` }
		});
		expect(fr.code).toBe('fr');
		expect(fr.aura.pause).toBe('Suspendre');
		expect(fr.aura.stop('Ada')).toBe('Arrêter Ada');
		expect(fr.aura.is.paused).toBe('est en pause');
		expect(fr.aura.is.thinking).toBe(en.aura.is.thinking);
		expect(fr.describe).toEqual(en.describe);
		expect(leaves(fr).map(([path]) => path)).toEqual(leaves(en).map(([path]) => path));
	});

	test('changes neither what it is made from nor what it is made of', () => {
		const before = structuredClone(leaves(en).filter(([, leaf]) => typeof leaf === 'string'));
		const own = { aura: { pause: 'Halt', is: { paused: 'rests' } } };
		const mine = extend(extend(en, own), { aura: { resume: 'Go on' } });
		expect([mine.aura.pause, mine.aura.resume, mine.aura.is.paused]).toEqual(['Halt', 'Go on', 'rests']);
		expect(leaves(en).filter(([, leaf]) => typeof leaf === 'string')).toEqual(before);
		expect(own).toEqual({ aura: { pause: 'Halt', is: { paused: 'rests' } } });
	});

	test('takes nothing that no surface says: not by a prototype, not by a gap', () => {
		const hostile = JSON.parse(
			'{"__proto__":{"stolen":true},"aura":{"pause":null,"toString":"x","more":"y"}}'
		);
		const mine = extend(en, hostile as object);
		expect(mine.aura.pause).toBe('Pause');
		expect('stolen' in mine).toBe(false);
		expect('more' in mine.aura).toBe(false);
		expect(Object.hasOwn(mine.aura, 'toString')).toBe(false);
		expect(({} as Words)['stolen']).toBeUndefined();
	});
});

describe('Spanish', () => {
	/** What is the same in both, and rightly so. */
	const SAME = new Set(['reviewCard.no', 'talk.plan', 'talk.limits.tokens', 'runTrail.facts.tokens']);

	test('has the keys of English, each of the same sort', () => {
		expect(
			leaves(es)
				.map(([path, leaf]) => `${path}: ${typeof leaf}`)
				.sort()
		).toEqual(
			leaves(en)
				.map(([path, leaf]) => `${path}: ${typeof leaf}`)
				.sort()
		);
	});

	test('says it otherwise than English wherever there are words', () => {
		const left = leaves(es)
			.filter(([path, leaf]) => typeof leaf === 'string' && /\p{L}{2}/u.test(leaf) && leaf === said[path])
			.map(([path]) => path);
		expect(left.filter((path) => !SAME.has(path))).toEqual([]);
		expect(es.describe).not.toBe(en.describe);
	});

	test('keeps to its own rules for one and many, lists and numbers', () => {
		expect([es.aura.steps(1), es.aura.steps(2), es.aura.steps(0)]).toEqual(['1 paso', '2 pasos', '0 pasos']);
		expect([en.aura.steps(1), en.aura.steps(2), en.aura.steps(0)]).toEqual(['1 step', '2 steps', '0 steps']);
		expect(es.aura.list(['A', 'B', 'Iris'])).toBe('A, B e Iris');
		expect(es.aura.list(['A', 'B'])).toBe('A y B');
		expect(en.aura.list(['A', 'B', 'C'])).toBe('A, B and C');
		expect(es.aura.amount.tokens(12_500)).toContain('12.500');
		expect(en.aura.amount.tokens(12_500)).toContain('12,500');
		expect([es.talk.spent.cost(0.5, 2), en.talk.spent.cost(0.5, 2)]).toEqual([
			'0,50 de 2,00',
			'0.50 of 2.00'
		]);
	});
});

describe.each([
	['English', en],
	['Spanish', es]
] as [string, Language][])('%s, with whatever somebody calls things', (_, lang) => {
	const WORDS = {
		'bidi controls': '\u202Egnp.\u2066exe\u2069\u200F\u061C',
		'10,000 characters': 'a\u0301'.repeat(5_000),
		markup: '<img src=x onerror=alert(1)>${x}%s{0}$&',
		nothing: '',
		'half a letter': '\uD83D'
	};
	/** Takes every place of an argument: a text, a number, a list and facts at once, as each function asks for one of them. */
	const argument = (text: string, kind: 'text' | 'number' | 'list' | 'facts'): unknown =>
		kind === 'text' ? text : kind === 'number' ? text.length : kind === 'list' ? [text, text] : facts(text);
	const facts = (text: string): Situation & { name: string } => ({
		kind: 'reviewing',
		agent: text,
		where: [text, text],
		steps: 2,
		final: 1,
		tainted: 1,
		sources: [text],
		at: 1,
		done: 1,
		rejected: 1,
		refused: 1,
		failed: 1,
		unknown: 1,
		skipped: 1,
		proposed: 1,
		more: 2,
		undoable: true,
		reason: text,
		name: text
	});
	const KINDS = ['text', 'number', 'list', 'facts'] as const;
	/** A text, or one in pieces. */
	const isSaid = (answer: unknown): boolean =>
		typeof answer === 'object' && answer !== null
			? Object.values(answer).every(isSaid)
			: typeof answer === 'string' || answer === undefined;
	/** Every way to fill up to three places. */
	const fillings = KINDS.flatMap((a) => KINDS.flatMap((b) => KINDS.map((c) => [a, b, c] as const)));

	test.each(Object.entries(WORDS))('no function fails at %s', (_, text) => {
		const functions = leaves(lang).filter(([, leaf]) => typeof leaf === 'function') as [string, Say][];
		expect(functions.length).toBeGreaterThan(100);
		const broken = functions.filter(
			([, say]) =>
				!fillings.some((kinds) => {
					try {
						const answer = say(...kinds.map((kind) => argument(text, kind)));
						return isSaid(answer);
					} catch {
						return false;
					}
				})
		);
		expect(broken.map(([path]) => path)).toEqual([]);
	});

	test.each(Object.entries(WORDS))('every sentence about a run stands with %s in it', (_, text) => {
		for (const [kind, say] of Object.entries(lang.describe) as [string, Say][])
			expect(String(say({ ...facts(text), kind })), kind).not.toMatch(/undefined|NaN|\[object/);
	});
});
