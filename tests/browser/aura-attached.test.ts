import { beforeAll, describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-svelte';
import '../../src/lib/styles.css';
import { late } from '../../src/lib/canon/surfaces/late/late.svelte.js';
import { four, run } from '../fixtures/runs.js';
import { StandIn } from '../fixtures/stand-in.svelte.js';
import Attached from './fixtures/Attached.svelte';

beforeAll(() => late.load());

const acting = run(
	four().steps.map((step, at) => ({ ...step, status: at === 0 ? 'dispatched' : 'granted' })),
	[],
	{ state: 'acting', activity: 'acting' }
);
const line = () => document.querySelector<HTMLElement>("[data-surface='aura']");
const target = () => page.getByRole('form', { name: 'Invoice' }).element();

/** How far the line stands from where it belongs, in px. */
function off(): number {
	const a = line()!.getBoundingClientRect();
	const b = target().getBoundingClientRect();
	return Math.max(
		Math.abs(a.left + 8 - b.left),
		Math.abs(a.top + 8 - b.top),
		Math.abs(a.width - 16 - b.width),
		Math.abs(a.height - 16 - b.height)
	);
}

describe('the line, attached to an element', () => {
	it('S2-80 follows what it lies around: moved, resized, scrolled, out of sight and gone', async () => {
		const agent = new StandIn(acting);
		const { rerender } = await render(Attached, { agent: agent.active });
		await expect.poll(() => line()?.dataset.state).toBe('acting');
		await expect.poll(off).toBeLessThan(1);

		await rerender({ above: 90 });
		await expect.poll(off).toBeLessThan(1);
		await rerender({ width: 420 });
		await expect.poll(off).toBeLessThan(1);

		const box = page.getByTestId('box').element();
		box.scrollTop = 40;
		await expect.poll(off).toBeLessThan(1);
		expect(line()!.style.visibility).toBe('');
		box.scrollTop = 600;
		await expect.poll(() => line()!.style.visibility).toBe('hidden');
		box.scrollTop = 0;
		await expect.poll(() => line()!.style.visibility).toBe('');

		expect(target().getAttribute('aria-busy')).toBe('true');
		const was = target();
		await rerender({ shown: false });
		await expect.poll(line).toBeNull();
		expect(was.getAttribute('aria-busy')).toBeNull();
	});

	it('S2-80 has its Stop after what it lies around, in reach of Tab', async () => {
		const agent = new StandIn(acting);
		await render(Attached, { agent: agent.active });
		const stop = page.getByRole('button', { name: /^Stop Ada/ });
		await expect.element(stop).toBeVisible();
		const follows = target().compareDocumentPosition(stop.element()) & Node.DOCUMENT_POSITION_FOLLOWING;
		expect(follows).toBeTruthy();
		expect((stop.element() as HTMLElement).tabIndex).toBe(0);
	});
});
