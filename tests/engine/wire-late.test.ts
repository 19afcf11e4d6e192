import { describe, expect, test } from 'vitest';
import { late } from '$lib/agent/adapters/wire/late.js';
import type { AgentTransport, TurnEvent } from '$lib/agent/index.js';
import { asked } from '../fixtures/served-stream.js';

const END: TurnEvent = { type: 'end', reason: 'stop' };
const spoken: AgentTransport = {
	name: 'inside',
	async *open() {
		yield { type: 'text', delta: 'Hello' };
		yield END;
	}
};

async function heard(transport: AgentTransport, signal = new AbortController().signal): Promise<TurnEvent[]> {
	const events: TurnEvent[] = [];
	for await (const event of transport.open(asked(), signal)) events.push(event);
	return events;
}

describe('S2-18 a transport whose code comes with its first request', () => {
	test('it is loaded once, and not before', async () => {
		let loads = 0;
		const transport = late('late', () => {
			loads += 1;
			return Promise.resolve(spoken);
		});
		expect([transport.name, loads]).toEqual(['late', 0]);
		expect(await heard(transport)).toEqual([{ type: 'text', delta: 'Hello' }, END]);
		expect(await heard(transport)).toHaveLength(2);
		expect(loads).toBe(1);
	});

	test('code that does not come is a network fault, and the next request tries again', async () => {
		let loads = 0;
		const transport = late('late', () => {
			loads += 1;
			return loads === 1 ? Promise.reject(new Error('404')) : Promise.resolve(spoken);
		});
		expect(await heard(transport)).toMatchObject([
			{
				type: 'error',
				reason: { code: 'network', text: expect.stringContaining('404') as string },
				retryable: true
			}
		]);
		expect(await heard(transport)).toHaveLength(2);
	});

	test('S2-23 an abort is the last event, also while it loads, and before', async () => {
		const transport = late('late', () => new Promise<never>(() => undefined));
		const abort = new AbortController();
		const events = heard(transport, abort.signal);
		abort.abort();
		const aborted = [{ type: 'error', reason: { code: 'aborted' }, retryable: false }];
		expect(await events).toMatchObject(aborted);
		expect(await heard(transport, AbortSignal.abort())).toMatchObject(aborted);
	});

	test('who leaves early leaves what is inside', async () => {
		let isLeft = false;
		const transport = late('late', () =>
			Promise.resolve({
				name: 'inside',
				async *open(): AsyncGenerator<TurnEvent> {
					try {
						yield { type: 'text', delta: 'Hello' };
						yield END;
					} finally {
						isLeft = true;
					}
				}
			})
		);
		let count = 0;
		for await (const _ of transport.open(asked(), new AbortController().signal)) {
			count += 1;
			break;
		}
		expect([count, isLeft]).toEqual([1, true]);
	});
});
