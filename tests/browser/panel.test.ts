import axe from 'axe-core';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-svelte';
import '../../src/lib/styles.css';
import type { ActiveAgent } from '../../src/lib/agent/active/active-agent.svelte.js';
import { late } from '../../src/lib/canon/surfaces/late/late.svelte.js';
import { PERSON } from '../../src/lib/uix/index.js';
import { add, talker } from '../fixtures/panel/agents.js';
import PanelHost from '../fixtures/panel/PanelHost.svelte';

beforeAll(() => late.load());
afterEach(() => {
	document.documentElement.style.colorScheme = '';
	document.documentElement.dir = '';
});

const panel = () => document.querySelector<HTMLElement>('[data-surface=copilot-panel]')!;
const scroll = () => panel().querySelector<HTMLElement>('[data-part=scroll]')!;
const seen = (check: () => unknown) => expect.poll(check, { timeout: 5_000 });

async function faults(): Promise<string[]> {
	// Colours take their time to change.
	await Promise.all(document.getAnimations().map(({ finished }) => finished));
	const { violations } = await axe.run(panel(), { rules: { region: { enabled: false } } });
	return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

/** How each state of a conversation comes about. */
const STATES: Record<string, () => { agent: ActiveAgent; shows: string }> = {
	empty: () => ({ agent: talker(), shows: 'Ada can work here' }),
	streaming: () => {
		const agent = talker([{ say: ['I count ', 'and count.'], calls: [add(2, { pieces: 4 })], hang: true }]);
		agent.run('Count', { by: PERSON });
		return { agent, shows: 'values arriving' };
	},
	waiting: () => {
		const agent = talker([{ calls: [add(2)] }], { policy: { ceiling: 'review' } });
		agent.run('Count', { by: PERSON });
		return { agent, shows: 'needs you' };
	},
	offered: () => {
		const agent = talker();
		agent.offer('Count at night', { by: { kind: 'rule', id: 'r', name: 'Evening' } });
		return { agent, shows: 'Let Ada begin' };
	},
	'used up': () => {
		const agent = talker([{ calls: [add(1), add(1)] }, { say: 'Done.' }], { budget: { acts: 1 } });
		agent.run('Count', { by: PERSON });
		return { agent, shows: 'Renew' };
	},
	failed: () => {
		const agent = talker([{ fail: { text: 'No wire.', retryable: false } }]);
		agent.run('Count', { by: PERSON });
		return { agent, shows: 'Try again' };
	},
	returned: () => {
		const agent = talker([{ say: 'I add.', calls: [add(2)] }, { say: 'Done.' }]);
		agent.run({ text: 'Count', attachments: [{ name: 'list.txt', text: '1 2 3' }] }, { by: PERSON });
		return { agent, shows: 'Undo this run' };
	}
};

describe('S2-65 the panel in a browser', () => {
	for (const [name, make] of Object.entries(STATES))
		it(`axe finds nothing while it is ${name}, light, dark and narrow`, async () => {
			const { agent, shows } = make();
			render(PanelHost, { agent, suggestions: ['Count to three'] });
			await seen(() => panel().textContent).toContain(shows);
			for (const details of panel().querySelectorAll('details')) details.open = true;
			for (const scheme of ['light', 'dark']) {
				document.documentElement.style.colorScheme = scheme;
				document.body.style.background = 'var(--ax-paper)';
				expect(await faults(), scheme).toEqual([]);
			}
			await page.viewport(320, 700);
			expect(await faults(), 'narrow').toEqual([]);
			await page.viewport(900, 700);
			await agent.dispose();
		});

	it('S2-79 draws what arrives once a frame, however much of it there is', async () => {
		const words = Array.from({ length: 200 }, (_, index) => `w${index} `);
		const agent = talker([{ say: 'First.' }, { say: words, paceMs: 1 }]);
		render(PanelHost, { agent, thread: 'one' });
		await agent.run('First', { by: PERSON, thread: 'zero' }).returned;
		let frames = 0;
		let writes = 0;
		let on = true;
		const count = () => {
			frames += 1;
			if (on) requestAnimationFrame(count);
		};
		requestAnimationFrame(count);
		const observer = new MutationObserver((records) => {
			if (
				records.some(
					({ target }) => target.nodeType === Node.TEXT_NODE && /w\d/.test(target.textContent ?? '')
				)
			)
				writes += 1;
		});
		observer.observe(panel(), { subtree: true, characterData: true });
		await agent.run('Much', { by: PERSON, thread: 'one' }).returned;
		await seen(() => panel().textContent).toContain('w199');
		on = false;
		observer.disconnect();
		expect(writes).toBeGreaterThan(1);
		expect(writes).toBeLessThanOrEqual(frames + 1);
	});

	it('keeps hostile words inside: nothing runs, nothing overflows, nothing turns', async () => {
		const hostile = `<img src=x onerror="window.hurt = true"> \u202Egnirts\u202C ${'x'.repeat(10_000)} Z̷̢̛̻͓̫̀̈́a̶l̸g̵o שלום`;
		const agent = talker([
			{ say: hostile, calls: [{ instance: 'provider', act: 'add', args: { by: hostile } }] },
			{ say: 'ok' }
		]);
		render(PanelHost, { agent });
		await page.viewport(320, 700);
		await agent.run(hostile, { by: PERSON }).returned;
		await seen(() => panel().textContent).toContain('ok');
		expect('hurt' in window).toBe(false);
		expect(panel().querySelector('img')).toBeNull();
		expect(scroll().scrollWidth).toBeLessThanOrEqual(scroll().clientWidth);
		expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(320);
		await page.viewport(900, 700);
	});

	it('bears arguments of 100 KB while they arrive and when they are whole', async () => {
		const agent = talker([
			{ calls: [{ instance: 'provider', act: 'add', args: { by: 'y'.repeat(100_000) }, pieces: 5_000 }] },
			{ say: 'Well.' }
		]);
		render(PanelHost, { agent });
		await agent.run('Add much', { by: PERSON }).returned;
		await seen(() => panel().textContent).toContain('Well.');
		const act = panel().querySelector<HTMLElement>('[data-surface=activity]')!;
		expect(act.dataset['state']).toBe('refused');
		expect(act.textContent!.length).toBeLessThan(1_000);
	});

	it('sends by a real key in the name of the person, and follows what comes', async () => {
		const agent = talker([{ say: 'One line.\n'.repeat(80) }]);
		render(PanelHost, { agent });
		await userEvent.click(panel().querySelector('textarea')!);
		await userEvent.keyboard('Tell me much{Shift>}{Enter}{/Shift}please{Enter}');
		await seen(() => panel().textContent).toContain('One line.');
		expect(agent.runs[0]?.goal).toBe('Tell me much\nplease');
		expect(agent.runs[0]?.principal.kind).toBe('human');
		await seen(() => scroll().scrollHeight - scroll().scrollTop - scroll().clientHeight).toBeLessThanOrEqual(
			24
		);
		expect(document.activeElement?.tagName).toBe('TEXTAREA');
	});

	it('is still itself right to left', async () => {
		document.documentElement.dir = 'rtl';
		const agent = talker([{ say: 'I add.', calls: [add(2)] }, { say: 'Done.' }]);
		render(PanelHost, { agent });
		await agent.run('Add', { by: PERSON }).returned;
		await seen(() => panel().textContent).toContain('Done.');
		const mark = panel().querySelector('[data-part=message] [data-part=mark]')!.getBoundingClientRect();
		const words = panel().querySelector('[data-part=words]')!.getBoundingClientRect();
		expect(mark.left).toBeGreaterThan(words.left);
		expect(mark.right).toBeGreaterThan(words.right);
	});
});
