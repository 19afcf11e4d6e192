import { describe, expect, test } from 'vitest';
import { gemini } from '../../src/lib/agent/adapters/gemini.js';
import { openaiResponses } from '../../src/lib/agent/adapters/openai-responses.js';
import { verify, type AgentTransport } from '../../src/lib/agent/index.js';
import { person } from '../../src/lib/testing/index.js';
import { call, closeAfterEach, peer, server, start as startOver } from '../fixtures/peer.js';
import { dataOnly, sse } from '../fixtures/served-stream.js';

closeAfterEach();

/** Is there a result yet? The context stands behind it, therefore nobody looks at the last message. */
const isLater = ({ messages }: { messages: readonly { role: string }[] }): boolean =>
	messages.some(({ role }) => role === 'tool');
const isFirst = (request: Parameters<typeof isLater>[0]): boolean => !isLater(request);

interface Format {
	name: string;
	/** A transport, and what it sent. */
	open(root: string): { transport: AgentTransport; bodies: Record<string, unknown>[] };
	/** Some text, and then nothing. */
	beginning: string;
	/** The same with an error behind it. */
	broken: string;
	/** One whole answer. */
	done: string;
}

/** The real fetch, with a note of what it sent. */
function noted(bodies: Record<string, unknown>[]): typeof fetch {
	return (input, init) => {
		bodies.push(JSON.parse(String(init?.body)) as Record<string, unknown>);
		return fetch(input, init);
	};
}

const text = { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: 'So far' };
const candidate = (more: object) => ({ candidates: [{ content: { parts: [{ text: 'So far' }] }, ...more }] });

const formats: Format[] = [
	{
		name: 'openai-responses',
		open(root) {
			const bodies: Record<string, unknown>[] = [];
			const transport = openaiResponses({
				url: `${root}/v1/responses`,
				model: 'gpt-5',
				fetch: noted(bodies)
			});
			return { transport, bodies };
		},
		beginning: sse(text),
		broken: sse(text, { type: 'error', code: 'server_error', message: 'The machine broke.' }),
		done: sse(text, { type: 'response.completed', response: { status: 'completed', output: [] } })
	},
	{
		name: 'gemini',
		open(root) {
			const bodies: Record<string, unknown>[] = [];
			const url = `${root}/v1beta/models/gemini-2.5-pro:streamGenerateContent?alt=sse`;
			return { transport: gemini({ url, fetch: noted(bodies) }), bodies };
		},
		beginning: dataOnly(candidate({})),
		broken: dataOnly(candidate({}), {
			error: { code: 503, status: 'UNAVAILABLE', message: 'The machine broke.' }
		}),
		done: dataOnly(candidate({ finishReason: 'STOP' }))
	}
];

function start({ transport, bodies }: ReturnType<Format['open']>, level: 'auto' | 'review' = 'review') {
	return { ...startOver(transport, level), bodies };
}

describe.each(formats)('with a server that speaks $name', ({ open, beginning, broken, done }) => {
	test('S2-20 S2-23 S2-98 S2-100 a thought, text, a reviewed call, its result and a second turn', async () => {
		const mock = await peer();
		mock.on(
			{ predicate: isFirst },
			{
				content: 'I raise it. ',
				toolCalls: [{ ...call({ key: 'amount', value: '1300 €' }), id: 'call_first' }],
				reasoning: 'The person wants more.',
				usage: { input_tokens: 321, output_tokens: 45 }
			}
		);
		mock.on(
			{ predicate: isLater },
			{ content: 'The amount is 1300 € now.', usage: { input_tokens: 400, output_tokens: 12 } }
		);
		const { run, until, sheet, heard } = start(open(mock.url));
		await until(() => expect(run.state.state).toBe('reviewing'));
		expect(sheet.cells.amount).toBe('1200');
		run.decide({ review: run.state.reviews[0]!.id, verdict: 'approve' }, person);
		await until(() => expect(run.state.outcome).toBeDefined());
		expect(run.state.outcome).toMatchObject({ kind: 'completed', text: 'The amount is 1300 € now.' });
		expect(sheet.cells.amount).toBe('1300 €');
		expect(verify(run.journal)).toEqual([]);
		expect(run.state.turns.map((turn) => turn.text)).toEqual(['I raise it. ', 'The amount is 1300 € now.']);
		expect(run.state.turns.map(({ usage }) => usage)).toEqual([
			{ input: 321, output: 45 },
			{ input: 400, output: 12 }
		]);
		expect(run.state.budget.spent.tokens).toBe(321 + 45 + 400 + 12);
		expect(heard.flatMap((event) => (event.type === 'reasoning' ? [event.delta] : [])).join('')).toBe(
			'The person wants more.'
		);
		expect(mock.getRequests().map(({ response }) => response.status)).toEqual([200, 200]);
	});

	test('S2-24 a call that the person rejects is told, and one that does not fit too', async () => {
		const mock = await peer();
		mock.on(
			{ predicate: isFirst },
			{
				toolCalls: [
					{ ...call({ key: 'amount', value: '1' }), id: 'call_a' },
					{ name: 'sheet__write', arguments: '{"instance":"sheet"}', id: 'call_b' }
				]
			}
		);
		mock.on({ predicate: isLater }, { content: 'Understood.' });
		const { run, until, sheet } = start(open(mock.url));
		await until(() => expect(run.state.state).toBe('reviewing'));
		run.decide({ review: run.state.reviews[0]!.id, verdict: 'reject' }, person);
		await until(() => expect(run.state.outcome).toBeDefined());
		expect(sheet.log).toEqual([]);
		const { messages } = mock.getLastRequest()!.body as {
			messages: { role: string; tool_call_id?: string }[];
		};
		expect(messages.filter(({ role }) => role === 'tool').map((one) => one.tool_call_id)).toEqual([
			'call_a',
			'call_b'
		]);
	});

	test('S2-23 too many requests: tried again after as long as the server says', async () => {
		const mock = await peer();
		mock.nextRequestError(429, { message: 'Slow down.', type: 'rate_limit_error' });
		mock.onMessage(/./, { content: 'Nothing to do.', usage: { input_tokens: 30, output_tokens: 3 } });
		const { run, until, clock, bodies } = start(open(mock.url));
		await until(() => expect(run.journal.some(({ kind }) => kind === 'turn.failed')).toBe(true));
		const { data, at } = run.journal.find(({ kind }) => kind === 'turn.failed')!;
		expect(data).toMatchObject({ reason: { code: 'http', text: expect.stringContaining('Slow down.') } });
		expect((data as { retryAt: number }).retryAt).toBe(at + 1000);
		await clock.advance(999);
		expect(bodies).toHaveLength(1);
		await clock.advance(1);
		await until(() => expect(run.state.outcome).toBeDefined());
		expect(bodies).toHaveLength(2);
		expect(run.state.outcome).toMatchObject({ kind: 'answered', text: 'Nothing to do.' });
	});

	test('S2-23 a line that breaks in mid-answer: nothing of it runs, and it is tried again', async () => {
		const mock = await peer();
		mock.on(
			{ sequenceIndex: 0 },
			{ content: 'I raise it right away. ', toolCalls: [call({ key: 'amount', value: '1300' })] },
			{ truncateAfterChunks: 3 }
		);
		mock.onMessage(/./, { content: 'Nothing to do.' });
		const { run, until, clock, sheet } = start(open(mock.url), 'auto');
		await until(() => expect(run.journal.some(({ kind }) => kind === 'turn.failed')).toBe(true));
		expect(run.journal.find(({ kind }) => kind === 'turn.failed')!.data).toMatchObject({
			reason: { code: expect.stringMatching(/^(network|truncated)$/) }
		});
		await clock.advance(1000);
		await until(() => expect(run.state.outcome).toBeDefined());
		expect(run.state.outcome).toMatchObject({ kind: 'answered', text: 'Nothing to do.' });
		expect(sheet.log).toEqual([]);
	});

	test('S2-23 an error that the provider reports in mid-answer passes, and is tried again', async () => {
		const root = await server((response, index) => {
			response.writeHead(200, { 'content-type': 'text/event-stream' });
			response.end(index === 0 ? broken : done);
		});
		const { run, until, clock } = start(open(root));
		await until(() => expect(run.journal.some(({ kind }) => kind === 'turn.failed')).toBe(true));
		expect(run.journal.find(({ kind }) => kind === 'turn.failed')!.data).toMatchObject({
			text: 'So far',
			reason: { code: 'provider', text: 'The machine broke.' }
		});
		await clock.advance(1000);
		await until(() => expect(run.state.outcome).toBeDefined());
		expect(run.state.outcome).toMatchObject({ kind: 'answered', text: 'So far' });
	});

	test('S2-23 a stop reaches the socket', async () => {
		let left: () => void = () => undefined;
		const gone = new Promise<void>((resolve) => (left = resolve));
		const root = await server((response) => {
			response.on('close', left);
			response.writeHead(200, { 'content-type': 'text/event-stream' });
			response.write(beginning);
		});
		const { run, until, heard } = start(open(root));
		await until(() => expect(heard.some(({ type }) => type === 'text')).toBe(true));
		const stopped = run.stop(undefined, person);
		await gone;
		await until(() => expect(run.state.outcome).toBeDefined());
		await stopped;
		expect(run.state.turns[0]!.text).toBe('So far');
	});
});

test('S2-23 sealed reasoning goes back to the server that sealed it, before the call it led to', async () => {
	const mock = await peer();
	mock.on(
		{ predicate: isFirst },
		{ toolCalls: [{ ...call({ key: 'amount', value: '1300' }), id: 'call_first' }], reasoning: 'More.' }
	);
	mock.on({ predicate: isLater }, { content: 'Done.' });
	const { run, until, bodies } = start(formats[0]!.open(mock.url), 'auto');
	await until(() => expect(run.state.outcome).toBeDefined());
	expect(run.state.outcome).toMatchObject({ kind: 'completed', text: 'Done.' });
	expect(bodies[0]).toMatchObject({ store: false, include: ['reasoning.encrypted_content'] });
	const [asked, reasoning, called, output] = bodies[1]!.input as Record<string, unknown>[];
	expect(asked).toMatchObject({ role: 'user' });
	expect(reasoning).toMatchObject({
		type: 'reasoning',
		summary: [{ type: 'summary_text', text: 'More.' }],
		encrypted_content: expect.stringMatching(/^.{20}/)
	});
	expect(called).toMatchObject({ type: 'function_call', call_id: 'call_first', name: 'sheet__write' });
	expect(output).toMatchObject({ type: 'function_call_output', call_id: 'call_first' });
});

test('S2-23 signatures go back on the part they came with, through the engine', async () => {
	const args = { instance: 'sheet', key: 'amount', value: '1300' };
	const answers = [
		dataOnly(
			{
				candidates: [
					{
						content: {
							parts: [
								{ functionCall: { name: 'sheet__write', args }, thoughtSignature: 'c2ln' },
								{ functionCall: { name: 'sheet__write', args: { ...args, key: 'city' } } }
							]
						}
					}
				]
			},
			{ candidates: [{ finishReason: 'STOP' }] }
		),
		dataOnly({ candidates: [{ content: { parts: [{ text: 'Done.' }] }, finishReason: 'STOP' }] })
	];
	const root = await server((response, index) => {
		response.writeHead(200, { 'content-type': 'text/event-stream' });
		response.end(answers[index]);
	});
	const { run, until, bodies, sheet } = start(formats[1]!.open(root), 'auto');
	await until(() => expect(run.state.outcome).toBeDefined());
	expect(run.state.outcome).toMatchObject({ kind: 'completed', text: 'Done.' });
	expect(sheet.cells).toMatchObject({ amount: '1300', city: '1300' });
	const [, model, results] = bodies[1]!.contents as { role: string; parts: Record<string, unknown>[] }[];
	expect(model!.parts).toEqual([
		{ functionCall: { id: 'call-1', name: 'sheet__write', args }, thoughtSignature: 'c2ln' },
		{ functionCall: { id: 'call-2', name: 'sheet__write', args: { ...args, key: 'city' } } }
	]);
	expect(results!.parts.map((part) => (part.functionResponse as { id: string }).id)).toEqual([
		'call-1',
		'call-2'
	]);
});
