import { describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-svelte';
import { actingAs, currentCause, type Actor } from '../../src/lib/actor/index.js';
import type { Emission } from '../../src/lib/uix/sema/index.js';
import { asHuman } from '../../src/lib/uix/soma/index.js';
import Causes, { type Place, type Sight } from './fixtures/Causes.svelte';

const ada: Actor = { kind: 'agent', id: 'ada', run: 'run-1', step: 'step-1' };

const UNCARRIED: Place[] = ['effect', 'derived', 'microtask', 'await', 'timer'];
const CARRIED: Place[] = [
	'handler',
	'effect, because',
	'microtask, carried',
	'await, carried',
	'timer, carried'
];

async function mounted() {
	const sights: Sight[] = [];
	const emissions: Emission[] = [];
	const { component } = await render(Causes, {
		onsee: (sight: Sight) => void sights.push(sight),
		onemit: (emission: Emission) => void emissions.push(emission)
	});
	const button = page.getByRole('button');
	/** Every place has been passed once the carried timer, the last of all, has been seen. */
	const passed = () =>
		vi.waitFor(() => {
			const seen = new Set(sights.map(({ place }) => place));
			for (const place of [...UNCARRIED, ...CARRIED])
				if (!seen.has(place)) throw new Error(`${place} not passed yet`);
		});
	const kindsAt = (place: Place) => [
		...new Set(sights.filter((sight) => sight.place === place).map(({ actor }) => actor.kind))
	];
	return {
		component: component as unknown as { add(): void; addThenFollow(): void },
		button,
		sights,
		emissions,
		passed,
		kindsAt
	};
}

describe('S2-115 who acts, wherever a change passes', () => {
	it('is the agent where its cause was carried or named, and the app everywhere else', async () => {
		const { component, sights, passed, kindsAt } = await mounted();
		actingAs(ada, () => component.add());
		await passed();
		for (const place of CARRIED) expect(kindsAt(place), place).toEqual(['agent']);
		for (const place of UNCARRIED) expect(kindsAt(place), place).toEqual(['app']);
		expect(sights.some(({ actor }) => actor.kind === 'human')).toBe(false);
	});

	it('is the person at a real click, and goes with what was carried from it', async () => {
		const { button, passed, kindsAt } = await mounted();
		await userEvent.click(button);
		await passed();
		for (const place of CARRIED) expect(kindsAt(place), place).toEqual(['human']);
		for (const place of UNCARRIED) expect(kindsAt(place), place).toEqual(['app']);
	});

	it('is the app at a click made by script, by either way of making one', async () => {
		const { button, sights, passed } = await mounted();
		const element = button.element() as HTMLElement;
		element.click();
		element.dispatchEvent(new MouseEvent('click', { bubbles: true }));
		await passed();
		expect(new Set(sights.map(({ actor }) => actor.kind))).toEqual(new Set(['app']));
	});

	it('is the app when the app calls the method itself, never a person', async () => {
		const { component, sights, passed } = await mounted();
		component.add();
		await passed();
		expect(new Set(sights.map(({ actor }) => actor.kind))).toEqual(new Set(['app']));
	});

	it('stays the agent when the agent makes the browser fire trusted events', async () => {
		const { button } = await mounted();
		const element = button.element() as HTMLElement;
		element.blur();
		const seen: [boolean, string][] = [];
		const look = (event: Event) =>
			asHuman(event, () => void seen.push([event.isTrusted, currentCause().kind]));
		element.addEventListener('focus', look, { once: true });
		actingAs(ada, () => element.focus());
		expect(seen).toEqual([[true, 'agent']]);
	});

	it('is the person when a form is sent by pressing its button', async () => {
		const form = document.body.appendChild(document.createElement('form'));
		const send = form.appendChild(document.createElement('button'));
		send.textContent = 'Send it';
		let kind = '';
		form.addEventListener('submit', (event) => {
			event.preventDefault();
			asHuman(event, () => void (kind = currentCause().kind));
		});
		await userEvent.click(page.getByRole('button', { name: 'Send it' }));
		form.remove();
		expect(kind).toBe('human');
	});
});

describe('S2-115 the run an event belongs to', () => {
	it('is kept over a microtask, a timer and the method they lead to', async () => {
		const { component, emissions } = await mounted();
		actingAs(ada, () => component.addThenFollow());
		await vi.waitFor(() => expect(emissions.map(({ event }) => event)).toEqual(['count', 'follow']));
		for (const emission of emissions) {
			expect(emission.cause).toEqual({ run: 'run-1', step: 'step-1' });
			expect(emission).toMatchObject({ family: 'delegate', verb: 'act', actor: ada });
		}
	});

	it('is kept by an effect that names the state it follows from', async () => {
		const { component, emissions } = await mounted();
		actingAs(ada, () => component.add());
		await vi.waitFor(() => expect(emissions.map(({ event }) => event)).toEqual(['count', 'follow']));
		expect(emissions[1]).toMatchObject({ cause: { run: 'run-1' }, actor: { kind: 'agent' } });
	});

	it('S2-05 is told in two families: the same method, by a person and by an agent', async () => {
		const { component, button, emissions } = await mounted();
		await userEvent.click(button);
		actingAs(ada, () => component.add());
		const counts = emissions.filter(({ event }) => event === 'count');
		expect(counts.map(({ actor, family, verb }) => [actor.kind, family, verb])).toEqual([
			['human', 'edit', 'change'],
			['agent', 'delegate', 'act']
		]);
	});
});
