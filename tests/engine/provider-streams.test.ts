import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import {
	answering,
	asked,
	bytesOf,
	cutAt,
	eventsOf,
	every,
	faultsOf,
	outcomeOf,
	type AdapterStreams,
	type ServedStream
} from '../fixtures/served-stream.js';

const modules = import.meta.glob<{ streams: AdapterStreams }>('../fixtures/streams/*.ts');
const loaded = await Promise.allSettled(Object.values(modules).map((load) => load()));
const adapters = new Map(
	loaded.flatMap((one) =>
		one.status === 'fulfilled' ? [[one.value.streams.adapter, one.value.streams] as const] : []
	)
);

/** The streams that were handed to us, and which adapter reads each. */
const HANDED: Readonly<Record<string, string>> = {
	'ai-sdk-approval.sse': 'ai-sdk',
	'ai-sdk-error-midstream.sse': 'ai-sdk',
	'anthropic-eager-truncated.sse': 'anthropic',
	'anthropic-refusal.sse': 'anthropic',
	'anthropic-tools.sse': 'anthropic',
	'gemini-tools.sse': 'gemini',
	'ollama-tools.ndjson': 'ollama',
	'openai-chat-error-midstream.sse': 'openai',
	'openai-chat-refusal.sse': 'openai',
	'openai-chat-tools.sse': 'openai',
	'openai-responses-refusal.sse': 'openai-responses',
	'openai-responses-tools.sse': 'openai-responses'
};
const corpus = resolve(import.meta.dirname, '../../../shared/corpora/provider-streams');

/** Serves the stream in these pieces. */
async function serve(
	streams: AdapterStreams,
	stream: Omit<ServedStream, 'name' | 'expected'>,
	offsets: Iterable<number>
) {
	const { body, status, type = streams.type, headers, request } = stream;
	const pieces = cutAt(bytesOf(body), offsets);
	const fetch = answering(pieces, { status, headers: { 'content-type': type, ...headers } });
	const events = await eventsOf(streams.open(fetch), asked(request));
	expect(faultsOf(events)).toEqual([]);
	return outcomeOf(events);
}

/** Whole, at the given places and byte by byte: one outcome, the right one. */
async function holds(
	streams: AdapterStreams,
	stream: Omit<ServedStream, 'name'>,
	splits: readonly (readonly number[])[]
): Promise<void> {
	const { length } = bytesOf(stream.body);
	const whole = await serve(streams, stream, []);
	expect(whole).toEqual(stream.expected);
	for (const offsets of [...splits, every(1, length)])
		expect(await serve(streams, stream, offsets)).toEqual(whole);
}

/**
 * Whatever a line carries may be cut off: what was told until there is a beginning of what the whole tells, and only calls that
 * the wire had ended are whole.
 */
async function isSoundWhereCut(streams: AdapterStreams, stream: ServedStream): Promise<void> {
	const bytes = bytesOf(stream.body);
	const whole = await serve(streams, stream, []);
	const text = ({ events }: typeof whole, wanted: 'text' | 'reasoning'): string =>
		events.map((event) => (event.type === wanted && 'delta' in event ? event.delta : '')).join('');
	const complete = ({ events }: typeof whole): unknown[] =>
		events.filter((event) => event.type === 'call.end' && event.verdict === 'complete');
	const step = Math.max(1, Math.floor(bytes.length / 40));
	for (const length of every(step, bytes.length)) {
		const cut = await serve(streams, { ...stream, body: bytes.subarray(0, length) }, []);
		for (const said of ['text', 'reasoning'] as const)
			expect(text(whole, said).startsWith(text(cut, said))).toBe(true);
		expect(complete(whole)).toEqual(expect.arrayContaining(complete(cut)));
		// Only what was the end is the end.
		const [last, lastOfWhole] = [cut.events.at(-1)!, whole.events.at(-1)!];
		if (last.type === 'end' && lastOfWhole.type === 'end') expect(last).toEqual(lastOfWhole);
	}
}

test('every file of streams can be read', () => {
	expect(loaded.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []))).toEqual([]);
	expect(adapters.size).toBe(Object.keys(modules).length);
	expect(adapters.size).toBeGreaterThan(0);
});

describe.each([...adapters.keys()])('streams of our own: %s', (adapter) => {
	const streams = adapters.get(adapter)!;
	for (const { ids = ['S2-23'], ...stream } of streams.own) {
		test(`${ids.join(' ')} ${stream.name}`, async () => {
			const { length } = bytesOf(stream.body);
			await holds(
				streams,
				stream,
				[3, 64].map((n) => every(n, length))
			);
		});

		test(`S2-23 cut anywhere: ${stream.name}`, () => isSoundWhereCut(streams, stream));
	}
});

describe.skipIf(!existsSync(corpus))('streams handed to us, in ../shared/corpora/provider-streams', () => {
	test('S2-23 all that were named are there, and each is read', () => {
		const there = readdirSync(corpus).filter((name) => /\.(sse|ndjson)$/.test(name));
		expect(there.sort()).toEqual(Object.keys(HANDED).sort());
	});

	for (const [name, adapter] of Object.entries(HANDED))
		test(`S2-23 S2-98 ${name}`, async () => {
			const streams = adapters.get(adapter);
			const expected = streams?.handed[name];
			if (!streams || !expected) throw new Error(`${adapter} says nothing of what has to come of ${name}.`);
			const file = join(corpus, name);
			const record = file.replace(/\.\w+$/, '.expected.json');
			const { splits } = JSON.parse(readFileSync(record, 'utf8')) as { splits: number[] };
			expect(splits.length).toBeGreaterThan(0);
			await holds(streams, { body: readFileSync(file), expected }, [splits]);
		});
});

describe.runIf(!existsSync(corpus))('streams handed to us', () => {
	beforeAll(() => console.warn('Not there, so not read: ../shared/corpora/provider-streams.'));

	test('are not there; the streams of our own stand alone', () => {
		expect(adapters.size).toBeGreaterThan(0);
	});
});
