import { expect, test } from 'vitest';
import { openai } from '$lib/agent/adapters/openai.js';
import type { WireOptions } from '$lib/agent/adapters/wire/open.js';
import { person } from '$lib/testing/index.js';
import { bench } from '../fixtures/engine.js';
import { answering, bytesOf, dataOnly } from '../fixtures/served-stream.js';

/** What a run has cost that used 1,000 tokens in, 200 of them cached, and 50 out. */
async function spent(price?: WireOptions['price'], told?: number) {
	const usage = {
		prompt_tokens: 1000,
		completion_tokens: 50,
		prompt_tokens_details: { cached_tokens: 200 },
		...(told !== undefined && { cost: told })
	};
	const body = dataOnly(
		{ choices: [{ index: 0, delta: { content: 'There.' }, finish_reason: 'stop' }] },
		{ choices: [], usage },
		'[DONE]'
	);
	const fetch = answering([bytesOf(body)], { headers: { 'content-type': 'text/event-stream' } });
	const { engine } = bench(openai({ url: 'http://localhost/', model: 'm', fetch, ...(price && { price }) }));
	const run = engine.run('Look', { by: person });
	expect(await run.returned).toMatchObject({ kind: 'answered', text: 'There.' });
	return run.state.budget.spent.cost;
}

test('S2-113 a price makes tokens a cost that the budget counts', async () => {
	const perToken = { input: 2e-6, cached: 5e-7, output: 8e-6 };
	expect(
		await spent(
			({ input, cacheRead = 0, output }) =>
				(input - cacheRead) * perToken.input + cacheRead * perToken.cached + output * perToken.output
		)
	).toBeCloseTo(800 * 2e-6 + 200 * 5e-7 + 50 * 8e-6, 12);
});

test('S2-113 without one, or with one that does not know, it is what the wire says, else nothing', async () => {
	expect(await spent()).toBe(0);
	expect(await spent(undefined, 0.25)).toBe(0.25);
	expect(await spent(() => undefined, 0.25)).toBe(0.25);
	expect(
		await spent(() => {
			throw new Error('no price list');
		}, 0.25)
	).toBe(0.25);
});
