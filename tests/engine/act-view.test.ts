import { describe, expect, it } from 'vitest';
import type { Step } from '../../src/lib/agent/protocol/run-state.js';
import { viewOfArriving, viewOfCall, viewOfStep } from '../../src/lib/canon/surfaces/activity/act-view.js';
import { Entries, type CallEntry } from '../../src/lib/canon/surfaces/activity/entries.js';
import { en, es } from '../../src/lib/langs/index.js';
import { review, run, setField, step } from '../fixtures/runs.js';

const names = { lang: en, label: (id: string) => id.charAt(0).toUpperCase() + id.slice(1) };
const amount = (more: Partial<Step> = {}) => setField('s1', 'amount', 'Amount', '1', '2', more);
const view = (more: Partial<Step>) => viewOfStep(amount(more), run([amount(more)], []), names);
const call = (more: Partial<CallEntry> = {}): CallEntry => ({
	id: 'c1',
	name: 'look_at',
	args: {},
	raw: '',
	...more
});

describe('S2-104 an act as it is shown', () => {
	it.each([
		['proposed', 'planned', 'to come'],
		['granted', 'planned', 'to come'],
		['waiting', 'waiting', 'needs you'],
		['dispatched', 'acting', 'acting'],
		['confirmed', 'done', 'done'],
		['refused', 'refused', 'refused'],
		['rejected', 'refused', 'rejected by you'],
		['failed', 'failed', 'failed'],
		['unknown', 'failed', 'outcome unknown'],
		['withdrawn', 'left', 'not done'],
		['skipped', 'left', 'not done']
	] as const)('has a state, a sign and a word for %s', (status, state, word) => {
		const shown = view({ status });
		expect([shown.state, shown.word]).toEqual([state, word]);
		expect(shown.glyph).toBeTruthy();
		expect(viewOfStep(amount({ status }), run([], []), { ...names, lang: es }).word).not.toBe(word);
	});

	it('tells states apart by sign and word, not by colour', () => {
		const all = (
			['granted', 'waiting', 'dispatched', 'confirmed', 'refused', 'failed', 'skipped'] as const
		).map((status) => view({ status }));
		expect(new Set(all.map(({ glyph, word }) => `${glyph} ${word}`)).size).toBe(all.length);
		expect(new Set(all.map(({ glyph }) => glyph)).size).toBe(all.length);
	});

	it('says that a proposal under review waits for the person', () => {
		const one = amount({ status: 'proposed' });
		expect(viewOfStep(one, run([one], [review([one])]), names).state).toBe('waiting');
		expect(viewOfStep(one, run([one], [review([one], { status: 'settled' })]), names).state).toBe('planned');
	});

	it('shows now and after, and the person’s own value where there is one', () => {
		expect(view({ status: 'waiting' }).values).toEqual([{ name: 'Amount', before: '1', after: '2' }]);
		const first = setField('s1', 'amount', 'Amount', '', '2', { status: 'waiting' });
		// Where nothing stood nothing is struck out, and what comes is new all the same.
		expect(viewOfStep(first, run([first], []), names).values).toEqual([
			{ name: 'Amount', before: '', after: '2' }
		]);
		const edited = view({ status: 'confirmed', args: { amount: '3' }, proposed: { amount: '2' } });
		expect(edited.own).toBe(true);
		expect(edited.values).toEqual([{ name: 'Amount', after: '3' }]);
	});

	it('gives a reason in words of the house, and what a component said as its own', () => {
		const known = view({ status: 'refused', reasons: [{ code: 'stale', text: 'The version moved.' }] });
		expect(known.why).toBe('Something changed meanwhile.');
		const own = view({
			status: 'failed',
			reasons: [{ code: 'locked', text: 'It is locked. Call 555 now! Do it.' }]
		});
		expect(own.why).toMatch(/^“/);
		expect(view({ status: 'skipped', reasons: [{ code: 'skipped', text: 'x' }] }).why).toBeUndefined();
	});

	it('cuts what is long, counts what is many, and shows nothing for nothing', () => {
		const long = viewOfStep(step('s', { args: { text: 'x'.repeat(100_000) } }), run([], []), names);
		expect(long.values[0]?.after).toHaveLength(161);
		const many = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`field${at}`, at]));
		const shown = viewOfStep(step('s', { args: many }), run([], []), names);
		expect([shown.values.length, shown.more]).toEqual([6, 24]);
		expect(viewOfStep(step('s', { args: null }), run([], []), names).values).toEqual([]);
		expect(view({ status: 'confirmed', result: '' }).result).toBeUndefined();
	});

	it('names a stranger’s field as a stranger’s', () => {
		const shown = viewOfStep(
			step('s', { act: 'Approved. Press Enter to confirm this now, or lose it all' }),
			run([], []),
			names
		);
		expect(shown.sentence.before).toMatch(/^“.*” in $/);
	});

	it('tells a read, what it brought, and a call that was turned away', () => {
		const closed = {
			refused: false,
			performative: 'inform',
			content: { value: 'Dear bank' },
			untrusted: true
		};
		const read = viewOfCall(
			call({ name: 'pull', args: { instance: 'letter', read: 'fullText' }, closed }),
			names
		);
		expect(read.sentence).toEqual({ before: 'Read full text of ', strong: 'Letter', after: '' });
		expect([read.state, read.result, read.untrusted]).toEqual(['done', 'Dear bank', true]);
		const refused = viewOfCall(
			call({ closed: { ...closed, refused: true, content: { refused: { code: 'stale', text: 'x' } } } }),
			names
		);
		expect([refused.state, refused.why, refused.result]).toEqual([
			'refused',
			'Something changed meanwhile.',
			undefined
		]);
		expect(viewOfCall(call(), names).state).toBe('acting');
		const failed = { ...closed, performative: 'failure', content: { failed: { code: 'threw', text: 'x' } } };
		expect(viewOfCall(call({ closed: failed }), names).why).toBe('The component failed.');
		expect(viewOfCall(call({ closed: { ...closed, performative: 'cancel' } }), names).state).toBe('left');
	});

	it('shows the end of what arrives, and where it goes as soon as that is known', () => {
		const raw = `{"instance":"invoice","text":"${'y'.repeat(100_000)}`;
		const shown = viewOfArriving({ name: 'form_fill', act: 'fill', raw }, names);
		expect(shown.sentence.strong).toBe('Invoice');
		expect(shown.arriving).toEqual({ text: 'y'.repeat(600), length: raw.length });
		expect(viewOfArriving({ name: 'form_fill', raw: '{"inst' }, names).sentence.strong).toBe('Form fill');
	});
});

describe('S2-104 what happened in a run, in order', () => {
	it('reads only what is new, and gives the same list while nothing is', () => {
		const entries = new Entries();
		const record = (seq: number, kind: string, data: unknown) =>
			({
				run: 'r',
				seq,
				at: seq,
				kind,
				by: { kind: 'human', id: 'p' },
				revision: 1,
				data,
				prev: '',
				hash: ''
			}) as never;
		const journal = [record(0, 'run.opened', { goal: 'Go', principal: { kind: 'human', id: 'p' } })];
		const first = entries.read(journal);
		expect(first).toHaveLength(1);
		expect(entries.read(journal)).toBe(first);
		journal.push(
			record(1, 'turn.opened', { turn: 't1', tools: [{ name: 'look_at', act: 'look', kind: 'page' }] })
		);
		journal.push(record(2, 'turn.opened', { turn: 't1', tools: [] }));
		journal.push(
			record(3, 'turn.closed', {
				turn: 't1',
				calls: [
					{ id: 'c1', name: 'look_at', raw: '{"instance":"a"}', verdict: 'complete' },
					{ id: 'c2', name: 'ask', raw: '{}', verdict: 'complete' },
					{ id: 'c3', name: 'set', raw: '{broken', verdict: 'invalid' }
				]
			})
		);
		journal.push(record(4, 'plan.proposed', { steps: [{ id: 's1', call: 'c3' }, { id: 's2' }] }));
		journal.push(
			record(5, 'call.closed', { call: 'c1', status: 'closed', performative: 'inform', content: 1 })
		);
		const list = entries.read(journal);
		expect(list.map((one) => (one.kind === 'act' ? [one.call?.id, one.step] : one.kind))).toEqual([
			'said',
			'turn',
			['c1', undefined],
			['c3', 's1'],
			[undefined, 's2']
		]);
		expect(list[2]).toMatchObject({ call: { act: 'look', args: { instance: 'a' }, closed: { content: 1 } } });
		expect(new Set(list.map(({ key }) => key)).size).toBe(list.length);
	});
});
