import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SharedState } from '../../src/lib/agent/engine/shared.js';
import type { TurnEvent, TurnMessage } from '../../src/lib/agent/protocol/turn.js';
import type { JSONValue } from '../../src/lib/agent/protocol/words.js';
import { echoOf, heard, textOf } from '../fixtures/ag-ui.js';
import { asking } from '../fixtures/served-stream.js';
import { DEVIATIONS } from '../fixtures/ag-ui-deviations.js';

const root = resolve(import.meta.dirname, '../..');
const corpus = resolve(root, '../shared/corpora/ag-ui');
const isThere = existsSync(corpus);

interface Stream {
	name: string;
	input?: {
		messages?: { role: string; content: unknown }[];
		tools?: { name: string; description?: string }[];
	};
	stream: { type: string; threadId?: string; runId?: string }[];
	expect: {
		outcome: 'completed' | 'failed';
		runError?: string;
		messages?: JSONValue[];
		messageCount?: number;
		state?: JSONValue;
		request?: JSONValue;
		requestAbsentPaths?: string[];
	};
}

const listed = (folder: string): string[] =>
	readFileSync(join(corpus, folder, 'MANIFEST.txt'), 'utf8')
		.split('\n')
		.map((line) => line.trim())
		.filter((line) => line !== '');

const filesIn = (folder: string): string[] =>
	readdirSync(join(corpus, folder)).filter((file) => file.endsWith('.json'));

const load = (folder: string): Stream[] =>
	filesIn(folder).map((file) => JSON.parse(readFileSync(join(corpus, folder, file), 'utf8')) as Stream);

/** Is every named part the same? Lists have the same length. */
function covers(got: unknown, wanted: unknown): boolean {
	if (typeof wanted !== 'object' || wanted === null) return Object.is(got, wanted);
	if (typeof got !== 'object' || got === null) return false;
	if (Array.isArray(wanted) && (!Array.isArray(got) || got.length !== wanted.length)) return false;
	return Object.entries(wanted).every(([key, value]) => covers((got as Record<string, unknown>)[key], value));
}

/** Kinds of activity that we make of other events. */
const OURS = new Set(['step', 'subagent', 'text', 'reasoning']);

function messagesOf(events: readonly TurnEvent[]): unknown[] {
	const activities = new Map<string, unknown>();
	for (const event of events)
		if (event.type === 'activity' && !OURS.has(event.kind))
			activities.set(event.id, {
				id: event.id,
				role: 'activity',
				activityType: event.kind,
				content: event.content
			});
	return [...echoOf(events).messages, ...activities.values()];
}

/** The state at the end; `undefined` where none came, a text where the sides are out of step. */
function stateOf(events: readonly TurnEvent[]): { state?: JSONValue; lost?: string } {
	const shared = new SharedState({ state: {} });
	for (const event of events) {
		if (event.type !== 'state.snapshot' && event.type !== 'state.delta') continue;
		const lost = shared.take(event);
		if (lost !== undefined) return { lost };
	}
	const end = shared.end();
	return typeof end === 'string' ? { lost: end } : { state: end.state };
}

/** What does not come out as expected. */
async function missed(stream: Stream, size?: number): Promise<string[]> {
	const { expect: wanted, input } = stream;
	const { threadId = 'th', runId = 't' } = stream.stream.find(({ type }) => type === 'RUN_STARTED') ?? {};
	const messages = (input?.messages ?? []).map(({ content }): TurnMessage => ({
		role: 'user',
		from: { kind: 'human', id: 'person' },
		text: typeof content === 'string' ? content : ''
	}));
	const tools = (input?.tools ?? []).map(({ name, description = '' }) => ({ name, description, schema: {} }));
	const sent: JSONValue[] = [];
	const request = asking({ thread: threadId, turn: runId, messages, tools });
	const events = await heard(stream.stream, request, { sent, ...(size === undefined ? {} : { size }) });
	const last = events.at(-1);
	expect(events.filter(({ type }) => type === 'end' || type === 'error')).toHaveLength(1);
	const code = last?.type === 'error' ? last.reason.code : '';
	const { state, lost } = stateOf(events);
	const failed = lost !== undefined || (code !== '' && code !== 'provider' && code !== 'cancelled-there');
	const out: string[] = [];
	if (failed !== (wanted.outcome === 'failed')) out.push('outcome');
	if (wanted.outcome === 'failed' && code !== '' && code !== 'protocol') out.push('outcome');
	if (wanted.runError !== undefined) {
		expect(code).toBe('provider');
		expect(last).toMatchObject({ reason: { text: expect.stringContaining(wanted.runError) as string } });
	}
	if ('state' in wanted && !(covers(state, wanted.state) && covers(wanted.state, state))) out.push('state');
	// A turn that failed has no part in the agent's history.
	if (wanted.messages && last?.type === 'end') {
		const got = messagesOf(events);
		if (!covers(got, wanted.messages) || got.length !== (wanted.messageCount ?? got.length))
			out.push('messages');
	}
	if (wanted.messages) {
		const words = (wanted.messages as { role?: string; content?: string }[]).flatMap(({ role, content }) =>
			role === 'assistant' && content !== undefined ? [content] : []
		);
		if (textOf(events) !== words.join('\n\n')) out.push('shown');
	}
	const [body] = sent;
	const absent = (path: string) =>
		path.split('.').reduce<unknown>((at, key) => (at as never)?.[key], body) === undefined;
	const asked = !wanted.request || covers(body, wanted.request);
	if (!asked || !(wanted.requestAbsentPaths ?? []).every(absent)) out.push('request');
	return out;
}

describe('S2-22 S2-23 streams of the protocol’s own conformance', () => {
	test.runIf(!isThere)('S2-23 the handed streams are not here: nothing of them is read', () => {
		expect(isThere, 'the folder ../shared/corpora/ag-ui beside the repository').toBe(false);
	});

	describe.runIf(isThere)('S2-23 as they were handed', () => {
		const streams = isThere ? [...load('streams'), ...load('streams-1.0')] : [];

		test('S2-23 all of them are there', () => {
			expect(filesIn('streams').sort()).toEqual(
				listed('streams')
					.map((name) => (name.endsWith('.json') ? name : `${name}.json`))
					.sort()
			);
			expect(filesIn('streams')).toHaveLength(68);
			expect(filesIn('streams-1.0')).toHaveLength(4);
		});

		test.for(streams.map((stream) => [stream.name, stream] as const))('S2-23 %s', async ([name, stream]) => {
			const { parts = [] } = DEVIATIONS.find((one) => one.stream === name) ?? {};
			for (const size of [undefined, 7, 1])
				expect(await missed(stream, size), `in pieces of ${size}`).toEqual(parts);
		});

		test('S2-22 no deviation is named of a stream that nobody sends', () => {
			const names = new Set(streams.map(({ name }) => name));
			expect(DEVIATIONS.filter(({ stream }) => !names.has(stream))).toEqual([]);
		});
	});

	test('S2-22 the page of the parity names the same deviations', () => {
		const page = readFileSync(join(root, 'docs/ag-ui-parity.md'), 'utf8');
		const section = page.split('\n## Streams we read otherwise\n')[1]?.split('\n## ')[0] ?? '';
		const rows = [...section.matchAll(/^\| `([\w.-]+)` +\| (.+?) +\|$/gm)].map(([, stream, why]) => ({
			stream,
			why
		}));
		expect(rows).toEqual(DEVIATIONS.map(({ stream, why }) => ({ stream, why })));
	});
});
