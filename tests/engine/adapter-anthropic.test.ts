import type Anthropic from '@anthropic-ai/sdk';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { anthropic, type AnthropicOptions } from '../../src/lib/agent/adapters/anthropic.js';
import type { Body, Written } from '../../src/lib/agent/adapters/messages/request.js';
import type { TurnEvent, TurnMessage, TurnRequest } from '../../src/lib/agent/protocol/turn.js';
import type { JSONValue } from '../../src/lib/agent/protocol/words.js';
import { asked, eventsOf, sse } from '../fixtures/served-stream.js';

const user = (text: string): TurnMessage => ({ role: 'user', from: { kind: 'human', id: 'person' }, text });
const said = (
	text: string,
	calls: { id: string; name: string; args: string }[] = [],
	...echo: JSONValue[]
): TurnMessage => ({
	role: 'assistant',
	text,
	calls,
	...(echo.length > 0 ? { echo: { by: 'anthropic', value: echo } } : {})
});
const result = (
	call: string,
	content: JSONValue,
	performative: 'inform' | 'refuse' | 'failure' | 'cancel' = 'inform'
): TurnMessage => ({ role: 'result', call, name: 'move_event', content, performative });
const move = (id: string, args = '{"id":"e1"}') => ({ id, name: 'move_event', args });

type Sent = Omit<Body, 'messages'> & {
	messages: { role: string; content: Record<string, unknown>[] }[];
	[member: string]: unknown;
};

const ended = sse({ type: 'message_delta', delta: { stop_reason: 'end_turn' } }, { type: 'message_stop' });

/** What goes over the wire, and what comes of the answer. */
async function exchange(
	request: Partial<TurnRequest>,
	options: Partial<AnthropicOptions> = {},
	answer = ended
) {
	let sent: { url: string; headers: Headers; body: Sent } | undefined;
	const fetch: typeof globalThis.fetch = (url, init) => {
		sent = {
			url: String(url),
			headers: new Headers(init?.headers),
			body: JSON.parse(init?.body as string) as Sent
		};
		return Promise.resolve(new Response(answer, { headers: { 'content-type': 'text/event-stream' } }));
	};
	const transport = anthropic({ url: 'https://models.test/v1/messages', model: 'm', fetch, ...options });
	const events = await eventsOf(transport, asked(request));
	if (!sent) throw new Error(`Nothing was sent: ${JSON.stringify(events)}`);
	return { ...sent, events };
}
const bodyOf = async (request: Partial<TurnRequest>, options: Partial<AnthropicOptions> = { cache: false }) =>
	(await exchange(request, options)).body;
const messagesOf = async (...messages: TurnMessage[]) =>
	(await bodyOf({ messages, context: 'NOW' })).messages;
const now = { type: 'text', text: 'NOW' } as const;
const text = (said: string) => ({ type: 'text', text: said }) as const;

describe('what is sent', () => {
	test('S2-20 is what the official types call a streaming request', async () => {
		expectTypeOf<Omit<Body, 'messages'>>().toExtend<
			Omit<Anthropic.MessageCreateParamsStreaming, 'messages'>
		>();
		expectTypeOf<{ role: 'user' | 'assistant'; content: Written[] }>().toExtend<Anthropic.MessageParam>();
		const body = await bodyOf({ messages: [user('Move it')], context: 'NOW', limits: { outputTokens: 700 } });
		expect(body).toEqual({
			model: 'm',
			max_tokens: 700,
			stream: true,
			system: [text('You keep a calendar.')],
			tools: ['move_event', 'delete_note', 'list_events'].map((name) => ({
				name,
				description: `Does ${name}`,
				input_schema: { type: 'object' }
			})),
			messages: [{ role: 'user', content: [text('Move it'), now] }]
		} satisfies Anthropic.MessageCreateParamsStreaming);
	});

	test('S2-20 goes to the address as it stands, with a version, and with a key only where one is given', async () => {
		const { url, headers } = await exchange({});
		expect(url).toBe('https://models.test/v1/messages');
		expect(headers.get('anthropic-version')).toBe('2023-06-01');
		expect([...headers.keys()].filter((name) => /key|auth|browser/.test(name))).toEqual([]);
		const own = await exchange({}, { headers: { 'x-api-key': 'k', 'anthropic-version': '2030-01-01' } });
		expect(own.headers.get('x-api-key')).toBe('k');
		expect(own.headers.get('anthropic-version')).toBe('2030-01-01');
	});

	test('S2-20 says only on request that a page calls by itself', async () => {
		const name = 'anthropic-dangerous-direct-browser-access';
		expect((await exchange({}, { browser: true })).headers.get(name)).toBe('true');
		expect((await exchange({}, { browser: false })).headers.has(name)).toBe(false);
	});

	test('S2-20 has a limit of tokens in any case', async () => {
		expect((await bodyOf({ limits: {} })).max_tokens).toBe(4096);
		expect((await bodyOf({ limits: {} }, { maxTokens: 99 })).max_tokens).toBe(99);
		expect((await bodyOf({ limits: { outputTokens: 5 } }, { maxTokens: 99 })).max_tokens).toBe(5);
	});

	test('S2-20 holds more members where the app gives them, none of which replaces what is needed', async () => {
		const body = await bodyOf(
			{ messages: [user('Hi')], context: '' },
			{
				cache: false,
				body: {
					thinking: { type: 'enabled', budget_tokens: 1024 },
					temperature: 1,
					tool_choice: { type: 'any' },
					tools: [{ type: 'web_search_20250305', name: 'web_search' }],
					model: 'another',
					messages: [],
					stream: false,
					system: 'another',
					max_tokens: 1
				}
			}
		);
		expect(body).toMatchObject({
			thinking: { type: 'enabled', budget_tokens: 1024 },
			temperature: 1,
			tool_choice: { type: 'any' },
			model: 'm',
			stream: true,
			max_tokens: 4096,
			system: [text('You keep a calendar.')],
			messages: [{ role: 'user', content: [text('Hi')] }]
		});
		expect(body.tools.map(({ name }) => name)).toEqual([
			'move_event',
			'delete_note',
			'list_events',
			'web_search'
		]);
	});

	test('S2-20 asks for no call where the page offers none', async () => {
		const search = { type: 'web_search_20250305', name: 'web_search' };
		const tool_choice = { type: 'any' };
		expect(await bodyOf({ tools: [] }, { body: { tools: [search], tool_choice } })).toMatchObject({
			tools: [search],
			tool_choice: { type: 'none' }
		});
		const bare = await bodyOf({ tools: [] }, { body: { tool_choice } });
		expect(bare.tools).toEqual([]);
		expect(bare).not.toHaveProperty('tool_choice');
	});

	test('S2-20 may ask for arguments while they are made, and for arguments that keep to the schema', async () => {
		const tools = [
			{
				name: 'move_event',
				description: 'Moves',
				schema: {
					type: 'object',
					properties: { id: { type: 'string' }, note: { type: 'string' } },
					required: ['id']
				}
			},
			{ name: 'open', description: 'Open', schema: { type: 'object', additionalProperties: true } }
		];
		const eager = await bodyOf({ tools }, { eager: true });
		expect(eager.tools.map((tool) => tool.eager_input_streaming)).toEqual([true, true]);
		const answer = sse(
			{
				type: 'content_block_start',
				index: 0,
				content_block: { type: 'tool_use', id: 't', name: 'move_event', input: {} }
			},
			{
				type: 'content_block_delta',
				index: 0,
				delta: { type: 'input_json_delta', partial_json: '{"id":"e","note":null}' }
			},
			{ type: 'content_block_stop', index: 0 },
			{ type: 'message_delta', delta: { stop_reason: 'tool_use' } },
			{ type: 'message_stop' }
		);
		const strict = await exchange({ tools }, { strict: true }, answer);
		expect(strict.body.tools.map((tool) => [tool.name, tool.strict])).toEqual([
			['move_event', true],
			['open', undefined]
		]);
		expect(strict.body.tools[0]!.input_schema).toMatchObject({
			required: ['id', 'note'],
			additionalProperties: false
		});
		expect(strict.body.tools[1]!.input_schema).toEqual({ type: 'object', additionalProperties: true });
		expect(strict.events).toContainEqual({
			type: 'call.end',
			id: 't',
			verdict: 'complete',
			raw: '{"id":"e"}'
		} satisfies TurnEvent);
	});

	test('S2-20 spells names as the provider takes them, and reads them back', async () => {
		const name = 'note.rename/größe';
		const tools = [{ name, description: '', schema: { type: 'object' } }];
		const messages = [user('x'), said('', [{ id: 'a', name, args: '{}' }]), result('a', 'ok')];
		const { body } = await exchange({ tools, messages });
		const wire = body.tools[0]!.name;
		expect(wire).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
		expect(body.messages[1]!.content[0]).toMatchObject({ type: 'tool_use', name: wire });
		const answer = sse(
			{
				type: 'content_block_start',
				index: 0,
				content_block: { type: 'tool_use', id: 't', name: wire, input: {} }
			},
			{ type: 'content_block_stop', index: 0 },
			{ type: 'message_delta', delta: { stop_reason: 'tool_use' } }
		);
		const { events } = await exchange({ tools, messages }, {}, answer);
		expect(events[0]).toEqual({ type: 'call.start', id: 't', name, executed: 'here' });
	});
});

describe('the history', () => {
	test('S2-24 neighbours of one role become one message, and empty words none', async () => {
		expect(
			await messagesOf(user('One'), user('Two'), said(''), user('Three'), said('Yes'), said(' '), said('.'))
		).toEqual([
			{ role: 'user', content: [text('One'), text('Two'), text('Three')] },
			// Nothing was added since: it goes on where it stopped.
			{ role: 'assistant', content: [text('Yes'), text('.')] }
		]);
	});

	test('S2-24 all results of a turn stand first in the next message, the context last', async () => {
		expect(
			await messagesOf(
				user('Move them'),
				said('I do.', [move('a'), move('b'), move('c'), move('d')]),
				result('a', 'done'),
				result('b', { refused: { code: 'rejected' } }, 'refuse'),
				result('c', '', 'failure'),
				result('d', null, 'cancel'),
				user('And?')
			)
		).toEqual([
			{ role: 'user', content: [text('Move them')] },
			{
				role: 'assistant',
				content: [
					text('I do.'),
					...['a', 'b', 'c', 'd'].map((id) => ({
						type: 'tool_use',
						id,
						name: 'move_event',
						input: { id: 'e1' }
					}))
				]
			},
			{
				role: 'user',
				content: [
					{ type: 'tool_result', tool_use_id: 'a', content: 'done' },
					{
						type: 'tool_result',
						tool_use_id: 'b',
						content: '{"refused":{"code":"rejected"}}',
						is_error: true
					},
					{ type: 'tool_result', tool_use_id: 'c', content: 'failure', is_error: true },
					{ type: 'tool_result', tool_use_id: 'd', content: 'null', is_error: true },
					text('And?'),
					now
				]
			}
		]);
	});

	test('S2-24 a cut or broken call is sent as one without arguments, and ids with signs that are not taken agree', async () => {
		const messages = await messagesOf(
			user('x'),
			said('', [move('call:1/ü', '{"id":"e'), move('call_1__', '[1]'), move('9', '{"a":"\\d"}')]),
			result('call:1/ü', 'r1', 'refuse'),
			result('call_1__', 'r2', 'refuse'),
			result('9', 'r3', 'refuse')
		);
		const uses = messages[1]!.content;
		const results = messages[2]!.content.slice(0, 3);
		expect(uses.map(({ input }) => input)).toEqual([{}, {}, {}]);
		expect(results.map((one) => one.tool_use_id)).toEqual(uses.map(({ id }) => id));
		expect(new Set(uses.map(({ id }) => id)).size).toBe(3);
		for (const { id } of uses) expect(id).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
	});

	test('S2-23 what was thought goes back as it was, around calls under the ids the engine gave them', async () => {
		const thinking = { type: 'thinking', thinking: 'Hm', signature: 's1' };
		const redacted = { type: 'redacted_thinking', data: 'd' };
		const search = { type: 'server_tool_use', id: 's', name: 'web_search', input: { query: 'x' } };
		const found = { type: 'web_search_tool_result', tool_use_id: 's', content: [] };
		const between = { type: 'thinking', thinking: '', signature: 's2' };
		const [, assistant, next] = await messagesOf(
			user('x'),
			said(
				'Well.',
				[move('toolu_1-turn-2'), move('toolu_2-turn-2', '')],
				thinking,
				redacted,
				search,
				found,
				text('Well.'),
				text(''),
				{ type: 'tool_use', id: 'toolu_1', name: 'move_event', caller: { type: 'direct' } },
				between,
				{ type: 'tool_use', id: 'toolu_2', name: 'move_event' }
			),
			result('toolu_1-turn-2', 'one'),
			result('toolu_2-turn-2', 'two')
		);
		expect(assistant!.content).toEqual([
			thinking,
			redacted,
			search,
			found,
			text('Well.'),
			{
				type: 'tool_use',
				id: 'toolu_1-turn-2',
				name: 'move_event',
				input: { id: 'e1' },
				caller: { type: 'direct' }
			},
			between,
			{ type: 'tool_use', id: 'toolu_2-turn-2', name: 'move_event', input: {} }
		]);
		expect(next!.content.map((one) => one.tool_use_id)).toEqual([
			'toolu_1-turn-2',
			'toolu_2-turn-2',
			undefined
		]);
	});

	test('S2-23 an echo of another adapter, or of no form we know, is left out', async () => {
		for (const echo of [{ by: 'gemini', value: [text('no')] }, { by: 'anthropic', value: 'no' }, 'no', 7]) {
			const [, assistant] = await messagesOf(
				user('x'),
				{ role: 'assistant', text: 'Yes', calls: [move('a')], echo },
				result('a', 'r')
			);
			expect(assistant!.content.map(({ type }) => type)).toEqual(['text', 'tool_use']);
		}
	});

	test('S2-23 after a pause everything goes back as it was, and the context is not sent again', async () => {
		const search = { type: 'server_tool_use', id: 's', name: 'web_search', input: {} };
		const { messages } = await bodyOf({
			messages: [user('x'), said('Looking. ', [], text('Looking. '), search)],
			context: 'NOW'
		});
		expect(messages).toEqual([
			{ role: 'user', content: [text('x')] },
			{ role: 'assistant', content: [text('Looking. '), search] }
		]);
		const found = { type: 'web_search_tool_result', tool_use_id: 's', content: [] };
		const twice = await messagesOf(
			user('x'),
			said('Looking. ', [], text('Looking. '), search),
			said('Found.', [], found, text('Found.')),
			user('And?')
		);
		expect(twice).toEqual([
			{ role: 'user', content: [text('x')] },
			{ role: 'assistant', content: [text('Looking. '), search, found, text('Found.')] },
			{ role: 'user', content: [text('And?'), now] }
		]);
	});

	test('S2-24 a call over there that was left open does not spoil the next request; one that waits for a result stays', async () => {
		const open = { type: 'server_tool_use', id: 's', name: 'code_execution', input: {} };
		const thought = { type: 'thinking', thinking: 'Hm', signature: 's' };
		expect(await messagesOf(user('x'), said('', [], thought, open), user('Stop that'))).toEqual([
			{ role: 'user', content: [text('x'), text('Stop that'), now] }
		]);
		const waiting = await messagesOf(
			user('x'),
			said('', [move('a')], open, {
				type: 'tool_use',
				id: 'a',
				caller: { type: 'code_execution_20260120', tool_id: 's' }
			}),
			result('a', 'r')
		);
		expect(waiting[1]!.content.map(({ type }) => type)).toEqual(['server_tool_use', 'tool_use']);
	});

	test('S2-20 who speaks is said as soon as there are several', async () => {
		const other: TurnMessage = { role: 'user', from: { kind: 'human', id: 'b', name: 'Bea' }, text: 'Two' };
		expect((await messagesOf(user('One'), other))[0]!.content).toEqual([
			text('person: One'),
			text('Bea: Two'),
			now
		]);
	});
});

describe('what is kept at the provider', () => {
	const marks = (body: Sent) => ({
		system: body.system.map((one) => one.cache_control),
		messages: body.messages.map(({ content }) => content.map((one) => one.cache_control))
	});
	const conversation: Partial<TurnRequest> = {
		messages: [
			user('One'),
			said('', [move('a')]),
			result('a', 'r'),
			said('', [move('b'), move('c')]),
			result('b', 'r'),
			result('c', 'r')
		],
		context: 'NOW'
	};

	test('S2-81 tools and system, and the history up to the last two messages; never the context', async () => {
		const mark = { type: 'ephemeral' };
		expect(marks(await bodyOf(conversation, {}))).toEqual({
			system: [mark],
			messages: [[undefined], [undefined], [mark], [undefined, undefined], [undefined, mark, undefined]]
		});
		const hour = marks(await bodyOf(conversation, { cache: '1h' }));
		expect(hour.system).toEqual([{ type: 'ephemeral', ttl: '1h' }]);
	});

	test('S2-81 nothing where it is not wanted', async () => {
		expect(JSON.stringify(await bodyOf(conversation, { cache: false }))).not.toContain('cache_control');
	});

	test('S2-81 what was marked in one turn stands unchanged in the next', async () => {
		const plain = (body: Sent): string =>
			JSON.stringify(body.messages.map(({ content }) => content)).replaceAll(
				/,"cache_control":\{"type":"ephemeral"\}/g,
				''
			);
		const first = plain(await bodyOf({ ...conversation, context: '' }, {}));
		const second = plain(
			await bodyOf(
				{ messages: [...conversation.messages!, said('Done.'), user('More')], context: 'LATER' },
				{}
			)
		);
		expect(second.startsWith(first.slice(0, -2))).toBe(true);
	});
});

describe('an abort', () => {
	test('S2-23 S2-81 keeps what was said and tells the figures as an estimate', async () => {
		const abort = new AbortController();
		const fetch: typeof globalThis.fetch = () =>
			Promise.resolve(
				new Response(
					new ReadableStream<Uint8Array>({
						start(controller) {
							const frames = sse(
								{
									type: 'message_start',
									message: { usage: { input_tokens: 3, cache_read_input_tokens: 400, output_tokens: 1 } }
								},
								{
									type: 'content_block_start',
									index: 0,
									content_block: { type: 'text', text: 'So far, so good' }
								}
							);
							controller.enqueue(new TextEncoder().encode(frames));
						}
					}),
					{ headers: { 'content-type': 'text/event-stream' } }
				)
			);
		const events: TurnEvent[] = [];
		const transport = anthropic({ url: 'https://models.test/', model: 'm', fetch });
		for await (const event of transport.open(asked(), abort.signal)) {
			events.push(event);
			if (event.type === 'text') abort.abort();
		}
		expect(events.slice(1)).toEqual([
			{ type: 'text', delta: 'So far, so good' },
			{ type: 'usage', usage: { input: 403, cacheRead: 400, output: 4, estimated: true } },
			{
				type: 'error',
				reason: { code: 'aborted', text: 'The request was aborted.' },
				retryable: false
			}
		]);
	});
});
