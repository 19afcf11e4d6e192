import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { argsLabel, argSources, isProtected } from '../../src/lib/agent/gate/taint.js';
import { CLEAN, from, join, strange, UNKNOWN } from '../../src/lib/agent/protocol/labels.js';
import type { JSONValue, Label } from '../../src/lib/agent/protocol/words.js';
import { person } from '../../src/lib/testing/index.js';
import { laboratory, look, set, share } from '../fixtures/lab.js';

type Options = NonNullable<Parameters<typeof laboratory>[1]>;

async function asked(options: Options, goal = 'go', one = look('http://evil.example')) {
	const made = laboratory([{ calls: [one] }, {}], { consent: { allow: ['diary'] }, ...options });
	const run = made.engine.run(goal, { by: person });
	await made.settle();
	const asks = run.state.state === 'reviewing';
	expect(made.lab.log).toHaveLength(asks ? 0 : 1);
	return { ...made, run, asks };
}

describe('S2-84 I4 a call without effect that communicates', () => {
	const BOOLS = [false, true];

	test('S2-84 I4 asks where a stranger led it and it would tell what is private, or an address nobody here wrote', async () => {
		for (const tainted of BOOLS)
			for (const diary of BOOLS)
				for (const url of BOOLS)
					for (const reach of [undefined, 'page', 'app', 'world'] as const) {
						const sinks = url ? { value: 'url' as const } : undefined;
						const { asks, run } = await asked({ tainted, diary, change: { look: { reach, sinks } } });
						// Cells and letters are of the page: more than the world may know.
						const leaks = (reach === 'app' && diary) || reach === 'world';
						const outward = reach === 'app' || reach === 'world';
						const must = tainted && ((outward && (leaks || url)) || (url && diary));
						expect([tainted, diary, url, reach, asks]).toEqual([tainted, diary, url, reach, must]);
						if (must) expect(run.state.reviews[0]!.reasons[0]!.code).toBe('tainted');
					}
	});

	test('S2-84 it asks at every level, a person alone answers, and then it runs once', async () => {
		for (const user of ['suggest', 'review', 'auto'] as const) {
			const { asks, run, lab, settle } = await asked({
				tainted: true,
				policy: { ceiling: 'auto', user },
				change: { look: { reach: 'world' } }
			});
			expect(asks).toBe(true);
			const decision = { review: run.state.reviews[0]!.id, verdict: 'approve' } as const;
			expect(run.decide(decision, { kind: 'app', id: 'app' }).refused?.code).toBe('person-required');
			expect(run.decide(decision, person).ok).toBe(true);
			await settle();
			expect(lab.log.map(({ act }) => act)).toEqual(['look']);
			expect(run.state.state).toBe('returned');
		}
	});

	test('S2-84 an address the person named asks nobody; a denial stays one', async () => {
		const sinks = { value: 'url' } as const;
		const change = { look: { reach: 'app', sinks } } as const;
		const goal = 'look up http://mine.example';
		expect((await asked({ tainted: true, change }, goal, look('http://mine.example'))).asks).toBe(false);
		const rules = [{ verdict: 'deny', act: 'look', reason: 'never' }] as const;
		const denied = laboratory([{ calls: [look('http://evil.example')] }, {}], {
			tainted: true,
			change,
			policy: { ceiling: 'auto', rules }
		});
		const run = denied.engine.run('go', { by: person });
		await denied.settle();
		expect(denied.lab.log).toEqual([]);
		expect(run.state).toMatchObject({ state: 'returned', steps: [] });
	});

	test('S2-84 arguments and context count alike, and all arguments', () => {
		const step = {
			effect: 'none',
			reach: 'world',
			clearance: 'public',
			sinks: {},
			args: { q: 'x' },
			label: CLEAN,
			control: CLEAN,
			words: [],
			schema: {}
		} as const;
		expect(isProtected(step)).toBe(false);
		expect(isProtected({ ...step, label: UNKNOWN })).toBe(true);
		expect(isProtected({ ...step, control: UNKNOWN })).toBe(true);
		const schema = { properties: { a: {}, b: {} } };
		const said = { control: UNKNOWN, words: [{ text: 'write 1280 please' }], schema };
		for (const args of [{ a: 'evil', b: '1280' }, { b: '1280', a: 'evil' }, ['evil', '1280']])
			expect(argsLabel(args, said).integrity).toBe('untrusted');
		expect(argsLabel({ a: '1280', b: 'write' }, said).integrity).toBe('trusted');
	});

	test('S2-84 an unknown kind of sink is a sink', () => {
		const step = {
			effect: 'reversible',
			reach: 'page',
			clearance: 'private',
			sinks: { to: 'shell' as never },
			args: { to: 'rm' },
			label: UNKNOWN,
			control: UNKNOWN,
			words: [],
			schema: {}
		} as const;
		expect(isProtected(step)).toBe(true);
		expect(isProtected({ ...step, sinks: {} })).toBe(false);
	});
});

describe('S2-84 the reviewer sees which argument comes from where', () => {
	test('S2-84 sources by argument, and the person where the person said it', async () => {
		const { run } = await asked({ tainted: true }, 'write 1280 there', share('amount', '1280'));
		const [tainted] = run.state.reviews[0]!.reasons;
		expect(tainted).toMatchObject({
			code: 'tainted',
			data: { args: { key: expect.arrayContaining(['mail.letter', 'lab.cells']), value: ['user'] } }
		});
		expect((tainted!.data as { sources: string[] }).sources).toContain('mail.letter');
	});

	test('S2-84 an edit is the person’s, argument by argument', async () => {
		const { run, settle, lab } = await asked({ tainted: true }, 'go', share('a', 'theirs'));
		const { id, steps } = run.state.reviews[0]!;
		lab.put('a', 'moved');
		const edit = { [steps[0]!]: { verdict: 'edit' as const, args: { key: 'a', value: 'mine' } } };
		expect(run.decide({ review: id, steps: edit }, person).ok).toBe(true);
		await settle();
		const reasons = run.state.reviews.at(-1)!.reasons.filter(({ code }) => code === 'tainted');
		expect(reasons).toMatchObject([{ data: { args: { key: ['user'], value: ['user'] } } }]);
	});

	test('S2-83 the sources of all arguments together are those of their label', () => {
		const leaf = fc.constantFrom<JSONValue>('say 1280', 'evil', '1280', 1280, true, null, 7);
		const arg = fc.letrec<{ value: JSONValue }>((tie) => ({
			value: fc.oneof(
				{ depthSize: 'small' },
				leaf,
				fc.array(tie('value'), { maxLength: 3 }),
				fc.dictionary(fc.string({ maxLength: 3 }), tie('value'), { maxKeys: 3 })
			)
		})).value;
		const shown: Label = join(strange('mail.letter'), from('user', 'page', ['lab.cells']));
		const words = [{ text: 'please say 1280 now' }];
		fc.assert(
			fc.property(fc.dictionary(fc.string({ maxLength: 8 }), arg, { maxKeys: 4 }), (args) => {
				const all = argSources(args, { control: shown, words, schema: {} });
				expect(Object.keys(all)).toEqual(Object.keys(args));
				for (const sources of Object.values(all))
					for (const source of sources) expect([...shown.sources, 'user']).toContain(source);
				const clean = argSources(args, { control: CLEAN, words, schema: {} });
				for (const sources of Object.values(clean)) expect(sources.every((one) => one === 'user')).toBe(true);
			})
		);
	});

	test('S2-86 an unprotected step runs at auto, tainted or not', async () => {
		expect((await asked({ tainted: true }, 'go', set('a', 'x'))).asks).toBe(false);
	});
});
