import { afterEach, describe, expect, test } from 'vitest';
import type { HttpAgent, RunAgentParameters } from '@ag-ui/client';
import { agUiPicture, type AgUiEvent, type AgUiMessage } from '../../src/lib/agent/adapters/ag-ui-events.js';
import { agUiServer, type AgUiServerOptions } from '../../src/lib/agent/adapters/ag-ui-server.js';
import type { AgentOptions, RunState } from '../../src/lib/agent/index.js';
import { person } from '../../src/lib/testing/index.js';
import { faultsOf, listen, peer, verified } from '../fixtures/ag-ui-peer.js';
import { bench, send, write } from '../fixtures/engine.js';

const AUTO = { policy: { ceiling: 'auto' as const } };
const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
	for (const one of open.splice(0)) await one.close();
});

/** An engine behind a real socket, and the official client in front of it. */
async function stage(
	script: Parameters<typeof bench>[0],
	options: Partial<AgentOptions> = {},
	more: Partial<AgUiServerOptions> = {}
) {
	// The client compares with its own clock, which is another.
	const made = bench(script, { patience: { reviewMs: 1e12 }, ...options });
	const { engine, clock } = made;
	const server = await listen(agUiServer({ engine, who: () => person, ...more }));
	open.push(server);
	const client = peer(server.url);
	/** One wire run; time passes until it is over. */
	async function run(parameters: RunAgentParameters & Parameters<HttpAgent['runAgent']>[0] = {}) {
		let over = false;
		const from = client.heard.length;
		const result = client.agent.runAgent(parameters).finally(() => (over = true));
		result.catch(() => undefined);
		while (!over) {
			await clock.advance(100);
			await new Promise((next) => setImmediate(next));
		}
		const events = client.heard.slice(from) as unknown as AgUiEvent[];
		expect(faultsOf(events)).toEqual([]);
		await verified(events);
		return { result: (await result).result as unknown, events, last: events.at(-1)! };
	}
	return {
		...made,
		...client,
		run,
		get messages() {
			return client.messages;
		},
		get state() {
			return (client.agent.state as { activeuix: unknown }).activeuix;
		},
		get interrupts() {
			return client.agent.pendingInterrupts;
		}
	};
}

/** What a run says, told from its state alone: the same messages another way. */
function conversation({ id, turns, calls }: RunState) {
	return turns.flatMap(({ id: turn, text, calls: ids }) => {
		const own = calls.filter((call) => ids.includes(call.id));
		if (text === '' && own.length === 0) return [];
		return [
			{
				id: turn,
				role: 'assistant',
				text,
				calls: own.map((call) => ({ id: `${id}:${call.id}`, name: call.name }))
			},
			...own.flatMap((call) =>
				call.result === undefined ? [] : [{ role: 'tool', of: `${id}:${call.id}`, result: call.result }]
			)
		];
	});
}

const heldBy = (messages: readonly unknown[]) =>
	(messages as readonly AgUiMessage[])
		.filter(({ role }) => role !== 'user')
		.map(({ id, role, content, toolCalls = [], toolCallId }) => {
			if (role !== 'tool')
				return {
					id,
					role,
					text: content ?? '',
					calls: toolCalls.map(({ id, function: { name } }) => ({ id, name }))
				};
			return { role, of: toolCallId, result: JSON.parse(content as string) as unknown };
		});

/** Results stand behind their message in the order in which they came; a state knows no order of those. */
const byCall = (one: { of?: string; role: string }, other: { of?: string; role: string }): number =>
	one.role === 'tool' && other.role === 'tool' ? one.of!.localeCompare(other.of!) : 0;

type Stage = Awaited<ReturnType<typeof stage>>;

function expectSame(it: Stage) {
	const runs = it.engine.runs;
	expect(heldBy(it.messages).sort(byCall)).toEqual(runs.flatMap(conversation).sort(byCall));
	expect(it.state).toEqual(agUiPicture(runs.at(-1)!, it.registry));
}

const approving = (it: Stage) =>
	it.interrupts.map(({ id }) => ({
		interruptId: id,
		status: 'resolved' as const,
		payload: { approved: true }
	}));

const types = (events: readonly AgUiEvent[]) => events.map(({ type }) => type);

describe('S2-101 a stock client ends where the run is', () => {
	test('an answer in text', async () => {
		const it = await stage([{ say: ['Good ', 'morning.'] }]);
		it.say('Greet me');
		const { result, last, events } = await it.run();
		expect(last).toMatchObject({ type: 'RUN_FINISHED', outcome: { type: 'success' } });
		expect(result).toMatchObject({ kind: 'answered', text: 'Good morning.' });
		expect(types(events).filter((type) => type === 'TEXT_MESSAGE_CONTENT')).toHaveLength(2);
		expectSame(it);
	});

	test('a call that is carried out, one that is refused and one that fails', async () => {
		const it = await stage(
			[
				{
					say: 'Now.',
					calls: [
						{ ...write('amount', '7'), pieces: 5 },
						{ ...write('x', 'y'), args: { key: 1 } }
					]
				},
				{ calls: [{ ...send('nobody') }] },
				{ say: 'Done.' }
			],
			AUTO
		);
		it.say('Correct it');
		await it.run();
		expect(it.sheet.cells.amount).toBe('7');
		expectSame(it);
	});

	test('a review that is approved: one run, two wire runs', async () => {
		const it = await stage([
			{ say: 'I write it.', calls: [write('amount', '7'), write('due', 'now')] },
			{ say: 'Done.' }
		]);
		it.say('Correct it');
		const first = await it.run();
		expect(first.last).toMatchObject({ type: 'RUN_FINISHED', outcome: { type: 'interrupt' } });
		expect(it.sheet.cells.amount).toBe('1200');
		expectSame(it);
		const asked = it.interrupts;
		expect(asked.map(({ reason, toolCallId }) => [reason, toolCallId])).toEqual([
			['tool_call', 'run-1-1:call-1-1'],
			['tool_call', 'run-1-1:call-1-2']
		]);
		expect(asked[0]!.metadata!.activeuix).toMatchObject({
			kind: 'review',
			instance: 'sheet',
			act: 'write',
			args: { key: 'amount', value: '7' },
			preview: { kind: 'fields', fields: [{ before: '1200', after: '7' }] }
		});
		const { result } = await it.run({
			resume: asked.map(({ id }) => ({ interruptId: id, status: 'resolved', payload: { approved: true } }))
		});
		expect(result).toMatchObject({ kind: 'completed' });
		expect(it.sheet.cells).toMatchObject({ amount: '7', due: 'now' });
		expect(it.engine.runs).toHaveLength(1);
		expectSame(it);
	});

	test('a review in which one step is rejected and one edited', async () => {
		const it = await stage([{ calls: [write('amount', '7'), write('due', 'now')] }, { say: 'As you wish.' }]);
		it.say('Correct it');
		await it.run();
		const [one, other] = it.interrupts;
		const { result } = await it.run({
			resume: [
				{ interruptId: one!.id, status: 'resolved', payload: { approved: false, reason: 'Too little' } },
				{
					interruptId: other!.id,
					status: 'resolved',
					payload: { approved: true, editedArgs: { instance: 'sheet', key: 'due', value: 'soon' } }
				}
			]
		});
		expect(result).toMatchObject({ kind: 'completed' });
		expect(it.sheet.cells).toMatchObject({ amount: '1200', due: 'soon' });
		const [rejected] = it.messages.filter(({ role }) => role === 'tool');
		expect(rejected).toMatchObject({ metadata: { activeuix: { performative: 'refuse' } } });
		expect(rejected!.content).toContain('Too little');
		expectSame(it);
	});

	test.for([
		['the same server', false],
		['one that was started since', true]
	] as const)(
		'an answer with the same message of the user again, and nothing else, is an answer: %s',
		async ([, isLater]) => {
			const it = await stage([{ calls: [write('amount', '7')] }, { say: 'Done.' }]);
			it.say('Write');
			await it.run();
			if (isLater) {
				// It remembers nothing of what the one before heard.
				const later = await listen(agUiServer({ engine: it.engine, who: () => person }));
				open.push(later);
				it.agent.url = later.url;
			}
			it.agent.messages = it.agent.messages.filter(({ role }) => role === 'user');
			await it.run({ resume: approving(it) });
			expect(it.sheet.cells.amount).toBe('7');
			expect(it.engine.runs).toMatchObject([{ revision: 1, outcome: { kind: 'completed' } }]);
			expectSame(it);
		}
	);

	test('what the user adds steers, also where it comes under an id that was used', async () => {
		const it = await stage([{ calls: [write('amount', '7')] }, { say: 'As you say.' }]);
		it.say('Write');
		await it.run();
		it.agent.messages = [{ id: 'user-1', role: 'user', content: 'Write nothing' }];
		await it.run({ resume: it.interrupts.map(({ id }) => ({ interruptId: id, status: 'cancelled' })) });
		expect(it.sheet.cells.amount).toBe('1200');
		expect(it.engine.runs[0]!.revisions.map(({ text }) => text)).toEqual(['Write', 'Write nothing']);
	});

	test('a second thread waits until the run of the first is over', async () => {
		const it = await stage([{ calls: [write('amount', '7')] }, { say: 'Done.' }, { say: 'Now you.' }]);
		const first = it.engine.run('Write', { by: person, thread: 'another' });
		for (let i = 0; i < 20; i += 1) await it.clock.advance(100);
		expect(first.state.reviews).toMatchObject([{ status: 'open' }]);
		it.say('And me?');
		const second = it.run();
		while (it.heard.length < 2) await new Promise((next) => setImmediate(next));
		expect(it.engine.runs.map(({ state }) => state)).toEqual(['reviewing', 'offered']);
		expect(it.heard.map(({ type }) => type)).toEqual(['RUN_STARTED', 'STATE_SNAPSHOT']);
		first.decide({ review: first.state.reviews[0]!.id, verdict: 'approve' }, person);
		expect((await second).result).toMatchObject({ kind: 'answered', text: 'Now you.' });
	});

	test('a cancelled interrupt is a rejection', async () => {
		const it = await stage([{ calls: [write('amount', '7')] }, { say: 'Then not.' }]);
		it.say('Correct it');
		await it.run();
		await it.run({ resume: it.interrupts.map(({ id }) => ({ interruptId: id, status: 'cancelled' })) });
		expect(it.sheet.cells.amount).toBe('1200');
		expect(it.engine.runs[0]!.steps[0]!.status).toBe('rejected');
		expectSame(it);
	});

	test('an answer that does not do leaves the interrupt open, and says why', async () => {
		const it = await stage([{ calls: [write('amount', '7')] }, { say: 'Done.' }]);
		it.say('Correct it');
		await it.run();
		const interruptId = it.interrupts[0]!.id;
		for (const [payload, code] of [
			['yes', 'answer-invalid'],
			[{ approved: true, editedArgs: { instance: 'other', key: 'amount', value: '8' } }, 'args-invalid'],
			[{ approved: true, editedArgs: { key: 1 } }, 'args-invalid']
		] as const) {
			const { events, last } = await it.run({ resume: [{ interruptId, status: 'resolved', payload }] });
			expect(events).toContainEqual(
				expect.objectContaining({
					name: 'activeuix.refused',
					value: expect.objectContaining({ interruptId, code })
				})
			);
			expect(last).toMatchObject({ outcome: { type: 'interrupt', interrupts: [{ id: interruptId }] } });
		}
		expect(it.sheet.cells.amount).toBe('1200');
		await it.run({ resume: [{ interruptId, status: 'resolved', payload: { approved: true } }] });
		expect(it.sheet.cells.amount).toBe('7');
		expectSame(it);
	});

	test('a request proves no person: without `who` nothing that needs one is decided', async () => {
		const it = await stage([{ calls: [send('bank')] }, { say: 'Done.' }], {}, { who: undefined });
		it.say('Send it');
		await it.run();
		const interruptId = it.interrupts[0]!.id;
		const { events, last } = await it.run({
			resume: [{ interruptId, status: 'resolved', payload: { approved: true } }]
		});
		expect(events).toContainEqual(
			expect.objectContaining({ value: expect.objectContaining({ code: 'person-required' }) })
		);
		expect(last).toMatchObject({ outcome: { type: 'interrupt' } });
		expect(it.sheet.sent).toEqual([]);
	});

	test('a question that is answered, and one that is declined', async () => {
		const ask = (text: string) => ({ control: [{ name: 'ask', args: { text } }] });
		const it = await stage([ask('Which one?'), ask('Really?'), { say: 'Fine.' }]);
		it.say('Choose');
		await it.run();
		expect(it.interrupts).toMatchObject([{ reason: 'input_required', message: 'Which one?' }]);
		const answer = (more: object) =>
			it.run({ resume: it.interrupts.map(({ id }) => ({ interruptId: id, ...more })) as never });
		await answer({ status: 'resolved', payload: 'The first' });
		expect(it.interrupts).toMatchObject([{ message: 'Really?' }]);
		const { result } = await answer({ status: 'cancelled' });
		expect(result).toMatchObject({ kind: 'answered', text: 'Fine.' });
		const told = it.messages.filter(({ role }) => role === 'tool').map(({ content }) => content as string);
		expect(told[0]).toContain('The first');
		expect(told[1]).toContain('declined');
		expectSame(it);
	});

	test('a stop in mid-stream is cancelled, and what was open is closed', async () => {
		const it = await stage([{ say: 'Let me', calls: [write('amount', '7')], hang: true }]);
		it.say('Correct it');
		const going = it.run();
		while (!it.heard.some(({ type }) => type === 'TOOL_CALL_END'))
			await new Promise((next) => setImmediate(next));
		void it.engine.get(it.engine.runs[0]!.id)!.stop('Enough', person);
		const { last, result } = await going;
		expect(result).toBeUndefined();
		expect(last).toMatchObject({
			type: 'RUN_FINISHED',
			outcome: { type: 'cancelled' },
			metadata: { activeuix: { outcome: { kind: 'interrupted' } } }
		});
		expectSame(it);
	});

	test('a stop while a review waits answers every call', async () => {
		const it = await stage([{ calls: [write('amount', '7')] }]);
		it.say('Correct it');
		await it.run();
		const run = it.engine.get(it.engine.runs[0]!.id)!;
		await run.stop('Enough', person);
		it.agent.pendingInterrupts = [];
		// The next thing said begins a new run; the client is told nothing it does not know.
		it.say('Again');
		await it.run();
		expect(it.engine.runs).toHaveLength(2);
	});

	test('a client that goes away stops the run, or leaves it where the app wants that', async () => {
		for (const left of ['stop', 'continue'] as const) {
			const it = await stage([{ say: 'Let me', hang: true }], {}, { left });
			it.say('Correct it');
			const going = it.run().catch(() => undefined);
			while (!it.heard.some(({ type }) => type === 'TEXT_MESSAGE_CONTENT'))
				await new Promise((next) => setImmediate(next));
			it.agent.abortRun();
			for (let i = 0; i < 50; i++) {
				await new Promise((next) => setTimeout(next, 2));
				await it.settle();
			}
			expect(it.engine.runs[0]!.outcome?.kind).toBe(left === 'stop' ? 'interrupted' : undefined);
			await it.engine.dispose();
			await going;
		}
	});

	test('a spent budget says what it did, offers more, and goes on when it is given', async () => {
		const it = await stage(
			[
				{ calls: [write('amount', '7')] },
				{ calls: [write('due', 'now')] },
				{ say: 'I did one.' },
				{ say: 'Both.' }
			],
			{ ...AUTO, budget: { acts: 1 } }
		);
		it.say('Correct it');
		const { last } = await it.run();
		expect(last).toMatchObject({ outcome: { type: 'interrupt', interrupts: [{ reason: 'budget' }] } });
		expect(it.messages.at(-1)).toMatchObject({ role: 'assistant', content: 'I did one.' });
		expectSame(it);
		const [budget] = it.interrupts;
		expect(budget!.metadata!.activeuix).toMatchObject({ code: 'budget.acts', offer: { acts: 1 } });
		const { result } = await it.run({ resume: [{ interruptId: budget!.id, status: 'resolved' }] });
		expect(result).toMatchObject({ kind: 'completed', text: 'Both.' });
		expect(it.sheet.cells).toMatchObject({ amount: '7', due: 'now' });
		expectSame(it);
	});

	test('a spent budget that is not renewed ends the run', async () => {
		const it = await stage(
			[{ calls: [write('amount', '7')] }, { calls: [write('due', 'now')] }, { say: 'One.' }],
			{
				...AUTO,
				budget: { acts: 1 }
			}
		);
		it.say('Correct it');
		await it.run();
		const { last } = await it.run({ resume: [{ interruptId: it.interrupts[0]!.id, status: 'cancelled' }] });
		expect(last).toMatchObject({ outcome: { type: 'cancelled' } });
		expectSame(it);
	});

	test('an error that cannot be tried again is RUN_ERROR with its code', async () => {
		const it = await stage([{ say: 'I was', fail: { text: 'No such model.', retryable: false } }]);
		it.say('Greet me');
		const { last } = await it.run();
		expect(last).toMatchObject({ type: 'RUN_ERROR', message: 'No such model.', code: 'transport' });
		expect(it.errors).toEqual([{ message: 'No such model.', code: 'transport' }]);
		expectSame(it);
	});

	test('a turn that is tried again stands once, however much of it had come', async () => {
		const it = await stage(
			[
				{ say: ['I ', 'wri'], think: 'Hm.', calls: [write('amount', '9')], fail: { text: 'Overloaded.' } },
				{ say: 'I write', cut: true, calls: [write('amount', '8')] },
				{ say: ['I write', ' it.'], calls: [write('amount', '7')] },
				{ say: 'Done.' }
			],
			AUTO
		);
		it.say('Correct it');
		await it.run();
		expect(it.messages.filter(({ role }) => role === 'assistant').map(({ content }) => content)).toEqual([
			'I write it.',
			'Done.'
		]);
		expect(it.sheet.cells.amount).toBe('7');
		expectSame(it);
	});

	test('an error that lasts waits for a person, and what was said until then stands', async () => {
		const fail = { text: 'Overloaded.' };
		const it = await stage([{ say: 'A', fail }, { say: 'AB', fail }, { say: 'ABC', fail }, { say: 'ABCD' }]);
		it.say('Spell it');
		const { last } = await it.run();
		expect(last).toMatchObject({ outcome: { type: 'interrupt', interrupts: [{ reason: 'transport' }] } });
		expect(it.messages.at(-1)).toMatchObject({ content: 'ABC' });
		expectSame(it);
		await it.run({ resume: [{ interruptId: it.interrupts[0]!.id, status: 'resolved' }] });
		expect(it.messages.map(({ content }) => content)).toEqual(['Spell it', 'ABCD']);
		expectSame(it);
	});

	test('two runs in a thread stand behind each other, calls of one name apart', async () => {
		const once = { calls: [write('amount', '7')] };
		const it = await stage((request, index) => (index % 2 === 0 ? once : { say: `Done ${index}.` }), AUTO);
		it.say('Correct it');
		await it.run();
		it.say('Once more');
		await it.run();
		expect(it.engine.runs.map(({ thread }) => thread)).toEqual(['thread-a', 'thread-a']);
		expect(it.messages.map(({ role }) => role).join(' ')).toBe(
			'user assistant tool assistant user assistant tool assistant'
		);
		expectSame(it);
	});

	test('what is said while the run waits steers it', async () => {
		const it = await stage([{ calls: [write('amount', '7')] }, { say: 'Then 8.' }]);
		it.say('Correct it');
		await it.run();
		it.agent.pendingInterrupts = [];
		it.say('No, make it 8');
		const { last } = await it.run();
		expect(last).toMatchObject({ outcome: { type: 'success' } });
		expect(it.engine.runs).toMatchObject([{ revision: 2, steps: [{ status: 'withdrawn' }] }]);
		expectSame(it);
	});
});
