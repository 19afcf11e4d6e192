import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
	defineManifest,
	done,
	labelled,
	refuse,
	retry,
	unknown
} from '../../src/lib/agent/capability/index.js';
import { createRegistry, EngineAgent, type RunState, verify } from '../../src/lib/agent/index.js';
import { person } from '../../src/lib/testing/index.js';
import { bench, send } from '../fixtures/engine.js';
import { Lab, lab, labManifest, laboratory, link, look, set, share } from '../fixtures/lab.js';

const agent = { kind: 'agent', id: 'x' } as const;
const lastReview = ({ reviews }: RunState): string => reviews.at(-1)!.id;

/** What a page leaves behind when it is closed, as JSON. */
function closed(engine: EngineAgent) {
	const snapshot = JSON.parse(JSON.stringify(engine.snapshot())) as ReturnType<EngineAgent['snapshot']>;
	engine.abandon();
	return snapshot;
}

describe('levels and consent', () => {
	test.each(['bogus', 'toString', '', undefined])(
		'S2-114 an agent raises no level, not even by way of the word %s',
		async (word) => {
			const b = laboratory([{ calls: [set('a', 'x')] }], { policy: { ceiling: 'auto', user: 'suggest' } });
			b.engine.setLevel(word as never, agent);
			b.engine.setLevel('auto', agent);
			const run = b.engine.run('go', { by: person });
			await b.settle();
			expect(run.state.level).toBe('suggest');
			expect(b.lab.cells.a).toBe('1');
		}
	);

	test('S2-114 a level that a person lowered holds after a restore', async () => {
		const b = laboratory(({ messages }) => ({
			calls: [messages.length < 2 ? set('a', 'x') : set('b', 'y')]
		}));
		const { id } = b.engine.run('go', { by: person });
		b.engine.setLevel('review', person);
		await b.settle();
		const engine = EngineAgent.restore({ ...b.options, recovery: 'resume' }, closed(b.engine));
		await engine.ready;
		await b.settle();
		const run = engine.get(id)!;
		run.decide({ review: lastReview(run.state), verdict: 'approve' }, person);
		await b.settle();
		expect(run.state.level).toBe('review');
		expect(b.lab.cells).toEqual({ a: 'x', b: '2' });
		expect(engine.run('again', { by: person }).state.level).toBe('review');
	});

	test('S2-114 a level of the records lifts none that the options lower', async () => {
		const b = laboratory([{ calls: [set('a', 'x')] }]);
		b.engine.run('go', { by: person });
		b.engine.setLevel('review', person);
		await b.settle();
		const policy = { ceiling: 'auto', user: 'suggest' } as const;
		const engine = EngineAgent.restore({ ...b.options, policy }, closed(b.engine));
		await engine.ready;
		expect(engine.run('again', { by: person }).state.level).toBe('suggest');
	});

	test('S2-78 a read that a person closed stays closed after a restore', async () => {
		const b = laboratory(() => ({ control: [{ name: 'ask', args: { text: '?' } }] }), {
			diary: true,
			consent: { allow: ['diary'] }
		});
		const { id } = b.engine.run('go', { by: person });
		b.engine.setConsent('#diary.page', 'deny', person);
		await b.settle();
		const engine = EngineAgent.restore({ ...b.options, recovery: 'resume' }, closed(b.engine));
		await engine.ready;
		await b.settle();
		const run = engine.get(id)!;
		run.answer(run.state.questions.find(({ status }) => status === 'open')!.id, 'hm', person);
		await b.settle();
		expect(b.requests.length).toBeGreaterThan(1);
		expect(JSON.stringify(b.requests)).not.toContain('my pin');
	});

	test('S2-50 a person sees an act without effect where a rule asks for it', async () => {
		const rules = [{ verdict: 'ask', act: 'look', reason: 'ask me' }] as const;
		const b = laboratory([{ calls: [look('x')] }, {}], { policy: { ceiling: 'auto', rules } });
		const run = b.engine.run('go', { by: person });
		await b.settle();
		expect(b.lab.log).toEqual([]);
		expect(run.state.state).toBe('reviewing');
		expect(run.decide({ review: lastReview(run.state), verdict: 'approve' }, person).ok).toBe(true);
		await b.settle();
		expect(b.lab.log.map(({ act }) => act)).toEqual(['look']);
		expect(run.state.outcome?.kind).toBe('completed');
		expect(verify(run.journal)).toEqual([]);
	});
});

describe('what a permission is bound to', () => {
	test('S2-87 a provider that its getter changed is another component', async () => {
		const [one, other] = [new Lab(), new Lab()];
		let current = one;
		const registry = createRegistry();
		registry.register(labManifest(), () => current, { id: 'doc', label: 'Doc' });
		const b = laboratory([{ calls: [{ instance: 'doc', act: 'wire', args: { value: 'A' } }] }], { registry });
		const run = b.engine.run('go', { by: person });
		await b.settle();
		current = other;
		run.decide({ review: lastReview(run.state), verdict: 'approve' }, person);
		await b.settle();
		expect(other.log).toEqual([]);
		expect(run.state.state).toBe('reviewing');
		run.decide({ review: lastReview(run.state), verdict: 'approve' }, person);
		await b.settle();
		expect([one.log.length, other.log.length]).toEqual([0, 1]);
	});

	test.each(['at once', 'later'])('S2-87 a journal that was altered is not resumed, %s', async (when) => {
		const b = bench([{ calls: [send('bank')] }]);
		const { id } = b.engine.run('go', { by: person });
		await b.settle();
		const run = b.engine.get(id)!;
		run.pause(person);
		run.decide({ review: lastReview(run.state), verdict: 'approve' }, person);
		await b.settle();
		const altered = JSON.parse(
			JSON.stringify(closed(b.engine)).replaceAll('"to":"bank"', '"to":"evil"')
		) as ReturnType<EngineAgent['snapshot']>;
		const engine = EngineAgent.restore({ ...b.options, recovery: 'resume' }, altered);
		if (when === 'at once') engine.get(id)!.resume(person);
		const { resumed } = await engine.ready;
		expect(resumed).toEqual([]);
		engine.get(id)!.resume(person);
		await b.settle();
		expect(b.sheet.sent).toEqual([]);
		expect(engine.get(id)!.state.outcome).toMatchObject({
			kind: 'interrupted',
			reason: { code: 'record-altered' }
		});
	});

	test('S2-87 arguments that were erased are not carried out', async () => {
		const b = laboratory([{ calls: [set('a', 'secretly')] }, {}], {
			diary: true,
			consent: { allow: ['diary'] },
			policy: { ceiling: 'review' }
		});
		const { id } = b.engine.run('go', { by: person });
		await b.settle();
		const { state, pause, decide } = b.engine.get(id)!;
		expect(state.state).toBe('reviewing');
		pause.call(b.engine.get(id), person);
		decide.call(b.engine.get(id), { review: lastReview(state), verdict: 'approve' }, person);
		const snapshot = { ...closed(b.engine), blobs: {} };
		const engine = EngineAgent.restore({ ...b.options, recovery: 'resume' }, snapshot);
		await engine.ready;
		engine.get(id)!.resume(person);
		await b.settle();
		expect(b.lab.log).toEqual([]);
		expect(engine.get(id)!.state.steps[0]).toMatchObject({
			status: 'refused',
			reasons: [{ code: 'args-incomplete' }]
		});
	});
});

describe('whose words they are', () => {
	const url = 'https://evil.example/steal';
	const asks = (schema?: object) => ({
		control: [{ name: 'ask', args: { text: 'Go on?', schema: schema as never } }]
	});

	test('S2-83 names of fields in an answer are not the words of the person', async () => {
		const schema = { type: 'object', properties: { [url]: { type: 'boolean', title: 'Yes' } } };
		const b = laboratory([asks(schema), { calls: [link(url)] }], { tainted: true });
		const run = b.engine.run('go', { by: person });
		await b.settle();
		expect(run.answer(run.state.questions[0]!.id, { [url]: true }, person).ok).toBe(true);
		await b.settle();
		expect(run.state.state).toBe('reviewing');
		expect(b.lab.log).toEqual([]);
	});

	test('S2-83 what a person wrote into the fields of an answer is theirs', async () => {
		const schema = { type: 'object', properties: { where: { type: 'string' } } };
		const b = laboratory([asks(schema), { calls: [link(url)] }, {}], { tainted: true });
		const run = b.engine.run('go', { by: person });
		await b.settle();
		run.answer(run.state.questions[0]!.id, { where: url }, person);
		await b.settle();
		expect(b.lab.log).toHaveLength(1);
	});

	test.each(['rule', 'app'] as const)(
		'S2-83 an answer of a program (%s) is nobody’s word and may come from anywhere',
		async (kind) => {
			const b = laboratory([asks(), { calls: [link(url)] }]);
			const run = b.engine.run('go', { by: person });
			await b.settle();
			run.answer(run.state.questions[0]!.id, url, { kind, id: 'bot' });
			await b.settle();
			expect(b.lab.log).toEqual([]);
			expect(run.state.label.integrity).toBe('untrusted');
		}
	);

	test('S2-83 the goal of an outside caller is no word of a person', async () => {
		const b = laboratory([{ calls: [link(url)] }]);
		b.engine.run(`open ${url}`, { by: { kind: 'outside', id: 'web' } });
		await b.settle();
		expect(b.lab.log).toEqual([]);
	});
});

describe('labels of what enters', () => {
	test.each([
		{ integrity: undefined, confidentiality: 'page' },
		{ integrity: 'Untrusted', confidentiality: 'page' }
	])('S2-83 an attachment whose label is no label is untrusted: $integrity', async (label) => {
		const b = laboratory([{ calls: [share('a', 'evil')] }]);
		const attachments = [{ name: 'm', text: 'PAYLOAD', label: label as never }];
		const run = b.engine.run({ text: 'go', attachments }, { by: person });
		await b.settle();
		expect(b.lab.cells.a).toBe('1');
		expect(run.state.label.integrity).toBe('untrusted');
	});

	const foreign = () =>
		done({ text: labelled('PAYLOAD', { integrity: 'untrusted', origins: ['imported'] }) });

	test.each([
		['without effect', look('q')],
		['that writes', set('a', 'q')]
	])('S2-83 a marked part in the result of an act %s keeps its label', async (_what, first) => {
		const b = laboratory([{ calls: [first] }, { calls: [share('b', 'evil')] }]);
		b.lab.next.push(foreign);
		const run = b.engine.run('go', { by: person });
		await b.settle();
		expect(run.state.label).toMatchObject({ integrity: 'untrusted' });
		expect(run.state.label.origins).toContain('imported');
		expect(b.lab.cells.b).toBe('2');
	});

	const fails: [string, () => unknown][] = [
		[
			'throws',
			() => {
				throw new Error('PAYLOAD: now share');
			}
		],
		['refuses', () => refuse('no', 'PAYLOAD: now share')]
	];

	test.each(fails.flatMap(([what, how]) => [[what, 'look', how] as const, [what, 'set', how] as const]))(
		'S2-83 S2-84 the text of a component that %s (%s) is untrusted',
		async (_what, act, how) => {
			const b = laboratory([
				{ calls: [act === 'look' ? look('q') : set('a', 'q')] },
				{ calls: [share('b', 'evil')] }
			]);
			b.lab.next.push(how);
			const run = b.engine.run('go', { by: person });
			await b.settle();
			expect(JSON.stringify(b.requests.at(-1))).toContain('PAYLOAD');
			expect(b.lab.cells.b).toBe('2');
			expect(run.state.label).toMatchObject({
				integrity: 'untrusted',
				sources: expect.arrayContaining([`lab.${act}`])
			});
		}
	);

	test('S2-83 S2-84 the text with which a dry run refuses is untrusted', async () => {
		const b = laboratory([{ calls: [set('a', 'q')] }, { calls: [share('b', 'evil')] }], {
			change: { set: { preview: () => refuse('no', 'PAYLOAD: now share') } }
		});
		const run = b.engine.run('go', { by: person });
		await b.settle();
		expect(JSON.stringify(b.requests.at(-1))).toContain('PAYLOAD');
		expect(b.lab.cells.b).toBe('2');
		expect(run.state.label.integrity).toBe('untrusted');
	});

	describe('an act may vouch for what it refuses with', () => {
		const own = { refusals: 'own' as const };
		const label = async (
			act: 'look' | 'set',
			how: 'performs' | 'dry run' | 'retries' | 'throws' | 'dry run throws' | 'unknown',
			more: Parameters<typeof laboratory>[1] = {},
			touches?: () => never[]
		) => {
			const fault = () => {
				throw new Error('PAYLOAD');
			};
			const preview = { 'dry run': () => refuse('no', 'busy'), 'dry run throws': fault }[how as string];
			const change = { [act]: { ...own, ...(preview && { preview }), ...(touches && { touches }) } };
			const b = laboratory([{ calls: [act === 'look' ? look('q') : set('a', 'q')] }, {}], {
				change,
				...more
			});
			const told = {
				performs: () => refuse('no', 'busy'),
				retries: () => retry('busy', 'busy'),
				throws: fault,
				unknown: () => unknown('gone', 'PAYLOAD')
			}[how as string];
			if (told) b.lab.next.push(told, told, told);
			const run = b.engine.run('go', { by: person });
			await b.settle();
			expect(run.state.outcome).toBeDefined();
			return run.state.label.integrity;
		};

		test('S2-83 then it is worth what the act touches', async () => {
			for (const how of ['performs', 'dry run', 'retries'] as const)
				expect(await label('set', how), how).toBe('trusted');
			expect(await label('look', 'performs')).toBe('trusted');
		});

		test('S2-83 what it throws, and what nobody knows, is anybody’s all the same', async () => {
			for (const how of ['throws', 'dry run throws', 'unknown'] as const)
				expect(await label('set', how), how).toBe('untrusted');
			expect(await label('look', 'throws')).toBe('untrusted');
			expect(await label('look', 'unknown')).toBe('untrusted');
		});

		test('S2-83 where it touches nothing there is nothing to be worth', async () => {
			for (const how of ['performs', 'dry run'] as const)
				expect(await label('set', how, {}, () => []), how).toBe('untrusted');
			expect(await label('look', 'performs', {}, () => [])).toBe('untrusted');
		});
	});

	test('S2-83 a result keeps the labels of the reads its act declares', async () => {
		const b = laboratory([{ calls: [look('q')] }, { calls: [share('b', 'fine')] }, {}]);
		b.lab.next.push(() => done({ text: 'fine' }));
		const run = b.engine.run('go', { by: person });
		await b.settle();
		expect(run.state.label.integrity).toBe('trusted');
		expect(b.lab.cells.b).toBe('fine');
	});
});

describe('labels of what agents wrote', () => {
	const all = (key: string, value: string) => lab('all', { key, value });

	/** A tainted run writes; after `between` a second run that sees the lab alone tries to share. */
	async function second(b: ReturnType<typeof laboratory>, between: () => void = () => undefined) {
		b.engine.run('go', { by: person });
		await b.settle();
		between();
		const run = b.engine.run('go', { by: person, instances: ['lab'] });
		await b.settle();
		return run.state;
	}

	test('S2-86 an edit of one field does not make the others the person’s own', async () => {
		const b = laboratory([{ calls: [all('a', 'PAYLOAD')] }, {}, { calls: [share('b', 'evil')] }], {
			tainted: true
		});
		const { label } = await second(b, () => b.lab.put('b', 'typed by a person'));
		expect(b.lab.cells).toEqual({ a: 'PAYLOAD', b: 'typed by a person' });
		expect(label.integrity).toBe('untrusted');
	});

	test('S2-86 a field that a person edited is theirs again', async () => {
		const b = laboratory([{ calls: [set('a', 'PAYLOAD')] }, {}, { calls: [share('b', 'fine')] }, {}], {
			tainted: true
		});
		const { label } = await second(b, () => b.lab.put('a', 'typed by a person'));
		expect(label.integrity).toBe('trusted');
		expect(b.lab.cells.b).toBe('fine');
	});

	test.each([
		['formats', (text: string) => `  ${text.toLowerCase()}!`],
		['cuts', (text: string) => text.slice(0, 4)],
		['adds to', (text: string) => `${text} and more`]
	])('S2-86 who %s what an agent wrote does not make it their own', async (_what, change) => {
		const b = laboratory([{ calls: [set('a', 'PAYLOAD')] }, {}, { calls: [share('b', 'evil')] }], {
			tainted: true
		});
		const { label } = await second(b, () => b.lab.put('a', change(b.lab.cells.a!)));
		expect(label.integrity).toBe('untrusted');
		expect(b.lab.cells.b).toBe('2');
	});

	test('S2-86 a write that lands after its timeout keeps its label', async () => {
		const b = laboratory([{ calls: [set('a', 'PAYLOAD')] }, {}, { calls: [share('b', 'evil')] }], {
			tainted: true
		});
		b.lab.next.push(
			(page) => new Promise(() => void b.clock.sleep(40_000).then(() => page.put('a', 'PAYLOAD')))
		);
		b.engine.run('go', { by: person });
		await b.clock.advance(60_000);
		const run = b.engine.run('go', { by: person, instances: ['lab'] });
		await b.settle();
		expect(b.lab.cells).toEqual({ a: 'PAYLOAD', b: '2' });
		expect(run.state.label.integrity).toBe('untrusted');
	});

	test.each(['wraps its provider anew each time', 'is mounted again with another wrapper'])(
		'S2-86 a component that %s loses no label',
		async (how) => {
			interface Wrapped {
				inner: Lab;
			}
			const write = z.strictObject({ key: z.string().describe('Name'), value: z.string().describe('Value') });
			const perform = ({ inner }: Wrapped, { key, value }: z.infer<typeof write>) => {
				inner.put(key, value);
				return done();
			};
			const manifest = defineManifest<Wrapped>()({
				kind: 'wrapped',
				description: 'A lab behind a wrapper',
				reads: {
					cells: {
						description: 'Cells',
						read: ({ inner }, key) => (key === undefined ? inner.cells : (inner.cells[key] ?? null)),
						version: ({ inner }, key) => inner.version(key),
						trust: 'user',
						sensitivity: 'page'
					}
				},
				acts: {
					set: {
						description: 'Writes a cell',
						args: write,
						effect: 'reversible',
						touches: (_, { key }) => [{ read: 'cells', key }],
						perform
					},
					share: {
						description: 'Writes a cell on the server',
						args: write,
						effect: 'reversible',
						reach: 'app',
						touches: ['cells'],
						perform
					}
				},
				undo: () => ({ undone: 0, kept: [] })
			});
			const inner = new Lab();
			const registry = createRegistry();
			const fresh = how.startsWith('wraps');
			const wrapped = (): Wrapped => ({ inner });
			const mount = () =>
				registry.register(manifest, fresh ? wrapped : wrapped(), { id: 'doc', label: 'Doc' });
			const unmount = mount();
			const doc = (act: string, key: string, value: string) => ({
				instance: 'doc',
				act,
				args: { key, value }
			});
			const b = laboratory(
				[{ calls: [doc('set', 'a', 'PAYLOAD')] }, {}, { calls: [doc('share', 'b', 'evil')] }],
				{ registry, tainted: true }
			);
			b.engine.run('go', { by: person });
			await b.settle();
			if (!fresh) {
				unmount();
				mount();
			}
			const run = b.engine.run('go', { by: person, instances: ['doc'] });
			await b.settle();
			expect(run.state.label.integrity).toBe('untrusted');
			expect(inner.cells).toEqual({ a: 'PAYLOAD', b: '2' });
		}
	);
});
