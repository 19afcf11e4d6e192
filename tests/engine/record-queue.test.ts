import { describe, expect, it } from 'vitest';
import type { Actor } from '../../src/lib/actor/index.js';
import { actingAs } from '../../src/lib/actor/index.js';
import type { JournalRecord } from '../../src/lib/agent/protocol/records.js';
import type { JSONValue } from '../../src/lib/agent/protocol/words.js';
import { RecordQueue, type EmittingSurface } from '../../src/lib/mount/record-queue.js';
import { auraMorfo } from '../../src/lib/canon/surfaces/aura/aura.morfo.js';
import { questionMorfo } from '../../src/lib/canon/surfaces/question/question.morfo.js';
import { reviewCardMorfo } from '../../src/lib/canon/surfaces/review-card/review-card.morfo.js';
import { createRuntime, defineMorfo, type Emission } from '../../src/lib/uix/index.js';
import { ADA } from '../fixtures/runs.js';

/** A field that a soma component would carry: an ordinary edit, delegate.act in an agent's hands. */
const fieldMorfo = defineMorfo({
	name: 'field',
	parts: { root: { element: 'input' } },
	states: ['idle'],
	events: { change: { family: 'edit', verb: 'change', allowedFamilies: ['delegate'] } }
});

const panelMorfo = defineMorfo({
	name: 'panel',
	parts: { root: { element: 'section' } },
	states: ['idle'],
	events: { offer: { family: 'delegate', verb: 'offer' } }
});

const morfos = { panel: panelMorfo, review: reviewCardMorfo, question: questionMorfo, aura: auraMorfo };

/** A page with the given surfaces mounted, and an agent that writes records by hand. */
function page(...surfaces: EmittingSurface[]) {
	const listeners = new Set<(record: JournalRecord) => void>();
	const queue = new RecordQueue();
	const heard: Emission[] = [];
	const source = {
		subscribe(listener: (record: JournalRecord) => void) {
			listeners.add(listener);
			return () => void listeners.delete(listener);
		}
	};
	const disconnect = queue.connect(source);
	for (const surface of surfaces) mount(surface);
	let seq = -1;

	function mount(surface: EmittingSurface, instance?: string) {
		const runtime = createRuntime({ morfo: morfos[surface], onemit: (emission) => heard.push(emission) });
		return queue.register({
			surface,
			...(instance === undefined ? {} : { instance }),
			emit: (event, told) => void runtime.trigger(event as never, { ...told, payload: instance })
		});
	}
	function write(kind: string, data: JSONValue, by: Actor = ADA): JournalRecord {
		const record = { run: 'r', seq: ++seq, at: 0, kind, by, revision: 1, data, prev: '', hash: '' };
		for (const listener of listeners) listener(record);
		return record;
	}
	const words = () =>
		heard.map(({ component, family, verb, intent }) =>
			[`${component}:`, `${family}.${verb}`, intent].filter(Boolean).join(' ')
		);
	return {
		queue,
		heard,
		mount,
		write,
		words,
		disconnect,
		again: (record: JournalRecord) => queue.push(record)
	};
}

const PLAN = { verb: 'plan', steps: [{ id: 's1', instance: 'invoice' }] };
const GRANT = { verb: 'authorize', grants: [{ step: 's1', how: 'person' }] };

/** A reviewed run of one step; `perform` is what the provider does in the tick of the dispatch. */
async function reviewed({ write }: ReturnType<typeof page>, perform: () => void = () => {}) {
	write('run.opened', { offer: true });
	write('plan.proposed', PLAN);
	write('review.opened', { verb: 'review' });
	write('review.decided', {});
	write('grants.issued', GRANT);
	write('effect.intended', { step: 's1' });
	write('effect.dispatched', { verb: 'act', step: 's1', operation: 'o' });
	actingAs({ ...ADA, run: 'r', step: 's1' }, perform);
	await Promise.resolve();
	write('effect.settled', { step: 's1', status: 'confirmed' });
	write('run.ended', { verb: 'return', kind: 'completed' });
}

describe('who tells what a record says', () => {
	it('S2-07 tells the canonical sequence of a reviewed run, each by the surface it belongs to', async () => {
		const here = page('panel', 'review', 'question', 'aura');
		const field = createRuntime({ morfo: fieldMorfo, onemit: (emission) => here.heard.push(emission) });
		await reviewed(here, () => void field.trigger('change'));
		expect(here.words()).toEqual([
			'panel: delegate.offer',
			'review-card: delegate.plan',
			'review-card: signal.warn risk',
			'review-card: delegate.review',
			'review-card: delegate.authorize',
			'field: delegate.act',
			'aura: sustain.processing',
			'aura: commit.apply affirm',
			'aura: delegate.return'
		]);
	});

	it('S2-08 lets Aura tell what belongs to surfaces that are not mounted', async () => {
		const here = page('aura');
		await reviewed(here);
		here.write('escalation.raised', { verb: 'escalate', reason: { code: 'budget.acts', text: '' } });
		expect(here.words()).toEqual([
			'aura: delegate.offer',
			'aura: delegate.plan',
			'aura: signal.warn risk',
			'aura: delegate.review',
			'aura: delegate.authorize',
			'aura: delegate.act',
			'aura: sustain.processing',
			'aura: commit.apply affirm',
			'aura: delegate.return',
			'aura: delegate.escalate'
		]);
	});

	it('S2-07 lets nobody tell it without Aura', async () => {
		const here = page('question');
		await reviewed(here);
		expect(here.words()).toEqual([]);
	});

	it('S2-06 tells delegate without intent, S2-05 names who did it and in which delegation', async () => {
		const here = page('aura', 'review');
		await reviewed(here);
		for (const emission of here.heard) {
			expect(emission.actor).toEqual(ADA);
			expect(emission.cause?.run).toBe('r');
			if (emission.family === 'delegate') expect(emission.intent).toBeUndefined();
		}
		expect(here.heard.find(({ verb }) => verb === 'act')?.cause).toEqual({ run: 'r', step: 's1' });
	});

	it('X-02 tells the return of control for a run that was cancelled too', () => {
		const here = page('aura');
		here.write('run.ended', { verb: 'cancel', kind: 'interrupted' });
		expect(here.words()).toEqual(['aura: delegate.return']);
	});

	it('S2-35 tells a record once, however often it is heard', () => {
		const here = page('aura');
		const record = here.write('run.ended', { verb: 'return' });
		here.again(record);
		expect(here.words()).toEqual(['aura: delegate.return']);
	});

	it('S2-35 tells nothing from before the connection or after it', () => {
		const here = page('aura');
		here.disconnect();
		here.write('run.ended', { verb: 'return' });
		expect(here.words()).toEqual([]);
	});

	it('S2-35 keeps the order of records that are written while one is told', () => {
		const here = page('aura');
		let once = false;
		here.queue.register({
			surface: 'review',
			emit: (event) => {
				if (event === 'plan' && !once) {
					once = true;
					here.write('run.ended', { verb: 'return' });
					expect(here.words()).toEqual([]);
				}
			}
		});
		here.write('plan.proposed', PLAN);
		expect(here.words()).toEqual(['aura: delegate.return']);
	});

	it('never tells a pause as an escalation', () => {
		const here = page('aura', 'question');
		here.write('escalation.raised', { verb: 'escalate', reason: { code: 'paused', text: '' } });
		expect(here.words()).toEqual([]);
	});

	it('lets policy be told by Aura and a person’s decision by the card', () => {
		const here = page('aura', 'review');
		here.write('grants.issued', { verb: 'authorize', grants: [{ step: 's1', how: 'policy' }] });
		here.write('grants.issued', GRANT);
		expect(here.words()).toEqual(['aura: delegate.authorize', 'review-card: delegate.authorize']);
	});

	it('S2-54 asks the Aura of the instance first', () => {
		const here = page('aura');
		here.mount('aura', 'invoice');
		here.write('plan.proposed', PLAN);
		here.write('effect.settled', { step: 's1', status: 'confirmed' });
		here.write('run.ended', { verb: 'return' });
		expect(here.heard.map(({ verb, payload }) => [verb, payload])).toEqual([
			['plan', undefined],
			['apply', 'invoice'],
			['return', undefined]
		]);
	});

	it('asks the next one when a surface has left', () => {
		const here = page('aura');
		const leave = here.mount('review');
		here.write('plan.proposed', PLAN);
		leave();
		here.write('plan.proposed', PLAN);
		expect(here.words()).toEqual(['review-card: delegate.plan', 'aura: delegate.plan']);
	});
});
