import { describe, expect, test } from 'vitest';
import { agUi } from '$lib/agent/adapters/ag-ui.js';
import { aiSdk } from '$lib/agent/adapters/ai-sdk.js';
import { anthropic } from '$lib/agent/adapters/anthropic.js';
import { gemini } from '$lib/agent/adapters/gemini.js';
import { ollama } from '$lib/agent/adapters/ollama.js';
import { openaiResponses } from '$lib/agent/adapters/openai-responses.js';
import { openai } from '$lib/agent/adapters/openai.js';
import type { WireOptions } from '$lib/agent/adapters/wire/open.js';
import type { AgentTransport, TurnEvent } from '$lib/agent/index.js';
import { asked } from '../fixtures/served-stream.js';

const adapters: Readonly<Record<string, (options: WireOptions) => AgentTransport>> = {
	agUi,
	aiSdk,
	anthropic: (options) => anthropic({ ...options, model: 'm' }),
	gemini,
	ollama: (options) => ollama({ ...options, model: 'm' }),
	openaiResponses: (options) => openaiResponses({ ...options, model: 'm' }),
	openai: (options) => openai({ ...options, model: 'm' })
};

async function failure(transport: AgentTransport): Promise<TurnEvent> {
	const events: TurnEvent[] = [];
	for await (const event of transport.open(asked(), new AbortController().signal)) events.push(event);
	expect(events).toHaveLength(1);
	return events[0]!;
}

describe.each(Object.entries(adapters))('S2-23 %s', (_, adapter) => {
	test.each(['/api/agent', '', 'http://', 'localhost:11434/v1', 'https://ada:secret@models.example/'])(
		'cannot ask at "%s" and does not try again',
		async (url) => {
			const event = await failure(adapter({ url }));
			expect(event).toMatchObject({ type: 'error', reason: { code: 'url' }, retryable: false });
			expect(JSON.stringify(event)).toContain('`url`');
			expect(JSON.stringify(event)).not.toContain('secret');
		}
	);
});

describe('S2-23 a fetch of the app', () => {
	test('may know paths', async () => {
		const asked: string[] = [];
		const fetch = async (url: string | URL | Request): Promise<Response> => {
			asked.push(String(url));
			return new Response('No', { status: 401 });
		};
		const event = await failure(openai({ url: '/api/agent', model: 'm', fetch }));
		expect(event).toMatchObject({ reason: { code: 'http' } });
		expect(asked).toEqual(['/api/agent']);
	});

	test('that fails at a good address is tried again', async () => {
		const fetch = () => Promise.reject(new TypeError('Failed to fetch'));
		expect(await failure(openai({ url: 'https://models.example/', model: 'm', fetch }))).toMatchObject({
			reason: { code: 'network', text: 'Failed to fetch' },
			retryable: true
		});
	});
});
