import { expect, test, vi } from 'vitest';
import * as digests from '../../src/lib/agent/protocol/sha256.js';
import { person } from '../../src/lib/testing/index.js';
import { bench, write } from '../fixtures/engine.js';

vi.mock('../../src/lib/agent/protocol/sha256.js', async (original) => {
	const real = await original<typeof digests>();
	return { ...real, sha256: vi.fn(real.sha256) };
});

test('S2-92 each record is hashed once, however long the run', async () => {
	const hashes: number[] = [];
	for (const turns of [10, 20, 40]) {
		vi.mocked(digests.sha256).mockClear();
		const made = bench(
			(request) => {
				const n = request.messages.filter(({ role }) => role === 'result').length;
				return n < turns ? { calls: [write('amount', String(n))] } : { say: 'Done.' };
			},
			{
				policy: { ceiling: 'auto' },
				budget: { turns: 100, acts: 100, actsPerInstance: 100, actsPerMinute: 100 }
			}
		);
		const run = made.engine.run('x', { by: person });
		for (let i = 0; i < 40 && !run.state.outcome; i++) await made.settle();
		expect(run.state.outcome?.kind).toBe('completed');
		hashes.push(vi.mocked(digests.sha256).mock.calls.length / run.journal.length);
	}
	const [small, , large] = hashes;
	// The share of a record stays what it is; work in the square of the length would quadruple it.
	expect(large! / small!).toBeLessThan(1.3);
});
