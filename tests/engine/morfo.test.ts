import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { announcerMorfo } from '../../src/lib/canon/surfaces/announcer/announcer.morfo.js';
import { auraMorfo } from '../../src/lib/canon/surfaces/aura/aura.morfo.js';
import { turnLineMorfo } from '../../src/lib/canon/surfaces/aura/turn-line.morfo.js';
import { questionMorfo } from '../../src/lib/canon/surfaces/question/question.morfo.js';
import { reviewCardMorfo } from '../../src/lib/canon/surfaces/review-card/review-card.morfo.js';
import { formMorfo } from '../../src/lib/canon/participants/form/form.morfo.js';
import { defineMorfo, validateMorfo, type Consumer, type Morfo } from '../../src/lib/uix/morfo/index.js';
import { VOCABULARY } from '../../src/lib/uix/sema/index.js';
import { reach, readFromDisk } from './import-graph.js';

const found = import.meta.glob<Record<string, Morfo>>('../../src/lib/{canon,blocks}/**/*.morfo.ts', {
	eager: true
});
const morfos = Object.values(found).flatMap((module) => Object.values(module));

/** Every source file below a folder. */
function sources(folder: string): string[] {
	return readdirSync(folder, { recursive: true, encoding: 'utf8' })
		.filter((file) => /\.(ts|svelte)$/.test(file))
		.map((file) => join(folder, file));
}

/** A contract with one fault, made from plain data as it may come from elsewhere. */
function broken(change: object): Morfo {
	const sound = {
		name: 'lamp',
		parts: { root: { element: 'div', attributes: { 'data-state': ['on', 'off'] } } },
		events: { lit: { family: 'commit', verb: 'apply', intent: 'affirm' } },
		states: ['on', 'off'],
		consumers: { 'data-state': ['eidos', 'component'] }
	};
	return { ...sound, ...change } as unknown as Morfo;
}

describe('a contract', () => {
	it('keeps its literals', () => {
		const lamp = defineMorfo({
			name: 'lamp',
			parts: { root: { element: 'div' } },
			events: {},
			states: ['on', 'off']
		});
		const state: 'on' | 'off' = lamp.states[0];
		expect(state).toBe('on');
	});

	it('is plain data: it survives a trip through JSON', () => {
		for (const morfo of morfos) expect(JSON.parse(JSON.stringify(morfo))).toEqual(morfo);
	});

	it('S2-53 is sound for every surface and participant', () => {
		expect(morfos.length).toBeGreaterThanOrEqual(6);
		for (const morfo of morfos) expect(validateMorfo(morfo)).toEqual([]);
	});

	it('is named once in the house', () => {
		const names = morfos.map((morfo) => morfo.name);
		expect(names).toEqual([...new Set(names)]);
	});

	it('S2-53 of each agent surface declares its delegate events', () => {
		expect(reviewCardMorfo.events).toMatchObject({
			plan: { family: 'delegate', verb: 'plan' },
			risk: { family: 'signal', verb: 'warn', intent: 'risk' },
			review: { family: 'delegate', verb: 'review' },
			authorize: { family: 'delegate', verb: 'authorize' }
		});
		expect(auraMorfo.events.processing).toEqual({ family: 'sustain', verb: 'processing' });
		expect(auraMorfo.events.applied).toEqual({ family: 'commit', verb: 'apply', intent: 'affirm' });
		expect(auraMorfo.events.returned).toEqual({ family: 'delegate', verb: 'return' });
		expect(questionMorfo.events.escalate).toEqual({ family: 'delegate', verb: 'escalate' });
	});

	it('S2-08 has a named emitter for each of the seven verbs, and Aura can stand in for every surface', () => {
		const verbs = (list: readonly Morfo[]) =>
			new Set(
				list
					.flatMap((morfo) => Object.values(morfo.events))
					.filter((event) => event.family === 'delegate')
					.map((event) => event.verb)
			);
		expect([...verbs([auraMorfo])].sort()).toEqual([...VOCABULARY.delegate].sort());
		expect([...verbs([reviewCardMorfo, questionMorfo])].sort()).toEqual([
			'authorize',
			'escalate',
			'plan',
			'review'
		]);
	});

	it('S2-06 lets no delegate event carry an intent', () => {
		const delegates = morfos
			.flatMap((morfo) => Object.values(morfo.events))
			.filter((event) => event.family === 'delegate');
		expect(delegates.length).toBeGreaterThan(0);
		for (const event of delegates) expect(event).not.toHaveProperty('intent');
	});

	it('S2-124 of a participant allows delegate for everything an agent may cause', () => {
		for (const event of Object.values(formMorfo.events)) expect(event.allowedFamilies).toContain('delegate');
	});

	it('S2-123 has two readers or more for each attribute', () => {
		for (const morfo of morfos)
			for (const part of Object.values(morfo.parts))
				for (const attribute of Object.keys(part.attributes ?? {}))
					expect(
						new Set(morfo.consumers?.[attribute]).size,
						`${morfo.name} ${attribute}`
					).toBeGreaterThanOrEqual(2);
	});

	it('S2-123 tells the truth about components, stamps and tests that read an attribute', () => {
		const claims = Object.entries(found).flatMap(([path, module]) =>
			Object.values(module).flatMap((morfo) =>
				Object.entries(morfo.consumers ?? {}).map(([attribute, consumers]) => ({
					path,
					attribute,
					consumers
				}))
			)
		);
		expect(claims.length).toBeGreaterThan(20);
		const untrue: string[] = [];
		for (const { path, attribute, consumers } of claims) {
			const camel = attribute
				.replace(/^data-/, '')
				.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
			const names = (text: string) => text.includes(attribute) || text.includes(`dataset.${camel}`);
			const beside = sources(dirname(join(process.cwd(), 'tests/engine', path))).filter(
				(file) => !file.endsWith('.morfo.ts')
			);
			const readers: Partial<Record<Consumer, string[]>> = {
				component: beside,
				sema: [join(process.cwd(), 'src/lib/uix/sema/stamp.ts')],
				test: sources(join(process.cwd(), 'tests')).filter((file) => !file.endsWith('morfo.test.ts'))
			};
			for (const consumer of consumers)
				if (readers[consumer] && !readers[consumer].some((file) => names(readFileSync(file, 'utf8'))))
					untrue.push(`${path} ${attribute}: ${consumer}`);
		}
		expect(untrue).toEqual([]);
	});

	it(
		'stays out of what an app loads: surfaces reach no contract when they run, only its events',
		{
			timeout: 60_000
		},
		() => {
			const { files } = reach(join(process.cwd(), 'src/lib/index.ts'), readFromDisk);
			const reached = [...files].map((file) => file.replace(/\\/g, '/'));
			expect(reached.filter((file) => file.endsWith('.events.ts')).length).toBeGreaterThanOrEqual(5);
			expect(reached.filter((file) => file.endsWith('.morfo.ts'))).toEqual([]);
		}
	);

	it('S2-123 carries no capability manifest', () => {
		const allowed = ['name', 'parts', 'events', 'states', 'consumers'];
		for (const morfo of morfos)
			expect(Object.keys(morfo).filter((key) => !allowed.includes(key))).toEqual([]);
	});

	it('S2-09 offers a way to stop and a way to take back, and tells the two apart from a decision', () => {
		const action = turnLineMorfo.parts.action.attributes['data-action'];
		expect(action).toEqual(expect.arrayContaining(['stop', 'pause', 'resume', 'undo']));
		expect(auraMorfo.parts.action.attributes['data-action']).toContain('stop');
		expect(reviewCardMorfo.parts.action.attributes['data-action']).toContain('later');
	});

	it('S2-107 keeps a polite region apart from the one that interrupts', () => {
		expect(announcerMorfo.parts.polite.aria['aria-live']).toBe('polite');
		expect(announcerMorfo.parts.assertive.aria['aria-live']).toBe('assertive');
	});
});

describe('the lint of a contract', () => {
	it('finds nothing in a sound one', () => {
		expect(validateMorfo(broken({}))).toEqual([]);
	});

	it.each([
		['a name that is not kebab case', { name: 'Lamp One' }, /kebab/],
		['a missing root', { parts: {} }, /no part "root"/],
		['a part without element', { parts: { root: { element: '' } } }, /names no element/],
		['states that differ from the root', { states: ['on'] }, /states differ/],
		['a state named twice', { states: ['on', 'on'] }, /twice/],
		['an attribute with one reader', { consumers: { 'data-state': ['eidos'] } }, /two consumers/],
		[
			'an attribute whose two readers are one',
			{ consumers: { 'data-state': ['eidos', 'eidos'] } },
			/two consumers/
		],
		['an event without family', { events: { lit: { verb: 'apply' } } }, /no family/],
		['an unknown family', { events: { lit: { family: 'shine', verb: 'apply' } } }, /unknown family "shine"/],
		[
			'a verb of another family',
			{ events: { lit: { family: 'commit', verb: 'plan' } } },
			/no verb of commit/
		],
		[
			'an unknown intent',
			{ events: { lit: { family: 'commit', verb: 'apply', intent: 'joy' } } },
			/unknown intent/
		],
		[
			'S2-06 a delegate with an intent',
			{ events: { lit: { family: 'delegate', verb: 'act', intent: 'affirm' } } },
			/intent belongs to the result/
		],
		[
			'an unknown allowed family',
			{ events: { lit: { family: 'commit', verb: 'apply', allowedFamilies: ['shine'] } } },
			/allows the unknown family/
		],
		[
			'a word every object inherits',
			{ events: { lit: { family: 'constructor', verb: 'apply' } } },
			/unknown family/
		]
	])('names %s', (_, change, sentence) => {
		expect(validateMorfo(broken(change)).join('\n')).toMatch(sentence);
	});
});
