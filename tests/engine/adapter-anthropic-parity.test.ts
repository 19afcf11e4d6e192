import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import Anthropic from '@anthropic-ai/sdk';
import { describe, expect, test } from 'vitest';
import {
	answering,
	asked,
	bytesOf,
	eventsOf,
	outcomeOf,
	type ServedStream
} from '../fixtures/served-stream.js';
import { streams } from '../fixtures/streams/anthropic.js';

/** Where the official client makes something else of a stream, and why ours is right. */
const DIFFER: Readonly<Record<string, string>> = {
	'an index or an id that comes again is another block': 'blocks of one index are mixed up there',
	'blocks that interleave are told apart by index': 'blocks have to begin in the order of their index there',
	'an escape that does not exist spoils the call, not the turn': 'the whole turn is lost there',
	'a call cut by max_tokens is incomplete although its block was closed; the one before it is whole':
		'the cut call looks whole there',
	'a call cut by max_tokens before its first argument is not a call without arguments':
		'the cut call looks whole there',
	'a window of context that is full cuts like max_tokens': 'the cut call looks whole there',
	'a call whose block was never closed is incomplete, whatever the reason says':
		'the cut call looks whole there',
	'tools over there that fail, by their error or by their flag':
		'the pieces of a call of MCP are passed over there',
	'the end was said, message_stop is missing, and the last event is not closed by a blank line':
		'a message without message_stop is an exception there',
	'no figures at all': 'a message without usage is an exception there',
	'events without a name, CRLF, a byte order mark and comments': 'events are known by their name alone there',
	'members of the wrong kind are passed over': 'an exception there',
	'anthropic-eager-truncated.sse': 'the cut call looks whole there'
};

const corpus = resolve(import.meta.dirname, '../../../shared/corpora/provider-streams');
const handed: ServedStream[] = Object.entries(streams.handed).flatMap(([name, expected]) =>
	existsSync(corpus) ? [{ name, expected, body: readFileSync(resolve(corpus, name)) }] : []
);

/** What both sides can be compared by. */
interface Account {
	text: string;
	thoughts: string;
	calls: readonly (readonly [id: string, name: string, input: unknown])[];
	end: string | undefined;
	usage: readonly (number | null | undefined)[];
	refusal: string | null | undefined;
	failed: boolean;
}

const fetching = ({ body, status, headers, type = streams.type }: ServedStream): typeof globalThis.fetch =>
	answering([bytesOf(body)], { status, headers: { ...headers, 'content-type': type } });

async function official(stream: ServedStream): Promise<Account | undefined> {
	const client = new Anthropic({ apiKey: 'none', fetch: fetching(stream), maxRetries: 0 });
	try {
		const sent = client.messages.stream({ model: 'm', max_tokens: 1, messages: [] });
		const { content, stop_reason, stop_details, usage } = await sent.finalMessage();
		return {
			text: content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
			thoughts: content.map((block) => (block.type === 'thinking' ? block.thinking : '')).join(''),
			calls: content.flatMap((block) =>
				'input' in block ? [[block.id, block.name, block.input] as const] : []
			),
			end: stop_reason ?? undefined,
			usage: [
				usage.input_tokens + (usage.cache_creation_input_tokens ?? 0) + (usage.cache_read_input_tokens ?? 0),
				usage.output_tokens
			],
			refusal: stop_reason === 'refusal' ? (stop_details?.explanation ?? '') : undefined,
			failed: false
		};
	} catch {
		return undefined;
	}
}

async function ours(stream: ServedStream): Promise<Account> {
	const { events, usage } = outcomeOf(await eventsOf(streams.open(fetching(stream)), asked(stream.request)));
	const of = (wanted: 'text' | 'reasoning'): string =>
		events.map((event) => (event.type === wanted && 'delta' in event ? event.delta : '')).join('');
	const names = new Map(
		events.flatMap((event) => (event.type === 'call.start' ? [[event.id, event.name] as const] : []))
	);
	return {
		text: of('text'),
		thoughts: of('reasoning'),
		calls: events.flatMap((event) =>
			event.type === 'call.end' && event.verdict === 'complete'
				? [[event.id, names.get(event.id)!, JSON.parse(event.raw) as unknown] as const]
				: []
		),
		end: events.flatMap((event) => (event.type === 'end' ? [event.raw] : []))[0],
		usage: [usage?.input, usage?.output],
		refusal: events.flatMap((event) => (event.type === 'refusal' ? [event.text] : []))[0],
		failed: events.at(-1)?.type === 'error'
	};
}

describe('beside the official client', () => {
	const all = [...streams.own, ...handed];

	test('S2-23 what differs is named, and there', () => {
		const names = new Set([...streams.own.map(({ name }) => name), ...Object.keys(streams.handed)]);
		expect(Object.keys(DIFFER).filter((name) => !names.has(name))).toEqual([]);
		expect(all.length - Object.keys(DIFFER).length).toBeGreaterThan(10);
	});

	for (const stream of all) {
		const why = DIFFER[stream.name];
		test(`S2-23 ${why ? 'not ' : ''}the same: ${stream.name}${why ? ` (${why})` : ''}`, async () => {
			const [theirs, own] = await Promise.all([official(stream), ours(stream)]);
			// No account of theirs is an exception.
			if (!theirs) expect(own.failed).toBe(why === undefined);
			else if (why) expect(own).not.toEqual(theirs);
			else expect(own).toEqual(theirs);
		});
	}
});
