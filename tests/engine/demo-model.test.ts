import { createServer as httpServer, request as httpRequest, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { LLMock } from '@copilotkit/aimock';
import { createServer, type ViteDevServer } from 'vite';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { accountOf, demoModel } from '../../scripts/demo-model.js';

describe('what the environment names', () => {
	test('nothing without a key or an address', () => {
		expect(accountOf({})).toBeUndefined();
		expect(accountOf({ OPENAI_MODEL: 'x', OPENAI_BASE_URL: '', ANTHROPIC_API_KEY: '' })).toBeUndefined();
	});

	test.each([
		[{ OPENAI_API_KEY: 'k' }, 'openai', 'gpt-5.4-mini', 'https://api.openai.com/v1/chat/completions'],
		[{ OPENAI_API_KEY: 'k', OPENAI_MODEL: 'm' }, 'openai', 'm', 'https://api.openai.com/v1/chat/completions'],
		[
			{ OPENAI_BASE_URL: 'http://localhost:1234/v1/', OPENAI_MODEL: 'm' },
			'openai',
			'm',
			'http://localhost:1234/v1/chat/completions'
		],
		[
			{ OPENAI_BASE_URL: 'http://localhost:1234/v1' },
			'openai',
			undefined,
			'http://localhost:1234/v1/chat/completions'
		],
		[{ ANTHROPIC_API_KEY: 'k' }, 'anthropic', 'claude-haiku-5-5', 'https://api.anthropic.com/v1/messages'],
		[
			{ ANTHROPIC_API_KEY: 'k', OPENAI_API_KEY: 'k' },
			'openai',
			'gpt-5.4-mini',
			'https://api.openai.com/v1/chat/completions'
		]
	])('%o', (env, format, model, url) => {
		expect(accountOf(env)).toMatchObject({ format, target: { url } });
		expect(accountOf(env)?.model).toBe(model);
	});
});

describe('the server that serves the demo', () => {
	const mock = new LLMock({ port: 0, host: '127.0.0.1' });
	let vite: ViteDevServer | undefined;
	let server: Server | undefined;
	beforeEach(async () => {
		mock.reset().onMessage('Hello', { content: 'Good morning.' });
		await mock.start();
	});
	afterEach(async () => {
		vi.unstubAllEnvs();
		server?.closeAllConnections();
		server?.close();
		await vite?.close();
		await mock.stop();
	});

	async function served(env: Record<string, string>): Promise<string> {
		for (const name of ['OPENAI_BASE_URL', 'OPENAI_API_KEY', 'OPENAI_MODEL', 'ANTHROPIC_API_KEY'])
			vi.stubEnv(name, env[name] ?? '');
		vite = await createServer({
			configFile: false,
			root: 'tests/fixtures',
			appType: 'custom',
			logLevel: 'silent',
			optimizeDeps: { noDiscovery: true },
			server: { middlewareMode: true, ws: false, watch: null },
			plugins: [demoModel()]
		});
		server = httpServer(vite.middlewares).listen(0, '127.0.0.1');
		await once(server, 'listening');
		return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	}

	const ask = (url: string, origin = url) =>
		fetch(`${url}/api/agent`, {
			method: 'POST',
			body: JSON.stringify({ stream: true, messages: [{ role: 'user', content: 'Hello' }] }),
			headers: { 'content-type': 'application/json', origin }
		});

	test('needs no key for a server of one’s own, and asks it what it has', async () => {
		const url = await served({ OPENAI_BASE_URL: `${mock.url}/v1` });
		const told = (await (await fetch(`${url}/model.json`)).json()) as { model: string };
		const listed = (await (await fetch(`${mock.url}/v1/models`)).json()) as { data: { id: string }[] };
		expect(told).toEqual({ model: listed.data[0]?.id, format: 'openai', url: '/api/agent' });
		const answer = await ask(url);
		expect(await answer.text()).toContain('[DONE]');
		expect(mock.getLastRequest()?.body).toMatchObject({ model: told.model });
	});

	test('is not the page of another origin’s, by whatever name it is reached', async () => {
		const url = await served({ OPENAI_BASE_URL: `${mock.url}/v1`, OPENAI_MODEL: 'one' });
		expect((await ask(url, 'https://evil.example')).status).toBe(403);
		// A name that an attacker lets point here: page and relay would be of one origin.
		const headers = {
			host: 'evil.example',
			origin: 'http://evil.example',
			'content-type': 'application/json'
		};
		const asked = httpRequest(`${url}/api/agent`, { method: 'POST', headers }).end('{"messages":[]}');
		const [response] = await once(asked, 'response');
		expect(response.statusCode).toBe(403);
		expect(mock.getRequests()).toEqual([]);
	});

	test('waits for a model that is not there yet', async () => {
		vi.spyOn(console, 'error').mockImplementation(() => undefined);
		const closed = mock.url;
		await mock.stop();
		const url = await served({ OPENAI_BASE_URL: `${closed}/v1` });
		expect(await (await fetch(`${url}/model.json`)).json()).toEqual({ model: null });
		expect((await ask(url)).status).toBe(503);
		vi.restoreAllMocks();
		await mock.start();
	});

	test('S2-81 has neither address where there is no key', async () => {
		const url = await served({});
		expect((await ask(url)).status).toBe(404);
		expect((await fetch(`${url}/model.json`)).status).toBe(404);
	});
});
