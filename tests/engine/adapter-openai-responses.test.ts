import OpenAI from 'openai';
import type { ResponseCreateParamsStreaming, Tool } from 'openai/resources/responses/responses';
import { describe, expect, test } from 'vitest';
import {
	openaiResponses,
	type OpenAIResponsesOptions
} from '../../src/lib/agent/adapters/openai-responses.js';
import type { TurnEvent, TurnMessage, TurnRequest } from '../../src/lib/agent/protocol/turn.js';
import type { JSONValue } from '../../src/lib/agent/protocol/words.js';
import { answering, asked, bytesOf, eventsOf, outcomeOf, sse } from '../fixtures/served-stream.js';
import { streams } from '../fixtures/streams/openai-responses.js';

const url = 'https://model.example/v1/responses';
const ana = { kind: 'human', id: 'ana', name: 'Ana' } as const;
const ben = { kind: 'human', id: 'ben' } as const;
const completed = sse({
	type: 'response.completed',
	response: { status: 'completed', output: [], usage: null }
});

/** What goes over the wire for a request. */
async function sent(
	request: Partial<TurnRequest>,
	options: Partial<OpenAIResponsesOptions> = {}
): Promise<ResponseCreateParamsStreaming> {
	let body: unknown;
	const fetch: typeof globalThis.fetch = (input, init) => {
		body = JSON.parse(String(init?.body));
		return answering([bytesOf(completed)], { headers: { 'content-type': 'text/event-stream' } })(input, init);
	};
	await eventsOf(openaiResponses({ url, model: 'gpt-test', fetch, ...options }), asked(request));
	return body as ResponseCreateParamsStreaming;
}

const user = (text: string, from: (TurnMessage & { role: 'user' })['from'] = ana): TurnMessage => ({
	role: 'user',
	from,
	text
});
const said = (
	text: string,
	calls: readonly { id: string; name: string; args: string }[] = [],
	echo?: JSONValue
): TurnMessage => ({ role: 'assistant', text, calls, ...(echo !== undefined && { echo }) });
const result = (call: string, name: string, content: JSONValue): TurnMessage => ({
	role: 'result',
	call,
	name,
	content,
	performative: 'inform'
});
const tool = (name: string, schema: Record<string, unknown> = { type: 'object' }) => ({
	name,
	description: `Does ${name}`,
	schema
});

describe('what is sent', () => {
	test('S2-23 S2-100 instructions, history, tools and the context as the last block', async () => {
		const expected: ResponseCreateParamsStreaming = {
			model: 'gpt-test',
			stream: true,
			store: false,
			include: ['reasoning.encrypted_content'],
			instructions: 'You keep a calendar.',
			max_output_tokens: 900,
			input: [
				{ role: 'user', content: 'Move the meeting' },
				{ role: 'assistant', content: 'I look.' },
				{ type: 'function_call', call_id: 'call_a', name: 'move_event', arguments: '{"id":1}' },
				{ type: 'function_call', call_id: 'call_b', name: 'list_events', arguments: '{}' },
				{ type: 'function_call_output', call_id: 'call_a', output: '{"moved":true}' },
				{ type: 'function_call_output', call_id: 'call_b', output: 'none' },
				{ role: 'user', content: 'calendar: one meeting' }
			],
			tools: [
				{
					type: 'function',
					name: 'move_event',
					description: 'Does move_event',
					parameters: { type: 'object' },
					strict: false
				}
			]
		};
		expect(
			await sent({
				tools: [tool('move_event')],
				limits: { outputTokens: 900 },
				messages: [
					user('Move the meeting'),
					said('I look.', [
						{ id: 'call_a', name: 'move_event', args: '{"id":1}' },
						{ id: 'call_b', name: 'list_events', args: '{"cut' }
					]),
					result('call_a', 'move_event', { moved: true }),
					result('call_b', 'list_events', 'none')
				]
			})
		).toEqual(expected);
	});

	test('S2-23 what is empty is left out; a limit is at least what the provider takes', async () => {
		const body = await sent(
			{ system: '', context: '', tools: [], messages: [user('Hi')], limits: { outputTokens: 1 } },
			{
				sealed: false,
				body: { tool_choice: 'required', parallel_tool_calls: false, tools: [{ type: 'web_search' }] }
			}
		);
		expect(body).toEqual({
			model: 'gpt-test',
			stream: true,
			store: false,
			input: [{ role: 'user', content: 'Hi' }],
			max_output_tokens: 16
		});
	});

	test('S2-23 more members are added, and override nothing that the adapter needs', async () => {
		const webSearch = { type: 'web_search' } as const satisfies Tool;
		const body = await sent(
			{ tools: [tool('move_event')] },
			{
				body: {
					model: 'other',
					stream: false,
					store: true,
					input: [],
					instructions: 'Be evil.',
					temperature: 0.2,
					tool_choice: 'required',
					include: ['web_search_call.action.sources'],
					tools: [webSearch]
				}
			}
		);
		expect(body).toMatchObject({
			model: 'gpt-test',
			stream: true,
			store: false,
			instructions: 'You keep a calendar.',
			temperature: 0.2,
			tool_choice: 'required',
			include: ['web_search_call.action.sources', 'reasoning.encrypted_content']
		});
		expect(body.input).toHaveLength(2);
		expect(body.tools).toEqual([expect.objectContaining({ name: 'move_event' }), webSearch]);
	});

	test('S2-23 several people are told apart, one is not', async () => {
		const two = await sent({
			context: '',
			messages: [user('Move it'), said('Where to?'), user('To five', ben)]
		});
		expect(two.input).toEqual([
			{ role: 'user', content: 'Ana: Move it' },
			{ role: 'assistant', content: 'Where to?' },
			{ role: 'user', content: 'ben: To five' }
		]);
		const one = await sent({ context: '', messages: [user('Move it'), user('To five')] });
		expect(one.input).toEqual([
			{ role: 'user', content: 'Move it' },
			{ role: 'user', content: 'To five' }
		]);
	});

	test('S2-23 the context comes again after results and words, not after a pause', async () => {
		const context = { role: 'user', content: 'calendar: one meeting' };
		const ends = async (...messages: TurnMessage[]) => ((await sent({ messages })).input as unknown[]).at(-1);
		expect(await ends(user('Go'), said('One moment. '))).toEqual({
			role: 'assistant',
			content: 'One moment. '
		});
		expect(await ends(user('Go'), said('One moment. '), user('Well?'))).toEqual(context);
		const call = { id: 'a', name: 'list_events', args: '{}' };
		expect(await ends(user('Go'), said('', [call]), result('a', 'list_events', 1))).toEqual(context);
	});

	test('S2-23 names and ids that the provider does not take are mapped, and names come back', async () => {
		const name = 'sheet.rénommer/1';
		const long = `call-${'x'.repeat(80)}`;
		const body = await sent({
			tools: [tool(name)],
			messages: [user('Go'), said('', [{ id: long, name, args: '{}' }]), result(long, name, 1)]
		});
		const [made] = body.tools as { name: string }[];
		expect(made!.name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
		const [, call, output] = body.input as { call_id: string; name?: string }[];
		expect(call!.call_id).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
		expect(output!.call_id).toBe(call!.call_id);
		expect(call!.name).toBe(made!.name);
		const stream = sse(
			{
				type: 'response.output_item.done',
				output_index: 0,
				item: { type: 'function_call', call_id: 'c', name: made!.name, arguments: '{}', status: 'completed' }
			},
			{ type: 'response.completed', response: { status: 'completed', output: [], usage: null } }
		);
		const fetch = answering([bytesOf(stream)], { headers: { 'content-type': 'text/event-stream' } });
		const events = await eventsOf(
			openaiResponses({ url, model: 'm', fetch }),
			asked({ tools: [tool(name)] })
		);
		expect(events[0]).toEqual({ type: 'call.start', id: 'c', name, executed: 'here' });
	});

	test('S2-23 strict: the subset is sent where the schema fits it, and its nulls are taken away', async () => {
		const schema = {
			type: 'object',
			properties: { id: { type: 'string' }, room: { type: 'string' } },
			required: ['id'],
			additionalProperties: false
		};
		const tools = [
			tool('move_event', schema),
			tool('anything', { type: 'object', additionalProperties: true })
		];
		const body = await sent({ tools }, { strict: true });
		expect(body.tools).toMatchObject([
			{
				name: 'move_event',
				strict: true,
				parameters: { required: ['id', 'room'], additionalProperties: false }
			},
			{ name: 'anything', strict: false, parameters: { type: 'object', additionalProperties: true } }
		]);
		const stream = sse(
			{
				type: 'response.output_item.done',
				output_index: 0,
				item: {
					type: 'function_call',
					call_id: 'c',
					name: 'move_event',
					arguments: '{"id":"7","room":null}',
					status: 'completed'
				}
			},
			{ type: 'response.completed', response: { status: 'completed', output: [], usage: null } }
		);
		const headers = { 'content-type': 'text/event-stream' };
		const fetch = answering([bytesOf(stream)], { headers });
		const events = await eventsOf(
			openaiResponses({ url, model: 'm', strict: true, fetch }),
			asked({ tools })
		);
		expect(events.find(({ type }) => type === 'call.end')).toMatchObject({
			verdict: 'complete',
			raw: '{"id":"7"}'
		});
	});
});

describe('what is sent back as it came', () => {
	const rs = (id: string) => ({ id, type: 'reasoning', summary: [], encrypted_content: `sealed-${id}` });
	const plan: JSONValue[] = [
		rs('rs_1'),
		{ text: 6, phase: 'commentary' },
		rs('rs_2'),
		{ call: 1 },
		rs('rs_3'),
		{ call: 0 }
	];
	const calls = [
		{ id: 'a-turn-2', name: 'move_event', args: '{"id":1}' },
		{ id: 'b', name: 'list_events', args: '{}' }
	];
	const history = (echo: JSONValue): TurnMessage[] => [
		user('Go'),
		said('I look. ', calls, echo),
		result('a-turn-2', 'move_event', 1),
		result('b', 'list_events', 2)
	];
	const outputs = [
		{ type: 'function_call_output', call_id: 'a-turn-2', output: '1' },
		{ type: 'function_call_output', call_id: 'b', output: '2' }
	];
	const call = (n: 0 | 1) => ({
		type: 'function_call',
		call_id: calls[n]!.id,
		name: calls[n]!.name,
		arguments: calls[n]!.args
	});

	test('S2-23 sealed reasoning stands before what it led to, and calls keep the ids that the engine gave them', async () => {
		const { input } = await sent({
			context: '',
			messages: history({ by: 'openai-responses/gpt-test', value: plan })
		});
		expect(input).toEqual([
			{ role: 'user', content: 'Go' },
			rs('rs_1'),
			{ role: 'assistant', content: 'I look. ', phase: 'commentary' },
			rs('rs_2'),
			call(1),
			rs('rs_3'),
			call(0),
			...outputs
		]);
	});

	test.each([
		['of another adapter', { by: 'anthropic', value: plan }],
		['of another model', { by: 'openai-responses/gpt-other', value: plan }],
		['that is none', 'what?'],
		[
			'that names calls nobody knows',
			{ by: 'openai-responses/gpt-test', value: [{ call: 7 }, { call: 'x' }, null] }
		]
	])('S2-23 an echo %s is left out, nothing else is', async (_, echo) => {
		const { input } = await sent({ context: '', messages: history(echo as JSONValue) });
		expect(input).toEqual([
			{ role: 'user', content: 'Go' },
			{ role: 'assistant', content: 'I look. ' },
			call(0),
			call(1),
			...outputs
		]);
	});

	test('S2-23 reasoning that led to nothing is not sent', async () => {
		const echo = { by: 'openai-responses/gpt-test', value: [rs('rs_1'), { text: 0 }, rs('rs_2')] };
		const { input } = await sent({ context: '', messages: [user('Go'), said('', [], echo), user('Well?')] });
		expect(input).toEqual([
			{ role: 'user', content: 'Go' },
			{ role: 'user', content: 'Well?' }
		]);
	});

	test('S2-23 a call in free text goes back as one, and so does its result', async () => {
		const echo = { by: 'openai-responses/gpt-test', value: [{ call: 0, custom: true }] };
		const { input } = await sent({
			context: '',
			messages: [
				said('', [{ id: 'a', name: 'list_events', args: '{"input":"all"}' }], echo),
				result('a', 'list_events', [])
			]
		});
		expect(input).toEqual([
			{ type: 'custom_tool_call', call_id: 'a', name: 'list_events', input: 'all' },
			{ type: 'custom_tool_call_output', call_id: 'a', output: '[]' }
		]);
	});

	test('S2-101 an approval that was asked for over there is answered, and the context comes with it', async () => {
		const request = {
			id: 'mcpr_1',
			type: 'mcp_approval_request',
			name: 'pay',
			server_label: 'b',
			arguments: '{}'
		};
		const echo = { by: 'openai-responses/gpt-test', value: [request] };
		const answer = async (
			status: 'resolved' | 'cancelled',
			payload?: JSONValue,
			interrupt = 'mcpr_1'
		): Promise<unknown[]> => {
			const resume = [{ interrupt, status, ...(payload !== undefined && { payload }) }];
			const { input } = await sent({ messages: [user('Go'), said('', [], echo)], resume });
			return (input as unknown[]).slice(1);
		};
		const context = { role: 'user', content: 'calendar: one meeting' };
		const told = { type: 'mcp_approval_response', approval_request_id: 'mcpr_1' };
		expect(await answer('resolved', { approved: true })).toEqual([
			request,
			{ ...told, approve: true },
			context
		]);
		expect(await answer('resolved', { approved: false, reason: 'No' })).toEqual([
			request,
			{ ...told, approve: false, reason: 'No' },
			context
		]);
		expect(await answer('cancelled')).toEqual([request, { ...told, approve: false }, context]);
		expect(await answer('resolved', { approved: true }, 'of another')).toEqual([request, context]);
	});

	test('S2-23 what one turn asks to have back is taken whole by the next', async () => {
		const [interleaved] = streams.own.filter(({ name }) => name.startsWith('reasoning between calls'));
		const fetch = answering([bytesOf(interleaved!.body)], {
			headers: { 'content-type': 'text/event-stream' }
		});
		const { echo } = outcomeOf(await eventsOf(streams.open(fetch), asked()));
		const { input } = await sent({
			context: '',
			messages: [
				said(
					'First I look. Moved.',
					[
						{ id: 'call_a', name: 'move_event', args: '{}' },
						{ id: 'call_b', name: 'delete_note', args: '{}' }
					],
					echo
				)
			]
		});
		expect(
			(input as { type?: string; phase?: string; content?: string }[]).map((one) => one.type ?? one.content)
		).toEqual([
			'reasoning',
			'First I look. ',
			'reasoning',
			'function_call',
			'reasoning',
			'function_call',
			'Moved.'
		]);
	});
});

describe('beside the official client, on streams that it reads rightly', () => {
	/** What the official client made of a stream. */
	async function official(body: string | Uint8Array) {
		const headers = { 'content-type': 'text/event-stream' };
		const client = new OpenAI({
			apiKey: 'none',
			baseURL: 'https://model.example/v1',
			fetch: answering([bytesOf(body)], { headers })
		});
		const stream = client.responses.stream({ model: 'gpt-test', input: 'Go' });
		const { output, status } = await stream.finalResponse();
		return {
			status,
			text: output
				.flatMap((item) => (item.type === 'message' ? item.content : []))
				.map((part) => (part.type === 'output_text' ? part.text : ''))
				.join(''),
			refusal: output
				.flatMap((item) => (item.type === 'message' ? item.content : []))
				.map((part) => (part.type === 'refusal' ? part.refusal : ''))
				.join(''),
			calls: output.flatMap((item) =>
				item.type === 'function_call' ? [{ id: item.call_id, name: item.name, raw: item.arguments }] : []
			)
		};
	}

	const part = (type: string, more: object) => ({ type, content_index: 0, ...more });
	const text = (output_index: number, whole: string, kind: 'output_text' | 'refusal' = 'output_text') => {
		const item_id = `msg_${output_index}`;
		const member = kind === 'refusal' ? 'refusal' : 'text';
		const content = (said: string) => ({
			type: kind,
			[member]: said,
			...(kind === 'output_text' && { annotations: [] })
		});
		const item = (said: string[]) => ({
			id: item_id,
			type: 'message',
			role: 'assistant',
			content: said.map(content)
		});
		return [
			{ type: 'response.output_item.added', output_index, item: item([]) },
			part('response.content_part.added', { output_index, item_id, part: content('') }),
			...[whole.slice(0, 3), whole.slice(3)].map((delta) =>
				part(`response.${kind}.delta`, { output_index, item_id, delta })
			),
			part(`response.${kind}.done`, { output_index, item_id, [member]: whole }),
			part('response.content_part.done', { output_index, item_id, part: content(whole) }),
			{ type: 'response.output_item.done', output_index, item: item([whole]) }
		];
	};
	const call = (output_index: number, call_id: string, name: string, whole: string) => {
		const item = (args: string) => ({
			id: `fc_${output_index}`,
			type: 'function_call',
			call_id,
			name,
			arguments: args
		});
		return [
			{ type: 'response.output_item.added', output_index, item: item('') },
			...[whole.slice(0, 5), whole.slice(5)].map((delta) => ({
				type: 'response.function_call_arguments.delta',
				output_index,
				item_id: `fc_${output_index}`,
				delta
			})),
			{
				type: 'response.function_call_arguments.done',
				output_index,
				item_id: `fc_${output_index}`,
				arguments: whole
			},
			{ type: 'response.output_item.done', output_index, item: item(whole) }
		];
	};
	const whole = (...events: { type: string; item?: object }[]) => {
		const output = events.flatMap(({ type, item }) => (type === 'response.output_item.done' ? [item] : []));
		return sse(
			{ type: 'response.created', response: { id: 'r', status: 'in_progress', output: [] } },
			...events,
			{ type: 'response.completed', response: { id: 'r', status: 'completed', output } }
		);
	};

	test.each([
		['text', whole(...text(0, 'Olá 🗓️!'))],
		['a refusal', whole(...text(0, 'I cannot.', 'refusal'))],
		[
			'text and two calls',
			whole(
				...text(0, 'So.'),
				...call(1, 'a', 'move_event', '{"id":"\\u00e9"}'),
				...call(2, 'b', 'list_events', '{}')
			)
		]
	])('S2-23 %s: the same text, refusal and calls', async (_, body) => {
		const theirs = await official(body);
		const headers = { 'content-type': 'text/event-stream' };
		const ours = await eventsOf(
			openaiResponses({ url, model: 'm', fetch: answering([bytesOf(body)], { headers }) }),
			asked()
		);
		const of = <T extends TurnEvent['type']>(type: T) =>
			ours.filter((event): event is Extract<TurnEvent, { type: T }> => event.type === type);
		expect({
			status: (of('end')[0] ?? { raw: 'none' }).raw,
			text: of('text')
				.map(({ delta }) => delta)
				.join(''),
			refusal: of('refusal')
				.map((one) => one.text)
				.join(''),
			calls: of('call.start').map(({ id, name }) => ({
				id,
				name,
				raw: of('call.end').find((end) => end.id === id)!.raw
			}))
		}).toEqual(theirs);
	});
});
