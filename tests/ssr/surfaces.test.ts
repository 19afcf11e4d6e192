import { render } from 'svelte/server';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { es } from '../../src/lib/langs/index.js';
import CounterView from '../fixtures/Counter.svelte';
import Page from '../fixtures/Page.svelte';
import { Counter } from '../fixtures/counter.js';
import { four, run } from '../fixtures/runs.js';
import { StandIn } from '../fixtures/stand-in.svelte.js';

afterEach(() => void vi.restoreAllMocks());

/** What a browser would be sent, without the marks that hydration needs. */
const html = (agent: StandIn, more: object = {}) =>
	render(Page, { props: { agent: agent.active, counter: new Counter(), ...more } }).body.replace(
		/<!--.*?-->/g,
		''
	);

describe('S2-109 a page rendered on a server', () => {
	it('S2-80 has both live regions from the start, and empty', () => {
		const body = html(new StandIn(four()));
		expect(body).toMatch(
			/<div data-part="polite" role="status" aria-live="polite" aria-atomic="true"><\/div>/
		);
		expect(body).toMatch(
			/<div data-part="assertive" role="alert" aria-live="assertive" aria-atomic="true"><\/div>/
		);
	});

	it('says whose turn it is', () => {
		expect(html(new StandIn())).toContain('Who acts now?');
		expect(html(new StandIn(), { lang: es })).toContain('¿Quién actúa ahora?');
	});

	it('registers nothing, listens to nothing and starts no timer', () => {
		const timer = vi.spyOn(globalThis, 'setTimeout');
		const agent = new StandIn(run([], [], { state: 'offered', activity: 'thinking' }));
		html(agent);
		expect(agent.registry.instances).toEqual([]);
		expect(agent.listeners).toBe(0);
		expect(timer).not.toHaveBeenCalled();
	});

	it('S2-77 works without an agent', () => {
		const { body } = render(CounterView, { props: { counter: new Counter() } });
		expect(body).toContain('Count 1');
	});
});
