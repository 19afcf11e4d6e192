import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { answering, bytesOf, dataOnly, type Outcome } from '../fixtures/served-stream.js';
import { streams } from '../fixtures/streams/openai.js';
import { chunk } from '../fixtures/streams/openai/chunks.js';

/** It insists on a role. */
const ROLE = dataOnly(chunk({ role: 'assistant', content: '' }));
const withRole = (body: string | Uint8Array): string => ROLE + String(body).replace('\uFEFF', '');

interface Message {
	text: string;
	refusal: string | null;
	calls: { id: string; name: string; args: string }[];
	usage: { input: number; output: number } | undefined;
	end: string | undefined;
}

/** What the official client makes of a stream; its error where it throws. */
async function official(body: string | Uint8Array, type = streams.type): Promise<Message | Error> {
	const fetch = answering([bytesOf(body)], { headers: { 'content-type': type } });
	const client = new OpenAI({ apiKey: 'none', baseURL: 'http://localhost/v1', fetch, maxRetries: 0 });
	try {
		const stream = client.chat.completions.stream({
			model: 'some-model',
			messages: [{ role: 'user', content: 'Move the meeting' }],
			stream_options: { include_usage: true }
		});
		const { choices, usage } = await stream.finalChatCompletion();
		const { message, finish_reason } = choices[0]!;
		return {
			text: message.content ?? '',
			refusal: message.refusal,
			calls: (message.tool_calls ?? []).map((call) => {
				const { name, arguments: args } = (call as { function: { name: string; arguments: string } })
					.function;
				return { id: call.id, name, args };
			}),
			usage: usage ? { input: usage.prompt_tokens, output: usage.completion_tokens } : undefined,
			end: finish_reason
		};
	} catch (error) {
		return error as Error;
	}
}

/** The same of what we expect. */
function ours({ events, usage }: Outcome): Message {
	const names = new Map<string, string>();
	const told: Message = { text: '', refusal: null, calls: [], usage: undefined, end: undefined };
	for (const event of events)
		if (event.type === 'text') told.text += event.delta;
		else if (event.type === 'refusal') told.refusal = event.text;
		else if (event.type === 'call.start') names.set(event.id, event.name);
		else if (event.type === 'call.end')
			told.calls.push({ id: event.id, name: names.get(event.id)!, args: event.raw });
		else if (event.type === 'end') told.end = event.raw;
	if (usage) told.usage = { input: usage.input, output: usage.output };
	return told;
}

const MERGES = 'makes one call of several, of which nothing can be run';
const THROWS = 'throws, and the turn is lost';

/** Where the official client is wrong, or says less, and how. Everywhere else it has to say the same as we do. */
const ELSEWHERE: Readonly<Record<string, string>> = {
	'three calls on place 0 with ids of their own, nothing after the end': MERGES,
	'calls on one place that go on in turns, told apart by their ids': MERGES,
	'no place and no id': THROWS,
	'no place, but ids': THROWS,
	'empty ids on place 0, each call whole': MERGES,
	'one id for two calls': 'gives two calls one id',
	'one id and one place for two calls, each of them whole': MERGES,
	'id and name come again with each piece, and the whole at the end once more': 'takes the repetition in',
	'the name comes again with each piece, without an id': THROWS,
	'first the id, then arguments, then the name': THROWS,
	'arguments that are null, empty, or not there mean none': THROWS,
	'arguments as an object, with a key called __proto__': 'writes [object Object]',
	'a call in the old form': 'does not count it among the calls',
	'no reason for the end, but its mark': THROWS,
	'neither a reason nor a mark: it broke off': THROWS,
	'two ends, and figures in the second': 'leaves arguments that are no JSON',
	'figures of the beginning, when it breaks off: what came since is estimated': THROWS,
	'figures under other names: a cache by hits, reasoning beside the output, a price':
		'leaves out reasoning that stands beside the output',
	'figures in a corner of their own, and some that are none': 'takes nothing for a figure',
	'reasoning in details alone, and as a part of the content': 'writes [object Object]',
	'an error in mid-stream: rate_limit_exceeded': THROWS,
	'an error in mid-stream: 502': THROWS,
	'an error in mid-stream: an invalid request': THROWS,
	'an error in mid-stream: a text': THROWS,
	'an error beside a choice that ended in an error': THROWS,
	'an error in the choice itself': THROWS,
	'an end that is an error, without one': 'takes it for an end',
	'ended by somebody over there': 'takes it for an end',
	'an object that calls itself an error': THROWS,
	'an error in place of a stream, called a success': THROWS,
	'more choices than one': THROWS,
	'words of somebody else are none of the model': 'takes them for words of the model',
	'frames that mean nothing here': THROWS,
	'a frame that is no JSON': THROWS
};

describe('what the official client makes of the same', () => {
	test('S2-23 it is named only where there is such a stream', () => {
		const names = new Set(streams.own.map(({ name }) => name));
		expect(Object.keys(ELSEWHERE).filter((name) => !names.has(name))).toEqual([]);
	});

	test.each(streams.own.filter(({ name }) => !ELSEWHERE[name]))(
		'S2-23 the same: $name',
		async ({ body, type, expected }) => {
			expect(await official(withRole(body), type)).toEqual(ours(expected));
		}
	);

	test.each(
		Object.entries(ELSEWHERE).map(([name, how]) => ({
			...streams.own.find((one) => one.name === name)!,
			how
		}))
	)('S2-23 another, for it $how: $name', async ({ body, type, expected, how }) => {
		const theirs = await official(withRole(body), type);
		expect(theirs).not.toEqual(ours(expected));
		expect(theirs instanceof Error).toBe(how === THROWS);
	});

	const corpus = resolve(import.meta.dirname, '../../../shared/corpora/provider-streams');
	test.runIf(existsSync(corpus))('S2-23 the same of what was handed to us', async () => {
		for (const [name, expected] of Object.entries(streams.handed)) {
			const theirs = await official(readFileSync(join(corpus, name)));
			const error = expected.events.find((event) => event.type === 'error');
			if (error) expect((theirs as Error).message).toBe(error.reason.text);
			else expect(theirs).toEqual(ours(expected));
		}
	});
});
