import { render, screen } from '@testing-library/svelte';
import { flushSync } from 'svelte';
import { beforeAll, describe, expect, it } from 'vitest';
import { late } from '../../src/lib/canon/surfaces/late/late.svelte.js';
import { ReviewCard } from '../../src/lib/canon/surfaces/review-card/index.js';
import { four } from '../fixtures/runs.js';
import { Sheet, sheetManifest } from '../fixtures/sheet.js';
import { StandIn } from '../fixtures/stand-in.svelte.js';

// The card comes late.
beforeAll(() => late.load(), 30_000);

describe('S2-65 the names in a card', () => {
	it('are those of what is mounted now: a participant that comes, or is named anew, is called by its label', () => {
		const agent = new StandIn(four());
		render(ReviewCard, { agent: agent.active });
		flushSync();
		const first = () =>
			document.querySelector("[data-part='step-title']")?.textContent?.replace(/\s+/g, ' ').trim();
		expect(first()).toBe('1. Set Amount in invoice');
		for (const label of ['Invoice', 'Invoice of May']) {
			agent.registry.register(sheetManifest, new Sheet(), { id: 'invoice', label });
			flushSync();
			expect(first()).toBe(`1. Set Amount in ${label}`);
		}
		expect(screen.getByRole('region').getAttribute('aria-label')).toContain('Set Amount in Invoice of May');
	});
});
