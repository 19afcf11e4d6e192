import { virtual } from '@guidepup/virtual-screen-reader';
import { render, screen, within } from '@testing-library/svelte';
import { flushSync } from 'svelte';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Phrase } from '../../src/lib/canon/surfaces/announcer/index.js';
import { late } from '../../src/lib/canon/surfaces/late/late.svelte.js';
import { PERSON } from '../../src/lib/uix/index.js';
import { add, talker } from '../fixtures/panel/agents.js';
import PanelHost from '../fixtures/panel/PanelHost.svelte';

// What an agent needs of the engine comes with its first run.
vi.setConfig({ testTimeout: 30_000 });

beforeAll(() => {
	// The virtual reader needs it, and jsdom has none.
	globalThis.CSS ??= {} as typeof CSS;
	CSS.escape ??= (text: string) => text.replace(/[^\w-]/g, (sign) => `\\${sign}`);
	return late.load();
});
afterEach(() => virtual.stop());

const seen = (check: () => void) =>
	vi.waitFor(
		() => {
			flushSync();
			check();
		},
		{ timeout: 10_000 }
	);
const articles = () => within(screen.getByRole('log')).getAllByRole('article');

/** A thousand tokens. */
const TOKENS = Array.from({ length: 1_000 }, (_, index) => `word-${index} `);

describe('the panel, as it is heard', () => {
	it('audit 23 says no token of a thousand: a start, an end, and little between', async () => {
		const agent = talker([{ say: TOKENS }]);
		const said: Phrase[] = [];
		render(PanelHost, { agent, announced: true, onannounce: (phrase: Phrase) => said.push(phrase) });
		await seen(() => expect(screen.getByRole('textbox')).toBeTruthy());
		await virtual.start({ container: document.body });
		await virtual.clearSpokenPhraseLog();
		await agent.run('Tell me much', { by: PERSON }).returned;
		await seen(() => expect(screen.getByRole('log').textContent).toContain('word-999'));
		await seen(() => expect(said.map(({ text }) => text).join()).toContain('returned control'));
		await new Promise((resolve) => setTimeout(resolve, 50));
		const heard = await virtual.spokenPhraseLog();
		expect(heard.join('\n')).not.toContain('word-');
		const live = heard.filter((phrase) => /polite|assertive/.test(phrase));
		expect(live.length).toBeGreaterThan(0);
		expect(live.length).toBeLessThanOrEqual(3);
		// Nothing is lost by that: it is there to be read.
		expect(articles()[1]?.textContent).toContain('word-500');
	});

	it('audit 23 is a log that is not live, so that nobody’s reader reads it by itself', async () => {
		const agent = talker([{ say: 'One.' }]);
		render(PanelHost, { agent });
		await agent.run('Say one', { by: PERSON }).returned;
		await seen(() => expect(screen.getByRole('log').getAttribute('aria-live')).toBe('off'));
		expect(
			screen.getByRole('log').querySelector('[aria-live]:not([aria-live=off]), [role=status], [role=alert]')
		).toBeNull();
		// What came of a press of the person’s own is said.
		expect(document.querySelector('[data-part=note]')?.getAttribute('role')).toBe('status');
	});

	it('audit 24 names each message by its author, who is told apart without colour', async () => {
		const agent = talker([{ say: 'I add.', calls: [add(1)] }, { say: 'Done.' }]);
		render(PanelHost, { agent });
		await agent.run('Add one', { by: PERSON }).returned;
		await seen(() => expect(articles()).toHaveLength(3));
		expect(articles().map((one) => one.getAttribute('aria-label'))).toEqual([
			expect.stringMatching(/^You, \d/),
			expect.stringMatching(/^Ada, \d/),
			expect.stringMatching(/^Ada, \d/)
		]);
		// By name, by letter and by shape of the mark.
		const marks = articles().map((one) => one.querySelector<HTMLElement>('[data-part=mark]')!);
		expect(marks.map(({ textContent, dataset }) => `${dataset.kind} ${textContent}`)).toEqual([
			'person Y',
			'agent A',
			'agent A'
		]);
		await virtual.start({ container: screen.getByRole('log') });
		for (let steps = 0; steps < 60 && !(await virtual.lastSpokenPhrase()).startsWith('end of log'); steps++)
			await virtual.next();
		const heard = await virtual.spokenPhraseLog();
		const at = (phrase: RegExp) => heard.findIndex((one) => phrase.test(one));
		expect(at(/^article, You/)).toBeGreaterThan(-1);
		expect(at(/^article, Ada/)).toBeGreaterThan(at(/^article, You/));
		expect(at(/^group, Add in Provider: done/)).toBeGreaterThan(at(/^article, Ada/));
	});

	it('audit 27 shows nothing on hover alone: what a source is stands there', async () => {
		const agent = talker([
			{ control: [{ name: 'pull', args: { instance: 'provider', read: 'count' } }], calls: [add(1)] },
			{ say: 'Done.' }
		]);
		render(PanelHost, { agent });
		await agent.run(
			{ text: 'Read it', attachments: [{ name: 'letter.txt', text: 'Dear bank' }] },
			{ by: PERSON }
		).returned;
		await seen(() => expect(screen.getByText('letter.txt')).toBeTruthy());
		expect(screen.getByText(/9 characters, not trusted/)).toBeTruthy();
		expect(
			document.querySelectorAll('[data-surface=copilot-panel] :is([title], [popover], [role=tooltip])')
		).toHaveLength(0);
	});

	it('audit 28 gives a message its language where the app knows it, and no language where nobody does', async () => {
		const agent = talker([{ say: 'Hecho.' }]);
		render(PanelHost, { agent, langOf: ({ by }: { by: string }) => (by === 'agent' ? 'es' : undefined) });
		await agent.run('Do it', { by: PERSON }).returned;
		await seen(() => expect(articles()).toHaveLength(2));
		const languages = articles().map((one) => one.querySelector('[data-part=words]')?.getAttribute('lang'));
		expect(languages).toEqual(['', 'es']);
		// What has nothing attached has no list of what is attached either.
		expect(document.querySelectorAll('article [data-part=files]')).toHaveLength(0);
		// The words of the house are the house's.
		expect(document.querySelector('[data-surface=copilot-panel]')?.getAttribute('lang')).toBe('en');
	});

	it('audit 30 takes nothing out of five hundred runs, so there are no positions to be told', async () => {
		const agent = talker();
		for (let n = 0; n < 500; n += 1) await agent.run(`Goal ${n}`, { by: PERSON, thread: 'long' }).returned;
		render(PanelHost, { agent, thread: 'long' });
		await seen(() => expect(articles()).toHaveLength(1_000));
		const list = document.querySelector('[data-part=runs]')!;
		expect(list.tagName).toBe('OL');
		expect(list.children).toHaveLength(500);
		// A whole list counts itself; a part of one would have to be counted for it.
		expect(list.querySelector('[aria-setsize], [aria-posinset]')).toBeNull();
	}, 60_000);
});
