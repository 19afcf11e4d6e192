import { expect, test } from 'vitest';
import { speech, toldOf } from '$lib/agent/adapters/wire/history.js';
import { Names } from '$lib/agent/adapters/wire/names.js';
import { reported } from '$lib/agent/adapters/wire/reported.js';
import { Turn } from '$lib/agent/adapters/wire/turn.js';
import type { TurnMessage } from '$lib/agent/protocol/turn.js';
import { answering, asked, bytesOf, eventsOf } from '../fixtures/served-stream.js';
import { transportOf } from '$lib/agent/adapters/wire/open.js';

test.each([
	[{ message: 'Slow down', type: 'rate_limit_error' }, true, 'Slow down'],
	[{ message: 'Busy', type: 'overloaded_error' }, true, 'Busy'],
	[{ message: 'Oh', code: 'server_error' }, true, 'Oh'],
	[{ message: 'Bad gateway', code: 502 }, true, 'Bad gateway'],
	[{ message: 'Wait', status: 'RESOURCE_EXHAUSTED', code: 429 }, true, 'Wait'],
	[{ message: 'Wrong', code: '400' }, false, 'Wrong'],
	[{ message: 'Wrong', type: 'invalid_request_error' }, false, 'Wrong'],
	[{ message: 'Pay first', type: 'insufficient_quota', code: 'quota_rate_limit' }, false, 'Pay first'],
	[{ code: 'server_error' }, true, 'server_error'],
	['model not found', false, 'model not found'],
	['Model is overloaded', true, 'Model is overloaded'],
	[null, false, 'null'],
	[undefined, false, 'The provider reported an error.']
])('S2-23 an error that was reported is tried again only where it passes: %j', (error, retryable, text) => {
	expect(reported(error).event).toEqual({ type: 'error', reason: { code: 'provider', text }, retryable });
});

test('S2-23 an error with status 200 is the error of the provider', async () => {
	const format = {
		framing: 'events' as const,
		begin: () => ({ body: {}, turn: new Turn(asked(), new Names([]), 'any'), read: () => undefined })
	};
	const answer = async (body: string) => {
		const fetch = answering([bytesOf(body)], { headers: { 'content-type': 'application/json' } });
		return (await eventsOf(transportOf(format, { url: 'http://here/', fetch }), asked())).at(-1);
	};
	expect(await answer('{"error":{"message":"Busy","type":"overloaded"}}')).toMatchObject({
		reason: { code: 'provider', text: 'Busy' },
		retryable: true
	});
	expect(await answer('{"error":null,"answer":42}')).toMatchObject({
		reason: { code: 'content-type' },
		retryable: false
	});
});

test.each([
	['stop', true, 'complete'],
	['stop', false, 'incomplete'],
	['length', true, 'incomplete'],
	['filter', true, 'incomplete']
] as const)('S2-23 an end by %s, which ends calls: %j, leaves them %s', (reason, ofCalls, verdict) => {
	const turn = new Turn(asked(), new Names(asked().tools), 'any');
	turn.start(0, 'a', 'move_event');
	turn.args(0, '{}');
	turn.end(reason, undefined, ofCalls);
	expect(turn.close()).toContainEqual({ type: 'call.end', id: 'a', verdict, raw: '{}' });
});

test('S2-23 who speaks is told as soon as there are more than one', () => {
	const by = (id: string, text: string, name?: string) =>
		({ role: 'user', from: { kind: 'human', id, ...(name && { name }) }, text }) as const;
	const said = (messages: readonly TurnMessage[]) =>
		messages.map((one) => (one.role === 'user' ? speech(messages)(one) : ''));
	expect(said([by('a', 'One'), by('a', 'Two')])).toEqual(['One', 'Two']);
	expect(said([by('a', 'One', 'Ada'), by('b', 'Two')])).toEqual(['Ada: One', 'b: Two']);
});

test('S2-23 a result that did not come about says so', () => {
	const result = { role: 'result', call: 'a', name: 'x', content: { code: 'stale' } } as const;
	expect(toldOf({ ...result, performative: 'inform' })).toBe('{"code":"stale"}');
	expect(toldOf({ ...result, performative: 'refuse' })).toBe('refuse: {"code":"stale"}');
});
