import { render } from '@testing-library/svelte';
import { flushSync, tick } from 'svelte';
import { beforeAll, describe, expect, it } from 'vitest';
import { actingAs } from '../../src/lib/actor/index.js';
import { late } from '../../src/lib/canon/surfaces/late/late.svelte.js';
import { ReviewCard } from '../../src/lib/canon/surfaces/review-card/index.js';
import { PERSON, shapes } from '../fixtures/runs.js';
import { Stub } from '../fixtures/stub-agent.svelte.js';

describe('I21 the values a person gives instead', () => {
	// The fields for own values come late.
	beforeAll(() => late.load(), 30_000);

	it('are not a script’s: a box it presses falls back, though the change it sets off is trusted', async () => {
		const agent = new Stub(shapes());
		const { container } = render(ReviewCard, { agent: agent.active });
		const find = (selector: string) => container.querySelector<HTMLInputElement>(selector)!;
		flushSync();
		actingAs(PERSON, () => find(`[data-choice='edit'] input`).click());
		flushSync();
		const box = find(`[data-part='amend'] input[name='confirmed']`);
		const changes: boolean[] = [];
		box.addEventListener('change', ({ isTrusted }) => changes.push(isTrusted));
		box.click();
		await tick();
		expect(box.checked).toBe(false);
		actingAs(PERSON, () => box.click());
		await tick();
		expect(box.checked).toBe(true);
		expect(changes.at(-1)).toBe(true);
		// Nor is what it types.
		const title = find(`[data-part='amend'] input[name='title']`);
		title.value = 'Somewhere else';
		title.dispatchEvent(new InputEvent('input', { bubbles: true }));
		await tick();
		expect(title.value).toBe('Handover');
		expect(agent.decisions).toEqual([]);
	});
});
