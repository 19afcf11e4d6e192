import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { bundle } from '../bundle.mjs';

const lib = resolve(import.meta.dirname, '../../src/lib');
const { devDependencies: pinned } = JSON.parse(
	readFileSync(resolve(import.meta.dirname, '../package.json'), 'utf8')
);

/** Deltas of one answer, and their length in characters. */
const DELTAS = 20_000;
const LENGTH = 16;
/** Beyond this many milliseconds a measurement is not repeated. */
const LONG = 2000;

/** What all three are built from, by one build, as an app would: Svelte's own client, everything in one module. */
const CODE = `
export { ActiveAgent } from ${JSON.stringify(resolve(lib, 'agent/active/index.ts'))};
export { agUi } from ${JSON.stringify(resolve(lib, 'agent/adapters/ag-ui.ts'))};
export { aiSdk } from ${JSON.stringify(resolve(lib, 'agent/adapters/ai-sdk.ts'))};
export { HttpAgent } from '@ag-ui/client';
export { Chat } from '@ai-sdk/svelte';
export { DefaultChatTransport } from 'ai';
export { reader } from ${JSON.stringify(resolve(import.meta.dirname, '../reader.svelte.js'))};
`;

const URL = 'http://localhost/agent';
const encoder = new TextEncoder();

/** A server in this process: one frame a piece, as a network that is fast enough hands them over. */
const serving = (/** @type {(body: any) => Iterable<object | string>} */ frames) =>
	/** @type {typeof fetch} */ (
		async (_url, init) => {
			const list = frames(JSON.parse(String(init?.body)))[Symbol.iterator]();
			const body = new ReadableStream({
				pull(controller) {
					const { done, value } = list.next();
					if (done) return controller.close();
					const data = typeof value === 'string' ? value : JSON.stringify(value);
					controller.enqueue(encoder.encode(`data: ${data}\n\n`));
				}
			});
			return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
		}
	);

/** @param {number} i */
const piece = (i) => `${i} `.padEnd(LENGTH, 'lorem ipsum dolor ');

/** @param {number} count */
const agUiText = (count) =>
	function* (/** @type {{ threadId: string, runId: string }} */ { threadId, runId }) {
		yield { type: 'RUN_STARTED', threadId, runId };
		yield { type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant' };
		for (let i = 0; i < count; i += 1)
			yield { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: piece(i) };
		yield { type: 'TEXT_MESSAGE_END', messageId: 'm' };
		yield { type: 'RUN_FINISHED', threadId, runId, outcome: { type: 'success' } };
	};

/** @param {number} count */
const agUiArgs = (count) =>
	function* (/** @type {{ threadId: string, runId: string }} */ { threadId, runId }) {
		const toolCallId = 'c';
		yield { type: 'RUN_STARTED', threadId, runId };
		yield { type: 'TOOL_CALL_START', toolCallId, toolCallName: 'store' };
		yield { type: 'TOOL_CALL_ARGS', toolCallId, delta: '{"text":"' };
		for (let i = 0; i < count; i += 1) yield { type: 'TOOL_CALL_ARGS', toolCallId, delta: piece(i) };
		yield { type: 'TOOL_CALL_ARGS', toolCallId, delta: '"}' };
		yield { type: 'TOOL_CALL_END', toolCallId };
		yield { type: 'TOOL_CALL_RESULT', messageId: 'r', toolCallId, content: 'stored' };
		yield { type: 'RUN_FINISHED', threadId, runId, outcome: { type: 'success' } };
	};

/** @param {number} count */
const uiMessages = (count) =>
	function* () {
		yield { type: 'start', messageId: 'm' };
		yield { type: 'start-step' };
		yield { type: 'text-start', id: 't' };
		for (let i = 0; i < count; i += 1) yield { type: 'text-delta', id: 't', delta: piece(i) };
		yield { type: 'text-end', id: 't' };
		yield { type: 'finish-step' };
		yield { type: 'finish', finishReason: 'stop' };
		yield '[DONE]';
	};

/** Nothing but reading and adding up: what no client can go below. @param {ReturnType<typeof serving>} fetch */
async function floor(fetch) {
	const response = await fetch(URL, { method: 'POST', body: '{}' });
	const decoder = new TextDecoder();
	const reader = /** @type {ReadableStream<Uint8Array>} */ (response.body).getReader();
	let text = '';
	for (let rest = ''; ;) {
		const { done, value } = await reader.read();
		if (done) return text.length;
		const frames = (rest + decoder.decode(value, { stream: true })).split('\n\n');
		rest = frames.pop() ?? '';
		for (const frame of frames) text += JSON.parse(frame.slice('data: '.length)).delta ?? '';
	}
}

/** CPU in milliseconds, the best of some. @param {() => Promise<number>} run @param {number} least characters that arrive */
async function cpu(run, least, times = 7) {
	let best = Infinity;
	for (let i = 0; i < times; i += 1) {
		const before = process.cpuUsage();
		const arrived = await run();
		const { user, system } = process.cpuUsage(before);
		if (arrived < least) throw new Error(`stream: ${arrived} of ${least} characters arrived`);
		best = Math.min(best, (user + system) / 1000);
		if (best > LONG) break;
	}
	return best;
}

const round = (/** @type {number} */ value) => Math.round(value * 10) / 10;

/** CPU for an answer in many small deltas, from the bytes to what a view reads, beside the clients people use today. */
export async function bench() {
	// Without a window an agent is on a server, and inert.
	Object.assign(globalThis, { window: globalThis });
	const { ActiveAgent, agUi, aiSdk, HttpAgent, Chat, DefaultChatTransport, reader } = await bundle(
		'stream',
		CODE
	);

	/** @param {any} transport */
	const ours = async (transport) => {
		const agent = new ActiveAgent({
			identity: { id: 'ada', name: 'Ada', description: 'Answers' },
			transport,
			budget: { tokens: 1e9 }
		});
		let arrived = 0;
		agent.on((/** @type {any} */ event) => {
			if (event.type === 'text' || event.type === 'call.args') arrived += event.delta.length;
		});
		const stop = reader(() => agent.current?.state);
		const { kind } = await agent.run('Go on', { by: { kind: 'human', id: 'person' } }).returned;
		stop();
		await agent.dispose();
		if (kind !== 'answered') throw new Error(`stream: the run ended as ${kind}`);
		return arrived;
	};
	const oursAgUi = (/** @type {any} */ frames) => ours(agUi({ url: URL, fetch: serving(frames) }));
	const oursAiSdk = (/** @type {any} */ frames) => ours(aiSdk({ url: URL, fetch: serving(frames) }));
	const httpAgent = async (/** @type {any} */ frames) => {
		const agent = new HttpAgent({ url: URL, threadId: 't', fetch: serving(frames) });
		let arrived = 0;
		agent.addMessage({ id: 'u', role: 'user', content: 'Go on' });
		await agent.runAgent(
			{ runId: 'r' },
			{
				onTextMessageContentEvent: (/** @type {any} */ { event }) => void (arrived += event.delta.length),
				onToolCallArgsEvent: (/** @type {any} */ { event }) => void (arrived += event.delta.length)
			}
		);
		return arrived;
	};
	const chat = async (/** @type {any} */ frames) => {
		const one = new Chat({ transport: new DefaultChatTransport({ api: URL, fetch: serving(frames) }) });
		const stop = reader(() => one.lastMessage?.parts.length);
		await one.sendMessage({ text: 'Go on' });
		stop();
		return one.lastMessage.parts.reduce(
			(/** @type {number} */ sum, /** @type {any} */ part) => sum + (part.text?.length ?? 0),
			0
		);
	};

	const of = (/** @type {number} */ count) => count * LENGTH;
	const least = await cpu(() => floor(serving(agUiText(DELTAS))), of(DELTAS));
	const text = await cpu(() => oursAgUi(agUiText(DELTAS)), of(DELTAS));
	const twice = await cpu(() => oursAgUi(agUiText(2 * DELTAS)), of(2 * DELTAS));
	const args = await cpu(() => oursAgUi(agUiArgs(DELTAS)), of(DELTAS));
	const ui = await cpu(() => oursAiSdk(uiMessages(DELTAS)), of(DELTAS));
	const theirText = await cpu(() => httpAgent(agUiText(DELTAS)), of(DELTAS));
	const theirArgs = await cpu(() => httpAgent(agUiArgs(DELTAS)), of(DELTAS));
	const theirUi = await cpu(() => chat(uiMessages(DELTAS)), of(DELTAS));

	const row = (/** @type {string} */ name, /** @type {(number | string)[]} */ ...cells) =>
		name.padEnd(44) + cells.map((cell) => String(cell).padStart(12)).join('');
	const [http, svelteChat] = [
		`@ag-ui/client ${pinned['@ag-ui/client']} HttpAgent`,
		`@ai-sdk/svelte ${pinned['@ai-sdk/svelte']} Chat`
	];
	return {
		table: [
			row(`${DELTAS} deltas of ${LENGTH} characters, CPU ms`, 'text', 'arguments'),
			row('ours, ag-ui into ActiveAgent', round(text), round(args)),
			row(http, round(theirText), round(theirArgs)),
			row('ours, ai-sdk into ActiveAgent', round(ui), ''),
			row(svelteChat, round(theirUi), ''),
			row('reading, parsing and adding up alone', round(least), ''),
			row(`growth to ${2 * DELTAS}`, round(twice / text), '')
		],
		notes: [
			'One frame a piece of the network; a listener adds up the deltas, a view reads the state or the message.',
			'Best of seven runs each, one run where it takes more than two seconds; built for the browser, run in Node.'
		],
		figures: {
			cpuMs: round(text),
			growth: round(twice / text),
			argsMs: round(args),
			aiSdkMs: round(ui),
			floorMs: round(least)
		},
		peers: {
			[http]: { cpuMs: round(theirText), argsMs: round(theirArgs) },
			[svelteChat]: { cpuMs: round(theirUi) }
		},
		ratio: round(theirText / text)
	};
}
