import { expect, type Page } from '@playwright/test';
import type { ActiveAgent } from '../src/lib/index.js';

declare global {
	interface Window {
		/** The demo's agent, as the page offers it in the console. */
		agent: ActiveAgent;
	}
}

/** What the invoice holds, by the labels a person reads. */
export const invoiceField = (page: Page, label: string) =>
	page.getByRole('form', { name: 'Invoice' }).getByLabel(label, { exact: true });

/** The live letter. */
export const letter = (page: Page) => page.getByRole('textbox', { name: 'Text of the letter' });

export const card = (page: Page) => page.locator('[data-surface="review-card"]');
export const turnLine = (page: Page) => page.locator('[data-surface="turn-line"]');
/** Where one talks with Ada, and decides. */
export const desk = (page: Page) => page.getByRole('region', { name: 'At Ada’s desk' });
export const heard = (page: Page) => page.locator('[data-heard]');

const levels: Record<string, string> = {
	suggest: 'only suggest',
	review: 'act after my review',
	auto: 'do what can be undone'
};

/** Sets what Ada may do, beside the stories; the panel has a switch of its own. */
export const level = (page: Page, at: string) =>
	page.getByRole('radio', { name: levels[at] ?? at, exact: true }).check();

/** Opens a page and waits until it answers to presses. */
export async function visit(page: Page, path: string): Promise<void> {
	await page.goto(path);
	await page.locator('html[data-alive]').waitFor();
}

/** Opens the page of all reasons to wait, with its agent. */
export async function visitStates(page: Page): Promise<void> {
	await visit(page, '/states');
	await page.waitForFunction(() => window.agent !== undefined);
}

/** Brings about one of the states. */
export async function provoke(page: Page, which: string): Promise<void> {
	await visitStates(page);
	await page.locator(`[data-reason="${which}"]`).click();
}

/** Opens the demo with a story picked, as fast as it goes. */
export async function open(page: Page, story: string, at = 'review'): Promise<void> {
	await visit(page, '/');
	await page.waitForFunction(() => window.agent !== undefined);
	await page.locator(`input[type=radio][value=${story}]`).check();
	await level(page, at);
	await page.locator('[data-letter="live"]').waitFor();
	await page.getByLabel('Pace').selectOption('instant');
}

export const delegate = (page: Page) => page.getByRole('button', { name: 'Delegate to Ada' }).click();

/** Waits until the run is in a state. */
export async function until(page: Page, state: string): Promise<void> {
	await expect.poll(() => page.evaluate(() => window.agent.current?.state)).toBe(state);
}

export const outcome = (page: Page) => page.evaluate(() => window.agent.current?.outcome?.kind);

/** Tabs until the element has the focus, as somebody without a mouse does. */
export async function tabTo(page: Page, selector: string, most = 120): Promise<void> {
	for (let i = 0; i < most; i++) {
		if (await page.evaluate((wanted) => document.activeElement?.matches(wanted) ?? false, selector)) return;
		await page.keyboard.press('Tab');
	}
	throw new Error(`Tab never reached ${selector}`);
}

/**
 * Watches where the person is: focused element, caret and selection, looked at every frame and at every focusin. `moves`
 * lists every change since the last `rest`.
 */
export async function watchPerson(
	page: Page
): Promise<{ rest(): Promise<void>; moves(): Promise<string[]> }> {
	await page.evaluate(() => {
		const where = () => {
			const at = document.activeElement as HTMLInputElement | null;
			const selection = document.getSelection();
			let caret = '';
			try {
				caret = `${at?.selectionStart ?? ''}-${at?.selectionEnd ?? ''}`;
			} catch {
				// Not a text control.
			}
			return `${at?.tagName}#${at?.id} ${caret} ${selection?.anchorOffset}:${selection?.focusOffset}`;
		};
		const log: string[] = [];
		let last = where();
		const look = (why: string) => {
			const now = where();
			if (now !== last || why === 'focusin') log.push(`${why}: ${last} -> ${now}`);
			last = now;
		};
		document.addEventListener('focusin', () => look('focusin'), true);
		document.addEventListener('selectionchange', () => look('selection'), true);
		const frame = () => {
			look('frame');
			requestAnimationFrame(frame);
		};
		requestAnimationFrame(frame);
		Object.assign(window, {
			personMoves: log,
			personRests: () => {
				log.length = 0;
				last = where();
			}
		});
	});
	return {
		rest: () => page.evaluate(() => (window as unknown as { personRests(): void }).personRests()),
		moves: () => page.evaluate(() => [...(window as unknown as { personMoves: string[] }).personMoves])
	};
}
