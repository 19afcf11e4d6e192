import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fold, type JournalRecord, verify } from '../../src/lib/agent/index.js';
import { person } from '../../src/lib/testing/index.js';
import { laboratory, look, set, share } from '../fixtures/lab.js';

test('I20 every act that ran names who asked for it, who decided, how, what was approved and what it cost', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(fc.constantFrom('set', 'share', 'look'), { minLength: 1, maxLength: 4 }),
			fc.array(fc.constantFrom('done', 'refuse', 'unknown'), { minLength: 4, maxLength: 4 }),
			fc.boolean(),
			fc.nat(),
			async (acts, ends, reviewed, where) => {
				const make = { set, share, look: (_key: string, value: string) => look(value) };
				const made = laboratory(
					(_request, index) =>
						index === 0 ? { calls: acts.map((act, i) => make[act](`k${i}`, `${i}`)) } : {},
					{ policy: { ceiling: reviewed ? 'review' : 'auto' }, change: { set: { cost: 0.1 } } }
				);
				for (const end of ends)
					made.lab.next.push(() =>
						end === 'done' ? { kind: 'done' } : { kind: end, reason: { code: end, text: end } }
					);
				const run = made.engine.run('go', { by: person });
				for (let i = 0; i < 5; i++) {
					await made.settle();
					const review = run.state.reviews.find(({ status }) => status === 'open');
					if (review) run.decide({ review: review.id, verdict: 'approve' }, person);
				}
				void run.stop('enough', person);
				await made.clock.advance(20_000);
				await run.returned;
				const { journal } = run;
				for (const { act, call } of made.lab.log.filter(({ act }) => act !== 'look')) {
					const entry = run.state.effects.find(({ operation }) => operation === call.operation)!;
					const step = run.state.steps.find(({ id }) => id === entry.step)!;
					expect(step.by).toMatchObject({ kind: 'agent', id: 'ada', run: run.id });
					expect(entry.decidedBy.kind).toBe(entry.how === 'person' ? 'human' : 'rule');
					expect(entry.fingerprint).toMatch(/^[0-9a-f]{64}$/);
					expect(entry.cost).toBe(entry.status === 'failed' || act !== 'set' ? 0 : 0.1);
				}
				expect(fold(journal)).toEqual(run.state);
				expect(verify(journal)).toEqual([]);
				// No inner line can be lost, changed or moved.
				const at = 1 + (where % (journal.length - 2));
				const other = (change: (copy: JournalRecord[]) => unknown) => {
					const copy = [...journal];
					change(copy);
					return verify(copy);
				};
				expect(other((copy) => copy.splice(at, 1))).not.toEqual([]);
				expect(other((copy) => (copy[at] = { ...copy[at]!, at: copy[at]!.at + 1 }))).not.toEqual([]);
				expect(other((copy) => ([copy[at], copy[at + 1]] = [copy[at + 1]!, copy[at]!]))).not.toEqual([]);
			}
		),
		{ numRuns: Number(process.env.RUNS ?? 25) }
	);
}, 60_000);
