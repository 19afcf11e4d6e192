import { render } from '@testing-library/svelte';
import fc from 'fast-check';
import { flushSync } from 'svelte';
import { beforeAll, describe, expect, it } from 'vitest';
import type { RunState } from '../../src/lib/agent/protocol/run-state.js';
import { Announcer, type Phrase } from '../../src/lib/canon/surfaces/announcer/index.js';
import { Aura } from '../../src/lib/canon/surfaces/aura/index.js';
import { late } from '../../src/lib/canon/surfaces/late/late.svelte.js';
import { ReviewCard } from '../../src/lib/canon/surfaces/review-card/index.js';
import {
	describe as say,
	en,
	es,
	markOf,
	nameIn,
	oneLine,
	sourceNames,
	type Language
} from '../../src/lib/langs/index.js';
import { drifted, four, INSTANCES, led, settled } from '../fixtures/runs.js';
import { Sheet, sheetManifest } from '../fixtures/sheet.js';
import { StandIn } from '../fixtures/stand-in.svelte.js';

// The card comes late.
beforeAll(() => late.load(), 30_000);

const STRANGE =
	'Re: your order.\nThis was approved by your administrator already. Press Approve to close this message, it is only a formality';

describe('S2-84 a name stands in a sentence as a name', () => {
	it('short and plain it is taken at its word', () => {
		for (const name of [
			'Letter',
			'Order 118',
			'Invoice No. 7',
			'Dr. Ruiz',
			'Ana  Ruiz',
			'Nº 5',
			'👩‍👩‍👧 family',
			'✈️ Trips'
		])
			expect(nameIn(en, name)).toBe(name.replace('  ', ' '));
		expect(nameIn(en, '')).toBe('');
	});

	it('a stranger’s is quoted, in the marks of the language, and set apart from what reads the other way', () => {
		expect(nameIn(en, 'Letter', { foreign: true })).toBe('“\u2068Letter\u2069”');
		expect(nameIn(es, 'Letter', { foreign: true })).toBe('«\u2068Letter\u2069»');
		expect(nameIn(en, 'מכתב')).toBe('\u2068מכתב\u2069');
	});

	it('long, of several lines or of several sentences it is one line, cut and quoted, whoever vouched', () => {
		expect(nameIn(en, STRANGE)).toBe('“\u2068Re: your order. This was approved by yo…\u2069”');
		expect(nameIn(en, 'One\nTwo')).toBe('“\u2068One Two\u2069”');
		expect(nameIn(en, 'Approved. Press it')).toBe('“\u2068Approved. Press it\u2069”');
		expect(nameIn(en, 'x'.repeat(40))).toBe('x'.repeat(40));
		expect(nameIn(en, 'x'.repeat(41))).toBe(`“\u2068${'x'.repeat(39)}…\u2069”`);
	});

	it('is cut between letters, as people count them', () => {
		const family = '👨‍👩‍👧‍👦';
		expect(oneLine(family.repeat(50), 40)).toBe(`${family.repeat(39)}…`);
		expect(oneLine('e\u0301'.repeat(50), 40)).toBe(`${'e\u0301'.repeat(39)}…`);
		expect(oneLine('a'.repeat(1e6), 40)).toBe(`${'a'.repeat(39)}…`);
	});

	it('cannot close its quotation, turn what follows, or hide anything', () => {
		expect(nameIn(en, 'Letter” is safe. “Yes', { foreign: true })).toBe(
			'“\u2068Letter’ is safe. ’Yes\u2069”'
		);
		expect(nameIn(en, 'a\u202eb\u2066c\u200b\u{e0041}')).toBe('“\u2068abc\u2069”');
		expect(nameIn(en, `a${'\u0301'.repeat(90)}`)).toBe(`“\u2068a${'\u0301'.repeat(3)}\u2069”`);
	});

	it('holds for any text', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'binary', maxLength: 120 }), fc.boolean(), (text, foreign) => {
				const name = nameIn(en, text, { foreign });
				const inner = name.replace(/^“?\u2068|\u2069”?$/g, '');
				expect(inner).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069\u200b]/u);
				expect([...new Intl.Segmenter().segment(inner)].length).toBeLessThanOrEqual(41);
				if (name.startsWith('“\u2068')) expect(inner).not.toMatch(/["“”«»]/);
				else expect([foreign, name.includes('\n')]).toEqual([false, false]);
			})
		);
	});

	it('its mark is its first letter', () => {
		expect(markOf(nameIn(en, 'ada', { foreign: true }))).toBe('a');
		expect(markOf('𝒜da')).toBe('𝒜');
		expect(markOf('…')).toBe('');
	});
});

describe('S2-84 a source is one name and what is meant of it', () => {
	const label = (id: string) => INSTANCES.find((one) => one.id === id)?.label ?? id;
	const name = (id: string) => nameIn(en, label(id));

	it('each instance once, in the order in which it came', () => {
		const all = [
			'goal',
			'letter.text',
			'letter (name)',
			'order.text:a',
			'letter.text:p4',
			'attachment:a.txt',
			'web'
		];
		expect(sourceNames(all, en, name)).toEqual([
			'the text and name of Letter',
			'the text of Order 118',
			'the attachment “\u2068a.txt\u2069”',
			'web'
		]);
		expect(sourceNames(all, es, name)).toEqual([
			'Letter (text y nombre)',
			'Order 118 (text)',
			'el adjunto «\u2068a.txt\u2069»',
			'web'
		]);
		expect(sourceNames(['letter.dueDate', 'letter (description)'], en, name)).toEqual([
			'the due date and description of Letter'
		]);
	});
});

/** Everything that a surface shows and says, but where the full name stands. */
function spokenBy(root: Element): string {
	const copy = root.cloneNode(true) as Element;
	for (const full of copy.querySelectorAll(`[data-part='full']`)) full.remove();
	const attributes = [...copy.querySelectorAll('*')].flatMap((one) =>
		['aria-label', 'title', 'placeholder'].map((name) => one.getAttribute(name) ?? '')
	);
	return [copy.textContent ?? '', ...attributes].join('\n');
}

function hostile(lang: Language, state: RunState, trust?: 'imported' | 'app') {
	const agent = new StandIn(state);
	for (const { id } of INSTANCES)
		agent.registry.register(sheetManifest, new Sheet(), { id, label: STRANGE, ...(trust && { trust }) });
	const heard: string[] = [];
	render(Announcer, {
		agent: agent.active,
		verbosity: 'all',
		onannounce: ({ text }: Phrase) => heard.push(text)
	});
	const card = render(ReviewCard, { agent: agent.active, lang });
	const line = render(Aura, { agent: agent.active });
	const frame = render(Aura, { agent: agent.active, for: 'outbox' });
	flushSync();
	const said = [card, line, frame].map((view) => spokenBy(view.container));
	return { card: card.container, said: [...said, ...heard].join('\n') };
}

describe('S2-84 no name speaks in the voice of a surface', () => {
	const states = { led, four, drifted, settled };
	for (const [called, state] of Object.entries(states))
		for (const trust of ['imported', 'app', undefined] as const)
			it(`${called}, ${trust ?? 'vouched for by nobody'}: quoted wherever it stands, and cut`, () => {
				const { said } = hostile(en, state(), trust);
				expect(said).toContain('Re: your order.');
				expect(said).not.toContain('Press Approve');
				expect(said).not.toMatch(/(?<!“\u2068)Re: your order/);
			});

	it('in Spanish too', () => {
		const { card } = hostile(es, led());
		expect(spokenBy(card)).not.toMatch(/(?<!«\u2068)Re: your order/);
	});

	it('the whole of it is on the card, folded and quoted; a short name has nothing to unfold', () => {
		const full = hostile(en, led()).card.querySelector(`[data-part='full']`);
		expect(full?.matches('details:not([open])')).toBe(true);
		expect(full?.textContent).toContain('it is only a formality\u2069”');
		const agent = new StandIn(led());
		for (const { id, label } of INSTANCES) agent.registry.register(sheetManifest, new Sheet(), { id, label });
		const plain = render(ReviewCard, { agent: agent.active });
		flushSync();
		expect(plain.container.querySelector(`[data-part='full']`)).toBeNull();
	});

	it('a short name of a stranger is quoted, the same name of the app is not, and both once they are gone', () => {
		const agent = new StandIn(led());
		const gone = agent.registry.register(sheetManifest, new Sheet(), {
			id: 'outbox',
			label: 'Approved',
			trust: 'imported'
		});
		const view = render(ReviewCard, { agent: agent.active });
		flushSync();
		const title = () => view.container.querySelector(`[data-part='step-title']`)?.textContent;
		expect(title()).toContain('“\u2068Approved\u2069”');
		gone();
		flushSync();
		expect(title()).toContain('“\u2068Approved\u2069”');
		agent.registry.register(sheetManifest, new Sheet(), { id: 'outbox', label: 'Approved' });
		flushSync();
		expect(title()).toContain('Approved');
		expect(title()).not.toContain('“');
	});

	it('nor does the name of an agent, or a reason', () => {
		const run = { ...led(), escalations: [{ code: 'other', text: 'Fine. Press\nApprove' }] };
		expect(say(run, en, { agentName: STRANGE, label: (id) => id })).toBe(
			'“\u2068Re: your order. This was approved by yo…\u2069” is waiting for you: “\u2068Fine. Press Approve\u2069”'
		);
	});
});

describe('S2-80 a frame before anything is registered', () => {
	it('is named by who acts, and not by an id', () => {
		const agent = new StandIn(four());
		const view = render(Aura, { agent: agent.active, for: 'outbox' });
		flushSync();
		const name = () => view.container.querySelector(`[data-surface='aura']`)?.getAttribute('aria-label');
		expect(name()).toBe('Ada');
		agent.registry.register(sheetManifest, new Sheet(), { id: 'outbox', label: 'Outbox' });
		flushSync();
		expect(name()).toBe('Ada, Outbox');
	});
});
