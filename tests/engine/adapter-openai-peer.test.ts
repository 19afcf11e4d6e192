import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { LLMock } from '@copilotkit/aimock';
import { afterEach, describe, expect, test } from 'vitest';
import { ollama } from '$lib/agent/adapters/ollama.js';
import { openai } from '$lib/agent/adapters/openai.js';
import { verify, type AgentTransport } from '$lib/agent/index.js';
import { person } from '$lib/testing/index.js';
import { bench } from '../fixtures/engine.js';

const AUTO = { policy: { ceiling: 'auto' as const } };
const WRITE = JSON.stringify({ instance: 'sheet', key: 'amount', value: '1280' });

let peer: LLMock | undefined;
let server: Server | undefined;
afterEach(async () => {
	await peer?.stop();
	server?.closeAllConnections();
	server?.close();
	peer = server = undefined;
});

async function speaking(prepare: (mock: LLMock) => void): Promise<LLMock> {
	peer = new LLMock({ port: 0, host: '127.0.0.1', chunkSize: 5 });
	prepare(peer);
	await peer.start();
	return peer;
}

/** The two forms in which the peer speaks. */
const FORMS: Readonly<Record<string, (url: string) => AgentTransport>> = {
	openai: (url) => openai({ url: `${url}/v1/chat/completions`, model: 'gpt-5.2' }),
	ollama: (url) => ollama({ url: `${url}/api/chat`, model: 'qwen3' })
};
/** What the peer was asked. */
const asked = (mock: LLMock) => mock.getRequests().map(({ body }) => body as { messages: unknown[] });

describe.each(Object.entries(FORMS))('a real run over %s', (form, transportTo) => {
	test('S2-20 S2-23 text comes through', async () => {
		const mock = await speaking((one) => one.onMessage(/./, { content: 'Nothing to do – déjà fait 🗓️.' }));
		const { engine } = bench(transportTo(mock.url), AUTO);
		const run = engine.run('Correct the sheet', { by: person });
		expect(await run.returned).toMatchObject({ kind: 'answered', text: 'Nothing to do – déjà fait 🗓️.' });
		expect(verify(run.journal)).toEqual([]);
	});

	test('S2-20 S2-98 a call goes through the gate, and its result into the next turn', async () => {
		const mock = await speaking((one) => {
			one.on(
				{ hasToolResult: false, predicate: ({ messages }) => !messages.some(({ role }) => role === 'tool') },
				{
					content: 'I write it. ',
					toolCalls: [{ name: 'sheet__write', arguments: WRITE, id: 'call_1' }],
					usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 }
				}
			);
			one.on(
				{ predicate: ({ messages }) => messages.some(({ role }) => role === 'tool') },
				{ content: 'Done.', usage: { prompt_tokens: 150, completion_tokens: 5, total_tokens: 155 } }
			);
		});
		const { engine, sheet, settle } = bench(transportTo(mock.url), { policy: { ceiling: 'review' } });
		const run = engine.run('Correct the sheet', { by: person });
		await reviewed();
		expect(sheet.log).toEqual([]);
		run.decide({ review: run.state.reviews[0]!.id, verdict: 'approve' }, person);
		expect(await run.returned).toMatchObject({ kind: 'completed', text: 'Done.' });
		expect(sheet.cells.amount).toBe('1280');
		expect(asked(mock)).toHaveLength(2);
		const roles = asked(mock)[1]!.messages.map((one) => (one as { role: string }).role);
		expect(roles).toEqual(['system', 'user', 'assistant', 'tool', 'user']);
		const usages = run.state.turns.map(({ usage }) => usage);
		if (form === 'openai') {
			expect(usages).toEqual([
				{ input: 100, output: 20 },
				{ input: 150, output: 5 }
			]);
			expect(run.state.budget.spent.tokens).toBe(275);
		}
		// This peer counts nothing in that form, so it is estimated.
		else expect(usages).toMatchObject([{ estimated: true }, { estimated: true }]);
		expect(verify(run.journal)).toEqual([]);

		async function reviewed(): Promise<void> {
			while (run.state.reviews.length === 0 && !run.state.outcome) {
				await new Promise((resolve) => setTimeout(resolve, 1));
				await settle();
			}
		}
	});

	test('S2-38 too many requests: the engine waits as long as it was told to, and asks again', async () => {
		const mock = await speaking((one) => {
			one.on(
				{ predicate: () => true, sequenceIndex: 0 },
				{ error: { message: 'Slow down', type: 'rate_limit_error' }, status: 429, retryAfter: 7 }
			);
			one.on({ predicate: () => true }, { content: 'There.' });
		});
		const { engine, clock } = bench(transportTo(mock.url), AUTO);
		const run = engine.run('Correct the sheet', { by: person });
		const failed = () => run.journal.find(({ kind }) => kind === 'turn.failed');
		while (!failed()) await new Promise((resolve) => setTimeout(resolve, 1));
		expect(failed()!.data).toMatchObject({ reason: { code: 'http' }, retryAt: clock.now() + 7000 });
		expect(asked(mock)).toHaveLength(1);
		await clock.advance(6999);
		expect(asked(mock)).toHaveLength(1);
		await clock.advance(1);
		expect(await run.returned).toMatchObject({ kind: 'answered', text: 'There.' });
		expect(asked(mock)).toHaveLength(2);
	});

	test('S2-23 a line cut in mid-call: nothing runs, what was said is kept, and it is tried again', async () => {
		const mock = await speaking((one) => {
			const fixture = {
				content: 'I write it. ',
				toolCalls: [{ name: 'sheet__write', arguments: WRITE, id: 'call_1' }]
			};
			one.on({ predicate: () => true, sequenceIndex: 0 }, fixture, { truncateAfterChunks: 4, latency: 5 });
			one.on({ predicate: () => true }, { content: 'Sorry.' });
		});
		const { engine, clock, sheet } = bench(transportTo(mock.url), AUTO);
		const run = engine.run('Correct the sheet', { by: person });
		const failed = () => run.journal.find(({ kind }) => kind === 'turn.failed');
		while (!failed()) await new Promise((resolve) => setTimeout(resolve, 1));
		const { reason, text } = failed()!.data as { reason: { code: string }; text: string };
		expect(['network', 'truncated']).toContain(reason.code);
		expect(text).not.toBe('');
		expect('I write it. '.startsWith(text)).toBe(true);
		await clock.advance(1000);
		expect(await run.returned).toMatchObject({ kind: 'answered', text: 'Sorry.' });
		expect(sheet.log).toEqual([]);
	});

	test('S2-23 an unknown tool is answered by the engine', async () => {
		const mock = await speaking((one) => {
			one.on(
				{ predicate: ({ messages }) => !messages.some(({ role }) => role === 'tool') },
				{ toolCalls: [{ name: 'rm_rf', arguments: '{"all":true}' }] }
			);
			one.on({ predicate: () => true }, { content: 'Oh.' });
		});
		const { engine } = bench(transportTo(mock.url), AUTO);
		const run = engine.run('Correct the sheet', { by: person });
		expect(await run.returned).toMatchObject({ kind: 'answered', text: 'Oh.' });
		expect(run.state.steps).toEqual([]);
		const told = asked(mock)[1]!.messages.find((one) => (one as { role: string }).role === 'tool');
		expect((told as { content: string }).content).toMatch(/^refuse: .*unknown-act/);
	});
});

describe('a server of our own', () => {
	async function serve(answer: Parameters<typeof createServer>[1]): Promise<string> {
		server = createServer(answer!);
		await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
		return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/chat/completions`;
	}
	const chunk = (delta: object) => `data: ${JSON.stringify({ choices: [{ index: 0, delta }] })}\n\n`;

	test('S2-23 stopping a run reaches the socket', async () => {
		let closed: () => void = () => undefined;
		const gone = new Promise<void>((resolve) => (closed = resolve));
		let begun: () => void = () => undefined;
		const speaking = new Promise<void>((resolve) => (begun = resolve));
		const url = await serve((_, response) => {
			response.on('close', closed);
			response.setHeader('content-type', 'text/event-stream');
			response.write(chunk({ content: 'I ' }), () => begun());
		});
		const { engine } = bench(openai({ url, model: 'm' }), AUTO);
		const run = engine.run('Correct the sheet', { by: person });
		await speaking;
		await run.stop(undefined, person);
		await gone;
		expect(await run.returned).toMatchObject({ kind: 'interrupted' });
	});

	test('S2-23 S2-38 an error in mid-stream: nothing of the turn runs; one that passes is tried again', async () => {
		let asks = 0;
		const url = await serve((_, response) => {
			asks += 1;
			response.setHeader('content-type', 'text/event-stream');
			const call = { index: 0, id: 'a', function: { name: 'sheet__write', arguments: WRITE } };
			response.write(chunk({ content: 'I write it. ' }) + chunk({ tool_calls: [call] }));
			const error = { message: 'Overloaded', type: 'overloaded_error' };
			if (asks === 1) response.end(`data: ${JSON.stringify({ error })}\n\n`);
			else response.end(`data: {"choices":[{"index":0,"delta":{},"finish_reason":"length"}]}\n\n`);
		});
		const { engine, clock, sheet, requests } = bench(openai({ url, model: 'm' }), {
			...AUTO,
			budget: { turns: 2 }
		});
		const run = engine.run('Correct the sheet', { by: person });
		const failed = () => run.journal.find(({ kind }) => kind === 'turn.failed');
		while (!failed()) await new Promise((resolve) => setTimeout(resolve, 1));
		expect(failed()!.data).toMatchObject({
			reason: { code: 'provider', text: 'Overloaded' },
			text: 'I write it. '
		});
		await clock.advance(1000);
		while (requests.length < 3) {
			await new Promise((resolve) => setTimeout(resolve, 1));
			await clock.advance(0);
		}
		expect(sheet.log).toEqual([]);
		// The cut call has its one result, and its arguments are not sent again.
		expect(requests[2]!.messages.filter(({ role }) => role === 'result')).toMatchObject([
			{ call: 'a', performative: 'refuse', content: { refused: { code: 'args-incomplete' } } }
		]);
		await run.stop(undefined, person);
	});

	test('S2-20 S2-32 calls without ids in every turn: each has an id of its own, and its result behind it', async () => {
		const bodies: Record<string, unknown>[] = [];
		const url = await serve((request, response) => {
			let body = '';
			request.setEncoding('utf8').on('data', (piece: string) => (body += piece));
			request.on('end', () => {
				bodies.push(JSON.parse(body) as Record<string, unknown>);
				const write = (key: string) => ({
					function: {
						name: 'sheet__write',
						arguments: JSON.stringify({ instance: 'sheet', key, value: '1' })
					}
				});
				response.setHeader('content-type', 'text/event-stream');
				if (bodies.length < 3) response.write(chunk({ tool_calls: [write('amount'), write('due')] }));
				else response.write(chunk({ content: 'Done.' }));
				response.end('data: [DONE]\n\n');
			});
		});
		const { engine, sheet } = bench(openai({ url, model: 'm' }), AUTO);
		const run = engine.run('Correct the sheet', { by: person });
		expect(await run.returned).toMatchObject({ kind: 'completed', text: 'Done.' });
		expect(sheet.log).toHaveLength(4);
		const messages = bodies[2]!.messages as {
			role: string;
			tool_calls?: { id: string }[];
			tool_call_id?: string;
		}[];
		expect(messages.map(({ role }) => role)).toEqual(
			['system', 'user', 'assistant', 'tool', 'tool', 'assistant', 'tool', 'tool', 'user'] //
		);
		const called = messages.flatMap(({ tool_calls = [] }) => tool_calls.map(({ id }) => id));
		expect(new Set(called).size).toBe(4);
		expect(messages.flatMap(({ tool_call_id: id }) => id ?? [])).toEqual(called);
		for (const id of called) expect(id).toMatch(/^[\w-]{1,40}$/);
		expect(verify(run.journal)).toEqual([]);
	});
});
