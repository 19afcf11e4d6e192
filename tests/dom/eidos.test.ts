import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import postcss from 'postcss';
import parseSelector from 'postcss-selector-parser';
import { describe, expect, it } from 'vitest';
import { SHARED_PARTS, type Morfo, type MorfoPart } from '../../src/lib/uix/morfo/index.js';
import { INTENTS, VOCABULARY } from '../../src/lib/uix/sema/index.js';

const folder = join(process.cwd(), 'src/lib/uix/eidos');
const sheets = Object.fromEntries(
	readdirSync(folder)
		.filter((file) => file.endsWith('.css'))
		.map((file) => [file, readFileSync(join(folder, file), 'utf8')])
);
/** What comes with the bodies of the surfaces is a list and nothing else. */
const { 'late.css': late = '', ...sheetsOfRules } = sheets;
const entry = readFileSync(join(process.cwd(), 'src/lib/styles.css'), 'utf8');
const contracts = import.meta.glob<Record<string, Morfo>>('../../src/lib/{canon,blocks}/**/*.morfo.ts', {
	eager: true
});
const morfos = Object.values(contracts).flatMap((module) => Object.values(module));

/** Attributes an app sets on any element of its own to change the tokens below it. */
const SWITCHES: Record<string, readonly string[]> = { 'data-density': ['compact', 'roomy'] };
const CHANNEL: Record<string, readonly string[]> = {
	'data-event-family': Object.keys(VOCABULARY),
	'data-event-verb': Object.values(VOCABULARY).flat(),
	'data-event-intent': INTENTS,
	'data-event-actor': ['human', 'agent', 'rule', 'app', 'outside']
};

interface Selected {
	sheet: string;
	selector: string;
	/** Surface or participant the selector is scoped to; several for `:is()`. */
	owners: string[];
	attributes: { name: string; value: string | undefined }[];
}

function selectedIn(css: string, sheet = 'seeded.css'): Selected[] {
	const selected: Selected[] = [];
	postcss.parse(css, { from: sheet }).walkRules((rule) => {
		const parent = rule.parent;
		if (parent?.type === 'atrule' && /keyframes$/.test((parent as postcss.AtRule).name)) return;
		for (const one of parseSelector().astSync(rule.selector).nodes) {
			const attributes: Selected['attributes'] = [];
			one.walkAttributes((node) => void attributes.push({ name: node.attribute, value: node.value }));
			const owners = attributes
				.filter(({ name }) => name === 'data-surface' || name === 'data-participant')
				.flatMap(({ value }) => (value === undefined ? [] : [value]));
			selected.push({ sheet, selector: String(one).trim(), owners, attributes });
		}
	});
	return selected;
}

const allSelected = Object.entries(sheets).flatMap(([sheet, css]) => selectedIn(css, sheet));

/** One sentence for each promise a selector takes for granted and no contract gives. */
function faultsOf({ sheet, selector, owners, attributes }: Selected): string[] {
	const faults: string[] = [];
	const asked = owners.length === 0 ? morfos : morfos.filter(({ name }) => owners.includes(name));
	const parts: MorfoPart[] = [
		...asked.flatMap((morfo) => Object.values(morfo.parts)),
		...Object.values(SHARED_PARTS)
	];
	const names = new Set([
		...asked.flatMap((morfo) => Object.keys(morfo.parts)),
		...Object.keys(SHARED_PARTS)
	]);
	for (const { name, value } of attributes) {
		if (!name.startsWith('data-') || SWITCHES[name]) continue;
		if (name === 'data-part') {
			if (!names.has(value!)) faults.push(`${sheet}: no contract has the part "${value}" (${selector})`);
			continue;
		}
		const promised = parts.flatMap((part) =>
			part.attributes?.[name] === undefined ? [] : [part.attributes[name]]
		);
		const values = promised.flat();
		const open =
			promised.some((one) => typeof one === 'string') || value === undefined || name === 'data-glyph';
		if (promised.length === 0) faults.push(`${sheet}: no contract has the attribute "${name}" (${selector})`);
		else if (!open && !values.includes(value))
			faults.push(`${sheet}: "${name}" is never "${value}" (${selector})`);
		if (CHANNEL[name] && value !== undefined && !CHANNEL[name].includes(value))
			faults.push(`${sheet}: the vocabulary has no "${value}" (${selector})`);
	}
	return faults;
}

/** Everything is scoped below something the library itself puts there. */
function reachesTheApp({ sheet, selector }: Selected): boolean {
	if (sheet === 'tokens.css') return !/^(:root|\[data-(density|agent|by)(='[a-z]+')?\])$/.test(selector);
	return !/\[data-(surface|participant|aura-host)\b/.test(selector);
}

describe('the default look', () => {
	it('reads every sheet there is', () => {
		expect(Object.keys(sheets).length).toBeGreaterThanOrEqual(8);
		expect(allSelected.length).toBeGreaterThan(200);
	});

	it('selects only what a contract promises', () => {
		expect(allSelected.flatMap(faultsOf)).toEqual([]);
	});

	it.each([
		["[data-surface='aurora'] { color: red }", /no contract has the attribute "data-surface"/],
		["[data-surface='aura'] [data-part='halo'] { color: red }", /no contract has the part "halo"/],
		["[data-surface='aura'] [data-part='steps'] { color: red }", /no contract has the part "steps"/],
		["[data-surface='aura'][data-state='glowing'] { color: red }", /never "glowing"/],
		["[data-surface='review-card'] [data-verdict='maybe'] { color: red }", /never "maybe"/],
		["[data-surface='aura'][data-mood='blue'] { color: red }", /no contract has the attribute "data-mood"/],
		["@media print { [data-surface='aura']:not([data-state='lost']) { color: red } }", /never "lost"/]
	])('would notice %s', (css, sentence) => {
		expect(selectedIn(css).flatMap(faultsOf).join('\n')).toMatch(sentence);
	});

	it('touches nothing of the app', () => {
		expect(allSelected.filter(reachesTheApp).map(({ sheet, selector }) => `${sheet}: ${selector}`)).toEqual(
			[]
		);
		for (const css of ['button { color: red }', "[data-part='title'] { color: red }", '.card { color: red }'])
			expect(selectedIn(css).some(reachesTheApp)).toBe(true);
	});

	it('never selects by class or id', () => {
		const names = allSelected.filter(({ selector }) => /[.#][a-z]/i.test(selector.replace(/'[^']*'/g, '')));
		expect(names.map(({ selector }) => selector)).toEqual([]);
		expect(selectedIn('[data-surface] .card {}').some(({ selector }) => /[.#][a-z]/i.test(selector))).toBe(
			true
		);
	});

	it('lies in layers, so that what the app writes wins', () => {
		for (const [path, css] of Object.entries(sheetsOfRules)) {
			const outside = postcss
				.parse(css)
				.nodes.filter(
					(node) => node.type !== 'comment' && !(node.type === 'atrule' && node.name === 'layer')
				);
			expect(outside.map(String), path).toEqual([]);
		}
	});

	it('does not decide whether the app is dark', () => {
		for (const css of Object.values(sheets))
			postcss.parse(css).walkDecls((decl) => expect(decl.prop).not.toBe('color-scheme'));
		expect(Object.values(sheets).join()).toContain('light-dark(');
	});

	it('paints every part, or says why not', () => {
		const bare = morfos.flatMap((morfo) => {
			const mine = allSelected.filter(({ owners }) => owners.length === 0 || owners.includes(morfo.name));
			const attributes = mine.flatMap((one) => one.attributes);
			const painted = new Set(
				attributes.filter(({ name }) => name === 'data-part').map(({ value }) => value)
			);
			// A part may also be known by an attribute that it alone carries.
			const known = (part: MorfoPart) =>
				Object.keys(part.attributes ?? {}).some(
					(own) =>
						attributes.some(({ name }) => name === own) &&
						Object.values(morfo.parts as Morfo['parts']).filter((other) => other.attributes?.[own]).length ===
							1
				);
			return Object.entries(morfo.parts)
				.filter(
					([name, part]) =>
						name !== 'root' && !painted.has(name) && !known(part) && part.unstyled === undefined
				)
				.map(([name]) => `${morfo.name} ${name}`);
		});
		expect(bare).toEqual([]);
		for (const { name } of morfos)
			expect(
				allSelected.some(({ owners }) => owners.includes(name)),
				name
			).toBe(true);
	});

	it('S2-123 reads each attribute a contract says it reads', () => {
		const claims = morfos.flatMap((morfo) =>
			Object.entries(morfo.consumers ?? {})
				.filter(([, consumers]) => consumers.includes('eidos'))
				.map(([attribute]) => ({ morfo: morfo.name, attribute }))
		);
		expect(claims.length).toBeGreaterThan(20);
		const idle = claims.filter(
			({ morfo, attribute }) =>
				!allSelected.some(
					({ owners, attributes }) =>
						(owners.length === 0 || owners.includes(morfo)) &&
						attributes.some(({ name }) => name === attribute)
				)
		);
		expect(idle).toEqual([]);
	});

	it('draws each state of Aura and of a seat as a line of its own, not by colour alone', () => {
		for (const name of ['acting', 'ask', 'paused', 'failed'])
			expect(sheets['base.css']).toMatch(
				new RegExp(`data-state=[^{}]*{\\s*--ax-line: var\\(--ax-line-${name}\\)`)
			);
		for (const sheet of ['aura', 'turn-line']) expect(sheets[`${sheet}.css`]).toContain('var(--ax-line)');
		const styles = [...sheets['tokens.css']!.matchAll(/--ax-line-\w+: \d+px (\w+)/g)].map(
			(match) => match[1]
		);
		expect(new Set(styles)).toEqual(new Set(['solid', 'double', 'dashed', 'dotted']));
	});

	it('moves nothing where motion is reduced, and knows more contrast, forced colours and right to left', () => {
		for (const [path, css] of Object.entries(sheets)) {
			postcss.parse(css).walkDecls(/^(animation|animation-name)$/, (decl) => {
				const media = (decl.parent?.parent as postcss.AtRule | undefined)?.params ?? '';
				expect(media, path).toBe('(prefers-reduced-motion: no-preference)');
			});
			postcss.parse(css).walkDecls((decl) => {
				const physical =
					/^(margin|padding|border|inset)-(left|right)|^(left|right|text-align: (left|right))$/;
				expect(physical.test(decl.prop), `${path} ${decl}`).toBe(false);
			});
		}
		const all = Object.values(sheets).join('\n');
		for (const query of ['forced-colors: active', 'prefers-contrast: more', 'max-width: 720px', ':dir(rtl)'])
			expect(all).toContain(query);
	});

	it('uses no token that is not there', () => {
		const given = new Set<string>();
		const taken = new Set<string>();
		for (const css of Object.values(sheets))
			postcss.parse(css).walkDecls((decl) => {
				if (decl.prop.startsWith('--')) given.add(decl.prop);
				for (const [, name] of decl.value.matchAll(/var\((--[\w-]+)/g)) taken.add(name!);
			});
		expect([...taken].filter((name) => !given.has(name))).toEqual([]);
	});

	it('is whole in one entry and in what comes late', () => {
		const named = (css: string) =>
			[...css.matchAll(/@import '\.\/(?:uix\/eidos\/)?([\w-]+\.css)'/g)].map((match) => match[1]!);
		expect([...named(entry), ...named(late), 'late.css'].sort()).toEqual(Object.keys(sheets).sort());
		expect(named(late).filter((name) => named(entry).includes(name))).toEqual([]);
	});
});
