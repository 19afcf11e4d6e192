import { render } from '@testing-library/svelte';
import { flushSync } from 'svelte';
import { beforeAll, describe, expect, it } from 'vitest';
import type { RunState, Step } from '../../src/lib/agent/protocol/run-state.js';
import type { JournalRecord } from '../../src/lib/agent/protocol/records.js';
import type { Label, Reason } from '../../src/lib/agent/protocol/words.js';
import { Announcer, type Phrase } from '../../src/lib/canon/surfaces/announcer/index.js';
import { late } from '../../src/lib/canon/surfaces/late/late.svelte.js';
import { ReviewCard } from '../../src/lib/canon/surfaces/review-card/index.js';
import { en, es, situation, sourceOf, traceOf, type Language } from '../../src/lib/langs/index.js';
import { shownIn, tellingOf } from '../../src/lib/canon/surfaces/shown.js';
import { four, INSTANCES, led, LETTER, run, tainted, weak } from '../fixtures/runs.js';
import { Sheet, sheetManifest } from '../fixtures/sheet.js';
import { StandIn } from '../fixtures/stand-in.svelte.js';
import { Stub } from '../fixtures/stub-agent.svelte.js';

// The card comes late.
beforeAll(() => late.load(), 30_000);

const label = (id: string) => INSTANCES.find((one) => one.id === id)?.label ?? id;
const textOf = (element: Element) => element.textContent?.replace(/\s+/g, ' ').trim() ?? '';

function show(run: RunState, lang: Language = en) {
	const view = render(ReviewCard, { agent: new Stub(run).active, lang });
	flushSync();
	const all = (part: string) => [...view.container.querySelectorAll(`[data-part='${part}']`)];
	return {
		facts: () => all('fact').map((one) => [one.getAttribute('data-fact'), textOf(one)]),
		rows: () =>
			[...view.container.querySelectorAll(`[data-part='values'] tbody tr`)].map((row) =>
				[...row.querySelectorAll('th, bdi, small')].map(textOf)
			),
		risk: () => textOf(all('risk')[0]!),
		origins: () => all('origin').map((one) => one.getAttribute('data-fact'))
	};
}

describe('S2-84 the person sees why a step asks, and from which source', () => {
	it('says each reason in a line, with the names people know', () => {
		const { facts } = show(led());
		expect(facts().slice(0, 4)).toEqual([
			['why', 'Asked because it cannot be undone'],
			['taint', 'Asked because text that is not trusted may have led to it: the text and outline of Letter'],
			['why', 'Asked because it may take along what is not meant to leave: the values of Invoice'],
			['why', 'Asked by the rule: Ask before sending']
		]);
		expect(show(led(), es).facts()[1]).toEqual([
			'taint',
			'Se pregunta porque puede deberse a un texto que no es de confianza: Letter (text y outline)'
		]);
	});

	it('says with each argument where it comes from, and nothing where the gate could not tell', () => {
		const card = show(led());
		expect(card.rows()).toEqual([
			['To', 'records@ibarra-registro.example', 'May come from the text of Letter · not trusted'],
			['Text', 'ES91 2100 0418 4502 0005 1332', 'Comes from the values of Invoice'],
			['Copies', '2']
		]);
		expect(card.origins()).toEqual(['taint', 'source']);
	});

	it('says so with a table of the preview too, by the name of the argument', () => {
		const fields = [
			{ path: 'to', label: 'Recipient', before: '', after: 'records@ibarra-registro.example' },
			{ path: 'copies', label: 'Copies', before: 2, after: 2 }
		];
		expect(show(led({ preview: { kind: 'fields', fields } })).rows()[0]).toContain(
			'May come from the text of Letter · not trusted'
		);
	});

	it('names the sources in the warning, and of many the first', () => {
		expect(show(led()).risk()).toContain(
			'Text that is not trusted may have led to this: the text and outline of Letter.'
		);
		const sources = ['letter.text', 'order.text', 'attachment:bill.txt', 'mail (name)'];
		const many = [{ code: 'tainted', text: '', data: { sources } }];
		expect(show(led({ reasons: many })).risk()).toContain('led to this: the text of Letter and 3 more.');
		expect(show(led({ reasons: many })).facts()[0]?.[1]).toContain(': the text of Letter and 3 more');
	});

	it('says it once: the sources of the values are not repeated', () => {
		const said = show(led())
			.facts()
			.filter(([kind]) => kind === 'taint' || kind === 'source');
		expect(said).toHaveLength(1);
		// Where it is no reason to ask, the values still say what they are.
		expect(show(four()).facts()).toContainEqual(['taint', 'Comes from the text of Letter · not trusted']);
	});

	it('without sources, and whatever stands in their place, says the reason alone', () => {
		expect(show(tainted()).facts()[0]).toEqual([
			'taint',
			'Asked because text that is not trusted may have led to it'
		]);
		for (const data of [null, 7, [], { sources: 'letter' }, { sources: [7, null, 'goal'], args: [1] }]) {
			const reasons: Reason[] = [{ code: 'tainted', text: '', data }];
			const card = show(led({ reasons }));
			expect(card.facts()[0]?.[1]).toBe('Asked because text that is not trusted may have led to it');
			expect(card.origins()).toEqual([]);
		}
	});

	it('an argument called __proto__ or toString has no source by that name', () => {
		const args = JSON.parse('{"__proto__":"x","toString":"y"}') as Step['args'];
		expect(show(led({ args })).origins()).toEqual([]);
	});

	it('S2-88 says that what changes meanwhile may go unnoticed', () => {
		expect(show(weak()).facts()).toContainEqual([
			'weak',
			'Not held to what you see here: what changes meanwhile may go unnoticed'
		]);
	});

	it('reasons that are the same for all of several steps are said once, those with other sources one by one', () => {
		const [one] = led().steps;
		const other: Step = {
			...one!,
			id: 's2',
			reasons: [
				{
					code: 'tainted',
					text: 'Text of strangers may have led to this.',
					data: { sources: ['order.text'] }
				}
			]
		};
		const steps = [{ ...one!, reasons: [one!.reasons[1]!] }, other];
		const card = show(run(steps, [{ ...led().reviews[0]!, steps: ['s1', 's2'] }]));
		expect(card.facts().filter(([kind]) => kind === 'taint')).toEqual([
			['taint', 'Asked because text that is not trusted may have led to it: the text and outline of Letter'],
			['taint', 'Asked because text that is not trusted may have led to it: the text of Order 118']
		]);
	});
});

describe('S2-84 of all that stood in sight, what a reason is about is named', () => {
	const label = (more: Partial<Label>): Label => ({ ...LETTER, integrity: 'trusted', ...more });
	const opened = (...labels: Label[]): JournalRecord => {
		const shown = labels.map((label) => {
			const [instance, read] = label.sources[0]!.split('.');
			return { instance, read, label };
		});
		return { kind: 'turn.opened', data: { shown } } as unknown as JournalRecord;
	};
	const journal = [
		opened(
			label({ integrity: 'untrusted', sources: ['letter.text'] }),
			label({ sources: ['invoice.values'] }),
			label({ confidentiality: 'private', sources: ['outbox.sender'] }),
			label({ sources: ['order.text'] })
		),
		// A run wrote one after what it had read, and somebody pasted into the other.
		opened(
			label({ integrity: 'untrusted', sources: ['invoice.values', 'invoice.values:amount', 'letter.text'] }),
			label({ integrity: 'untrusted', sources: ['order.text'] })
		)
	];
	const all = ['goal', 'invoice.values', 'letter.text', 'outbox.sender', 'order.text', 'elsewhere'];

	it('for taint what is not known to be trusted, at its worst; for what may go along the most private', () => {
		const shown = shownIn(journal);
		expect(tellingOf('tainted', all, shown)).toEqual([
			...['goal', 'letter.text', 'order.text', 'elsewhere'],
			'invoice.values'
		]);
		expect(tellingOf('tainted', ['invoice.values:amount'], shown)).toEqual(['invoice.values:amount']);
		expect(tellingOf('tainted', ['outbox.sender:name'], shown)).toEqual([]);
		expect(tellingOf('protected', all, shown)).toEqual(['goal', 'outbox.sender', 'elsewhere']);
		expect(tellingOf('rule', all, shown)).toEqual(all);
		expect(tellingOf('tainted', all, shownIn())).toEqual(all);
	});

	it('the card and the announcement leave out what is trusted, and say which values are the person’s own', async () => {
		const sources = ['letter.text', 'invoice.values', 'outbox.sender'];
		const reasons = [
			{
				code: 'tainted',
				text: '',
				data: { sources, args: { to: sources, text: ['user'], copies: ['app'] } }
			},
			{ code: 'protected', text: '', data: { sources } }
		];
		const agent = new StandIn(led({ reasons }));
		agent.journal.push(journal[0]!);
		for (const { id, label } of INSTANCES) agent.registry.register(sheetManifest, new Sheet(), { id, label });
		const heard: string[] = [];
		render(Announcer, { agent: agent.active, onannounce: ({ text }: Phrase) => heard.push(text) });
		const view = render(ReviewCard, { agent: agent.active });
		flushSync();
		const parts = (part: string) => [...view.container.querySelectorAll(`[data-part='${part}']`)].map(textOf);
		expect(parts('fact').slice(0, 2)).toEqual([
			'Asked because text that is not trusted may have led to it: the text of Letter',
			'Asked because it may take along what is not meant to leave: the sender of Outbox'
		]);
		expect(parts('origin')).toEqual(['May come from the text of Letter · not trusted', 'Your own words']);
		expect(heard).toEqual([
			'Ada needs your review: 1 step, 1 cannot be undone. Text that is not trusted may have led to it: the text of Letter. Press F8 to go there.'
		]);
	});
});

describe('S2-84 and it is announced', () => {
	const facts = (run: RunState, lang = en) => situation(run, { agentName: 'Ada', label }, lang);

	it('who, what, and what may have led to it; in both languages', () => {
		expect(en.announcer.needsReview(facts(led()), 'F8')).toBe(
			'Ada needs your review: 1 step, 1 cannot be undone. Text that is not trusted may have led to it: the text and outline of Letter. Press F8 to go there.'
		);
		expect(es.announcer.needsReview(facts(led(), es), '')).toBe(
			'Ada necesita tu revisión: 1 paso, 1 no se puede deshacer. Un texto que no es de confianza puede haber llevado a esto: Letter (text y outline).'
		);
	});

	it('of several steps, how many; without sources, that alone; without taint, nothing', () => {
		const [first] = led().steps;
		const many = ['letter.a', 'order.a', 'invoice.a', 'outbox.a'];
		const far = { ...first!, reasons: [{ code: 'tainted', text: '', data: { sources: many } }] };
		const one = run([far], [{ ...led().reviews[0]!, steps: ['s1'] }]);
		expect(en.announcer.needsReview(facts(one), '')).toContain(
			'may have led to it: the a of Letter and 3 other places.'
		);
		expect(es.announcer.needsReview(facts(one, es), '')).toContain('a esto: Letter (a) y otros 3 lugares.');
		const plain = { ...four().steps[0]!, id: 's2' };
		const two = run(
			[first!, plain, { ...first!, id: 's3' }],
			[{ ...led().reviews[0]!, steps: ['s1', 's2', 's3'] }]
		);
		expect(en.announcer.needsReview(facts(two), '')).toContain(
			'may have led to 2 of them: the text and outline of Letter.'
		);
		expect(es.announcer.needsReview(facts(two, es), '')).toContain(
			'puede haber llevado a 2 de ellos: Letter (text y outline).'
		);
		expect(en.announcer.needsReview(facts(tainted()), '')).toBe(
			'Ada needs your review: 1 step. Text that is not trusted may have led to it.'
		);
		expect(en.announcer.needsReview(facts(four()), '')).toBe(
			'Ada needs your review: 4 steps, 1 cannot be undone.'
		);
	});
});

describe('addresses of a label', () => {
	it('are taken apart, whatever stands in them', () => {
		expect(
			['invoice.values', 'invoice.values:a.b:c', 'attachment:x.y', 'x (name)', 'x (y)', 'goal'].map(sourceOf)
		).toEqual([
			{ kind: 'read', of: 'invoice', read: 'values' },
			{ kind: 'read', of: 'invoice', read: 'values', key: 'a.b:c' },
			{ kind: 'attachment', of: 'x.y' },
			{ kind: 'name', of: 'x' },
			{ kind: 'other', of: 'x (y)' },
			{ kind: 'other', of: 'goal' }
		]);
		expect(traceOf({ data: { sources: ['goal', 'a.b'], args: { x: ['a.b', 1], y: 2 } } })).toEqual({
			sources: ['a.b'],
			args: { x: ['a.b'], y: [] }
		});
	});
});
