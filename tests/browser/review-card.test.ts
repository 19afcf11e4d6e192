import axe from 'axe-core';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-svelte';
import '../../src/lib/styles.css';
import { late } from '../../src/lib/canon/surfaces/late/late.svelte.js';
import { ReviewCard } from '../../src/lib/canon/surfaces/review-card/index.js';
import type { ReviewCardProps } from '../../src/lib/canon/surfaces/review-card/index.js';
import { goTo } from '../../src/lib/canon/surfaces/go-to.js';
import type { RunState } from '../../src/lib/agent/protocol/run-state.js';
import { es } from '../../src/lib/langs/es/index.js';
import * as runs from '../fixtures/runs.js';
import OwnCard from './fixtures/OwnCard.svelte';
import { Stub } from '../fixtures/stub-agent.svelte.js';

// The card comes late.
beforeAll(() => late.load(), 30_000);

const root = () => document.querySelector<HTMLElement>('[data-surface="review-card"]')!;
const part = (name: string, at = 0) => root().querySelectorAll<HTMLElement>(`[data-part="${name}"]`)[at]!;
const action = (name: string) => root().querySelector<HTMLElement>(`[data-action="${name}"]`)!;
const choice = (number: number, verdict: string) =>
	root()
		.querySelectorAll('[data-part="step"]')
		[number - 1]!.querySelector<HTMLInputElement>(`[data-choice="${verdict}"] input`)!;
const focused = () => document.activeElement as HTMLElement;

async function show(run: RunState, more: Partial<ReviewCardProps> = {}) {
	const agent = new Stub(run);
	await render(ReviewCard, { agent: agent.active, ...more });
	return agent;
}

/** Tabs on until the focused element satisfies the wish. */
async function tabTo(wish: (element: HTMLElement) => boolean) {
	for (let presses = 0; presses < 60; presses++) {
		await userEvent.keyboard('{Tab}');
		if (wish(focused())) return;
	}
	throw new Error('The tab order does not lead there');
}

beforeEach(async () => {
	await page.viewport(1000, 800);
	document.body.style.background = 'var(--ax-paper)';
});
afterEach(() => {
	document.documentElement.style.colorScheme = '';
	document.documentElement.dir = '';
});

describe('S2-119 the person keeps the focus', () => {
	it('a card that arrives takes no focus', async () => {
		const field = document.body.appendChild(document.createElement('input'));
		field.focus();
		const agent = await show(runs.one());
		agent.runs = [runs.driftedOne()];
		await expect.poll(() => part('title').textContent).toContain('Amount changed');
		expect(focused()).toBe(field);
		field.remove();
	});

	it('approve is not the first stop, and the title is none', async () => {
		await show(runs.four());
		await userEvent.keyboard('{Tab}');
		expect(root().contains(focused())).toBe(true);
		expect(focused().dataset.action).toBeUndefined();
		expect(part('title').tabIndex).toBe(-1);
	});
});

describe('at 320 px', () => {
	it.each([
		['en', undefined],
		['es', es]
	])('the answers of a step stay inside the card: %s', async (_code, lang) => {
		await page.viewport(320, 640);
		await show(runs.four(), { lang });
		const { right } = root().getBoundingClientRect();
		for (const one of root().querySelectorAll('[data-part="choice"] > span'))
			expect(one.getBoundingClientRect().right, one.outerHTML).toBeLessThan(right);
		const [first, , third] = root().querySelectorAll('[data-part="choice"]');
		expect(first!.getBoundingClientRect().top).toBe(third!.getBoundingClientRect().top);
		expect(root().scrollWidth).toBeLessThanOrEqual(320);
	});

	it('what stays as it is stands plain, and counts as no change', async () => {
		const fields = [
			{ path: 'currency', label: 'Currency', before: 'EUR', after: 'EUR' },
			{ path: 'amount', label: 'Amount', before: '1', after: '2' }
		];
		const steps = [runs.step('s1', { preview: { kind: 'fields', fields } })];
		await show(runs.run(steps, [runs.review(steps)]));
		expect(part('step-title').textContent).toContain('Set Amount in Invoice');
		expect([...root().querySelectorAll('del, ins')].map((one) => one.textContent)).toEqual(['1', '2']);
		expect(part('exact').textContent?.trim()).toBe('EUR');
	});
});

describe('S2-121 by keyboard alone', () => {
	it('approves, edits, rejects, ticks and decides', async () => {
		const agent = await show(runs.four());
		await tabTo((element) => element === choice(1, 'approve'));
		await userEvent.keyboard(' ');
		await tabTo((element) => element === choice(2, 'approve'));
		await userEvent.keyboard('{ArrowRight}');
		expect(choice(2, 'edit').checked).toBe(true);
		// The form stands before the decision it belongs to.
		await userEvent.keyboard('{Shift>}{Tab}{/Shift}');
		expect(focused()).toBe(part('amend').querySelector('input'));
		await userEvent.keyboard('{Control>}a{/Control}2027-01-15');
		await tabTo((element) => element === choice(3, 'approve'));
		await userEvent.keyboard('{ArrowRight}{ArrowRight}');
		expect(choice(3, 'reject').checked).toBe(true);
		await tabTo((element) => (element as HTMLInputElement).type === 'checkbox');
		await userEvent.keyboard(' ');
		await tabTo((element) => element === choice(4, 'approve'));
		await userEvent.keyboard(' ');
		await tabTo((element) => element.dataset.action === 'decide');
		expect(focused().textContent).toContain('Do steps 1, 2 and 4');
		await userEvent.keyboard('{Enter}');
		expect(agent.decisions).toEqual([
			{
				by: { kind: 'human', id: 'person' },
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
		// What was focused is gone: focus stays with what is left of the card.
		await expect.poll(() => focused()).toBe(part('title'));
	});

	it('Enter in a field decides nothing', async () => {
		const agent = await show(runs.one());
		await userEvent.click(action('edit'));
		const field = part('amend').querySelector('input')!;
		await expect.poll(() => focused()).toBe(field);
		await userEvent.keyboard('1,300.00 €{Enter}');
		await userEvent.click(action('reject-all'));
		await expect.poll(() => focused().id).toMatch(/why-all$/);
		expect(agent.decisions).toEqual([]);
	});

	it('Enter under the question why rejects, as asked, with what was written', async () => {
		const agent = await show(runs.one());
		await userEvent.click(action('reject-all'));
		await expect.poll(() => focused().id).toMatch(/why-all$/);
		await userEvent.keyboard('No{Enter}');
		expect(agent.decisions[0]?.decision).toEqual({ review: 'review-1', verdict: 'reject', reason: 'No' });
	});

	it('S2-128 Escape puts off, decides nothing, and gives focus back to where the person came from', async () => {
		const opener = document.body.appendChild(document.createElement('button'));
		opener.textContent = 'Work';
		const agent = await show(runs.four());
		opener.focus();
		await tabTo((element) => element === choice(1, 'approve'));
		await userEvent.keyboard(' {Escape}');
		await expect.poll(() => root().dataset.state).toBe('later');
		expect(agent.decisions).toEqual([]);
		await expect.poll(() => focused()).toBe(opener);
		// What leads to a review leads back to one that was put off.
		expect(goTo(document, 'review-card')).toBe(true);
		expect(focused().dataset.action).toBe('review-again');
		await userEvent.keyboard('{Enter}');
		await expect.poll(() => focused()).toBe(part('title'));
		expect(choice(1, 'approve').checked).toBe(true);
		opener.remove();
	});

	it('rejects everything with a reason', async () => {
		const agent = await show(runs.four());
		await tabTo((element) => element.dataset.action === 'reject-all');
		await userEvent.keyboard('{Enter}');
		await expect.poll(() => focused().id).toMatch(/why-all$/);
		await userEvent.keyboard('Not to this address.{Tab}');
		expect(focused().textContent).toContain('Reject all 4 steps');
		await userEvent.keyboard('{Enter}');
		expect(agent.decisions[0]?.decision).toEqual({
			review: 'review-1',
			verdict: 'reject',
			reason: 'Not to this address.'
		});
	});

	it('Escape on the question why goes back to the button, not out of the card', async () => {
		const agent = await show(runs.four());
		await userEvent.click(action('reject-all'));
		await expect.poll(() => focused().id).toMatch(/why-all$/);
		await userEvent.keyboard('{Escape}');
		await expect.poll(() => focused()?.dataset.action).toBe('reject-all');
		expect(root().dataset.state).toBe('open');
		expect(agent.decisions).toEqual([]);
	});
});

describe('S2-121 by pointer', () => {
	it('marks all that can be undone, leaves the rest, and says so at the button', async () => {
		const agent = await show(runs.four());
		await userEvent.click(action('approve-reversible'));
		expect([1, 2, 3, 4].map((n) => choice(n, 'approve').checked)).toEqual([true, true, true, false]);
		expect(choice(4, 'approve').disabled).toBe(true);
		const decide = action('decide');
		expect(decide.getAttribute('aria-disabled')).toBe('true');
		const why = document.getElementById(decide.getAttribute('aria-describedby')!);
		expect(why?.textContent).toBe('You have not decided on step 4.');
		await userEvent.click(decide, { force: true });
		expect(agent.decisions).toEqual([]);
	});

	it('one step is decided with one press', async () => {
		const agent = await show(runs.one(), { person: 'Nadia' });
		await userEvent.click(action('decide'));
		expect(agent.decisions).toEqual([
			{
				by: { kind: 'human', id: 'person', name: 'Nadia' },
				decision: { review: 'review-1', steps: { s1: { verdict: 'approve' } } }
			}
		]);
		await expect.poll(() => root().dataset.state).toBe('settled');
		expect(part('settled').textContent).toContain('Set Amount in Invoice');
	});
});

describe('S2-119 scripts decide nothing', () => {
	it('their clicks, changes and keys are without effect, also on what is seen', async () => {
		const agent = await show(runs.four());
		choice(1, 'approve').click();
		part('sure').querySelector('input')!.click();
		action('approve-reversible').click();
		action('decide').click();
		action('reject-all').click();
		root().dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
		await new Promise(requestAnimationFrame);
		expect(root().querySelectorAll(':checked')).toHaveLength(0);
		expect(root().dataset.state).toBe('open');
		expect(agent.decisions).toEqual([]);
	});

	it('what they type is taken out again', async () => {
		await show(runs.one());
		await userEvent.click(action('edit'));
		const field = part('amend').querySelector('input')!;
		field.value = '9,999.00 €';
		field.dispatchEvent(new InputEvent('input', { bubbles: true }));
		expect(field.value).toBe('1,280.00 €');
	});
});

describe('S2-121 an edit the schema does not take', () => {
	it('is said in words at its field, which takes focus; what was typed stays', async () => {
		const agent = await show(runs.one());
		agent.report = {
			ok: false,
			refused: { code: 'args-invalid', text: 'The arguments do not fit the schema.' },
			issues: { s1: [{ path: 'values/amount', message: 'Use a positive amount' }] }
		};
		await userEvent.click(action('edit'));
		const field = part('amend').querySelector('input')!;
		await userEvent.fill(field, '-5');
		await userEvent.click(action('decide'));
		await expect.poll(() => focused()).toBe(field);
		expect(field.value).toBe('-5');
		expect(field.getAttribute('aria-invalid')).toBe('true');
		const described = field.getAttribute('aria-describedby')!.split(' ');
		expect(described.map((id) => document.getElementById(id)?.textContent)).toContain(
			'Not accepted: Use a positive amount'
		);
		expect(root().querySelector('[role="alert"]')?.textContent).not.toBe('');
	});
});

describe('S2-88 drift', () => {
	it('S2-87 says what changed, approve is off with its reason, and the card opens again on a press', async () => {
		const agent = await show(runs.four());
		await userEvent.click(choice(3, 'approve'));
		agent.runs = [runs.drifted()];
		await expect.poll(() => root().dataset.state).toBe('stale');
		expect(part('changes').textContent).toMatch(/Amount\s*1,200\.00 €\s*1,250\.00 €/);
		expect(action('decide').getAttribute('aria-disabled')).toBe('true');
		await userEvent.click(action('decide'), { force: true });
		expect(agent.decisions).toEqual([]);
		await userEvent.click(action('review-again'));
		await expect.poll(() => focused()).toBe(part('title'));
		expect(choice(3, 'approve').checked).toBe(true);
		expect(choice(1, 'approve').checked).toBe(false);
	});
});

describe('S2-65 own markup', () => {
	it('has every verb of the card, its root attributes and Escape, and the same rule about scripts', async () => {
		const agent = new Stub(runs.one());
		await render(OwnCard, { agent: agent.active });
		expect(root().matches('section.mine[role="region"][data-agent="ada"]')).toBe(true);
		const [step, go] = root().querySelectorAll('button');
		step!.click();
		expect(step!.textContent).toContain('open');
		await userEvent.click(step!);
		await expect.element(step!).toHaveTextContent('Set Amount in Invoice: approve');
		await userEvent.keyboard('{Escape}');
		await expect.poll(() => root().dataset.state).toBe('later');
		await userEvent.click(action('review-again'));
		go!.click();
		expect(agent.decisions).toEqual([]);
		await userEvent.click(go!);
		expect(agent.decisions).toHaveLength(1);
	});
});

describe('S2-65 names, roles and sizes', () => {
	it('is a region named after agent and act, described by its risk', async () => {
		await show(runs.four());
		expect(root().getAttribute('role')).toBe('region');
		expect(root().getAttribute('aria-label')).toBe(
			'Ada asks you to review 4 steps: Set Amount in Invoice and 3 more'
		);
		const risk = document.getElementById(root().getAttribute('aria-describedby')!);
		expect(risk?.textContent).toContain('1 step cannot be undone.');
	});

	it('says what was removed and added, not by colour alone', async () => {
		await show(runs.textDiff());
		const diff = part('diff');
		expect(diff.querySelector('del')?.textContent).toMatch(/^\[removed\] 30/);
		expect(diff.querySelector('ins')?.textContent).toMatch(/^\[added\] 45/);
	});

	it('S2-84 says why it asks: foreign text, an unguarded value, a rule, the reach', async () => {
		await show(runs.withPolicy());
		const facts = root().textContent;
		expect(facts).toContain('Comes from the text of Letter · not trusted');
		expect(facts).toContain('Asked by the rule: Ask before sending');
		expect(facts).toContain('Goes beyond this app');
		expect(facts).toContain('Runs by your settings, asks nothing');
		expect(root().querySelectorAll('[data-asks="policy"] input')).toHaveLength(0);
	});

	it('every control is at least 24 px high and wide', async () => {
		await show(runs.four());
		await userEvent.click(choice(2, 'edit'));
		const small = [
			...root().querySelectorAll<HTMLElement>('button, input, textarea, label[data-part="sure"]')
		]
			.filter((element) => !element.matches('[data-part="sure"] input'))
			.map((element) => element.getBoundingClientRect())
			.filter(({ width, height }) => width < 24 || height < 24);
		expect(small).toEqual([]);
	});

	it('speaks the language it is given', async () => {
		await show(runs.four(), { lang: es });
		expect(part('title').textContent).toContain('Revisa 4 pasos antes de que ocurra nada');
	});

	it('two hundred steps are decided together, and what is out of sight is not laid out', async () => {
		const agent = await show(runs.many(200));
		expect(document.querySelector('[data-part="step"]')).toBeNull();
		expect(action('approve-group').getAttribute('aria-disabled')).toBe('true');
		await userEvent.click(action('approve-group'), { force: true });
		expect(document.querySelector('[data-part="group-note"]')?.textContent).toBe('0 of 200 decided');
		await userEvent.click(action('fold'));
		expect(getComputedStyle(part('step', 150)).contentVisibility).toBe('auto');
		await userEvent.click(action('approve-group'));
		await userEvent.click(action('decide'));
		expect(Object.keys((agent.decisions[0]!.decision as { steps: object }).steps)).toHaveLength(200);
	});
});

interface State {
	name: string;
	run: () => RunState;
	review?: string;
	act?: () => Promise<void>;
}

const states: readonly State[] = [
	{ name: 'one step', run: runs.one },
	{ name: 'one final step', run: runs.oneFinal },
	{
		name: 'four steps, one edited, one rejected',
		run: runs.four,
		async act() {
			await userEvent.click(choice(1, 'approve'));
			await userEvent.click(choice(2, 'edit'));
			await userEvent.click(choice(3, 'reject'));
		}
	},
	{ name: 'every shape of argument', run: runs.shapes, act: () => userEvent.click(choice(1, 'edit')) },
	{ name: 'a step by policy', run: runs.withPolicy },
	{ name: 'weak', run: runs.weak },
	{ name: 'tainted', run: runs.tainted },
	{ name: 'text', run: runs.textDiff },
	{ name: 'drift', run: runs.drifted },
	{ name: 'later', run: runs.four, act: () => userEvent.click(action('later')) },
	{ name: 'rejecting', run: runs.four, act: () => userEvent.click(action('reject-all')) },
	{ name: 'settled', run: runs.settled, review: 'review-1' },
	{ name: 'expired', run: runs.expired, review: 'review-1' },
	{ name: 'many', run: () => runs.many(30) }
];

describe.each(['light', 'dark'])('S2-65 axe finds nothing, %s', (theme) => {
	it.each(states)('$name', async ({ run, review, act }) => {
		document.documentElement.style.colorScheme = theme;
		await show(run(), { review });
		await act?.();
		await Promise.all(
			root()
				.getAnimations({ subtree: true })
				.map((animation) => animation.finished)
		);
		const { violations } = await axe.run(root(), { rules: { region: { enabled: false } } });
		expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
	});
});

describe.each(['ltr', 'rtl'])('S2-65 at 320 px nothing scrolls sideways, %s', (dir) => {
	it.each(states)('$name', async ({ run, review, act }) => {
		document.documentElement.dir = dir;
		await show(run(), { review });
		await act?.();
		await page.viewport(320, 800);
		const { scrollWidth, clientWidth } = document.documentElement;
		expect(scrollWidth).toBe(clientWidth);
		expect(root().scrollWidth).toBe(root().clientWidth);
	});
});
