import { describe, expect, it } from 'vitest';
import type { AgentManifest } from '../../src/lib/agent/capability/index.js';
import {
	createFormProvider,
	formManifest,
	nativeSource
} from '../../src/lib/canon/participants/form/index.js';
import { person } from '../../src/lib/testing/index.js';
import { bench, write } from '../fixtures/engine.js';
import { Counter, counterManifest } from '../fixtures/counter.js';
import { sheetManifest } from '../fixtures/sheet.js';

/** A real form, a sheet and a counter: three providers that share no code, under one engine. */
function threeKinds() {
	document.body.innerHTML = '<form><label>Customer <input name="customer" value="Old"></label></form>';
	const form = createFormProvider(nativeSource(document.querySelector('form')!));
	const counter = new Counter();
	const made = bench(
		[
			{
				calls: [
					{ instance: 'invoice', act: 'fill', args: { values: { customer: 'Ada Ltd' } } },
					write('amount', '7'),
					{ instance: 'clicks', act: 'add', args: { by: 2 } }
				]
			},
			{ say: 'Done.' }
		],
		{
			policy: { ceiling: 'auto' },
			identity: { id: 'ada', name: 'Ada', description: 'enters things', version: '3' }
		}
	);
	made.registry.register(formManifest, form, { id: 'invoice', label: 'Invoice' });
	made.registry.register(counterManifest, counter, { id: 'clicks', label: 'Clicks' });
	return { ...made, form, counter };
}

const field = () => document.querySelector('input')!.value;

async function entered({ engine, settle }: ReturnType<typeof threeKinds>) {
	const run = engine.run('Enter it everywhere', { by: person });
	for (let i = 0; i < 20 && !run.state.outcome; i++) {
		await settle();
		const review = run.state.reviews.find(({ status }) => status === 'open');
		if (review) run.decide({ review: review.id, verdict: 'approve' }, person);
	}
	return run;
}

describe('S2-106 a run over several components', () => {
	it('S2-106 is taken back and brought again as one', async () => {
		const made = threeKinds();
		const run = await entered(made);
		const all = () => [field(), made.sheet.cells.amount];
		const { ok, parts } = await made.engine.undo(run.id, person);
		expect([ok, Object.keys(parts).sort()]).toEqual([true, ['clicks', 'invoice', 'sheet']]);
		expect(all()).toEqual(['Old', '1200']);
		expect(run.state.undone).toBe('all');
		await made.engine.redo(run.id, person);
		expect(all()).toEqual(['Ada Ltd', '7']);
	});

	it('S2-106 says what it could not take back, and where', async () => {
		const made = threeKinds();
		const run = await entered(made);
		made.sheet.write('amount', 'mine');
		const { ok, parts } = await made.engine.undo(run.id, person);
		expect(ok).toBe(true);
		expect(parts.sheet).toMatchObject({ undone: 0, kept: [{ what: 'amount' }] });
		expect(parts.invoice).toMatchObject({ undone: 1, kept: [] });
		expect([field(), made.sheet.cells.amount, made.counter.count]).toEqual(['Old', 'mine', 0]);
		expect(run.state.undone).toBe('partial');
	});
});

describe('S2-108 who wrote a field', () => {
	it('S2-108 can be asked for run, agent, version and time, by whoever holds the form', async () => {
		const made = threeKinds();
		const run = await entered(made);
		const { written } = made.form.field('customer')!;
		expect(written).toMatchObject({ run: run.id, actor: { kind: 'agent', id: 'ada', version: '3' } });
		expect(written!.at).toBeGreaterThan(0);
	});
});

describe('S2-71 participants of different kinds under one contract', () => {
	it('S2-71 are read, acted on and taken back by one run, each through its own provider', async () => {
		const made = threeKinds();
		const { engine, registry, sheet, counter, requests } = made;
		expect(registry.problems).toEqual([]);
		const run = await entered(made);
		expect(run.state.outcome?.kind).toBe('completed');
		expect(run.state.effects.map(({ instance, status }) => [instance, status])).toEqual([
			['invoice', 'confirmed'],
			['sheet', 'confirmed'],
			['clicks', 'confirmed']
		]);
		expect([field(), sheet.cells.amount, counter.count]).toEqual(['Ada Ltd', '7', 2]);
		for (const id of ['invoice', 'sheet', 'clicks']) expect(requests[0]!.context).toContain(id);
		expect(await engine.undo(run.id, person)).toMatchObject({ ok: true });
		expect([field(), sheet.cells.amount, counter.count]).toEqual(['Old', '1200', 0]);
	});

	it('S2-71 the contract has nothing for one kind alone: every word a manifest uses, another could', () => {
		const words = (manifest: AgentManifest<never, never>) => ({
			top: Object.keys(manifest),
			reads: Object.values(manifest.reads).flatMap((read) => Object.keys(read as object)),
			acts: Object.values(manifest.acts).flatMap((act) => Object.keys(act))
		});
		const all = [formManifest, sheetManifest, counterManifest].map((one) => words(one as never));
		// One vocabulary: where kinds differ in what they need, they differ in values and not in words of their own.
		const known = {
			top: ['kind', 'description', 'reads', 'acts', 'undo', 'redo', 'ended'],
			reads: 'description read version keys trust sensitivity summary category enabled'.split(' '),
			acts: (
				'description args result effect level timeoutMs reach clearance sinks touches locks available preview ' +
				'perform stream paint refusals idempotent probe compensate cost'
			).split(' ')
		};
		for (const { top, reads, acts } of all) {
			expect(top.filter((word) => !known.top.includes(word))).toEqual([]);
			expect(reads.filter((word) => !known.reads.includes(word))).toEqual([]);
			expect(acts.filter((word) => !known.acts.includes(word))).toEqual([]);
		}
	});
});
