import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HttpAgent } from '@ag-ui/client';
import type { BaseEvent, RunAgentInput } from '@ag-ui/core';
import { RunAgentInputSchema } from '@ag-ui/core/schemas';
import { EventEncoder } from '@ag-ui/encoder';
import { AGUIMock } from '@copilotkit/aimock';
import { afterEach, describe, expect, test } from 'vitest';
import { agUi } from '../../src/lib/agent/adapters/ag-ui.js';
import type { RunState } from '../../src/lib/agent/index.js';
import { person } from '../../src/lib/testing/index.js';
import { calls, says } from '../fixtures/ag-ui.js';
import { bench } from '../fixtures/engine.js';

type Answer = (input: RunAgentInput, response: ServerResponse) => readonly object[] | undefined;

const WRITE = JSON.stringify({ instance: 'sheet', key: 'amount', value: '7' });
let server: Server | undefined;
let mock: AGUIMock | undefined;
afterEach(async () => {
	server?.closeAllConnections();
	server?.close();
	await mock?.stop();
	mock = undefined;
});

async function bodyOf(request: IncomingMessage): Promise<unknown> {
	const parts: Buffer[] = [];
	for await (const part of request) parts.push(part as Buffer);
	return JSON.parse(Buffer.concat(parts).toString());
}

/** A backend as one is written with the official encoder; what it is sent has to be valid by the official schema. */
async function serve(answer: Answer): Promise<{ url: string; inputs: RunAgentInput[]; faults: unknown[] }> {
	const inputs: RunAgentInput[] = [];
	const faults: unknown[] = [];
	server = createServer((request, response) => {
		void (async () => {
			const body = await bodyOf(request);
			const checked = RunAgentInputSchema.safeParse(body);
			if (!checked.success) faults.push(checked.error.issues);
			const input = body as RunAgentInput;
			inputs.push(input);
			const encoder = new EventEncoder({ accept: request.headers.accept! });
			response.writeHead(200, { 'content-type': encoder.getContentType() });
			const { threadId, runId } = input;
			const send = (event: object) => response.write(encoder.encodeSSE(event as BaseEvent));
			send({ type: 'RUN_STARTED', threadId, runId });
			const events = answer(input, response);
			if (!events) return;
			events.forEach(send);
			if (!events.some((event) => (event as BaseEvent).type === 'RUN_FINISHED'))
				send({ type: 'RUN_FINISHED', threadId, runId });
			response.end();
		})();
	});
	await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
	return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, inputs, faults };
}

async function until(
	made: { clock: { advance(ms: number): Promise<void> } },
	what: () => unknown
): Promise<void> {
	for (let i = 0; i < 400 && !what(); i += 1) {
		await new Promise((resolve) => setTimeout(resolve, 5));
		await made.clock.advance(0);
	}
	expect(what()).toBeTruthy();
}

const over = (run: { state: RunState }) => () => run.state.outcome;

describe('S2-110 a backend agent drives the page', () => {
	test('S2-110 S2-100 S2-99 its call passes the gate, the result returns as a tool message, the state goes along', async () => {
		const { url, inputs, faults } = await serve(({ messages }) =>
			messages.at(-1)?.role === 'tool'
				? [
						...says('m2', 'It is written.'),
						{ type: 'STATE_DELTA', delta: [{ op: 'add', path: '/done', value: true }] }
					]
				: [
						...says('m1', 'I write it.'),
						...calls('b', 'lookup', '{"q":"amount"}'),
						{ type: 'TOOL_CALL_RESULT', messageId: 'r', toolCallId: 'b', content: 'seven' },
						{ type: 'STATE_SNAPSHOT', snapshot: { looked: 1 } },
						...calls('c', 'sheet__write', WRITE.slice(0, 10), WRITE.slice(10))
					]
		);
		const made = bench(agUi({ url }));
		const run = made.engine.run('Write the amount', { by: person });
		await until(made, () => run.state.state === 'reviewing');
		expect(made.sheet.log).toEqual([]);
		const [review] = run.state.reviews;
		expect(run.decide({ review: review!.id, verdict: 'approve' }, person).ok).toBe(true);
		await until(made, over(run));
		expect(run.state.outcome).toMatchObject({ kind: 'completed', text: 'It is written.' });
		expect(made.sheet.log).toHaveLength(1);
		expect(run.state.steps).toHaveLength(1);
		expect(faults).toEqual([]);
		const [first, second] = inputs;
		expect(first!.tools!.map(({ name }) => name)).toContain('sheet__write');
		expect(second!.messages.map(({ role }) => role)).toEqual([
			'system',
			'user',
			'assistant',
			'assistant',
			'tool',
			'assistant',
			'tool'
		]);
		expect(second!.messages.at(-1)).toMatchObject({ toolCallId: 'c' });
		expect(second!.parentRunId).toBe(first!.runId);
		expect(second!.runId).not.toBe(first!.runId);
		expect(second!.state).toEqual({ looked: 1 });
		expect(run.state.shared).toMatchObject({ by: 'ag-ui', value: { looked: 1, done: true } });
	});

	test.for([
		['answered', { status: 'resolved', payload: true }],
		['declined', { status: 'cancelled' }]
	] as const)('S2-101 an interrupt waits for a person; %s, it goes on', async ([how, resumed]) => {
		const { url, inputs, faults } = await serve(({ threadId, runId, resume }) =>
			resume
				? says('m2', 'Thanks.')
				: [
						{
							type: 'RUN_FINISHED',
							threadId,
							runId,
							outcome: {
								type: 'interrupt',
								interrupts: [
									{ id: 'i', reason: 'approval', message: 'May I?', responseSchema: { type: 'boolean' } }
								]
							}
						}
					]
		);
		const made = bench(agUi({ url }));
		const run = made.engine.run('Do it', { by: person });
		await until(made, () => run.state.state === 'escalated');
		const asked = run.state.questions.find(({ reason }) => reason === 'question')!;
		expect(asked).toMatchObject({ text: 'May I?', status: 'open' });
		const said =
			how === 'answered' ? run.answer(asked.id, true, person) : run.decline(asked.id, 'No', person);
		expect(said.ok).toBe(true);
		await until(made, over(run));
		expect(run.state.outcome).toMatchObject({ kind: 'answered', text: 'Thanks.' });
		expect(inputs).toHaveLength(2);
		expect(inputs[1]!.resume).toEqual([{ interruptId: 'i', ...resumed }]);
		expect(inputs[1]!.threadId).toBe(inputs[0]!.threadId);
		expect(faults).toEqual([]);
	});

	test('S2-101 S2-110 a call that waits for a yes over there is no call of the page, whatever its name; the person sees which', async () => {
		const { url, inputs, faults } = await serve(({ threadId, runId, resume }) =>
			resume
				? [
						{ type: 'TOOL_CALL_RESULT', messageId: 'r', toolCallId: 'c', content: 'written' },
						...says('m2', 'It is written.')
					]
				: [
						...calls('c', 'sheet__write', WRITE),
						{
							type: 'RUN_FINISHED',
							threadId,
							runId,
							outcome: {
								type: 'interrupt',
								interrupts: [{ id: 'i', reason: 'tool_call', message: 'May I?', toolCallId: 'c' }]
							}
						}
					]
		);
		const made = bench(agUi({ url }));
		const run = made.engine.run('Write it', { by: person });
		await until(made, () => run.state.state === 'escalated');
		const asked = run.state.questions.find(({ reason }) => reason === 'question')!;
		expect(asked.text).toBe(`sheet__write ${WRITE}\nMay I?`);
		expect(run.answer(asked.id, 'yes', person).ok).toBe(true);
		await until(made, over(run));
		expect(run.state.outcome).toMatchObject({ kind: 'answered', text: 'It is written.' });
		expect(run.state.steps).toEqual([]);
		expect(made.sheet.log).toEqual([]);
		// Nothing is answered in its place.
		expect(inputs[1]!.messages.filter(({ role }) => role === 'tool')).toEqual([]);
		expect(faults).toEqual([]);
	});

	test('S2-101 asked the same again and again, the person is asked each time, and nothing is answered in their place', async () => {
		const times = 5;
		const { url, inputs } = await serve(({ threadId, runId }) => {
			if (inputs.length > times) return says('m', 'At last.');
			const interrupts = [{ id: 'i', reason: 'approval', message: `May I? (${inputs.length})` }];
			return [{ type: 'RUN_FINISHED', threadId, runId, outcome: { type: 'interrupt', interrupts } }];
		});
		const made = bench(agUi({ url }));
		const run = made.engine.run('Do it', { by: person });
		for (let n = 1; n <= times; n += 1) {
			await until(made, () => inputs.length === n && run.state.state === 'escalated');
			const asked = run.state.questions.filter(({ reason }) => reason === 'question');
			expect(asked).toHaveLength(n);
			expect(asked.at(-1)).toMatchObject({ status: 'open', text: `May I? (${n})` });
			expect(run.answer(asked.at(-1)!.id, `answer ${n}`, person).ok).toBe(true);
		}
		await until(made, over(run));
		expect(inputs.slice(1).map(({ resume }) => resume)).toEqual(
			Array.from({ length: times }, (_, i) => [
				{ interruptId: 'i', status: 'resolved', payload: `answer ${i + 1}` }
			])
		);
	});

	test('S2-99 a patch that does not fit: nothing runs, the state is asked for, both hold the same', async () => {
		const truth = { rows: [1, 2] };
		const { url, inputs } = await serve(({ state }) =>
			state === undefined
				? [{ type: 'STATE_SNAPSHOT', snapshot: truth }, ...says('m2', 'So.')]
				: [
						{ type: 'STATE_DELTA', delta: [{ op: 'replace', path: '/rows/1', value: 2 }] },
						...calls('c', 'sheet__write', WRITE)
					]
		);
		const made = bench(agUi({ url }), { policy: { ceiling: 'auto' } });
		const run = made.engine.run('Go on', { by: person });
		await until(made, over(run));
		expect(made.sheet.log).toEqual([]);
		expect(run.state.shared?.value).toEqual(truth);
		expect(inputs.map((input) => 'state' in input)).toEqual([true, false]);
	});

	test('S2-110 a stop reaches the socket', async () => {
		let closed = false;
		const { url } = await serve((_input, response) => {
			response.on('close', () => (closed = true));
			return undefined;
		});
		const made = bench(agUi({ url }));
		const run = made.engine.run('Wait', { by: person });
		await until(made, () => server!.listening && run.state.turns.length > 0);
		await new Promise((resolve) => setTimeout(resolve, 50));
		await Promise.all([run.stop('enough', person), until(made, () => closed)]);
		expect(run.state.outcome?.kind).toBe('interrupted');
	});

	test('S2-110 the mock server of others is understood', async () => {
		mock = new AGUIMock();
		const events: object[] = [];
		mock.onPredicate((input) => {
			const { threadId, runId } = input as { threadId: string; runId: string };
			events.splice(
				0,
				events.length,
				{ type: 'RUN_STARTED', threadId, runId },
				...says('m', 'From the ', 'mock'),
				{ type: 'RUN_FINISHED', threadId, runId }
			);
			return true;
		}, events as never);
		const made = bench(agUi({ url: await mock.start() }));
		const run = made.engine.run('Say it', { by: person });
		await until(made, over(run));
		expect(run.state.outcome).toMatchObject({ kind: 'answered', text: 'From the mock' });
	});

	test('S2-22 what goes back to the agent is what the official client holds', async () => {
		const answer = (): object[] => [
			...says('m', 'One', ' two'),
			...calls('b', 'lookup', '{"q":1}'),
			{ type: 'TOOL_CALL_RESULT', messageId: 'r', toolCallId: 'b', content: 'found' },
			...says('n', 'Three')
		];
		const { url, inputs } = await serve(answer);
		const official = new HttpAgent({ url, threadId: 'th' });
		await official.runAgent({ runId: 'x' });
		const made = bench(agUi({ url }));
		for (const goal of ['First', 'Second']) {
			const run = made.engine.run(goal, { by: person, thread: 'th' });
			await until(made, over(run));
			expect(run.state.outcome?.text).toBe('One two\n\nThree');
		}
		const own = (messages: readonly object[]) =>
			messages
				.filter((one) => !/^(system|user)$/.test((one as { role: string }).role))
				.map((one) =>
					Object.fromEntries(Object.entries(one).filter(([, value]) => value !== '' && value !== undefined))
				);
		expect(own(inputs.at(-1)!.messages)).toEqual(own(official.messages));
	});
});
