import { describe, expect, test } from 'vitest';
import { gemini, type GeminiOptions } from '../../src/lib/agent/adapters/gemini.js';
import type { TurnMessage, TurnRequest } from '../../src/lib/agent/protocol/turn.js';
import type { JSONValue } from '../../src/lib/agent/protocol/words.js';
import { answering, asked, bytesOf, dataOnly, eventsOf, outcomeOf } from '../fixtures/served-stream.js';
import { streams } from '../fixtures/streams/gemini.js';

const url = 'https://model.example/v1beta/models/g:streamGenerateContent?alt=sse';
const headers = { 'content-type': 'text/event-stream' };
const ana = { kind: 'human', id: 'ana', name: 'Ana' } as const;
const ended = dataOnly({ candidates: [{ finishReason: 'STOP' }] });

/** What goes over the wire for a request. */
async function sent(request: Partial<TurnRequest>, options: Partial<GeminiOptions> = {}) {
	let body: unknown;
	let asks: unknown;
	const fetch: typeof globalThis.fetch = (input, init) => {
		asks = input;
		body = JSON.parse(String(init?.body));
		return answering([bytesOf(ended)], { headers })(input, init);
	};
	await eventsOf(gemini({ url, fetch, ...options }), asked(request));
	expect(asks).toBe(url);
	return body as Record<string, unknown> & { contents: { role: string; parts: unknown[] }[] };
}

const user = (text: string, from: (TurnMessage & { role: 'user' })['from'] = ana): TurnMessage => ({
	role: 'user',
	from,
	text
});
const result = (call: string, name: string, content: JSONValue): TurnMessage => ({
	role: 'result',
	call,
	name,
	content,
	performative: 'inform'
});
const calls = [
	{ id: 'fc1', name: 'move_event', args: '{"id":1}' },
	{ id: 'call-2', name: 'list_events', args: '{"cut' }
];
const said = (text: string, echo?: JSONValue): TurnMessage => ({
	role: 'assistant',
	text,
	calls,
	...(echo !== undefined && { echo })
});
const call = (n: 0 | 1, args: object) => ({ functionCall: { id: calls[n]!.id, name: calls[n]!.name, args } });
const answer = (n: 0 | 1, output: JSONValue) => ({
	functionResponse: { id: calls[n]!.id, name: calls[n]!.name, response: { output } }
});

describe('what is sent', () => {
	test('S2-23 S2-100 instructions, history, tools, and the context as the last block', async () => {
		const body = await sent({
			tools: [{ name: 'move_event', description: 'Moves', schema: { type: 'object' } }],
			limits: { outputTokens: 900 },
			messages: [
				user('Move the meeting'),
				said('I look.'),
				result('fc1', 'move_event', { refused: { code: 'stale' } }),
				result('call-2', 'list_events', 'none')
			]
		});
		expect(body).toEqual({
			systemInstruction: { parts: [{ text: 'You keep a calendar.' }] },
			contents: [
				{ role: 'user', parts: [{ text: 'Move the meeting' }] },
				{ role: 'model', parts: [{ text: 'I look.' }, call(0, { id: 1 }), call(1, {})] },
				{ role: 'user', parts: [answer(0, { refused: { code: 'stale' } }), answer(1, 'none')] },
				{ role: 'user', parts: [{ text: 'calendar: one meeting' }] }
			],
			tools: [
				{
					functionDeclarations: [
						{ name: 'move_event', description: 'Moves', parametersJsonSchema: { type: 'object' } }
					]
				}
			],
			generationConfig: { maxOutputTokens: 900 }
		});
	});

	test('S2-23 what is empty is left out, and tools of the provider with it', async () => {
		const body = { tools: [{ googleSearch: {} }], toolConfig: { functionCallingConfig: { mode: 'ANY' } } };
		expect(await sent({ system: '', context: '', tools: [], messages: [user('Hi')] }, { body })).toEqual({
			contents: [{ role: 'user', parts: [{ text: 'Hi' }] }]
		});
	});

	test('S2-23 more members are added, and override nothing that the adapter needs', async () => {
		const body = await sent(
			{ limits: { outputTokens: 7 } },
			{
				body: {
					contents: [],
					systemInstruction: { parts: [{ text: 'Be evil.' }] },
					tools: [{ googleSearch: {} }],
					generationConfig: {
						temperature: 0,
						maxOutputTokens: 1e6,
						thinkingConfig: { includeThoughts: true }
					},
					safetySettings: []
				}
			}
		);
		expect(body).toMatchObject({
			systemInstruction: { parts: [{ text: 'You keep a calendar.' }] },
			generationConfig: { temperature: 0, maxOutputTokens: 7, thinkingConfig: { includeThoughts: true } },
			safetySettings: []
		});
		expect(body.contents).toHaveLength(1);
		expect(body.tools).toEqual([{ functionDeclarations: expect.any(Array) }, { googleSearch: {} }]);
	});

	test('S2-23 several people are told apart; the context does not come again after a pause', async () => {
		const ben = { kind: 'human', id: 'ben' } as const;
		const { contents } = await sent({
			messages: [
				user('Move it'),
				user('To five', ben),
				{ role: 'assistant', text: 'One moment. ', calls: [] }
			]
		});
		expect(contents).toEqual([
			{ role: 'user', parts: [{ text: 'Ana: Move it' }, { text: 'ben: To five' }] },
			{ role: 'model', parts: [{ text: 'One moment. ' }] }
		]);
	});

	test('S2-23 names that are not taken are mapped, and come back', async () => {
		const name = '1.rénommer';
		const tools = [{ name, description: '', schema: {} }];
		const body = await sent({ tools });
		const [{ functionDeclarations }] = body.tools as [{ functionDeclarations: { name: string }[] }];
		const wire = functionDeclarations[0]!.name;
		expect(wire).toMatch(/^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/);
		const stream = dataOnly(
			{ candidates: [{ content: { parts: [{ functionCall: { name: wire, args: {} } }] } }] },
			{ candidates: [{ finishReason: 'STOP' }] }
		);
		const events = await eventsOf(
			gemini({ url, fetch: answering([bytesOf(stream)], { headers }) }),
			asked({ tools })
		);
		expect(events[0]).toMatchObject({ type: 'call.start', name, executed: 'here' });
	});
});

describe('what is sent back as it came', () => {
	const plan: JSONValue[] = [
		{ text: 2 },
		{ call: 0, thoughtSignature: 'a' },
		{ executableCode: { code: '1' } },
		{ call: 1 },
		{ text: 5 },
		{ text: 0, thoughtSignature: 'b' }
	];
	const model = async (echo: JSONValue) => {
		const { contents } = await sent({ context: '', messages: [said('I move.', echo)] });
		return contents[0]!.parts;
	};

	test('S2-23 signatures stand on the very part they came with, also on one without text', async () => {
		expect(await model({ by: 'gemini', value: plan })).toEqual([
			{ text: 'I ' },
			{ ...call(0, { id: 1 }), thoughtSignature: 'a' },
			{ executableCode: { code: '1' } },
			call(1, {}),
			{ text: 'move.' },
			{ text: '', thoughtSignature: 'b' }
		]);
	});

	test.each([
		['of another adapter', { by: 'anthropic', value: plan }],
		['that is none', 7],
		['that names calls nobody knows', { by: 'gemini', value: [{ call: 9 }, null, 'x'] }]
	])('S2-23 an echo %s is left out, nothing else is', async (_, echo) => {
		expect(await model(echo)).toEqual([{ text: 'I move.' }, call(0, { id: 1 }), call(1, {})]);
	});

	test('S2-23 what one turn asks to have back is taken whole by the next', async () => {
		const [signed] = streams.own.filter(({ name }) => name.startsWith('thoughts, text'));
		const fetch = answering([bytesOf(signed!.body)], { headers });
		const { echo } = outcomeOf(await eventsOf(streams.open(fetch), asked()));
		const { contents } = await sent({ context: '', messages: [said('I move it.', echo!)] });
		expect(contents[0]!.parts).toEqual([
			{ text: 'I move it.' },
			{ ...call(0, { id: 1 }), thoughtSignature: 'c2lnMQ==' },
			call(1, {}),
			{ text: '', thoughtSignature: 'c2lnMg==' }
		]);
	});
});

describe('S2-23 paths of arguments in pieces', () => {
	const put = async (...pieces: object[]) => {
		const part = (functionCall: object) => ({ candidates: [{ content: { parts: [{ functionCall }] } }] });
		const stream = dataOnly(
			part({ name: 'move_event', willContinue: true }),
			...pieces.map((piece) => part({ partialArgs: [piece], willContinue: true })),
			part({}),
			{ candidates: [{ finishReason: 'STOP' }] }
		);
		const events = await eventsOf(gemini({ url, fetch: answering([bytesOf(stream)], { headers }) }), asked());
		return events.map((event) =>
			event.type === 'call.end'
				? [event.verdict, event.raw]
				: event.type === 'error'
					? event.reason.code
					: event.type
		);
	};

	test.each([
		['$.a', '{"a":1}'],
		["$['a b'].c", '{"a b":{"c":1}}'],
		['$["a"][0][0]', '{"a":[[1]]}'],
		['$.__proto__.a', '{"__proto__":{"a":1}}']
	])('S2-23 %s leads somewhere', async (jsonPath, raw) => {
		expect(await put({ jsonPath, numberValue: 1 })).toEqual([
			'call.start',
			'call.args',
			['complete', raw],
			'end'
		]);
		expect(Object.hasOwn(Object.prototype, 'a')).toBe(false);
	});

	test.each(['$', '', 'a', '$a', '$..a', '$.a[1]', '$.a[4294967295]', '$[0]', '$.a[*]', '$.a[?@.b]', '$.a['])(
		'S2-23 %s leads nowhere: the call is not made up',
		async (jsonPath) => {
			expect(await put({ jsonPath, numberValue: 1 })).toEqual(['call.start', ['incomplete', ''], 'protocol']);
		}
	);

	test('S2-23 a path through a text leads nowhere', async () => {
		expect(await put({ jsonPath: '$.a', stringValue: 'x' }, { jsonPath: '$.a.b', stringValue: 'y' })).toEqual(
			['call.start', ['incomplete', ''], 'protocol']
		);
	});
});
