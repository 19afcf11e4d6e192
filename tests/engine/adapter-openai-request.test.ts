import type {
	ChatCompletionCreateParamsStreaming,
	ChatCompletionFunctionTool,
	ChatCompletionMessageParam
} from 'openai/resources/chat/completions';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { openai, type OpenAIOptions } from '$lib/agent/adapters/openai.js';
import { ollama, type OllamaOptions } from '$lib/agent/adapters/ollama.js';
import type { TurnEvent, TurnMessage, TurnRequest } from '$lib/agent/protocol/turn.js';
import { answering, asked, bytesOf, eventsOf } from '../fixtures/served-stream.js';
import { chunk, ended, piece, pieces } from '../fixtures/streams/openai/chunks.js';

type Body = ChatCompletionCreateParamsStreaming;

/** Sends a request. @returns what went over the line, and what came of the answer */
async function send(
	options: Partial<OpenAIOptions> = {},
	more: Partial<TurnRequest> = {},
	stream = ended('stop', chunk({ content: 'So.' }))
) {
	let sent: RequestInit | undefined;
	const fetch: typeof globalThis.fetch = (url, init) => {
		sent = init;
		return answering([bytesOf(stream)], { headers: { 'content-type': 'text/event-stream' } })(url, init);
	};
	const transport = openai({ url: '/api/model', model: 'some-model', fetch, ...options });
	const events = await eventsOf(transport, asked(more));
	const body = JSON.parse(sent?.body as string) as Body & Record<string, unknown>;
	return { body, events, headers: new Headers(sent?.headers) };
}

const human = { kind: 'human', id: 'maria', name: 'Maria' } as const;
const agent = { kind: 'agent', id: 'ada' } as const;
const history: readonly TurnMessage[] = [
	{ role: 'user', from: human, text: 'Move it' },
	{
		role: 'assistant',
		text: 'Now.',
		calls: [
			{ id: 'call_a', name: 'move_event', args: '{"id":1}' },
			{ id: 'call_b', name: 'list_events', args: '{"all":tr' },
			{ id: `call-1-${'0123456789'.repeat(4)}`, name: 'list_events', args: '[1]' }
		]
	},
	{ role: 'result', call: 'call_a', name: 'move_event', content: { moved: 1 }, performative: 'inform' },
	{ role: 'result', call: 'call_b', name: 'list_events', content: 'cut', performative: 'refuse' },
	{
		role: 'result',
		call: `call-1-${'0123456789'.repeat(4)}`,
		name: 'list_events',
		content: { code: 'timeout' },
		performative: 'failure'
	}
];

describe('what is asked of chat completions', () => {
	test('S2-20 an ordinary request, as the official types have it', async () => {
		const { body } = await send({}, { limits: { outputTokens: 500 } });
		const whole = {
			model: 'some-model',
			messages: [
				{ role: 'system', content: 'You keep a calendar.' },
				{ role: 'user', content: 'Move the meeting' },
				{ role: 'user', content: 'calendar: one meeting' }
			],
			stream: true,
			stream_options: { include_usage: true },
			max_tokens: 500,
			tools: ['move_event', 'delete_note', 'list_events'].map((name) => ({
				type: 'function' as const,
				function: { name, description: `Does ${name}`, parameters: { type: 'object' } }
			}))
		} satisfies Body;
		expect(body).toEqual(whole);
	});

	test('S2-20 history is closed: results stand behind their calls, cut arguments are none, ids fit and agree', async () => {
		const { body } = await send({}, { messages: history, tools: [] });
		const messages = body.messages;
		const [, , assistant, ...results] = messages;
		const long = assistant?.role === 'assistant' ? assistant.tool_calls?.[2]?.id : undefined;
		expect(long).toMatch(/^[\w-]{1,40}$/);
		const whole = [
			{ role: 'system', content: 'You keep a calendar.' },
			{ role: 'user', content: 'Move it' },
			{
				role: 'assistant',
				content: 'Now.',
				tool_calls: [
					{ id: 'call_a', type: 'function', function: { name: 'move_event', arguments: '{"id":1}' } },
					{ id: 'call_b', type: 'function', function: { name: 'list_events', arguments: '{}' } },
					{ id: long!, type: 'function', function: { name: 'list_events', arguments: '{}' } }
				]
			},
			{ role: 'tool', tool_call_id: 'call_a', content: '{"moved":1}' },
			{ role: 'tool', tool_call_id: 'call_b', content: 'refuse: cut' },
			{ role: 'tool', tool_call_id: long!, content: 'failure: {"code":"timeout"}' },
			{ role: 'user', content: 'calendar: one meeting' }
		] satisfies ChatCompletionMessageParam[];
		expect(messages).toEqual(whole);
		expect(results).toHaveLength(4);
		expect(body).not.toHaveProperty('tools');
		expectTypeOf(whole).toExtend<ChatCompletionMessageParam[]>();
	});

	test('S2-20 who speaks is named where several do; neighbours are joined where roles have to alternate', async () => {
		const messages: TurnMessage[] = [
			{ role: 'user', from: human, text: 'Move it' },
			{ role: 'user', from: agent, text: 'I would not' }
		];
		const contents = async (options: Partial<OpenAIOptions>) =>
			(await send(options, { messages, system: '' })).body.messages.map(({ content }) => content);
		expect(await contents({})).toEqual(['Maria: Move it', 'ada: I would not', 'calendar: one meeting']);
		expect(await contents({ alternate: true })).toEqual([
			'Maria: Move it\n\nada: I would not\n\ncalendar: one meeting'
		]);
	});

	test('S2-24 what goes on after a pause is not told of the page again', async () => {
		const assistant: TurnMessage = { role: 'assistant', text: 'One moment.', calls: [] };
		const empty: TurnMessage = { role: 'assistant', text: '', calls: [] };
		const { body } = await send({}, { messages: [history[0]!, empty, assistant], system: '' });
		expect(body.messages.map(({ content }) => content)).toEqual(['Move it', 'One moment.']);
		const again = await send({}, { messages: [assistant, history[0]!], system: '' });
		expect(again.body.messages.at(-1)?.content).toBe('calendar: one meeting');
		const none = await send({}, { context: '', system: '', messages: [history[0]!] });
		expect(none.body.messages).toEqual([{ role: 'user', content: 'Move it' }]);
	});

	test.each([
		[{}, 'max_tokens'],
		[{ url: 'https://api.openai.com/v1/chat/completions' }, 'max_completion_tokens'],
		[{ url: 'https://x.openai.azure.com/openai/v1/chat/completions' }, 'max_completion_tokens'],
		[{ url: 'https://api.openai.com.evil.example/v1' }, 'max_tokens'],
		[{ model: 'gpt-5.2' }, 'max_completion_tokens'],
		[{ model: 'openai/o4-mini' }, 'max_completion_tokens'],
		[{ model: 'gpt-oss:20b' }, 'max_tokens'],
		[{ model: 'gpt-5.2', limit: 'max_tokens' }, 'max_tokens'],
		[{ limit: false }, undefined]
	] as const)('S2-20 the member that limits the answer, with %j: %s', async (options, member) => {
		const { body } = await send(options, { limits: { outputTokens: 7 } });
		const named = Object.keys(body).filter((key) => key.startsWith('max_'));
		expect(named).toEqual(member === undefined ? [] : [member]);
	});

	test('S2-20 options that servers differ in', async () => {
		const { body } = await send({
			systemRole: 'developer',
			includeUsage: false,
			parallelToolCalls: false,
			limit: 'max_completion_tokens'
		});
		expect(body.messages[0]?.role).toBe('developer');
		expect(body).not.toHaveProperty('stream_options');
		expect(body.parallel_tool_calls).toBe(false);
		const without = await send({ parallelToolCalls: false, body: { tool_choice: 'auto' } }, { tools: [] });
		expect(without.body).not.toHaveProperty('parallel_tool_calls');
		expect(without.body).not.toHaveProperty('tool_choice');
	});

	test('S2-20 further members go along and take the place of nothing', async () => {
		const { body } = await send(
			{
				body: {
					temperature: 0.2,
					reasoning_effort: 'low',
					tool_choice: 'required',
					model: 'other',
					messages: [],
					stream: false,
					stream_options: null,
					tools: [],
					n: 3,
					max_completion_tokens: 9,
					functions: []
				}
			},
			{ limits: { outputTokens: 7 } }
		);
		expect(body).toMatchObject({
			temperature: 0.2,
			reasoning_effort: 'low',
			tool_choice: 'required',
			model: 'some-model',
			stream: true,
			stream_options: { include_usage: true },
			max_tokens: 7
		});
		expect(body.messages).toHaveLength(3);
		expect(body.tools).toHaveLength(3);
		for (const key of ['n', 'max_completion_tokens', 'functions']) expect(body).not.toHaveProperty(key);
	});

	test('S2-20 headers are asked for anew with each request', async () => {
		let asks = 0;
		const headers = () => Promise.resolve({ authorization: `Bearer ${(asks += 1)}` });
		await send({ headers });
		const second = await send({ headers });
		expect(second.headers.get('authorization')).toBe('Bearer 2');
		expect(second.headers.get('accept')).toBe('text/event-stream');
	});
});

describe('tools of chat completions', () => {
	const tool = (name: string, schema: object) => ({
		name,
		description: 'Does it',
		schema: schema as Record<string, unknown>
	});

	test('S2-20 names that do not fit are mapped there and back', async () => {
		const name = 'kalender/ereignis.verschieben ü';
		const stream = (wire: string) => ended('tool_calls', pieces(piece(0, 'a', wire, '{}')));
		const tools = [tool(name, { type: 'object' })];
		const before: TurnMessage[] = [
			history[0]!,
			{ role: 'assistant', text: '', calls: [{ id: 'a', name, args: '{}' }] },
			{ role: 'result', call: 'a', name, content: 'ok', performative: 'inform' }
		];
		const { body } = await send({}, { tools, messages: before });
		const wire = (body.tools?.[0] as ChatCompletionFunctionTool).function.name;
		expect(wire).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
		const assistant = body.messages.find(({ role }) => role === 'assistant');
		expect(assistant).toMatchObject({ content: '', tool_calls: [{ function: { name: wire } }] });
		const { events } = await send({}, { tools }, stream(wire));
		expect(events).toContainEqual({ type: 'call.start', id: 'a', name, executed: 'here' });
	});

	test('S2-20 strict: said where a schema can be, optional arguments come back absent', async () => {
		const tools = [
			tool('move_event', {
				type: 'object',
				properties: { id: { type: 'string' }, to: { type: 'string' } },
				required: ['id'],
				additionalProperties: false
			}),
			tool('anything', { type: 'object', additionalProperties: true })
		];
		const { body, events } = await send(
			{ strict: true },
			{ tools },
			ended('tool_calls', pieces(piece(0, 'a', 'move_event', '{"id":"x","to":null}')))
		);
		const [moving, anything] = body.tools as ChatCompletionFunctionTool[];
		expect(moving!.function).toMatchObject({ strict: true, parameters: { required: ['id', 'to'] } });
		expect(anything!.function).toMatchObject({ strict: false, parameters: { additionalProperties: true } });
		expect(events).toContainEqual({ type: 'call.end', id: 'a', verdict: 'complete', raw: '{"id":"x"}' });
		const plain = await send({}, { tools });
		expect((plain.body.tools as ChatCompletionFunctionTool[])[0]!.function).not.toHaveProperty('strict');
	});
});

describe('reasoning goes back as it came', () => {
	const thinking = ended(
		'tool_calls',
		chunk({ reasoning_content: 'Hm.' }),
		pieces(Object.assign(piece(0, 'a', 'list_events', '{}'), { extra_content: { google: { s: 't' } } }))
	);
	const after = (events: readonly TurnEvent[]): TurnMessage[] => {
		const echo = events.flatMap((event) =>
			event.type === 'reasoning' && event.echo !== undefined ? [event.echo] : []
		)[0];
		return [
			history[0]!,
			{
				role: 'assistant',
				text: '',
				calls: [{ id: 'a', name: 'list_events', args: '{}' }],
				...(echo !== undefined && { echo })
			},
			{ role: 'result', call: 'a', name: 'list_events', content: 'ok', performative: 'inform' }
		];
	};

	test('S2-23 in its own field, with what belongs to a call; not where it is not wanted, nor to a stranger', async () => {
		const { events } = await send({}, {}, thinking);
		const messages = after(events);
		const spoken = async (options: Partial<OpenAIOptions>, sent = messages) =>
			(await send(options, { messages: sent })).body.messages.find(({ role }) => role === 'assistant');
		expect(await spoken({})).toEqual({
			role: 'assistant',
			content: '',
			reasoning_content: 'Hm.',
			tool_calls: [
				{
					id: 'a',
					type: 'function',
					function: { name: 'list_events', arguments: '{}' },
					extra_content: { google: { s: 't' } }
				}
			]
		});
		expect(await spoken({ echo: false })).not.toHaveProperty('reasoning_content');
		const strange = messages.map((one) =>
			one.role === 'assistant' ? { ...one, echo: { by: 'anthropic', value: { role: 'system' } } } : one
		);
		expect(await spoken({}, strange)).toEqual({
			role: 'assistant',
			content: '',
			tool_calls: [{ id: 'a', type: 'function', function: { name: 'list_events', arguments: '{}' } }]
		});
		expect((await send({ echo: false }, {}, thinking)).events.filter((event) => 'echo' in event)).toEqual([]);
	});
});

describe('how a turn ends', () => {
	test('S2-32 of two ends the weightier counts, and a call it cuts does not run', async () => {
		const stream = ended('length', chunk({}, 'tool_calls'), pieces(piece(0, 'a', 'list_events', '{}')));
		const { events } = await send({}, {}, stream);
		expect(events.slice(-2)).toEqual([
			{ type: 'call.end', id: 'a', verdict: 'incomplete', raw: '{}' },
			{ type: 'end', reason: 'length', raw: 'length' }
		]);
	});
});

describe('what is asked of Ollama', () => {
	async function sent(options: Partial<OllamaOptions>, more: Partial<TurnRequest> = {}) {
		let body: unknown;
		const fetch: typeof globalThis.fetch = (url, init) => {
			body = JSON.parse(init?.body as string);
			return answering([bytesOf('{"done":true}\n')])(url, init);
		};
		await eventsOf(ollama({ url: '/api/chat', model: 'qwen3', fetch, ...options }), asked(more));
		return body as Record<string, unknown>;
	}

	test('S2-20 arguments as objects, results by name, figures under options', async () => {
		const echo = { by: 'ollama', value: { thinking: 'Hm.' } };
		const messages = history.map((one) => (one.role === 'assistant' ? { ...one, echo } : one)).slice(0, 4);
		expect(
			await sent(
				{
					think: 'low',
					keepAlive: '10m',
					body: { options: { num_ctx: 8192, num_predict: 1 }, stream: false, format: 'json' }
				},
				{ messages, limits: { outputTokens: 500 }, tools: asked().tools.slice(0, 1) }
			)
		).toEqual({
			model: 'qwen3',
			format: 'json',
			stream: true,
			think: 'low',
			keep_alive: '10m',
			options: { num_ctx: 8192, num_predict: 500 },
			messages: [
				{ role: 'system', content: 'You keep a calendar.' },
				{ role: 'user', content: 'Move it' },
				{
					role: 'assistant',
					content: 'Now.',
					thinking: 'Hm.',
					tool_calls: [
						{ id: 'call_a', function: { name: 'move_event', arguments: { id: 1 } } },
						{ id: 'call_b', function: { name: 'list_events', arguments: {} } },
						{ id: expect.any(String) as string, function: { name: 'list_events', arguments: {} } }
					]
				},
				{ role: 'tool', tool_name: 'move_event', tool_call_id: 'call_a', content: '{"moved":1}' },
				{ role: 'tool', tool_name: 'list_events', tool_call_id: 'call_b', content: 'refuse: cut' },
				{ role: 'user', content: 'calendar: one meeting' }
			],
			tools: [
				{
					type: 'function',
					function: { name: 'move_event', description: 'Does move_event', parameters: { type: 'object' } }
				}
			]
		});
	});

	test('S2-20 nothing is said of what is not there', async () => {
		expect(await sent({}, { tools: [], system: '', context: '', messages: [] })).toEqual({
			model: 'qwen3',
			messages: [],
			stream: true,
			options: {}
		});
	});
});
