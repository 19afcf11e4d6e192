import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RunAgentInputSchema } from '@ag-ui/core/schemas';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { inputOf } from '../../src/lib/agent/adapters/ag-ui-out/input.js';
import { corpus, isHanded } from '../fixtures/ag-ui-peer.js';

const whole = {
	threadId: 't',
	runId: 'r',
	parentRunId: 'p',
	messages: [
		{ id: 'm1', role: 'user', content: 'Hello' },
		{ id: 'm2', role: 'assistant', content: 'Hi' },
		{ id: 'm3', role: 'user', content: [{ type: 'text', text: 'Go' }] },
		{ id: 'm4', role: 'user', content: 'on' }
	],
	tools: [{ name: 'x', description: 'X' }],
	context: [{ description: 'd', value: 'v' }],
	state: { any: 1 },
	forwardedProps: { more: 2 },
	resume: [{ interruptId: 'i', status: 'resolved', payload: { approved: true } }]
};
const isTaken = (input: unknown) => !('fault' in inputOf(JSON.stringify(input)));

describe('S2-100 what a client asks for', () => {
	test('S2-100 a whole request is read, and what the user said since the agent spoke is one text', () => {
		const spoken = [
			{ id: 'm3', text: 'Go' },
			{ id: 'm4', text: 'on' }
		];
		expect(inputOf(JSON.stringify(whole))).toEqual({ ...whole, said: 'Go\non', spoken, tools: ['x'] });
	});

	test('S2-100 what the official schema refuses of the members we use, we refuse too', () => {
		const odd = fc.constantFrom<unknown>(null, 7, 'x', [], {}, [null], [{}], ['x'], true);
		const paths = fc.constantFrom(
			...['threadId', 'runId', 'parentRunId', 'messages', 'tools', 'context', 'resume'].map((key) => [key]),
			['messages', '0', 'id'],
			['messages', '0', 'role'],
			['tools', '0', 'name'],
			['tools', '0', 'description'],
			['context', '0', 'value'],
			['resume', '0', 'interruptId'],
			['resume', '0', 'status']
		);
		let refused = 0;
		fc.assert(
			fc.property(paths, odd, (path, value) => {
				const input = structuredClone(whole) as unknown as Record<string, unknown>;
				const last = path.at(-1)!;
				const parent = path.slice(0, -1).reduce((at, key) => at[key] as Record<string, unknown>, input);
				parent[last] = value;
				const official = RunAgentInputSchema.safeParse(input).success;
				if (!official) refused += 1;
				if (!official) expect(isTaken(input), `${path.join('/')}: ${JSON.stringify(value)}`).toBe(false);
			}),
			{ numRuns: 400 }
		);
		expect(refused).toBeGreaterThan(100);
		expect(isTaken(whole)).toBe(true);
	});

	test('S2-100 no text is too odd to be answered', () => {
		fc.assert(
			fc.property(fc.oneof(fc.string(), fc.json()), (body) => {
				expect(inputOf(body)).toBeTypeOf('object');
			})
		);
	});
});

describe.skipIf(!isHanded)('samples handed to us, in ../shared/corpora/ag-ui', () => {
	const folder = join(corpus, 'samples/RunAgentInput');
	const named = isHanded
		? ['valid', 'invalid'].flatMap((kind) =>
				readdirSync(join(folder, kind))
					.filter((name) => name.endsWith('.json') && !name.endsWith('.expect.json'))
					.map((name) => [kind, name] as const)
			)
		: [];

	test('S2-100 there are some of both kinds', () => {
		expect(new Set(named.map(([kind]) => kind)).size).toBe(2);
	});

	test.each(named)('S2-100 %s/%s', (kind, name) => {
		const input = JSON.parse(readFileSync(join(folder, kind, name), 'utf8')) as unknown;
		expect(isTaken(input)).toBe(kind === 'valid');
	});
});

describe.skipIf(isHanded)('without the samples', () => {
	beforeAll(() => console.warn('Not there, so not read: ../shared/corpora/ag-ui.'));
	test('S2-100 the fixtures above stand alone', () => {
		expect(isTaken(whole)).toBe(true);
	});
});
