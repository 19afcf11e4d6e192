import { describe, expect, test } from 'vitest';
import { fold, verify } from '../../src/lib/agent/index.js';
import { person } from '../../src/lib/testing/index.js';
import { bench, send, write } from '../fixtures/engine.js';

describe('one story end to end', () => {
	test('S2-47 S2-121 a plan is reviewed, one value edited, approved, done and taken back', async () => {
		const { engine, sheet, settle, requests } = bench([
			{ say: 'I correct both.', calls: [write('amount', '1280'), write('due', '2027-01-14')] },
			{ say: 'Done.' }
		]);
		const run = engine.run('Correct the sheet', { by: person });
		await settle();
		expect(run.state.state).toBe('reviewing');
		const [review] = run.state.reviews;
		expect(review!.steps).toHaveLength(2);
		expect(sheet.cells.amount).toBe('1200');
		const [first, second] = review!.steps;
		expect(
			run.decide(
				{
					review: review!.id,
					steps: {
						[first!]: { verdict: 'approve' },
						[second!]: { verdict: 'edit', args: { key: 'due', value: '2027-01-15' } }
					}
				},
				person
			)
		).toEqual({ ok: true });
		const outcome = await run.returned;
		expect(outcome).toMatchObject({ kind: 'completed', text: 'Done.' });
		expect(sheet.cells).toMatchObject({ amount: '1280', due: '2027-01-15' });
		expect(JSON.stringify(requests[1]!.messages)).toContain('Executed with arguments edited by the person.');
		expect(verify(run.journal)).toEqual([]);
		expect(fold(run.journal)).toEqual(run.state);
		const report = await engine.undo(run.id, person);
		expect(report).toEqual({ ok: true, parts: { sheet: { undone: 2, kept: [] } } });
		expect(sheet.cells).toMatchObject({ amount: '1200', due: '2026-12-15' });
		expect(run.state.undone).toBe('all');
	});

	test('S2-51 what cannot be undone is asked at every level', async () => {
		const { engine, settle, sheet } = bench([{ calls: [send('x@y.example')] }, { say: 'Sent.' }], {
			policy: { ceiling: 'auto' }
		});
		const run = engine.run('Send it', { by: person });
		await settle();
		expect(run.state.state).toBe('reviewing');
		expect(run.decide({ review: run.state.reviews[0]!.id, verdict: 'approve' })).toMatchObject({
			ok: false,
			refused: { code: 'person-required' }
		});
		run.decide({ review: run.state.reviews[0]!.id, verdict: 'approve' }, person);
		expect(await run.returned).toMatchObject({ kind: 'completed' });
		expect(sheet.sent).toEqual(['x@y.example']);
	});
});
