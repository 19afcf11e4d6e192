import { flushSync } from 'svelte';
import { describe, expect, it } from 'vitest';
import { actingAs } from '../../src/lib/actor/index.js';
import type { RunState } from '../../src/lib/agent/protocol/run-state.js';
import { ReviewCardState } from '../../src/lib/canon/surfaces/review-card/review-card.svelte.js';
import type { StepVerdict } from '../../src/lib/canon/surfaces/review-card/draft.svelte.js';
import { en } from '../../src/lib/langs/en/index.js';
import {
	ADA,
	drifted,
	expired,
	four,
	many,
	mixed,
	one,
	oneFinal,
	PERSON,
	review,
	run,
	setField,
	settled,
	step,
	withPolicy
} from '../fixtures/runs.js';
import { Stub } from '../fixtures/stub-agent.svelte.js';

const click = () => new MouseEvent('click', { detail: 1 });
const asPerson = <T>(fn: () => T): T => actingAs(PERSON, fn);

function open(...runs: RunState[]) {
	const agent = new Stub(...runs);
	const card = new ReviewCardState(() => ({ agent, lang: en }));
	const choose = (number: number, verdict: StepVerdict) =>
		asPerson(() => card.choose(card.steps[number - 1]!, verdict, click()));
	const check = (number: number, sure = true) =>
		asPerson(() => card.check(card.steps[number - 1]!, sure, click()));
	const type = (number: number, path: string, text: string) =>
		asPerson(() => card.type(card.steps[number - 1]!, path, text, click()));
	const decide = () => asPerson(() => card.decide(click()));
	return { agent, card, choose, check, type, decide };
}

describe('S2-121 a review is approved, edited or rejected', () => {
	it('S2-122 sends one verdict for every step, by the person', () => {
		const { agent, choose, check, type, decide } = open(four());
		choose(1, 'approve');
		choose(2, 'edit');
		type(2, 'values/due', '2027-01-15');
		choose(3, 'reject');
		check(4);
		choose(4, 'approve');
		expect(decide()).toBe(true);
		expect(agent.decisions).toEqual([
			{
				by: PERSON,
				decision: {
					review: 'review-1',
					steps: {
						s1: { verdict: 'approve' },
						s2: { verdict: 'edit', args: { values: { due: '2027-01-15' } } },
						s3: { verdict: 'reject' },
						s4: { verdict: 'approve' }
					}
				}
			}
		]);
	});

	it('decides nothing while one step is undecided, and says which', () => {
		const { agent, card, choose, decide } = open(four());
		choose(1, 'approve');
		choose(2, 'approve');
		expect(card.canDecide).toBe(false);
		expect(card.why).toBe('You have not decided on steps 3 and 4.');
		expect(decide()).toBe(false);
		expect(agent.decisions).toEqual([]);
	});

	it('steps that run by policy are shown and not decided', () => {
		const { agent, card, choose, check, decide } = open(withPolicy());
		expect(card.steps.map(({ step, draft }) => [step.id, draft !== undefined])).toEqual([
			['s0', false],
			['s1', true],
			['s4', true]
		]);
		choose(2, 'approve');
		check(3);
		choose(3, 'approve');
		decide();
		expect(agent.decisions[0]?.decision).toMatchObject({ steps: { s1: {}, s4: {} } });
		expect(agent.decisions[0]?.decision).not.toHaveProperty('steps.s0');
	});

	it('approving all that can be undone leaves out what cannot, and what was decided already', () => {
		const { card, choose } = open(four());
		choose(1, 'reject');
		asPerson(() => card.approveUndoable(click()));
		expect(card.steps.map(({ draft }) => draft?.verdict)).toEqual([
			'reject',
			'approve',
			'approve',
			undefined
		]);
	});

	it('rejects everything with a reason in one decision', () => {
		const { agent, card } = open(four());
		asPerson(() => card.giveReason(undefined, ' Not to this address. ', click()));
		expect(asPerson(() => card.rejectAll(click()))).toBe(true);
		expect(agent.decisions[0]?.decision).toEqual({
			review: 'review-1',
			verdict: 'reject',
			reason: 'Not to this address.'
		});
	});

	it('one step alone is approved by its own button, with the correction that is open', () => {
		const { agent, card, type } = open(one());
		asPerson(() => card.toggleEdit(card.asked[0]!, click()));
		type(1, 'values/amount', '1,300.00 €');
		expect(asPerson(() => card.decideSingle('approve', click()))).toBe(true);
		expect(agent.decisions[0]?.decision).toEqual({
			review: 'review-1',
			steps: { s1: { verdict: 'edit', args: { values: { amount: '1,300.00 €' } } } }
		});
	});
});

describe('S2-119 only a person decides', () => {
	it('an event of a script changes no draft and decides nothing', () => {
		const { agent, card } = open(one());
		const first = card.asked[0]!;
		expect(card.choose(first, 'approve', click())).toBe(false);
		expect(card.type(first, 'values/amount', '1', click())).toBe(false);
		expect(card.decideSingle('approve', click())).toBe(false);
		expect(card.rejectAll(click())).toBe(false);
		expect(card.later(click())).toBe(false);
		expect(first.draft.verdict).toBeUndefined();
		expect(agent.decisions).toEqual([]);
	});

	it('I21 the card says that nobody decided, until a person does', () => {
		const { agent, card } = open(four());
		for (const press of [
			() => card.choose(card.steps[0]!, 'approve', click()),
			() => card.check(card.steps[3]!, true, click()),
			() => card.approveUndoable(click()),
			() => card.rejectAmong(click(), card.steps),
			() => card.decide(click()),
			() => card.rejectAll(click())
		]) {
			card.refused = undefined;
			expect(press()).toBe(false);
			expect(card.refused).toMatchObject({ code: 'person-required' });
		}
		// What decides nothing is no matter to speak of.
		card.refused = undefined;
		card.later(click());
		expect(card.refused).toBeUndefined();
		card.choose(card.steps[0]!, 'approve', click());
		asPerson(() => card.choose(card.steps[0]!, 'approve', click()));
		expect(card.refused).toBeUndefined();
		expect(agent.decisions).toEqual([]);
	});

	it('neither does an event inside the scope of an agent', () => {
		const { agent, card } = open(one());
		expect(actingAs(ADA, () => card.decideSingle('approve', click()))).toBe(false);
		expect(agent.decisions).toEqual([]);
	});

	it('a second click in the same place decides nothing, nor does the same press twice', () => {
		const { agent, card } = open(one());
		asPerson(() => card.decideSingle('approve', new MouseEvent('click', { detail: 2 })));
		expect(agent.decisions).toHaveLength(0);
		asPerson(() => card.rejectAll(click()));
		asPerson(() => card.rejectAll(click()));
		expect(agent.decisions).toHaveLength(1);
	});
});

describe('S2-09 what cannot be undone', () => {
	it('is not approved before its own box is ticked', () => {
		const { agent, card, choose, check, decide } = open(four());
		asPerson(() => card.approveUndoable(click()));
		expect(choose(4, 'approve')).toBe(false);
		expect(decide()).toBe(false);
		check(4);
		expect(choose(4, 'approve')).toBe(true);
		expect(decide()).toBe(true);
		expect(agent.decisions).toHaveLength(1);
	});

	it('loses its approval when the box is unticked', () => {
		const { card, choose, check } = open(four());
		check(4);
		choose(4, 'approve');
		check(4, false);
		expect(card.steps[3]?.draft?.verdict).toBeUndefined();
	});

	it('an edit of it needs the box too, and a later correction opens the box again', () => {
		const { card, choose, check, type, decide } = open(oneFinal());
		choose(1, 'edit');
		expect(decide()).toBe(false);
		check(1);
		type(1, 'to', 'iker@ibarra.example');
		expect(card.unchecked).toEqual([1]);
		expect(decide()).toBe(false);
		check(1);
		expect(decide()).toBe(true);
	});
});

describe('S2-121 an edit that does not fit', () => {
	it('brings the issues back to their field, keeps what was typed and blocks until it is changed', () => {
		const { agent, card, choose, type, decide } = open(one());
		agent.report = {
			ok: false,
			refused: { code: 'args-invalid', text: 'The arguments do not fit the schema.' },
			issues: { s1: [{ path: 'values/amount', message: 'Use a positive amount' }] }
		};
		choose(1, 'edit');
		type(1, 'values/amount', '-5');
		expect(decide()).toBe(false);
		const { draft } = card.asked[0]!;
		expect(draft.issuesOf(draft.fields[0])).toEqual([
			{ path: 'values/amount', message: 'Use a positive amount' }
		]);
		expect(draft.typed).toEqual({ 'values/amount': '-5' });
		expect(card.refused?.code).toBe('args-invalid');
		expect(card.canDecide).toBe(false);
		type(1, 'values/amount', '5');
		expect(card.canDecide).toBe(true);
	});

	it('is not sent while a number is none', () => {
		const { card, choose, type } = open(many(1));
		choose(1, 'edit');
		type(1, 'values/row-1', 'four');
		expect(card.invalid).toEqual([1]);
		expect(card.why).toContain('step 1');
	});

	it('a refused decision keeps every draft', () => {
		const { agent, card, choose, decide } = open(four());
		agent.report = { ok: false, refused: { code: 'review-settled', text: '' } };
		[1, 2, 3, 4].forEach((number) => choose(number, 'reject'));
		expect(decide()).toBe(false);
		expect(en.refusal(card.refused!)).toBe('This review has been decided already.');
		expect(card.asked.map(({ draft }) => draft.verdict)).toEqual(Array(4).fill('reject'));
	});
});

describe('S2-88 drift reopens the review', () => {
	function reopened() {
		const opened = open(four());
		const { agent, card, choose, check, type } = opened;
		choose(1, 'approve');
		choose(2, 'edit');
		type(2, 'values/due', '2027-01-15');
		choose(3, 'approve');
		check(4);
		choose(4, 'approve');
		agent.runs = [drifted()];
		flushSync();
		expect(card.review?.id).toBe('review-2');
		return opened;
	}

	it('S2-87 nothing can be approved before the person has looked again', () => {
		const { agent, card, decide } = reopened();
		expect(card.phase).toBe('stale');
		expect(card.why).toBe(en.reviewCard.approveOff);
		expect(decide()).toBe(false);
		expect(agent.decisions).toEqual([]);
		asPerson(() => card.again(click()));
		expect(card.phase).toBe('open');
	});

	it('S2-89 steps that are the same keep their drafts, the changed one is undecided', () => {
		const { card } = reopened();
		expect(card.asked.map(({ draft }) => draft.verdict)).toEqual([undefined, 'edit', 'approve', undefined]);
		expect(card.asked[1]?.draft.typed).toEqual({ 'values/due': '2027-01-15' });
	});

	it('a tick does not outlive what it was given for', () => {
		const { card } = reopened();
		expect(card.asked[3]?.draft.sure).toBe(false);
	});
});

describe('S2-128 a review is put off, runs out or is over', () => {
	it('later decides nothing and keeps everything', () => {
		const { agent, card, choose } = open(four());
		choose(1, 'approve');
		asPerson(() => card.later(click()));
		expect(card.phase).toBe('later');
		asPerson(() => card.again(click()));
		expect(card.phase).toBe('open');
		expect(card.asked[0]?.draft.verdict).toBe('approve');
		expect(agent.decisions).toEqual([]);
	});

	it('nothing can be decided on an expired review', () => {
		const agent = new Stub(expired());
		const card = new ReviewCardState(() => ({ agent, lang: en, review: 'review-1' }));
		expect(card.phase).toBe('expired');
		expect(asPerson(() => card.rejectAll(click()))).toBe(false);
		expect(asPerson(() => card.decide(click()))).toBe(false);
		expect(agent.decisions).toEqual([]);
	});

	it('tells what was approved, with whose value, and what was not', () => {
		const agent = new Stub(settled());
		const card = new ReviewCardState(() => ({ agent, lang: en, review: 'review-1' }));
		expect(card.phase).toBe('settled');
		expect(card.fate).toEqual({
			approved: [
				'Set Amount in Invoice',
				'Set Due date in Invoice (your value)',
				'Rewrite text in Order 118'
			],
			rejected: ['Send mail in Outbox'],
			failed: []
		});
	});

	it('S2-121 tells what was approved and not done, and why', () => {
		const run = settled();
		const steps = run.steps.map((step, index) =>
			index === 0
				? { ...step, status: 'refused' as const, reasons: [{ code: 'drift', text: '' }] }
				: index === 2
					? {
							...step,
							status: 'failed' as const,
							reasons: [{ code: 'jammed', text: 'The press is jammed.' }]
						}
					: step
		);
		const agent = new Stub({ ...run, steps, plan: { turn: 'turn-1', steps } });
		const card = new ReviewCardState(() => ({ agent, lang: en, review: 'review-1' }));
		expect(card.fate.failed).toEqual([
			'Set Amount in Invoice: Something changed meanwhile.',
			'Rewrite text in Order 118: The press is jammed.'
		]);
	});

	it('S2-46 shows what the last run proposed, and nothing to approve', () => {
		const run = four();
		const steps = run.steps.map((step) => ({ ...step, status: 'proposed' as const }));
		const agent = new Stub({
			...run,
			steps,
			reviews: [],
			state: 'returned',
			outcome: { kind: 'proposed', effects: [], spent: run.budget.spent }
		});
		const card = new ReviewCardState(() => ({ agent, lang: en }));
		expect([card.phase, card.steps.length, card.asked.length]).toEqual(['proposed', 4, 0]);
		expect(en.reviewCard.proposals(card.who, card.steps.length)).toBe(
			'Ada proposed 4 changes; nothing was done'
		);
		agent.runs = [...agent.runs, { ...one(), id: 'run-2', reviews: [], state: 'acting' }];
		expect(card.phase).toBe('none');
	});

	it('S2-93 a step whose component is gone can be rejected, not approved', () => {
		const run = four();
		const agent = new Stub(run);
		const mounted = () => [
			{ id: 'invoice', label: 'Invoice' },
			{ id: 'outbox', label: 'Outbox' }
		];
		const card = new ReviewCardState(() => ({
			agent,
			lang: en,
			instances: mounted(),
			label: (id) => (id === 'order' ? 'Order 118' : id)
		}));
		const terms = card.asked[2]!;
		expect(card.naming.plain(terms.step)).toBe('Rewrite text in Order 118');
		expect(asPerson(() => card.choose(terms, 'approve', click()))).toBe(false);
		expect(asPerson(() => card.approveUndoable(click()))).toBe(true);
		expect(card.asked.map(({ draft }) => draft.verdict)).toEqual([
			'approve',
			'approve',
			undefined,
			undefined
		]);
		// Approved while it was there.
		terms.draft.verdict = 'approve';
		expect(card.why).toBe('Reject step 3: Order 118 is not on the page any more.');
		expect(card.canDecide).toBe(false);
		expect(asPerson(() => card.choose(terms, 'reject', click()))).toBe(true);
		expect(card.gone).toEqual([]);
	});

	it('says what was done before an approval was void', () => {
		const agent = new Stub(drifted());
		const card = new ReviewCardState(() => ({ agent, lang: en }));
		expect(en.reviewCard.void(card.done)).toBe('Your approval is void. Nothing was done.');
		agent.runs = [
			{
				...drifted(),
				steps: [setField('s0', 'no', 'Number', '', '7', { status: 'confirmed' }), ...drifted().steps]
			}
		];
		expect(en.reviewCard.void(card.done)).toBe('Your approval is void. Done before: Set Number in Invoice.');
	});

	it('names no key of a machine and no goal as a source, and counts many', () => {
		const run = four();
		const agent = new Stub(run);
		const card = new ReviewCardState(() => ({ agent, lang: en }));
		const of = (...sources: string[]) => card.naming.sources(sources);
		expect(of('goal')).toEqual([]);
		expect(of('goal', 'invoice.values:amount', 'invoice.fields')).toEqual([
			'the Amount and fields of Invoice'
		]);
		expect(of('letter.text:line-3', 'letter.text:line-4')).toEqual(['the text of Letter']);
		expect(of('letter.text', 'order.text', 'attachment:a.txt')).toEqual(['the text of Letter and 2 more']);
		expect(of('letter (name)', 'tools (description)')).toEqual([
			'the name of Letter',
			'the description of tools'
		]);
	});

	it('shows nothing where nothing waits', () => {
		const card = new ReviewCardState(() => ({ agent: new Stub(), lang: en }));
		expect(card.phase).toBe('none');
	});
});

describe('S2-122 a step without values', () => {
	it('can be approved and rejected, there is nothing to edit', () => {
		const { card } = open(
			run([step('s1'), step('s2', { args: { to: 'x' } })], [review([step('s1'), step('s2')])])
		);
		const [bare, other] = card.asked;
		asPerson(() => {
			expect(card.choose(bare!, 'edit', click())).toBe(false);
			expect(card.choose(bare!, 'approve', click())).toBe(true);
			expect(card.choose(other!, 'edit', click())).toBe(true);
		});
	});
});

describe('S2-65 two hundred steps', () => {
	it('stand in one group and are decided together', () => {
		const { agent, card, decide } = open(many(200));
		expect(card.groups).toHaveLength(1);
		expect(card.groups[0]).toMatchObject({ many: true });
		expect(card.why).toBe('You have not decided on steps 1–200.');
		// Folded and never looked at, nothing is approved in passing.
		asPerson(() => card.approveUndoable(click(), card.groups[0]!.steps));
		asPerson(() => card.approveUndoable(click()));
		expect(card.open).toHaveLength(200);
		card.toggle(card.groups[0]!);
		asPerson(() => card.approveUndoable(click(), card.groups[0]!.steps));
		expect(decide()).toBe(true);
		expect(agent.decisions[0]?.decision).toHaveProperty('steps.s200', { verdict: 'approve' });
	});

	it('lie together by place, act and effect wherever in the plan they stand, each with its number in the order', () => {
		const { card } = open(mixed(200));
		expect(card.groups.map(({ steps }) => [steps[0]!.step.instance, steps.length])).toEqual([
			['invoice', 100],
			['order', 80],
			['outbox', 20]
		]);
		expect(card.groups[2]!.steps.slice(0, 2).map(({ number }) => number)).toEqual([10, 20]);
		expect(card.steps.map(({ number }) => number)).toEqual(Array.from({ length: 200 }, (_, i) => i + 1));
		// What cannot be undone is left out, whatever is pressed for a group.
		for (const group of card.groups) card.toggle(group);
		asPerson(() => card.approveUndoable(click()));
		expect(card.open.map(({ number }) => number)).toEqual(Array.from({ length: 20 }, (_, i) => i * 10 + 10));
		expect(card.canDecide).toBe(false);
	});

	it('the next one that waits is found from where the person is, its group opened; a filter keeps what is decided in place', () => {
		const { card } = open(mixed(200));
		expect(card.isOpen(card.groups[1]!)).toBe(false);
		expect(card.next(1)?.number).toBe(2);
		expect(card.isOpen(card.groups[1]!)).toBe(true);
		expect(card.next(200)?.number).toBe(1);
		asPerson(() => card.rejectAmong(click(), card.groups[0]!.steps));
		expect(card.next(2)?.number).toBe(4);
		card.filter(true);
		expect(card.groups.map((group) => card.among(group).length)).toEqual([0, 80, 20]);
		asPerson(() => card.rejectAmong(click(), card.groups[1]!.steps));
		expect(card.groups.map((group) => card.among(group).length)).toEqual([0, 80, 20]);
		card.filter(false);
		expect(card.groups.map((group) => card.among(group).length)).toEqual([100, 80, 20]);
	});
});
