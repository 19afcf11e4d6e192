import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { relay, toAnthropic, toNode, toOpenAI, toOpenAIResponses } from '../../src/lib/relay/index.js';
import type { RelayOptions, RelayReport, RelayTarget } from '../../src/lib/relay/index.js';
import { RELAY } from '../../src/lib/relay/codes.js';
import { ask, errorOf } from '../fixtures/relay.js';

const URL_ = 'https://app.example/api/agent';
const HELLO = { messages: [{ role: 'user', content: 'Hello' }], stream: true };

/** A relay whose provider notes down what it is sent and answers with an empty stream. */
function setting(options: RelayOptions = {}, target: RelayTarget = toOpenAI({ key: 'sk-0123456789abcdef' })) {
	const sent: { url: string; headers: Headers; body: Record<string, unknown>; redirect?: string }[] = [];
	const reports: RelayReport[] = [];
	const handler = relay(target, {
		model: 'small',
		report: (what) => reports.push(what),
		async fetch(url, init) {
			sent.push({
				url,
				headers: new Headers(init.headers),
				body: JSON.parse(init.body as string),
				redirect: init.redirect
			});
			return new Response('data: [DONE]\n\n', { headers: { 'content-type': 'text/event-stream' } });
		},
		...options
	});
	return { handler, sent, reports };
}

/** Refused under a code, and nothing was sent. */
async function refused(
	request: Request,
	code: keyof typeof RELAY,
	options?: RelayOptions,
	target?: RelayTarget
) {
	const { handler, sent, reports } = setting(options, target);
	const response = await handler(request);
	const error = await errorOf(response);
	expect(error).toMatchObject({ code, status: RELAY[code][0] });
	expect(error.text).toContain(RELAY[code][1]);
	expect(sent).toEqual([]);
	expect(reports).toMatchObject([{ code, status: RELAY[code][0], text: error.text }]);
	return { response, ...error };
}

async function passed(request: Request, options?: RelayOptions, target?: RelayTarget) {
	const { handler, sent, reports } = setting(options, target);
	const response = await handler(request);
	expect([response.status, await response.text()]).toEqual([200, 'data: [DONE]\n\n']);
	expect(reports).toEqual([]);
	return { response, ...sent[0]! };
}

describe('a relay says what it refuses', () => {
	test('any method but POST', async () => {
		const { response } = await refused(
			new Request(URL_, { headers: { origin: 'https://app.example' } }),
			'method'
		);
		expect(response.headers.get('allow')).toBe('POST');
		await passed(ask(HELLO, URL_));
	});

	test.each([
		['text/plain', {}],
		['application/x-www-form-urlencoded', {}],
		['application/json', { 'content-encoding': 'gzip' }]
	])('%s %o, which a form could send or hide', async (type, more) => {
		await refused(ask(HELLO, URL_, { headers: { 'content-type': type, ...more } }), 'content-type');
		await passed(ask(HELLO, URL_, { headers: { 'content-type': 'Application/JSON; charset=utf-8' } }));
	});

	test.each(['[]', '"text"', 'null', '{"a":', '{"messages":[]} x', ''])(
		'%j is no object of JSON',
		async (body) => {
			await refused(ask(body, URL_), 'json');
		}
	);

	test('bytes that are no UTF-8', async () => {
		const request = ask('', URL_);
		const bytes = new Uint8Array([123, 34, 0xff, 34, 58, 49, 125]);
		await refused(new Request(request, { body: bytes }), 'json');
	});

	test('nesting beyond a limit, wherever brackets are only text', async () => {
		const nested = (depth: number) => `{"messages":${'['.repeat(depth)}${']'.repeat(depth)}}`;
		await refused(ask(nested(64), URL_), 'depth');
		await passed(ask(nested(63), URL_));
		await passed(ask({ messages: ['[{"\\'.repeat(500)] }, URL_));
		await refused(ask(nested(500_000), URL_), 'depth');
	});

	test('a size that is declared, and one that is not', async () => {
		const long = { messages: ['x'.repeat(2000)] };
		const declared = ask(long, URL_, { headers: { 'content-length': '99999999' } });
		await refused(declared, 'too-large');
		expect(declared.bodyUsed).toBe(false);
		const { text } = await refused(ask(long, URL_), 'too-large', { maxBytes: 2000 });
		expect(text).toContain('2000');
		await passed(ask(long, URL_), { maxBytes: 2100 });
	});
});

describe('whose pages may ask', () => {
	const from = (origin: string | undefined, site?: string) => {
		const request = ask(HELLO, URL_);
		if (origin === undefined) request.headers.delete('origin');
		else request.headers.set('origin', origin);
		if (site !== undefined) request.headers.set('sec-fetch-site', site);
		return request;
	};

	test('the page of the same origin, also where TLS ends before the relay', async () => {
		await passed(from('https://app.example'));
		await passed(from('http://app.example', 'same-origin'));
	});

	test.each([
		['https://evil.example', undefined],
		['https://evil.example', 'cross-site'],
		['https://other.app.example', 'same-site'],
		['https://app.example', 'cross-site'],
		['http://app.example', undefined],
		['https://app.example.evil.example', undefined],
		['null', undefined],
		['null', 'cross-site'],
		[undefined, 'same-origin'],
		[undefined, undefined]
	])('%s (%s) is refused', async (origin, site) => {
		const { response, text } = await refused(from(origin, site), 'origin');
		expect(response.headers.has('access-control-allow-origin')).toBe(false);
		// Who is no browser has to hear what to send.
		expect(text.includes('Origin is missing')).toBe(origin === undefined);
	});

	test('a program without an origin, where that is declared, and no browser that hides its own', async () => {
		await passed(from(undefined), { withoutOrigin: true });
		await refused(from(undefined, 'cross-site'), 'origin', { withoutOrigin: true });
		await refused(from('null'), 'origin', { withoutOrigin: true });
	});

	test('a list is exact, and its pages may read the answer', async () => {
		const origins = ['https://shop.example/', 'http://localhost:5173'];
		const { response } = await passed(from('https://shop.example', 'cross-site'), { origins });
		expect(response.headers.get('access-control-allow-origin')).toBe('https://shop.example');
		expect(response.headers.get('access-control-expose-headers')).toBe('retry-after');
		expect(response.headers.get('vary')).toBe('origin');
		await passed(from('http://localhost:5173'), { origins });
		await refused(from('http://localhost:5174'), 'origin', { origins });
		await refused(from('https://app.example', 'same-origin'), 'origin', { origins });
	});

	test('a browser that asks first is told so', async () => {
		const { handler, sent } = setting({ origins: ['https://shop.example'] });
		const preflight = (origin: string) =>
			new Request(URL_, {
				method: 'OPTIONS',
				headers: {
					origin,
					'access-control-request-method': 'POST',
					'access-control-request-headers': 'content-type, x-visitor'
				}
			});
		const yes = await handler(preflight('https://shop.example'));
		expect([yes.status, await yes.text()]).toEqual([204, '']);
		expect(Object.fromEntries(yes.headers)).toMatchObject({
			'access-control-allow-origin': 'https://shop.example',
			'access-control-allow-methods': 'POST',
			'access-control-allow-headers': 'content-type, x-visitor'
		});
		const no = await handler(preflight('https://evil.example'));
		expect(no.status).toBe(403);
		expect(no.headers.has('access-control-allow-origin')).toBe(false);
		expect((await setting().handler(preflight('https://app.example'))).status).toBe(403);
		expect(sent).toEqual([]);
	});

	test('an address is no origin, and says so when the relay is made', () => {
		expect(() => setting({ origins: ['app.example'] })).toThrow('no origin');
		expect(() => setting({ origins: ['file:///x'] })).toThrow('no origin');
	});
});

describe('who may ask, and how often, is the app’s to say', () => {
	test('it is asked before anything is read', async () => {
		const request = ask(HELLO, URL_);
		await refused(request, 'denied', { admit: () => false });
		expect(request.bodyUsed).toBe(false);
		await passed(ask(HELLO, URL_, { headers: { cookie: 'session=1' } }), {
			admit: async ({ headers }) => headers.get('cookie') === 'session=1'
		});
	});

	test('whoever comes too often is told when to come again, in whole seconds', async () => {
		const { response } = await refused(ask(HELLO, URL_), 'rate', { admit: () => ({ retryAfterMs: 1200 }) });
		expect(response.headers.get('retry-after')).toBe('2');
	});

	test('a limiter that fails admits nobody, and its words stay here', async () => {
		const { handler, sent, reports } = setting({
			admit: () => {
				throw new Error('redis://10.0.0.7:6379 is gone');
			}
		});
		const { code, text } = await errorOf(await handler(ask(HELLO, URL_)));
		expect(code).toBe('internal');
		expect(text).not.toContain('redis');
		expect(sent).toEqual([]);
		expect(reports[0]?.cause).toContain('is gone');
	});

	test('nobody is asked for what is refused anyway', async () => {
		let asked = 0;
		const { handler } = setting({ admit: () => (asked += 1) > 0 });
		await handler(ask(HELLO, URL_, { headers: { origin: 'https://evil.example' } }));
		expect(asked).toBe(0);
		await handler(ask(HELLO, URL_));
		expect(asked).toBe(1);
	});
});

describe('what a page may ask for', () => {
	const chat = (more: object) => ask({ ...HELLO, ...more }, URL_);

	test.each([
		{ n: 100 },
		{ store: true },
		{ service_tier: 'priority' },
		{ web_search_options: {} },
		{ functions: [] },
		{ api_base: 'http://169.254.169.254/' }
	])('%o is not an answer but a bill', async (more) => {
		const { text } = await refused(chat(more), 'field');
		expect(text).toContain(Object.keys(more)[0]);
	});

	test('a name that means something to the language is only a name', async () => {
		await refused(ask('{"messages":[],"__proto__":{"model":"large"}}', URL_), 'field');
		const { body } = await passed(ask('{"messages":[],"__proto__":{"n":9}}', URL_), {
			fields: ['__proto__']
		});
		expect(Object.keys(body)).toContain('__proto__');
		expect('n' in body).toBe(false);
	});

	test('fields can be added', async () => {
		expect((await passed(chat({ n: 2 }), { fields: ['n'] })).body.n).toBe(2);
	});

	test('what was sent twice is judged and sent once', async () => {
		const { body } = await passed(ask('{"max_tokens":1,"max_tokens":90000,"messages":[]}', URL_));
		expect(body.max_tokens).toBe(8192);
	});

	test('one model is asked, whatever the page says', async () => {
		expect((await passed(chat({}))).body.model).toBe('small');
		expect((await passed(chat({ model: 'large' }))).body.model).toBe('small');
	});

	test('of several the page chooses', async () => {
		const model = ['small', 'middle'];
		expect((await passed(chat({}), { model })).body.model).toBe('small');
		expect((await passed(chat({ model: 'middle' }), { model })).body.model).toBe('middle');
		await refused(chat({ model: 'large' }), 'model', { model });
		await refused(chat({ model: ['middle'] }), 'model', { model });
		await refused(chat({ model: 'toString' }), 'model', { model });
	});

	test.each([
		[50, 50],
		[9000, 8192],
		[1e300, 8192],
		[-1, 8192],
		[0, 8192],
		['9000', 8192],
		[null, 8192],
		[[9], 8192],
		[10.5, 10]
	])('of %j tokens, %i', async (asked, given) => {
		expect((await passed(chat({ max_completion_tokens: asked }))).body).toMatchObject({
			max_completion_tokens: given
		});
	});

	test('a limit is set where none was asked for, under the name that is known there', async () => {
		expect((await passed(chat({}))).body).toMatchObject({ max_completion_tokens: 8192 });
		const local = toOpenAI({ baseUrl: 'http://localhost:11434/v1/' });
		const { url, body, headers } = await passed(chat({}), { maxOutputTokens: 100 }, local);
		expect(url).toBe('http://localhost:11434/v1/chat/completions');
		expect(body).toMatchObject({ max_tokens: 100 });
		expect('max_completion_tokens' in body).toBe(false);
		expect(headers.has('authorization')).toBe(false);
	});

	const own = { type: 'function', function: { name: 'form__fill', parameters: {} } };
	test.each([
		[[{ type: 'web_search' }], 'web_search'],
		[[own, { type: 'code_interpreter' }], 'code_interpreter'],
		[[{}], undefined],
		[['x'], undefined],
		['all', undefined],
		[{}, undefined]
	])('tools %j run somewhere else, and what would allow one is said', async (tools, type) => {
		const { text } = await refused(chat({ tools }), 'tool');
		expect(/"(\w+)" runs at the provider; .*`tools`/.exec(text)?.[1]).toBe(type);
	});

	test('the page’s own tools are offered, and others that the app allows', async () => {
		expect((await passed(chat({ tools: [own] }))).body.tools).toEqual([own]);
		await passed(chat({ tools: null }));
		await passed(chat({ tools: [{ type: 'web_search' }] }), { tools: ['web_search'] });
	});

	test.each([
		[{ role: 'user', content: [{ type: 'file', file: { file_id: 'file-1' } }] }],
		[{ role: 'user', content: [{ type: 'image', source: { type: 'file', file_id: 'f' } }] }],
		[{ type: 'item_reference', id: 'rs_1' }],
		[{ role: 'user', content: [{ type: 'input_file', file_id: 'f' }] }],
		[{ role: 'user', content: [{ type: 'tool_result', content: [{ source: { file_id: 'f' } }] }] }],
		[{ type: 'function_call_output', output: [{ type: 'input_image', file_id: 'f' }] }],
		[{ role: 'user', content: [{ type: 'container_upload', file_id: 'f' }] }]
	])('%j names what is stored under the key', async (message) => {
		await refused(ask({ messages: [message] }, URL_), 'reference');
	});

	test('what looks like it in an argument or in words is neither', async () => {
		await passed(
			ask(
				{
					messages: [
						{ role: 'user', content: '{"file_id":"f"}' },
						{
							role: 'assistant',
							content: [{ type: 'tool_use', id: 'a', name: 'n', input: { file_id: 'f' } }]
						},
						{ role: 'user', content: [{ type: 'input_image', image_url: 'data:', file_id: null }] }
					]
				},
				URL_
			)
		);
	});
});

describe('what a relay shows a provider', () => {
	test('its own headers and nothing of the visitor’s', async () => {
		const { headers, redirect } = await passed(
			ask(HELLO, URL_, {
				headers: { cookie: 'session=1', authorization: 'Bearer visitor', 'x-forwarded-for': '1.2.3.4' }
			})
		);
		expect(Object.fromEntries(headers)).toEqual({
			accept: 'text/event-stream, application/x-ndjson, application/json',
			authorization: 'Bearer sk-0123456789abcdef',
			'content-type': 'application/json'
		});
		expect(redirect).toBe('manual');
	});

	test('Anthropic’s version and key', async () => {
		const target = toAnthropic({ key: 'sk-ant-0123456789', headers: { 'anthropic-beta': 'one' } });
		const { url, headers, body } = await passed(ask({ messages: [], system: 'Be Ada.' }, URL_), {}, target);
		expect(url).toBe('https://api.anthropic.com/v1/messages');
		expect(headers.get('x-api-key')).toBe('sk-ant-0123456789');
		expect(headers.get('anthropic-version')).toBe('2023-06-01');
		expect(headers.get('anthropic-beta')).toBe('one');
		expect(headers.has('authorization')).toBe(false);
		expect(body).toMatchObject({ model: 'small', max_tokens: 8192 });
		await passed(ask({ messages: [], tools: [{ name: 'n', input_schema: {} }] }, URL_), {}, target);
		const server = { type: 'web_search_20250305', name: 'web_search' };
		await refused(ask({ messages: [], tools: [server] }, URL_), 'tool', {}, target);
		await refused(ask({ messages: [], mcp_servers: [] }, URL_), 'field', {}, target);
	});

	test('OpenAI Responses keeps nothing', async () => {
		const target = toOpenAIResponses({ key: 'sk-0123456789abcdef' });
		const { url, body } = await passed(ask({ input: [], store: true }, URL_), {}, target);
		expect(url).toBe('https://api.openai.com/v1/responses');
		expect(body).toMatchObject({ store: false, max_output_tokens: 8192 });
		await refused(ask({ input: [], previous_response_id: 'resp_1' }, URL_), 'field', {}, target);
		await refused(ask({ input: [{ type: 'item_reference', id: 'x' }] }, URL_), 'reference', {}, target);
	});

	test('a backend of one’s own gets what it was sent', async () => {
		const body = { threadId: 't', messages: [], tools: [{ name: 'x' }], store: true };
		const target = {
			url: 'https://agents.example/run',
			headers: async () => ({ 'x-token': 'k'.repeat(20) })
		};
		const { handler, sent } = setting({ model: undefined }, target);
		expect((await handler(ask(body, URL_))).status).toBe(200);
		expect(sent[0]?.body).toEqual(body);
		expect(sent[0]?.headers.get('x-token')).toBe('k'.repeat(20));
	});
});

describe('a relay that cannot work says so when it is made, without its key', () => {
	test.each([
		[{ url: '/v1/chat?key=0123456789abcdef' }, 'url'],
		[{ url: 'https://user:0123456789abcdef@api.example/v1' }, 'password']
	])('%o', (target, word) => {
		expect(() => relay(target, { model: 'small' })).toThrow(word);
		expect(() => relay(target, { model: 'small' })).not.toThrow('0123456789abcdef');
	});

	test('no model', () => {
		for (const model of [undefined, '', []]) expect(() => relay(toOpenAI(), { model })).toThrow('model');
	});

	test('a key that no header can carry is not repeated', async () => {
		const { handler, reports } = setting({}, toOpenAI({ key: 'sk-0123\n456789abcdef' }));
		const response = await handler(ask(HELLO, URL_));
		expect(await response.text()).not.toContain('456789');
		expect(response.status).toBe(500);
		expect(JSON.stringify(reports)).not.toContain('456789');
		expect(reports).toMatchObject([{ code: 'internal' }]);
	});

	test('headers that cannot be had', async () => {
		const headers = () => Promise.reject(new Error('vault says 0123456789abcdef'));
		const { handler, reports } = setting({}, { ...toOpenAI(), headers });
		expect(await errorOf(await handler(ask(HELLO, URL_)))).toMatchObject({ code: 'internal', status: 500 });
		expect(JSON.stringify(reports)).not.toContain('0123456789abcdef');
	});
});

test('the docs list every code with its status', () => {
	const page = readFileSync('docs/relay.md', 'utf8');
	const rows = [...page.matchAll(/^\| `([a-z-]+)` +\| (\d{3})/gm)].map(([, code, status]) => [
		code,
		Number(status)
	]);
	expect(rows).toEqual(Object.entries(RELAY).map(([code, [status]]) => [code, status]));
});

test('the adapter to Node takes what Node gives', async () => {
	const { createServer } = await import('node:http');
	expect(createServer(toNode(setting().handler)).listenerCount('request')).toBe(1);
});
