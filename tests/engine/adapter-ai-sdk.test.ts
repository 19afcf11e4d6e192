import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import {
	convertToModelMessages,
	dynamicTool,
	isStepCount,
	jsonSchema,
	safeValidateUIMessages,
	streamText,
	tool,
	type ToolSet,
	type UIMessage
} from 'ai';
import { MockLanguageModelV4, simulateReadableStream } from 'ai/test';
import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { aiSdk } from '$lib/agent/adapters/ai-sdk.js';
import { verify } from '$lib/agent/index.js';
import { person } from '$lib/testing/index.js';
import { bench } from '../fixtures/engine.js';

const AUTO = { policy: { ceiling: 'auto' as const } };

/** What a client sends; the rest is the server's. */
interface Sent {
	id: string;
	messages: UIMessage[];
	system: string;
	tools?: { name: string; description: string; inputSchema: Record<string, unknown> }[];
}

type Stream = Awaited<ReturnType<MockLanguageModelV4['doStream']>>;
type Chunk = Stream['stream'] extends ReadableStream<infer Part> ? Part : never;

const usage = (input: number, cacheRead: number, output: number, reasoning = 0) => ({
	inputTokens: { total: input, noCache: input - cacheRead, cacheRead, cacheWrite: 0 },
	outputTokens: { total: output, text: output - reasoning, reasoning }
});
const says = (text: string): Chunk[] => [
	{ type: 'text-start', id: 't' },
	{ type: 'text-delta', id: 't', delta: text },
	{ type: 'text-end', id: 't' }
];
const calls = (toolCallId: string, toolName: string, input: object): Chunk[] => {
	const text = JSON.stringify(input);
	return [
		{ type: 'tool-input-start', id: toolCallId, toolName },
		{ type: 'tool-input-delta', id: toolCallId, delta: text.slice(0, 7) },
		{ type: 'tool-input-delta', id: toolCallId, delta: text.slice(7) },
		{ type: 'tool-input-end', id: toolCallId },
		{ type: 'tool-call', toolCallId, toolName, input: text }
	];
};
const ends = (unified: 'stop' | 'tool-calls', figures = usage(10, 0, 5)): Chunk => ({
	type: 'finish',
	finishReason: { unified, raw: undefined },
	usage: figures
});

let close: (() => void) | undefined;
afterEach(() => close?.());

/** A backend as the docs show it, with tools of its own, over a model that says what it is told to. */
async function backend(turns: readonly Chunk[][], own: ToolSet = {}, approve: readonly string[] = []) {
	const sent: Sent[] = [];
	const faults: unknown[] = [];
	let asked = 0;
	let aborted: () => void = () => undefined;
	const gone = new Promise<void>((resolve) => (aborted = resolve));
	const model = new MockLanguageModelV4({
		doStream: ({ abortSignal }) => {
			abortSignal?.addEventListener('abort', () => aborted());
			const chunks = turns[asked++] ?? [];
			return Promise.resolve({
				stream: simulateReadableStream<Chunk>({
					chunks: [{ type: 'stream-start', warnings: [] }, ...chunks],
					// Without an end it hangs, as models do.
					chunkDelayInMs: chunks.at(-1)?.type === 'finish' || chunks.length === 0 ? null : 400
				})
			});
		}
	});
	const server = createAdaptorServer({
		// Other tests of this process have the platform's own.
		overrideGlobalObjects: false,
		fetch: async (request: Request) => {
			const body = (await request.json()) as Sent;
			sent.push(structuredClone(body));
			const valid = await safeValidateUIMessages({ messages: body.messages });
			if (!valid.success) faults.push(valid.error);
			const page: ToolSet = Object.fromEntries(
				(body.tools ?? []).map(({ name, description, inputSchema }) => [
					name,
					tool({ description, inputSchema: jsonSchema(inputSchema) })
				])
			);
			const result = streamText({
				model,
				instructions: body.system,
				messages: await convertToModelMessages(body.messages),
				tools: { ...page, ...own },
				stopWhen: isStepCount(5),
				toolApproval: Object.fromEntries(approve.map((name) => [name, 'user-approval' as const])),
				abortSignal: request.signal,
				onError: () => undefined
			});
			return result.toUIMessageStreamResponse({
				originalMessages: body.messages,
				onError: (error) => String(error),
				messageMetadata: ({ part }) => (part.type === 'finish' ? { totalUsage: part.totalUsage } : undefined)
			});
		}
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	close = () => {
		if ('closeAllConnections' in server) server.closeAllConnections();
		server.close();
	};
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/chat`;
	return { url, sent, faults, gone };
}

/** Lets timers of the engine and the network run until it is so. */
async function until(holds: () => boolean, settle: () => Promise<void>): Promise<void> {
	while (!holds()) {
		await new Promise((resolve) => setTimeout(resolve, 1));
		await settle();
	}
}

describe('a real backend of the AI SDK', () => {
	test('S2-20 S2-23 text, and what it cost', async () => {
		const { url, faults, sent } = await backend([
			[...says('Nothing to do – déjà fait 🗓️.'), ends('stop', usage(100, 60, 20, 8))]
		]);
		const { engine } = bench(aiSdk({ url }), AUTO);
		const run = engine.run('Correct the sheet', { by: person });
		expect(await run.returned).toMatchObject({ kind: 'answered', text: 'Nothing to do – déjà fait 🗓️.' });
		expect(run.state.turns[0]!.usage).toEqual({
			input: 100,
			cacheRead: 60,
			cacheWrite: 0,
			output: 20,
			reasoning: 8
		});
		expect(faults).toEqual([]);
		expect(sent[0]!.messages.map(({ role }) => role)).toEqual(['user']);
		expect(sent[0]!.messages[0]!.parts).toHaveLength(2);
	});

	test('S2-100 S2-110 it drives the page through the gate: reviewed, approved, done, told', async () => {
		const { url, faults, sent } = await backend([
			[
				...says('I write it.'),
				...calls('c1', 'sheet__write', { instance: 'sheet', key: 'amount', value: '1280' }),
				ends('tool-calls')
			],
			[...says('Done.'), ends('stop')]
		]);
		const { engine, sheet, settle } = bench(aiSdk({ url }), { policy: { ceiling: 'review' } });
		const run = engine.run('Correct the sheet', { by: person });
		await until(() => run.state.reviews.length > 0 || run.state.outcome !== undefined, settle);
		expect(sheet.log).toEqual([]);
		run.decide({ review: run.state.reviews[0]!.id, verdict: 'approve' }, person);
		expect(await run.returned).toMatchObject({ kind: 'completed', text: 'Done.' });
		expect(sheet.cells.amount).toBe('1280');
		const [, answer] = sent[1]!.messages;
		expect(answer).toMatchObject({
			role: 'assistant',
			parts: [
				{ type: 'step-start' },
				{ type: 'text', text: 'I write it.' },
				{ type: 'tool-sheet__write', toolCallId: 'c1', state: 'output-available' }
			]
		});
		expect(faults).toEqual([]);
		expect(verify(run.journal)).toEqual([]);
	});

	test('S2-23 a tool of the server is reported and goes on over there; the page’s is asked for beside it', async () => {
		const { url, sheet, engine, faults, run } = await lookup([
			[...calls('w1', 'lookup', { of: 'tram' }), ends('tool-calls')],
			[...says('It costs 1280.'), ends('stop')]
		]);
		expect(url).toContain('127.0.0.1');
		expect(await run.returned).toMatchObject({ kind: 'answered', text: 'It costs 1280.' });
		expect(run.state.calls).toMatchObject([{ name: 'lookup', result: { price: 1280 } }]);
		expect(run.state.steps).toEqual([]);
		expect(sheet.log).toEqual([]);
		expect(engine.pending).toEqual([]);
		expect(faults).toEqual([]);
	});

	test('S2-101 an approval it asks for is a question; approved, it is carried out over there, once', async () => {
		const done: string[] = [];
		const pay = dynamicTool({
			description: 'Pays',
			inputSchema: z.object({ sum: z.number() }),
			execute: (input) => {
				done.push(JSON.stringify(input));
				return 'paid';
			}
		});
		const { url, faults, sent } = await backend(
			[
				[...calls('w1', 'pay', { sum: 9 }), ends('tool-calls')],
				[...says('It is paid.'), ends('stop')],
				[...says('Twice no.'), ends('stop')]
			],
			{ pay },
			['pay']
		);
		const { engine, settle } = bench(aiSdk({ url }), AUTO);
		const run = engine.run('Pay it', { by: person, thread: 'desk' });
		const question = await asked(run, settle);
		expect(question).toMatchObject({ text: 'pay', status: 'open' });
		expect(run.state.state).toBe('escalated');
		expect(done).toEqual([]);
		const { ok, issues } = run.answer(question.id, { approved: true }, person);
		expect({ ok, issues }).toEqual({ ok: true, issues: undefined });
		expect(await run.returned).toMatchObject({ kind: 'answered', text: 'It is paid.' });
		expect(done).toEqual(['{"sum":9}']);
		// In the next run of the thread it is a thing of the past.
		expect(await engine.run('And again?', { by: person, thread: 'desk' }).returned).toMatchObject({
			text: 'Twice no.'
		});
		expect(done).toEqual(['{"sum":9}']);
		expect(sent).toHaveLength(3);
		expect(faults).toEqual([]);
		expect(verify(run.journal)).toEqual([]);
	});

	test.each([
		['denied', (id: string, run: Run) => run.answer(id, { approved: false, reason: 'Too much.' }, person)],
		['declined', (id: string, run: Run) => run.decline(id, 'Not now.', person)]
	])('S2-101 an approval that is %s is not carried out', async (_, answer) => {
		const done: unknown[] = [];
		const pay = tool({
			description: 'Pays',
			inputSchema: z.object({ sum: z.number() }),
			execute: (input) => done.push(input)
		});
		const { url, faults } = await backend(
			[
				[...calls('w1', 'pay', { sum: 9 }), ends('tool-calls')],
				[...says('Then not.'), ends('stop')]
			],
			{ pay },
			['pay']
		);
		const { engine, settle } = bench(aiSdk({ url }), AUTO);
		const run = engine.run('Pay it', { by: person });
		const { id } = await asked(run, settle);
		expect(answer(id, run)).toMatchObject({ ok: true });
		await until(() => run.state.outcome !== undefined, settle);
		expect(run.state.outcome).toMatchObject({ text: 'Then not.' });
		expect(done).toEqual([]);
		expect(faults).toEqual([]);
	});

	test('S2-23 an error in mid-stream: what was said is kept, the cut call never runs', async () => {
		const [start, piece] = calls('c1', 'sheet__write', { instance: 'sheet', key: 'amount', value: '1280' });
		const { url } = await backend([
			[
				...says('I write it.'),
				start!,
				piece!,
				{ type: 'error', error: new Error('invalid_request') },
				ends('stop')
			]
		]);
		const { engine, sheet } = bench(aiSdk({ url }), AUTO);
		const run = engine.run('Correct the sheet', { by: person });
		expect(await run.returned).toMatchObject({ kind: 'failed', reason: { code: 'provider' } });
		expect(run.state.turns[0]!.text).toBe('I write it.');
		expect(sheet.log).toEqual([]);
	});

	test('S2-23 stopping a run reaches the model', async () => {
		const { url, gone } = await backend([[...says('I am on it')]]);
		const { engine, settle } = bench(aiSdk({ url }), AUTO);
		let said = '';
		engine.on((event) => {
			if (event.type === 'text') said += event.delta;
		});
		const run = engine.run('Correct the sheet', { by: person });
		await until(() => said !== '', settle);
		await run.stop(undefined, person);
		await gone;
		expect(await run.returned).toMatchObject({ kind: 'interrupted' });
	});
});

type Run = ReturnType<ReturnType<typeof bench>['engine']['run']>;

/** The question that the other side has, once it is put. */
async function asked(run: Run, settle: () => Promise<void>) {
	const put = () => run.state.questions.find(({ reason }) => reason === 'question');
	await until(() => put() !== undefined || run.state.outcome !== undefined, settle);
	return put()!;
}

async function lookup(turns: readonly Chunk[][]) {
	const own = tool({
		description: 'Looks up a price',
		inputSchema: z.object({ of: z.string() }),
		execute: () => ({ price: 1280 })
	});
	const peer = await backend(turns, { lookup: own });
	const page = bench(aiSdk({ url: peer.url }), AUTO);
	return { ...peer, ...page, run: page.engine.run('What is the price?', { by: person }) };
}
