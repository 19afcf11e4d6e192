import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fold, verify } from '../../src/lib/agent/index.js';
import { checkAnswer } from '../../src/lib/agent/engine/question.js';
import type { Run } from '../../src/lib/agent/engine/run.js';
import type { AgentTransport, TurnEvent } from '../../src/lib/agent/protocol/turn.js';
import { person } from '../../src/lib/testing/index.js';
import { Lab, laboratory, labManifest, look, set, share, wire } from '../fixtures/lab.js';

const ask = (args: unknown) => ({ name: 'ask', args: args as never });
const pull = (instance: string, read: string, key?: string) => ({
	name: 'pull',
	args: { instance, read, ...(key === undefined ? {} : { key }) }
});
const finish = (text?: string) => ({ name: 'finish', args: (text === undefined ? {} : { text }) as never });
const sound = (run: Run) => {
	expect(verify(run.journal)).toEqual([]);
	expect(fold(run.journal)).toEqual(run.state);
};
const others = ['app', 'rule', 'agent', 'outside'] as const;
const schema = {
	type: 'object',
	properties: {
		n: { type: 'integer', minimum: 1, maximum: 5, description: 'n' },
		who: { type: 'string', enum: ['ada', 'bob'] },
		ok: { type: 'boolean' },
		mail: { type: 'string', format: 'email' }
	},
	required: ['n']
};

describe('S2-43 a question of the model', () => {
	test('S2-43 escalates, resumes with the validated answer, and the model gets it', async () => {
		const { engine, settle, requests, clock } = laboratory([
			{ control: [ask({ text: 'How many?', schema })] },
			{ say: 'Thanks.' }
		]);
		const run = engine.run('go', { by: person });
		await settle();
		expect(run.state).toMatchObject({
			state: 'escalated',
			activity: 'waiting',
			escalations: [{ code: 'question' }]
		});
		const [question] = run.state.questions;
		expect(engine.pending).toEqual([{ kind: 'question', question }]);
		for (const [value, path] of [
			[{}, 'n'],
			[{ n: 0 }, 'n'],
			[{ n: 1.5 }, 'n'],
			[{ n: 1, who: 'eve' }, 'who'],
			[{ n: 1, ok: 'yes' }, 'ok'],
			[{ n: 1, mail: 'nobody' }, 'mail'],
			[{ n: 1, more: 1 }, 'more'],
			['text', '']
		] as const) {
			const report = run.answer(question!.id, value, person);
			expect(report).toMatchObject({ ok: false, refused: { code: 'answer-invalid' } });
			expect(report.issues!.map((issue) => issue.path)).toContain(path);
		}
		expect(run.answer(question!.id, { n: () => 1 }, person)).toMatchObject({ refused: { code: 'not-json' } });
		expect(run.answer('nothing', 1, person)).toMatchObject({ refused: { code: 'question-unknown' } });
		await clock.advance(10_000);
		expect(requests).toHaveLength(1);
		expect(run.answer(question!.id, { n: 3, who: 'ada' }, person)).toEqual({ ok: true });
		expect(run.answer(question!.id, { n: 3 }, person)).toMatchObject({
			refused: { code: 'question-settled' }
		});
		expect(await run.returned).toMatchObject({ kind: 'answered', text: 'Thanks.' });
		expect(requests[1]!.messages.at(-1)).toMatchObject({
			performative: 'inform',
			content: { answer: { n: 3, who: 'ada' } }
		});
		expect(run.answer(question!.id, { n: 3 }, person)).toMatchObject({ refused: { code: 'run-over' } });
		sound(run);
	});

	test('S0-55 who may answer: a person, an app or a rule; never an agent or an outside caller', async () => {
		for (const kind of ['human', ...others] as const) {
			const { engine, settle } = laboratory([{ control: [ask({ text: 'Well?' })] }, {}]);
			const run = engine.run('go', { by: person });
			await settle();
			const report = run.answer(run.state.questions[0]!.id, 'yes', { kind, id: 'x' });
			expect([kind, report.ok]).toEqual([kind, kind !== 'agent' && kind !== 'outside']);
			if (!report.ok) expect(report.refused!.code).toBe('person-required');
			void run.stop('x', person);
		}
	});

	test('S2-44 declined reaches the model as a refusal, not as an answer', async () => {
		const { engine, settle, requests } = laboratory([
			{ control: [ask({ text: 'Well?' })] },
			{ say: 'Then not.' }
		]);
		const run = engine.run('go', { by: person });
		await settle();
		const { id } = run.state.questions[0]!;
		expect(run.decline(id, 'private', { kind: 'agent', id: 'x' })).toMatchObject({
			refused: { code: 'person-required' }
		});
		expect(run.decline('nothing', 'x', person)).toMatchObject({ refused: { code: 'question-unknown' } });
		expect(run.decline(id, 'private', person)).toEqual({ ok: true });
		expect(run.decline(id, 'private', person)).toMatchObject({ refused: { code: 'question-settled' } });
		expect(await run.returned).toMatchObject({ kind: 'answered', text: 'Then not.' });
		expect(requests[1]!.messages.at(-1)).toMatchObject({
			performative: 'refuse',
			content: { refused: { code: 'declined' } }
		});
		sound(run);
	});

	test('S2-44 silence returns control: by the wait of the engine', async () => {
		const { engine, settle, clock } = laboratory([{ control: [ask({ text: 'Well?' })] }], {
			patience: { escalationMs: 1000 }
		});
		const run = engine.run('go', { by: person });
		await settle();
		await clock.advance(1000);
		expect(await run.returned).toMatchObject({ kind: 'refused', reason: { code: 'expired' } });
		expect(run.state.questions[0]!.status).toBe('expired');
		sound(run);
	});

	test('S2-44 an act’s question may say itself when it runs out', async () => {
		const made = laboratory([{ calls: [set('a', 'x')] }]);
		made.lab.next.push(() => ({
			kind: 'escalate',
			question: { text: 'Now?', expiresAt: made.clock.now() + 500 }
		}));
		const run = made.engine.run('go', { by: person });
		await made.settle();
		await made.clock.advance(500);
		expect(await run.returned).toMatchObject({ reason: { code: 'expired' } });
		expect(made.lab.cells.a).toBe('1');
	});

	test('S2-64 a question without text, or with a senseless schema, throws nowhere', async () => {
		for (const args of [{}, { text: '' }, { text: 1 }, []]) {
			const { engine, requests } = laboratory([{ control: [ask(args)] }, {}]);
			await engine.run('go', { by: person }).returned;
			expect(requests[1]!.messages.at(-1)).toMatchObject({ content: { refused: { code: 'args-invalid' } } });
		}
		for (const odd of [
			[],
			{ properties: { a: null } },
			{ type: 'array', items: null },
			{ type: 'object', properties: 'no' },
			{ type: 7 },
			{ enum: 'no' }
		]) {
			const { engine, settle } = laboratory([{ control: [ask({ text: 'Well?', schema: odd })] }, {}]);
			const run = engine.run('go', { by: person });
			await settle();
			for (const value of ['x', 1, ['a'], { a: 1 }, null])
				expect(typeof run.answer(run.state.questions[0]!.id, value, person).ok).toBe('boolean');
			void run.stop('x', person);
		}
	});
});

describe('S2-43 checkAnswer', () => {
	const leaf = fc.oneof(
		fc.record({
			type: fc.constant('string' as const),
			minLength: fc.integer({ min: 0, max: 2 }),
			maxLength: fc.integer({ min: 3, max: 5 })
		}),
		fc.record({
			type: fc.constant('integer' as const),
			minimum: fc.integer({ min: -5, max: 0 }),
			maximum: fc.integer({ min: 1, max: 5 })
		}),
		fc.record({
			type: fc.constant('number' as const),
			exclusiveMinimum: fc.constant(0),
			exclusiveMaximum: fc.constant(9)
		}),
		fc.record({ type: fc.constant('boolean' as const) }),
		fc.record({ enum: fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 3 }) }),
		fc.record({
			type: fc.constant('array' as const),
			uniqueItems: fc.constant(true),
			items: fc.constant({ type: 'string', enum: ['a', 'b', 'c'] }),
			minItems: fc.constant(1),
			maxItems: fc.constant(2)
		})
	);
	const fit = (node: Record<string, unknown>): fc.Arbitrary<unknown> => {
		if (Array.isArray(node.enum)) return fc.constantFrom(...(node.enum as unknown[]));
		switch (node.type) {
			case 'string':
				return fc.string({ minLength: node.minLength as number, maxLength: node.maxLength as number });
			case 'integer':
				return fc.integer({ min: node.minimum as number, max: node.maximum as number });
			case 'number':
				return fc.integer({ min: 1, max: 8 });
			case 'boolean':
				return fc.boolean();
			default:
				return fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 2 });
		}
	};
	test('S2-43 what fits has no issues', () => {
		fc.assert(
			fc.property(
				leaf.chain((node) => fc.tuple(fc.constant(node), fit(node))),
				([node, value]) => {
					expect(checkAnswer(node, value)).toEqual([]);
					const form = { type: 'object', properties: { it: node } };
					expect(checkAnswer(form, { it: value })).toEqual([]);
					expect(checkAnswer(form, {})).toEqual([]);
				}
			)
		);
	});

	test('S2-43 what breaks one word of the schema has an issue at its path', () => {
		const broken: [Record<string, unknown>, unknown][] = [
			[{ type: 'string' }, 1],
			[{ type: 'string', minLength: 2 }, 'a'],
			[{ type: 'string', oneOf: [{ const: 'a', title: 'A' }] }, 'b'],
			[{ anyOf: [{ const: 1 }, { const: 2 }] }, 3],
			[{ type: 'string', maxLength: 2 }, 'abc'],
			[{ type: 'string', format: 'uri' }, 'nowhere'],
			[{ type: 'string', format: 'date' }, 'today'],
			[{ type: 'string', format: 'date-time' }, '2026-11-30'],
			[{ type: 'string', format: 'email' }, 'nobody'],
			[{ type: 'number' }, '1'],
			[{ type: 'number' }, NaN],
			[{ type: 'number', minimum: 1 }, 0],
			[{ type: 'number', maximum: 1 }, 2],
			[{ type: 'number', exclusiveMinimum: 1 }, 1],
			[{ type: 'number', exclusiveMaximum: 1 }, 1],
			[{ type: 'integer' }, 1.5],
			[{ type: 'boolean' }, 'true'],
			[{ enum: ['a'] }, 'b'],
			[{ type: 'array', items: {} }, 'a'],
			[{ type: 'array', items: {}, minItems: 1 }, []],
			[{ type: 'array', items: {}, maxItems: 1 }, [1, 2]],
			[{ type: 'array', items: {}, uniqueItems: true }, [1, 1]],
			[{ type: 'object' }, []],
			[{ type: 'object' }, null]
		];
		for (const [node, value] of broken) {
			const within = { type: 'object', properties: { it: node }, required: ['it'] };
			expect([node, checkAnswer(within, { it: value }).map(({ path }) => path)]).toEqual([node, ['it']]);
			expect(checkAnswer(within, {})).toMatchObject([{ path: 'it' }]);
		}
		expect(checkAnswer({ type: 'array', items: { enum: ['a'] } }, ['a', 'b'])).toMatchObject([{ path: '1' }]);
		expect(checkAnswer({ anyOf: [{ const: 1, title: 'One' }, { const: 2 }] }, 2)).toEqual([]);
		expect(checkAnswer({ oneOf: [{ type: 'string' }, null] }, 2)).toEqual([]);
		expect(checkAnswer(undefined, 'text')).toEqual([]);
		expect(checkAnswer(undefined, 1)).toHaveLength(1);
	});

	test('S0-04 any schema and any value give a list, never a throw', () => {
		const word = fc.oneof(fc.constantFrom('object', 'array', 'string', 'integer', 'boolean'), fc.jsonValue());
		const odd = fc.record(
			{
				type: word,
				properties: fc.oneof(fc.jsonValue(), fc.dictionary(fc.string(), fc.jsonValue())),
				items: fc.jsonValue(),
				enum: fc.jsonValue(),
				required: fc.jsonValue(),
				format: fc.oneof(fc.constantFrom('email', 'toString', '__proto__'), fc.jsonValue()),
				minimum: fc.jsonValue()
			},
			{ requiredKeys: [] }
		);
		fc.assert(
			fc.property(fc.oneof(odd, fc.jsonValue()), fc.jsonValue(), (node, value) => {
				expect(Array.isArray(checkAnswer(node as never, value))).toBe(true);
			})
		);
	});
});

describe('S2-43 signing in', () => {
	test('S2-43 auth: a person answers or resumes, nobody else; then the act goes on', async () => {
		for (const way of ['answer', 'resume'] as const) {
			const { engine, lab, settle } = laboratory([{ calls: [set('a', 'x')] }, {}]);
			lab.next.push(() => ({
				kind: 'escalate',
				question: { text: 'Sign in', url: 'https://id.example', reason: 'auth' }
			}));
			const run = engine.run('go', { by: person });
			await settle();
			expect(run.state.escalations.map(({ code }) => code)).toEqual(['auth']);
			const { id } = run.state.questions[0]!;
			for (const kind of others) {
				expect(run.answer(id, null, { kind, id: 'x' })).toMatchObject({
					refused: { code: 'person-required' }
				});
				expect(run.resume({ kind, id: 'x' })).toMatchObject({ refused: { code: 'person-required' } });
			}
			expect(way === 'answer' ? run.answer(id, null, person) : run.resume(person)).toEqual({ ok: true });
			expect(await run.returned).toMatchObject({ kind: 'completed' });
			expect(lab.log[1]!.call.answer).toEqual({ question: id, value: null });
		}
	});
});

describe('S2-78 consent', () => {
	test('S2-78 one question a run for all private reads; it does not stop it; an answer counts from the next turn', async () => {
		const { engine, settle, requests, lab } = laboratory(
			(_request, index) => (index < 2 ? { calls: [set('a', `${index}`)] } : {}),
			{ diary: true }
		);
		let finish = (): void => undefined;
		lab.next.push(() => new Promise((resolve) => (finish = () => resolve({ kind: 'done' }))));
		const run = engine.run('go', { by: person });
		await settle();
		expect(run.state.state).toBe('acting');
		const asked = run.state.questions;
		expect(asked).toMatchObject([
			{ reason: 'consent', status: 'open', schema: { items: { enum: ['#diary.page', '#diary.mood'] } } }
		]);
		expect(engine.pending).toEqual([{ kind: 'question', question: asked[0] }]);
		expect(requests[0]!.context).not.toContain('my pin');
		expect(run.state.leftOut).toEqual(
			expect.arrayContaining([{ instance: 'diary', read: 'page', why: 'consent' }])
		);
		for (const kind of others)
			expect(run.answer(asked[0]!.id, ['#diary.page'], { kind, id: 'x' })).toMatchObject({
				refused: { code: 'person-required' }
			});
		expect(run.answer(asked[0]!.id, ['#diary.pin'], person)).toMatchObject({
			refused: { code: 'answer-invalid' }
		});
		expect(run.answer(asked[0]!.id, ['#diary.page'], person)).toEqual({ ok: true });
		finish();
		await run.returned;
		expect(requests[1]!.context).toContain('my pin');
		expect(requests[1]!.context).not.toContain('fine');
		expect(run.state.questions).toHaveLength(1);
		expect(requests.every(({ context }) => !context.includes('1234'))).toBe(true);
		sound(run);
	});

	test('S2-78 entries that are allowed go, that are denied do not, and neither asks', async () => {
		for (const [consent, shows] of [
			[{ allow: ['diary'] }, ['my pin', 'fine']],
			[{ allow: ['#diary.page'], deny: ['@soft'] }, ['my pin']],
			[{ deny: ['#diary'] }, []],
			[{ allow: ['diary'], deny: ['diary'] }, []]
		] as const) {
			const { engine, requests } = laboratory([{}], { diary: true, consent: consent as never });
			const run = engine.run('go', { by: person });
			await run.returned;
			expect(['my pin', 'fine', '1234'].filter((text) => requests[0]!.context.includes(text))).toEqual(shows);
			expect(run.state.questions).toEqual([]);
		}
	});

	test('S2-78 setConsent acts live; only a person loosens, anybody tightens', async () => {
		const made = laboratory((_request, index) => (index < 3 ? { calls: [set('a', `${index}`)] } : {}), {
			diary: true,
			consent: { ask: ['diary'] },
			policy: { ceiling: 'review' }
		});
		const run = made.engine.run('go', { by: person });
		const next = async () => {
			await made.settle();
			run.decide({ review: run.state.reviews.at(-1)!.id, verdict: 'approve' }, person);
			await made.settle();
			return made.requests.at(-1)!.context.includes('my pin');
		};
		for (const kind of others) made.engine.setConsent('diary', 'allow', { kind, id: 'x' });
		expect(await next()).toBe(false);
		made.engine.setConsent('diary', 'allow', person);
		expect(await next()).toBe(true);
		made.engine.setConsent('diary', 'deny', { kind: 'agent', id: 'x' });
		made.engine.setConsent('diary', 'ask', { kind: 'app', id: 'x' });
		expect(await next()).toBe(false);
		expect(run.journal.filter(({ kind }) => kind === 'consent.set')).toHaveLength(2);
	});

	test('S2-95 a pulled private read escalates for consent; secret never leaves', async () => {
		for (const agree of [true, false]) {
			const { engine, settle, requests } = laboratory(
				[
					{
						control: [
							pull('diary', 'page'),
							pull('diary', 'pin'),
							pull('diary', 'nothing'),
							pull('nobody', 'x')
						]
					},
					{}
				],
				{ diary: true }
			);
			const run = engine.run('go', { by: person });
			await settle();
			expect(run.state.escalations.map(({ code }) => code)).toEqual(['consent']);
			const question = run.state.questions.at(-1)!;
			run.answer(question.id, agree ? ['#diary.page'] : [], person);
			await run.returned;
			const results = requests[1]!.messages.filter(({ role }) => role === 'result');
			expect(results[0]).toMatchObject(
				agree
					? { performative: 'inform', content: { value: 'my pin' } }
					: { performative: 'refuse', content: { refused: { code: 'declined' } } }
			);
			expect(results.slice(1)).toMatchObject([
				{ content: { refused: { code: 'denied' } } },
				{ content: { refused: { code: 'args-invalid' } } },
				{ content: { refused: { code: 'unknown-instance' } } }
			]);
			expect(JSON.stringify(requests)).not.toContain('1234');
			sound(run);
		}
	});

	test('S2-95 a pulled key comes alone, and its label is the run’s', async () => {
		const { engine, requests } = laboratory([
			{ control: [pull('lab', 'cells', 'a'), { name: 'pull', args: { instance: 1 } as never }] },
			{}
		]);
		await engine.run('go', { by: person }).returned;
		const results = requests[1]!.messages.filter(({ role }) => role === 'result');
		expect(results).toMatchObject([
			{ content: { value: '1' } },
			{ content: { refused: { code: 'args-invalid' } } }
		]);
	});
});

describe('R4 scope', () => {
	const outside = (calls: Parameters<typeof laboratory>[0]) => laboratory(calls, { tainted: true });
	test('R4 a call outside is refused as content, the second escalates, a person widens by resuming', async () => {
		const made = laboratory(
			(request, index) => (index < 3 ? { calls: [{ ...set('a', `${index}`), name: 'lab__set' }] } : {}),
			{}
		);
		made.registry.register(labManifest(), new Lab(), { id: 'lab2', label: 'Second' });
		const run = made.engine.run('go', { by: person, instances: ['lab2'] });
		await made.settle();
		expect(run.state.steps.map(({ reasons }) => reasons[0]!.code)).toEqual(['scope', 'scope']);
		expect(run.state).toMatchObject({
			state: 'escalated',
			escalations: [{ code: 'scope', data: { instance: 'lab' } }]
		});
		for (const kind of others)
			expect(run.resume({ kind, id: 'x' })).toMatchObject({ refused: { code: 'person-required' } });
		expect(run.resume(person)).toEqual({ ok: true });
		await run.returned;
		expect(made.lab.log).toHaveLength(1);
		expect(run.journal.some(({ kind }) => kind === 'scope.widened')).toBe(true);
		sound(run);
	});

	test('R4 pulls outside count too, and show nothing', async () => {
		const made = outside([{ control: [pull('mail', 'letter'), pull('mail', 'letter', 'x')] }, {}]);
		const run = made.engine.run('go', { by: person, instances: ['lab'] });
		await made.settle();
		expect(run.state.escalations.map(({ code }) => code)).toEqual(['scope']);
		expect(JSON.stringify(made.requests)).not.toContain('mallory');
		run.resume(person);
		await run.returned;
	});
});

describe('S2-38 stall', () => {
	test('S2-38 the same call three times in a row escalates; resume lets it go on', async () => {
		const { engine, settle, lab } = laboratory((_request, index) =>
			index < 4 ? { calls: [look('same')] } : { say: 'Done.' }
		);
		const run = engine.run('go', { by: person });
		await settle();
		expect(run.state.escalations.map(({ code }) => code)).toEqual(['stall']);
		expect(lab.log).toHaveLength(2);
		expect(run.resume({ kind: 'app', id: 'x' })).toMatchObject({ refused: { code: 'person-required' } });
		run.resume(person);
		expect(await run.returned).toMatchObject({ kind: 'answered', text: 'Done.' });
	});

	test('S2-38 other arguments are another call', async () => {
		const { engine } = laboratory((_request, index) => (index < 5 ? { calls: [look(`${index % 2}`)] } : {}));
		expect(await engine.run('go', { by: person }).returned).toMatchObject({ kind: 'answered' });
	});
});

describe('mixed turns', () => {
	test('S2-43 ask beside mutating calls: the plan waits and goes on after the answer', async () => {
		const { engine, settle, lab, requests } = laboratory([
			{ calls: [set('a', 'x')], control: [ask({ text: 'Well?' })] },
			{}
		]);
		const run = engine.run('go', { by: person });
		await settle();
		expect(lab.log).toEqual([]);
		expect(run.state.state).toBe('escalated');
		run.answer(run.state.questions[0]!.id, 'yes', person);
		expect(await run.returned).toMatchObject({ kind: 'completed' });
		expect(lab.log).toHaveLength(1);
		expect(requests[1]!.messages.filter(({ role }) => role === 'result')).toHaveLength(2);
	});

	test('S2-43 declined: the calls beside it close declined and nothing runs', async () => {
		const { engine, settle, lab, requests } = laboratory([
			{ calls: [set('a', 'x'), set('b', 'y')], control: [ask({ text: 'Well?' })] },
			{}
		]);
		const run = engine.run('go', { by: person });
		await settle();
		run.decline(run.state.questions[0]!.id, undefined, person);
		await run.returned;
		expect(lab.log).toEqual([]);
		for (const result of requests[1]!.messages.filter(({ role }) => role === 'result'))
			expect(result).toMatchObject({ content: { refused: { code: 'declined' } } });
	});

	test('S2-37 finish is honoured after the plan, and its text is the outcome’s', async () => {
		const { engine, lab, requests, settle } = laboratory([
			{ calls: [wire('x')], control: [finish('All sent.')] }
		]);
		const run = engine.run('go', { by: person });
		await settle();
		expect(run.state.state).toBe('reviewing');
		run.decide({ review: run.state.reviews[0]!.id, verdict: 'approve' }, person);
		expect(await run.returned).toMatchObject({ kind: 'completed', text: 'All sent.' });
		expect(lab.log).toHaveLength(1);
		expect(requests).toHaveLength(1);
	});

	test('S2-64 an unknown tool makes no step; refused calls make refused steps and still a plan', async () => {
		const { engine, requests } = laboratory([
			{
				calls: [
					{ ...set('a', 'x'), name: 'rm_rf' },
					{ ...set('a', 'x'), raw: '{"instance":"lab","key":' },
					share('a', 'y')
				]
			},
			{}
		]);
		const run = engine.run('go', { by: person });
		await run.returned;
		expect(run.state.steps.map(({ status }) => status)).toEqual(['refused', 'confirmed']);
		expect(requests[1]!.messages.filter(({ role }) => role === 'result')).toMatchObject([
			{ content: { refused: { code: 'unknown-act' } } },
			{ content: { refused: { code: 'args-invalid' } } },
			{ content: { done: true } }
		]);
	});

	test('S2-101 an interrupt of an outside agent is a question, and its answer goes back', async () => {
		const seen: unknown[] = [];
		const transport: AgentTransport = {
			name: 'outside',
			async *open(request): AsyncIterable<TurnEvent> {
				seen.push(request.resume);
				if (seen.length === 1) {
					yield {
						type: 'interrupt',
						id: 'i1',
						reason: 'confirmation',
						text: 'Go on?',
						schema: { type: 'boolean' }
					};
					yield { type: 'end', reason: 'interrupt' };
				} else yield { type: 'end', reason: 'stop' };
			}
		};
		const { engine, settle } = laboratory(transport);
		const run = engine.run('go', { by: person });
		await settle();
		expect(run.state.questions).toMatchObject([{ text: 'Go on?', status: 'open' }]);
		run.answer(run.state.questions[0]!.id, true, person);
		await run.returned;
		expect(seen).toEqual([undefined, [{ interrupt: 'i1', status: 'resolved', payload: true }]]);
	});
});
