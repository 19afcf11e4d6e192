import { LLMock } from '@copilotkit/aimock';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anthropic } from '../../src/lib/agent/adapters/anthropic.js';
import { openai } from '../../src/lib/agent/adapters/openai.js';
import { openaiResponses } from '../../src/lib/agent/adapters/openai-responses.js';
import type { AgentTransport, TurnEvent, TurnRequest } from '../../src/lib/agent/index.js';
import {
	relay,
	toAnthropic,
	toOpenAI,
	toOpenAIResponses,
	type RelayTarget
} from '../../src/lib/relay/index.js';
import { mounts, type Served } from '../fixtures/relay.js';

const KEY = 'sk-test-0123456789abcdef';
// It knows the key and nothing else.
const mock = new LLMock({ port: 0, host: '127.0.0.1', auth: { apiKeys: [KEY] } });

beforeAll(async () => {
	const call = { name: 'note__rename', arguments: { instance: 'minutes', title: 'Minutes of May' } };
	mock.onMessage('Rename it', { toolCalls: [call] });
	mock.onMessage('Hello', { content: 'Good morning, Ada.' });
	await mock.start();
});
afterAll(() => mock.stop());

const request = (text: string): TurnRequest => ({
	run: 'r',
	turn: 't',
	thread: 'h',
	system: 'You are Ada.',
	messages: [{ role: 'user', from: { kind: 'human', id: 'p' }, text }],
	context: '',
	tools: [
		{
			name: 'note__rename',
			description: 'Renames it',
			schema: {
				type: 'object',
				properties: { instance: { enum: ['minutes'] }, title: { type: 'string' } },
				required: ['instance', 'title']
			}
		}
	],
	limits: { outputTokens: 500 }
});

async function all(transport: AgentTransport, text: string): Promise<TurnEvent[]> {
	const events: TurnEvent[] = [];
	for await (const event of transport.open(request(text), new AbortController().signal)) events.push(event);
	return events;
}

const formats: Record<
	string,
	{ target(key: string): RelayTarget; page(url: string, fetch_: typeof fetch): AgentTransport }
> = {
	'Chat Completions': {
		target: (key) => toOpenAI({ baseUrl: `${mock.url}/v1`, key }),
		page: (url, fetch) => openai({ url, model: 'whatever', fetch })
	},
	Responses: {
		target: (key) => toOpenAIResponses({ baseUrl: `${mock.url}/v1`, key }),
		page: (url, fetch) => openaiResponses({ url, model: 'whatever', fetch })
	},
	Messages: {
		target: (key) => toAnthropic({ baseUrl: mock.url, key }),
		page: (url, fetch) => anthropic({ url, model: 'whatever', fetch })
	}
};

/** What the browser adds on a page of the same origin. */
const asPage: typeof fetch = (url, init) => {
	const headers = new Headers(init?.headers);
	headers.set('origin', new URL(String(url)).origin);
	return fetch(url, { ...init, headers });
};

describe.each(Object.entries(formats))(
	'S2-81 the adapter for %s, through a relay',
	(_name, { target, page }) => {
		let served: Served;
		beforeAll(async () => {
			served = await mounts['node:http']!(relay(target(KEY), { model: 'the-one' }));
		});
		afterAll(() => served.close());

		test('has its answer without a key', async () => {
			const events = await all(page(served.url, asPage), 'Hello');
			const text = events.flatMap((event) => (event.type === 'text' ? [event.delta] : [])).join('');
			expect(text).toBe('Good morning, Ada.');
			expect(events.at(-1)).toMatchObject({ type: 'end', reason: 'stop' });
			expect(mock.getLastRequest()?.body).toMatchObject({ model: 'the-one' });
		});

		test('has a whole call', async () => {
			const events = await all(page(served.url, asPage), 'Rename it');
			expect(events.find(({ type }) => type === 'call.end')).toMatchObject({
				verdict: 'complete',
				raw: '{"instance":"minutes","title":"Minutes of May"}'
			});
			expect(events.at(-1)).toMatchObject({ type: 'end', reason: 'calls' });
		});

		test('hears what the relay refuses, in its words', async () => {
			const events = await all(page(served.url, fetch), 'Hello');
			expect(events.at(-1)).toMatchObject({
				type: 'error',
				reason: {
					code: 'http',
					text: expect.stringMatching(
						/^The server answered 403\. This origin may not use the relay\. The header Origin is missing: /
					) as string
				},
				retryable: false
			});
		});

		test('hears of a key that is refused, and not the key', async () => {
			const wrong = await mounts['node:http']!(relay(target('sk-wrong-0123456789'), { model: 'the-one' }));
			const events = await all(page(wrong.url, asPage), 'Hello');
			await wrong.close();
			expect(events.at(-1)).toMatchObject({ type: 'error', reason: { code: 'http' }, retryable: false });
			expect(JSON.stringify(events)).not.toContain('sk-wrong');
		});

		test('waits as long as the provider says', async () => {
			mock.nextRequestError(429, { message: 'Too fast', type: 'rate_limit_error' });
			const events = await all(page(served.url, asPage), 'Hello');
			expect(events.at(-1)).toMatchObject({ type: 'error', retryable: true, afterMs: 1000 });
		});
	}
);
