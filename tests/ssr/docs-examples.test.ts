import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { compile } from 'svelte/compiler';
import ts from 'typescript';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import {
	EngineAgent,
	createRegistry,
	type AgentManifest,
	type AgentTransport
} from '../../src/lib/agent/index.js';
import readme from '../../README.md?raw';
import { actingAs } from '../../src/lib/actor/index.js';
import { gemini } from '../../src/lib/agent/adapters/gemini.js';
import { scripted } from '../../src/lib/agent/adapters/scripted.js';
import { auditManifest, person } from '../../src/lib/testing/index.js';
import type { UndoPart } from '../../src/lib/agent/protocol/run-state.js';

const pages = import.meta.glob<string>('../../docs/*.md', { query: '?raw', import: 'default', eager: true });

/** What each entry of the package is made of. */
const entries: Record<string, string> = {
	'@activeuix/agent': 'src/lib/index.js',
	'@activeuix/agent/engine': 'src/lib/agent/index.js',
	'@activeuix/agent/manifest': 'src/lib/agent/capability/index.js',
	'@activeuix/agent/document': 'src/lib/canon/participants/document/index.js',
	'@activeuix/agent/document/tiptap': 'src/lib/canon/participants/document/tiptap.js',
	'@activeuix/agent/document/prosekit': 'src/lib/canon/participants/document/prosekit.js',
	'@activeuix/agent/testing': 'src/lib/testing/index.js',
	'@activeuix/agent/relay': 'src/lib/relay/index.js'
};
const entryOf = (specifier: string): string | undefined =>
	entries[specifier] ??
	/^@activeuix\/agent(\/adapters\/[\w-]+)$/.exec(specifier)?.[1]?.replace(/.+/, 'src/lib/agent$&.js');

/** Where the files of the docs are laid out, one folder a page. */
const OUT = '.vitest/docs';

/** Blocks that begin with the name of a file are whole files. */
const examples = Object.entries(pages).flatMap(([path, markdown]) => {
	const page = /([a-z-]+)\.md$/.exec(path)?.[1] ?? '';
	return [
		...markdown.matchAll(/```(?:ts|svelte)\n(?:\/\/|<!--) (\S+\.(?:ts|svelte))(?: -->)?\n([\s\S]*?)\n```/g)
	].map(([, name = '', code = '']) => ({ page, name, file: join(OUT, page, name), code }));
});

// The README's example is one component: its script has types too, and the whole compiles.
const example = /```svelte\n([\s\S]*?)\n```/.exec(readme)?.[1] ?? '';
const script = /<script[^>]*>\n([\s\S]*?)<\/script>/.exec(example)?.[1] ?? '';
examples.push(
	{ page: 'readme', name: 'Example.svelte', file: join(OUT, 'readme', 'Example.svelte'), code: example },
	{ page: 'readme', name: 'example.svelte.ts', file: join(OUT, 'readme', 'example.svelte.ts'), code: script }
);

const laid = (page: string, name: string) => resolve(OUT, page, name);

beforeAll(() => {
	rmSync(OUT, { recursive: true, force: true });
	for (const { file, code } of examples) {
		mkdirSync(dirname(file), { recursive: true });
		// A file may lie in a folder of its page.
		const up = '../'.repeat(file.split('/').length - 1);
		const own = code.replace(/from '(@activeuix\/agent[^']*)'/g, (all, entry: string) =>
			entryOf(entry) ? `from '${up}${entryOf(entry)}'` : all
		);
		writeFileSync(file, own);
	}
});

afterEach(() => {
	vi.unstubAllGlobals();
	vi.unstubAllEnvs();
});

describe('the files in the docs', () => {
	it('are there on more than one page', () => {
		expect(new Set(examples.map(({ page }) => page)).size).toBeGreaterThan(2);
		expect(script).toContain('expose(');
	});

	it('are each there once: one would hide the other', () => {
		const files = examples.map(({ file }) => file);
		expect(files.filter((file, at) => files.indexOf(file) !== at)).toEqual([]);
	});

	it('have right types', { timeout: 60_000 }, () => {
		const { config } = ts.readConfigFile('tsconfig.json', ts.sys.readFile.bind(ts.sys)) as { config: object };
		const { options } = ts.parseJsonConfigFileContent(config, ts.sys, process.cwd());
		const files = examples.filter(({ name }) => name.endsWith('.ts')).map(({ file }) => resolve(file));
		// What SvelteKit declares of the environment is generated.
		const ambient = ['node_modules/svelte/types/index.d.ts', '.svelte-kit/ambient.d.ts'].map((file) =>
			resolve(file)
		);
		const program = ts.createProgram([...files, ...ambient], {
			...options,
			noEmit: true,
			types: ['node', 'vite/client']
		});
		const faults = files
			.flatMap((file) => ts.getPreEmitDiagnostics(program, program.getSourceFile(file)))
			.map((fault) => `${fault.file?.fileName}: ${ts.flattenDiagnosticMessageText(fault.messageText, '\n')}`);
		expect(faults).toEqual([]);
	});

	it.each(examples.filter(({ name }) => name.endsWith('.svelte')))(
		'$page: $name compiles without a warning',
		({ name, code }) => {
			const { warnings } = compile(code, { filename: name, generate: 'client', runes: true });
			expect(warnings.map(({ code: what }) => what)).toEqual([]);
		}
	);
});

interface Writable {
	title: string;
	text: string;
	undo(run: string): UndoPart;
}

describe('the provider and the manifest of the docs', () => {
	const rename = (title: string) => ({ instance: 'minutes', act: 'rename', args: { title } });

	async function setting() {
		const { Note } = (await import(/* @vite-ignore */ laid('manifests', 'note.svelte.ts'))) as {
			Note: new () => Writable;
		};
		const { noteManifest } = (await import(/* @vite-ignore */ laid('manifests', 'note.manifest.ts'))) as {
			noteManifest: AgentManifest<Writable>;
		};
		const note = new Note();
		const registry = createRegistry();
		registry.register(noteManifest, note, { id: 'minutes', label: 'Minutes' });
		const agent = new EngineAgent({
			identity: { id: 'ada', name: 'Ada', description: 'Writes minutes' },
			policy: { ceiling: 'auto' },
			registry,
			transport: scripted([
				{ calls: [rename('One'), { instance: 'minutes', act: 'rewrite', args: { text: 'Said.' } }] },
				{},
				{ calls: [rename('Two')] },
				{}
			])
		});
		return { note, noteManifest, agent };
	}

	it('show before and after', async () => {
		const { note, agent } = await setting();
		const run = agent.run('One', { by: person, level: 'suggest' });
		expect((await run.returned).kind).toBe('proposed');
		expect(run.state.steps.map(({ preview }) => preview)).toEqual([
			{ kind: 'fields', fields: [{ path: 'title', label: 'Title', before: 'Untitled', after: 'One' }] },
			{ kind: 'text', before: '', after: 'Said.' }
		]);
		expect(note.title).toBe('Untitled');
	});

	it('leave nothing unsaid', async () => {
		const { note, noteManifest } = await setting();
		expect(auditManifest(noteManifest, note)).toEqual([]);
	});

	it('take back one run and no other, and keep what was changed since', async () => {
		const { note, agent } = await setting();
		const first = agent.run('One', { by: person });
		expect((await first.returned).kind).toBe('completed');
		const second = agent.run('Two', { by: person });
		await second.returned;
		expect([note.title, note.text]).toEqual(['Two', 'Said.']);

		expect((await agent.undo(first.id, person)).parts.minutes).toEqual({
			undone: 1,
			kept: [{ what: 'title', why: 'it was changed since' }]
		});
		expect([note.title, note.text]).toEqual(['Two', '']);
		await agent.undo(second.id, person);
		expect(note.title).toBe('One');
	});

	it('learn the run of a change from the cause, where nothing is passed', async () => {
		const { OwnNote } = (await import(/* @vite-ignore */ laid('manifests', 'own-note.svelte.ts'))) as {
			OwnNote: new () => Writable;
		};
		const note = new OwnNote();
		actingAs({ kind: 'agent', id: 'ada', run: 'r1' }, () => (note.title = 'One'));
		expect(note.undo('r2')).toMatchObject({ undone: 0 });
		expect(note.undo('r1')).toEqual({ undone: 1, kept: [] });
		expect(note.title).toBe('Untitled');
		note.title = 'Mine';
		expect(note.undo('r1')).toMatchObject({ undone: 0, kept: [{ what: 'Title' }] });
	});
});

describe('the panel of switches of the docs', () => {
	interface Panel {
		groups: { entry: string; label: string; state: string; others: string[] }[];
		refused: string;
		set(entry: string, verdict: 'allow' | 'deny', event: Event): void;
	}
	/** What an event is to code that looks at it; the mark of trust cannot be set on a real one. */
	const event = (type: string, isTrusted: boolean) => ({ type, isTrusted }) as Event;

	async function setting() {
		const { switches } = (await import(/* @vite-ignore */ laid('options', 'may-leave.svelte.ts'))) as {
			switches(agent: EngineAgent): Panel;
		};
		const registry = createRegistry();
		const read = (sensitivity: 'page' | 'private' | 'secret', category?: string) => ({
			description: 'One',
			read: () => 'text',
			version: () => 1,
			sensitivity,
			...(category === undefined ? {} : { category })
		});
		registry.register(
			{
				kind: 'note',
				description: 'A note',
				reads: { title: read('page'), text: read('private', 'words'), pin: read('secret') },
				acts: {}
			},
			{},
			{ id: 'minutes', label: 'Minutes' }
		);
		const agent = new EngineAgent({
			identity: { id: 'ada', name: 'Ada', description: 'Writes minutes' },
			transport: scripted([]),
			registry
		});
		const panel = switches(agent);
		const shown = () => panel.groups.map(({ entry, state, others }) => [entry, state, ...others]);
		return { panel, shown };
	}

	it('shows what may leave: all, some or none of it', async () => {
		const { panel, shown } = await setting();
		expect(shown()).toEqual([
			['#minutes', 'some'],
			['@words', 'off']
		]);
		panel.set('#minutes', 'allow', event('click', true));
		expect(shown()).toEqual([
			['#minutes', 'on'],
			['@words', 'on', '#minutes']
		]);
		// Denied by another entry: the switch says which.
		panel.set('@words', 'deny', event('click', true));
		expect(shown()).toEqual([
			['#minutes', 'some', '@words'],
			['@words', 'off']
		]);
		panel.set('#minutes', 'deny', event('keydown', true));
		expect(shown()).toEqual([
			['#minutes', 'off'],
			['@words', 'off', '#minutes']
		]);
		expect(panel.refused).toBe('');
	});

	it.each([
		['click', false],
		['change', true],
		['input', true],
		['submit', true]
	])('opens nothing by a %s (trusted: %s), and says so', async (type, trusted) => {
		const { panel, shown } = await setting();
		const before = shown();
		panel.set('#minutes', 'allow', event(type, trusted));
		expect(shown()).toEqual(before);
		expect(panel.refused).not.toBe('');
		panel.set('#minutes', 'deny', event(type, trusted));
		expect(panel.refused).toBe('');
		expect(shown()[0]).toEqual(['#minutes', 'off']);
	});
});

describe('the transport of the docs', () => {
	/** A model over the wire of the adapter on the server: one answer a request, cut into pieces that respect no line. */
	async function setting(answers: readonly (readonly object[] | number)[]) {
		const { backend } = (await import(/* @vite-ignore */ laid('transports', 'src/lib/backend.ts'))) as {
			backend: AgentTransport;
		};
		const { POST } = (await import(
			/* @vite-ignore */ laid('transports', 'src/routes/api/turn/+server.ts')
		)) as {
			POST(event: { request: Request }): Promise<Response>;
		};
		const asked: { messages: { role: string; content: string }[]; tools?: object[] }[] = [];
		vi.stubEnv('MODEL_KEY', 'secret');
		vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
			init.signal?.throwIfAborted();
			if (url === '/api/turn')
				return POST({ request: new Request('https://app.example/api/turn', init as RequestInit) });
			expect(new Headers(init.headers).get('authorization')).toBe('Bearer secret');
			const answer = answers[asked.length] ?? [{ choices: [{ delta: {}, finish_reason: 'stop' }] }];
			asked.push(JSON.parse(init.body as string));
			if (typeof answer === 'number') return new Response('', { status: answer });
			const chunks = answer.map((chunk) => JSON.stringify(chunk));
			// A line that is lost says nothing of an end.
			if (chunks.some((chunk) => chunk.includes('finish_reason'))) chunks.push('[DONE]');
			const text = chunks.map((line) => `data: ${line}\n\n`);
			const bytes = new TextEncoder().encode(text.join(''));
			const body = new ReadableStream({
				start(controller) {
					for (let at = 0; at < bytes.length; at += 7) controller.enqueue(bytes.slice(at, at + 7));
					controller.close();
				}
			});
			return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
		});
		return { backend, asked };
	}

	const request = {
		run: 'r',
		turn: 't',
		thread: 'h',
		system: 'You are Ada.',
		messages: [],
		context: 'title: Untitled',
		tools: [],
		limits: {}
	};

	async function all(transport: AgentTransport, signal = new AbortController().signal) {
		const events = [];
		for await (const event of transport.open(request, signal)) events.push(event);
		return events;
	}

	it('drives a whole run', async () => {
		const call = (piece: object) => ({ choices: [{ delta: { tool_calls: [{ index: 0, ...piece }] } }] });
		const { backend, asked } = await setting([
			[
				{ choices: [{ delta: { content: 'Título: ' } }] },
				call({ id: 'c1', function: { name: 'note__rename', arguments: '' } }),
				call({ function: { arguments: '{"instance":"minutes",' } }),
				call({ function: { arguments: '"title":"Über"}' } }),
				{ choices: [{ delta: {}, finish_reason: 'tool_calls' }] },
				{ choices: [], usage: { prompt_tokens: 90, completion_tokens: 10 } }
			],
			[{ choices: [{ delta: { content: 'Done.' }, finish_reason: 'stop' }] }]
		]);
		const { Note } = (await import(/* @vite-ignore */ laid('manifests', 'note.svelte.ts'))) as {
			Note: new () => Writable;
		};
		const { noteManifest } = (await import(/* @vite-ignore */ laid('manifests', 'note.manifest.ts'))) as {
			noteManifest: AgentManifest<Writable>;
		};
		const note = new Note();
		const registry = createRegistry();
		registry.register(noteManifest, note, { id: 'minutes', label: 'Minutes' });
		const identity = { id: 'ada', name: 'Ada', description: 'Writes minutes' };
		const agent = new EngineAgent({ identity, transport: backend, policy: { ceiling: 'auto' }, registry });
		const run = agent.run('A better title', { by: person });

		expect(await run.returned).toMatchObject({ kind: 'completed', text: 'Done.' });
		expect(note.title).toBe('Über');
		expect(run.state.turns[0]).toMatchObject({ text: 'Título: ', usage: { input: 90, output: 10 } });
		expect(asked).toHaveLength(2);
		expect(asked[0]?.messages[0]?.content).toContain('Amounts are in euros.');
	});

	it('ends in one error, whatever fails', async () => {
		const { backend } = await setting([[{ choices: [{ delta: { content: 'I' } }] }], 429, 401]);
		expect((await all(backend)).at(-1)).toMatchObject({ reason: { code: 'truncated' }, retryable: true });
		expect(await all(backend)).toMatchObject([{ reason: { code: 'http' }, retryable: true }]);
		expect(await all(backend)).toMatchObject([{ reason: { code: 'http' }, retryable: false }]);
	});

	it('an abort ends the run, though the transport says nothing of it', async () => {
		const { backend } = await setting([]);
		await expect(all(backend, AbortSignal.abort())).rejects.toThrow();
	});
});

describe('the tests of the docs', () => {
	const tests = examples.filter(({ name }) => name.endsWith('.test.ts'));

	it('are there', () => {
		expect(tests.length).toBeGreaterThan(1);
	});

	it.each(tests)('$page: $name passes', async ({ page, name }) => {
		const bodies: (() => Promise<void>)[] = [];
		vi.doMock('vitest', () => ({
			expect,
			test: (_: string, body: () => Promise<void>) => bodies.push(body)
		}));
		await import(/* @vite-ignore */ laid(page, name));
		vi.doUnmock('vitest');
		expect(bodies.length).toBeGreaterThan(0);
		for (const body of bodies) await body();
	});
});

describe('the relays of the docs', () => {
	const ask = (headers: Record<string, string> = {}) =>
		new Request('https://app.example/api/agent', {
			method: 'POST',
			body: '{"messages":[]}',
			headers: { 'content-type': 'application/json', origin: 'https://app.example', ...headers }
		});
	const streaming = () =>
		new Response('data: [DONE]\n\n', { headers: { 'content-type': 'text/event-stream' } });

	it('stands in Hono', async () => {
		vi.stubEnv('ANTHROPIC_API_KEY', 'sk-ant-0123456789');
		const asked: string[] = [];
		vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
			asked.push(url, new Headers(init.headers).get('anthropic-version') ?? '');
			return streaming();
		});
		const { app } = (await import(/* @vite-ignore */ laid('relay', 'hono.ts'))) as {
			app: { fetch(request: Request): Promise<Response> };
		};
		const response = await app.fetch(ask());
		expect([response.status, await response.text()]).toEqual([200, 'data: [DONE]\n\n']);
		expect(asked).toEqual(['https://api.anthropic.com/v1/messages', '2023-06-01']);
		expect((await app.fetch(ask({ origin: 'https://evil.example' }))).status).toBe(403);
	});

	it('lends a key to Gemini, for what is on the list', async () => {
		vi.stubEnv('GEMINI_API_KEY', 'AIza-0123456789');
		const keys: (string | null)[] = [];
		vi.stubGlobal('fetch', async (_: string, init: RequestInit) => {
			keys.push(new Headers(init.headers).get('x-goog-api-key'));
			return streaming();
		});
		const { answer } = (await import(/* @vite-ignore */ laid('relay', 'gemini.ts'))) as {
			answer(request: Request): Promise<Response>;
		};
		const own = (url: string, init?: RequestInit) => {
			const request = new Request(url, init);
			request.headers.set('origin', 'https://app.example');
			return answer(request);
		};
		const speak = async (body: Record<string, unknown>) => {
			const model = gemini({ url: 'https://app.example/api/gemini', body, fetch: own as typeof fetch });
			const run = new EngineAgent({
				identity: { id: 'ada', name: 'Ada', description: 'Speaks' },
				transport: model,
				registry: createRegistry()
			}).run('Hello', { by: person });
			await run.returned;
			return run.journal.map(({ data }) => JSON.stringify(data)).join();
		};
		expect(await speak({ cachedContent: 'cachedContents/1' })).toContain('cachedContent');
		expect(keys).toEqual([]);
		await speak({ generationConfig: { temperature: 0 } });
		expect(keys[0]).toBe('AIza-0123456789');
	});

	it('counts each visitor, and refuses whom it does not know', async () => {
		const { admit, answer } = (await import(/* @vite-ignore */ laid('relay', 'counted.ts'))) as {
			admit(request: Request, now: number): boolean | { retryAfterMs: number };
			answer(request: Request): Promise<Response>;
		};
		expect(admit(ask(), 0)).toBe(false);
		const known = (visitor: string) => ask({ cookie: `a=1; session=${visitor}` });
		for (let count = 1; count <= 30; count++) expect(admit(known('one'), 1_000)).toBe(true);
		expect(admit(known('one'), 31_000)).toEqual({ retryAfterMs: 30_000 });
		expect(admit(known('two'), 31_000)).toBe(true);
		expect(admit(known('one'), 61_000)).toBe(true);
		vi.stubGlobal('fetch', async () => streaming());
		expect((await answer(known('three'))).status).toBe(200);
		vi.spyOn(console, 'warn').mockImplementation(() => undefined);
		expect((await answer(ask())).status).toBe(403);
	});
});
