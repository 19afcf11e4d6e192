import { describe, expect, test } from 'vitest';
import { anthropic, type AnthropicOptions } from '../../src/lib/agent/adapters/anthropic.js';
import { verify } from '../../src/lib/agent/index.js';
import { person } from '../../src/lib/testing/index.js';
import { call, closeAfterEach, peer, server as serverAt, start as startOver } from '../fixtures/peer.js';
import { sse } from '../fixtures/served-stream.js';

closeAfterEach();

const MODEL = 'claude-sonnet-4-5';

/** Its endpoint. */
const server = async (answer: Parameters<typeof serverAt>[0]) => `${await serverAt(answer)}/v1/messages`;

function start(url: string, options: Partial<AnthropicOptions> = {}, level?: 'auto' | 'review') {
	const headers = { 'x-api-key': 'none' };
	return startOver(anthropic({ url, model: MODEL, headers, ...options }), level);
}

describe('with a server that speaks the format', () => {
	test('S2-20 S2-23 S2-98 text, a reviewed call, its result and a second turn, with what was thought given back', async () => {
		const mock = await peer();
		mock.on(
			{ hasToolResult: false },
			{
				content: 'I raise it. ',
				toolCalls: [{ ...call({ key: 'amount', value: '1300 €' }), id: 'toolu_first' }],
				reasoning: 'The person wants more.',
				reasoningSignature: 'signed-by-the-model',
				usage: { input_tokens: 321, output_tokens: 45 }
			}
		);
		mock.on(
			{ toolCallId: 'toolu_first' },
			{ content: 'The amount is 1300 € now.', usage: { input_tokens: 400, output_tokens: 12 } }
		);
		const { run, until, sheet, heard } = start(`${mock.url}/v1/messages`, {
			body: { thinking: { type: 'enabled', budget_tokens: 1024 } }
		});
		await until(() => expect(run.state.state).toBe('reviewing'));
		expect(sheet.cells.amount).toBe('1200');
		run.decide({ review: run.state.reviews[0]!.id, verdict: 'approve' }, person);
		await until(() => expect(run.state.outcome).toBeDefined());
		expect(run.state.outcome).toMatchObject({ kind: 'completed', text: 'The amount is 1300 € now.' });
		expect(sheet.cells.amount).toBe('1300 €');
		expect(verify(run.journal)).toEqual([]);
		expect(run.state.turns.map(({ text }) => text)).toEqual(['I raise it. ', 'The amount is 1300 € now.']);
		expect(run.state.budget.spent.tokens).toBe(321 + 45 + 400 + 12);
		// Without its signed thought in front the second request would have been refused.
		expect(mock.getRequests().map(({ response }) => response.status)).toEqual([200, 200]);
		expect(run.journal.find(({ kind }) => kind === 'turn.closed')!.data).toMatchObject({
			echo: {
				by: 'anthropic',
				value: [
					{ type: 'thinking', thinking: 'The person wants more.', signature: 'signed-by-the-model' },
					{ type: 'text', text: 'I raise it. ' },
					{ type: 'tool_use', id: 'toolu_first', name: 'sheet__write' }
				]
			}
		});
		const pieces = heard.flatMap((event) => (event.type === 'call.args' ? [event.delta] : []));
		expect(pieces.length).toBeGreaterThan(5);
		expect(JSON.parse(pieces.join(''))).toEqual({ instance: 'sheet', key: 'amount', value: '1300 €' });
	});

	test('S2-23 a second request without the thought would have been refused: the server does look', async () => {
		const mock = await peer();
		const answer = await fetch(`${mock.url}/v1/messages`, {
			method: 'POST',
			headers: { 'content-type': 'application/json', 'x-api-key': 'none' },
			body: JSON.stringify({
				model: MODEL,
				max_tokens: 1,
				thinking: { type: 'enabled', budget_tokens: 1024 },
				messages: [
					{ role: 'user', content: 'x' },
					{ role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'b', input: {} }] },
					{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'r' }] }
				]
			})
		});
		expect(answer.status).toBe(400);
		expect(await answer.text()).toContain('must begin with a `thinking` block');
	});

	test('S2-24 a call that the person rejects is told as failed, and one with broken arguments too', async () => {
		const mock = await peer();
		mock.on(
			{ hasToolResult: false },
			{
				toolCalls: [
					{ ...call({ key: 'amount', value: '1' }), id: 'toolu_a' },
					{ name: 'sheet__write', arguments: '{"instance":"sheet"}', id: 'toolu_b' }
				]
			}
		);
		mock.on({ hasToolResult: true }, { content: 'Understood.' });
		const { run, until, sheet } = start(`${mock.url}/v1/messages`);
		await until(() => expect(run.state.state).toBe('reviewing'));
		run.decide({ review: run.state.reviews[0]!.id, verdict: 'reject' }, person);
		await until(() => expect(run.state.outcome).toBeDefined());
		expect(sheet.log).toEqual([]);
		const { messages } = mock.getLastRequest()!.body as {
			messages: { role: string; content: string; tool_call_id?: string }[];
		};
		const results = messages.filter(({ role }) => role === 'tool');
		expect(results.map((one) => one.tool_call_id)).toEqual(['toolu_a', 'toolu_b']);
		expect(results[0]!.content).toContain('rejected');
		expect(results[1]!.content).toContain('args');
	});

	test('S2-38 too many requests and too much to do are tried again by the engine, after the wait that was asked for', async () => {
		const mock = await peer();
		let opened = 0;
		mock.onMessage(/.*/, () => {
			opened += 1;
			if (opened === 1) return { error: { message: 'Slow down' }, status: 429, retryAfter: 9 };
			if (opened === 2) return { error: { message: 'Overloaded', type: 'overloaded_error' }, status: 529 };
			return { content: 'At last.' };
		});
		const { run, until, clock } = start(`${mock.url}/v1/messages`);
		const failures = () => run.journal.filter(({ kind }) => kind === 'turn.failed');
		await until(() => expect(failures()).toHaveLength(1));
		expect(failures()[0]!.data).toMatchObject({ reason: { code: 'http' } });
		await clock.advance(8999);
		expect(opened).toBe(1);
		await clock.advance(1);
		await until(() => expect(failures()).toHaveLength(2));
		await clock.advance(4000);
		await until(() => expect(run.state.outcome).toMatchObject({ kind: 'answered', text: 'At last.' }));
		expect(opened).toBe(3);
	});

	test('S2-23 a line that breaks in mid-call runs nothing, and the run goes on with the next request', async () => {
		const mock = await peer();
		const writes = { toolCalls: [{ ...call({ key: 'amount', value: '1300 or so' }), id: 'toolu_a' }] };
		mock.onMessage(/.*/, writes, { truncateAfterChunks: 5, latency: 1 });
		const { run, until, sheet, clock } = start(`${mock.url}/v1/messages`, {}, 'auto');
		await until(() => expect(run.journal.some(({ kind }) => kind === 'turn.failed')).toBe(true));
		expect(sheet.log).toEqual([]);
		mock.clearFixtures();
		mock.onMessage(/.*/, { content: 'It did not work out.' });
		await clock.advance(1000);
		await until(() => expect(run.state.outcome).toMatchObject({ kind: 'answered' }));
		expect(sheet.log).toEqual([]);
	});
});

describe('with a server of our own', () => {
	const headers = { 'content-type': 'text/event-stream; charset=utf-8' };
	const begin = {
		type: 'message_start',
		message: {
			usage: {
				input_tokens: 12,
				cache_creation_input_tokens: 100,
				cache_read_input_tokens: 300,
				output_tokens: 1
			}
		}
	};
	const say = (text: string) => ({
		type: 'content_block_start',
		index: 0,
		content_block: { type: 'text', text }
	});

	test('S2-23 stopping the run closes the socket, and its figures count', async () => {
		let closed = false;
		const url = await server((response) => {
			response.on('close', () => (closed = true));
			response.writeHead(200, headers);
			response.write(sse(begin, say('I begin ')));
		});
		const { run, until, heard } = start(url);
		await until(() => expect(heard.some(({ type }) => type === 'text')).toBe(true));
		await run.stop(undefined, person);
		await until(() => expect(closed).toBe(true));
		expect(run.state.outcome).toMatchObject({ kind: 'interrupted' });
	});

	test('S2-23 S2-81 an error in mid-stream keeps what was said, costs what it cost, and is tried again', async () => {
		const url = await server((response, index) => {
			response.writeHead(200, headers);
			response.end(
				index === 0
					? sse(begin, say('I begin to say something'), {
							type: 'error',
							error: { type: 'overloaded_error', message: 'Overloaded' }
						})
					: sse(begin, say('Done.'), {
							type: 'message_delta',
							delta: { stop_reason: 'end_turn' },
							usage: { output_tokens: 8 }
						})
			);
		});
		const { run, until, clock } = start(url);
		await until(() => expect(run.journal.some(({ kind }) => kind === 'turn.failed')).toBe(true));
		expect(run.journal.find(({ kind }) => kind === 'turn.failed')!.data).toMatchObject({
			text: 'I begin to say something',
			reason: { code: 'provider', text: 'Overloaded' },
			usage: { input: 412, cacheRead: 300, cacheWrite: 100, output: 6, estimated: true }
		});
		await clock.advance(1000);
		await until(() => expect(run.state.outcome).toMatchObject({ kind: 'answered', text: 'Done.' }));
		expect(run.state.budget.spent.tokens).toBe(412 + 6 + 412 + 8);
	});
});
