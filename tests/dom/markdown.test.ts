import { render } from '@testing-library/svelte';
import { describe, expect, it, vi } from 'vitest';
import { actingAs } from '../../src/lib/actor/index.js';
import { addressOf, isAllowed } from '../../src/lib/canon/surfaces/markdown/address.js';
import { Markdown, type MarkdownProps } from '../../src/lib/canon/surfaces/markdown/index.js';
import { es } from '../../src/lib/langs/index.js';
import { PERSON } from '../../src/lib/uix/index.js';

const drawn = (text: string, props: Partial<MarkdownProps> = {}) => {
	const { container, rerender } = render(Markdown, { text, ...props });
	const root = container.querySelector<HTMLElement>('[data-surface=markdown]')!;
	return { root, rerender };
};
const all = (root: Element, selector: string) => [...root.querySelectorAll<HTMLElement>(selector)];

describe('what an agent wrote in Markdown', () => {
	it('is prose: headings below those of the page, lists, quotes, tables, code', () => {
		const { root } = drawn(
			'# One\n\n###### Six\n\n3. a\n4. b\n\n> said\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n\n```ts\nlet a\n```\n\n**b** *i* ~~s~~ `c`'
		);
		expect(all(root, 'h3, h6').map(({ textContent }) => textContent)).toEqual(['One', 'Six']);
		expect(root.querySelector('ol')!.getAttribute('start')).toBe('3');
		expect(root.querySelector('blockquote')!.textContent).toContain('said');
		expect(all(root, 'th[scope=col]')).toHaveLength(2);
		expect(root.querySelector('td[data-align=end]')!.textContent).toBe('2');
		expect(root.querySelector('pre code')!.textContent).toBe('let a');
		expect(root.querySelector('[data-part=language]')!.textContent).toBe('ts');
		expect(all(root, 'strong, em, s, p code').map(({ textContent }) => textContent)).toEqual([
			'b',
			'i',
			's',
			'c'
		]);
		expect(drawn('# One', { level: 2 }).root.querySelector('h2')).not.toBeNull();
	});

	it('S2-79 a text that goes on draws no link of it again', async () => {
		const text = 'See [a letter](https://example.com/a) and [b](https://example.org/b).\n\nAnd then';
		const { root, rerender } = drawn(text, { links: ['https://example.com'], streaming: true });
		const seen: MutationRecord[] = [];
		const observer = new MutationObserver((records) => seen.push(...records));
		observer.observe(root, { attributes: true, subtree: true, childList: true, characterData: true });
		await rerender({ text: `${text} more` });
		seen.push(...observer.takeRecords());
		expect(root.textContent).toContain('And then more');
		const last = root.lastElementChild!;
		expect(seen.length).toBeGreaterThan(0);
		expect(seen.filter(({ target }) => !last.contains(target))).toEqual([]);
		// What the text may do is another matter: then each is looked at.
		await rerender({ tainted: true });
		expect(all(root, 'a')).toEqual([]);
	});

	it('says task lists in words', () => {
		const { root } = drawn('- [x] paid\n- [ ] sent', { lang: es });
		expect(all(root, 'li').map((item) => item.textContent?.replace(/\s+/g, ' ').trim())).toEqual([
			'Hecho: paid',
			'Pendiente: sent'
		]);
		expect(root.querySelector('input')).toBeNull();
	});

	it('tells the state, the language and the direction', () => {
		const { root } = drawn('שלום', { streaming: true, textLang: 'he' });
		expect([root.dataset.state, root.lang]).toEqual(['streaming', 'he']);
		expect(root.querySelector('p')!.dir).toBe('auto');
		expect(drawn('a').root.dataset.state).toBe('whole');
	});

	it.each([
		'<img src=x onerror=alert(1)>',
		'<script>alert(1)</script>',
		'<iframe srcdoc="<script>alert(1)</script>"></iframe>',
		'a <b onclick="alert(1)">b</b>',
		'<style>*{display:none}</style>',
		'<form action=https://evil.example><button>Approve</button></form>',
		'<!-- <img src=x> -->',
		'<svg><animate onbegin=alert(1)>'
	])('shows %s as the text it is', (html) => {
		const { root } = drawn(`${html}\n`);
		expect(root.textContent).toContain(html.slice(0, 20));
		expect(all(root, 'img, script, iframe, b, style, form, svg, button')).toEqual([]);
	});

	it('keeps what is drawn while more arrives', async () => {
		const { root, rerender } = drawn('First **one**.\n\nSecond', { streaming: true });
		const first = root.querySelector('p')!;
		await rerender({ text: 'First **one**.\n\nSecond is *here*.\n\n- and\n- more\n\nEnd' });
		expect(root.querySelector('p')).toBe(first);
		expect(all(root, 'li')).toHaveLength(2);
		expect(root.querySelector('em')!.textContent).toBe('here');
	});

	it('turns what nests without end into text, and stays up', () => {
		const { root } = drawn(`${'> '.repeat(200)}deep`);
		expect(root.textContent).toContain('deep');
		expect(all(root, 'blockquote').length).toBeLessThan(20);
	});
});

describe('a link', () => {
	const links = ['https://docs.example.com/help', 'https://example.org', 'mailto:help@example.com'];

	it('leads where the app allows it, and says where', () => {
		const { root } = drawn('[the help](https://docs.example.com/help/start?q=1)', { links });
		const link = root.querySelector('a')!;
		expect(link.href).toBe('https://docs.example.com/help/start?q=1');
		expect(link.rel).toBe('noopener noreferrer nofollow');
		expect(link.textContent).toBe('the help docs.example.com, opens in a new tab');
	});

	it('is checked by what its reference is defined as, also where that comes later', async () => {
		const { root, rerender } = drawn('See [it] and [that].\n\nMore\n', { links });
		expect(root.querySelector('a')).toBeNull();
		await rerender({
			text: 'See [it] and [that].\n\nMore\n\n[it]: https://example.org/a\n[that]: https://evil.example/b\n'
		});
		expect(all(root, 'a').map((link) => link.getAttribute('href'))).toEqual(['https://example.org/a']);
		expect(root.textContent).toContain('that evil.example');
	});

	it.each([
		'https://evil.example/',
		'http://example.org/',
		'https://example.org.evil.example/',
		'https://example.org@evil.example/',
		'https://evil.example/https://example.org/',
		'https://evil.example#https://example.org/',
		'https://evil.example\\@example.org/',
		'https://sub.example.org/',
		'https://example.org:8443/',
		'https://docs.example.com/helpless',
		'https://docs.example.com/help/../admin',
		'https://docs.example.com/help/%2e%2e/admin',
		'https://docs.example.com/help/%2E./admin',
		'https://docs.example.com/help%2f..%2fadmin',
		'https://docs.example.com/help/..%5cadmin',
		'https://docs.example.com/help/%252e%252e/admin',
		'https://docs.example.com/help/..;/admin',
		'https://docs.example.com//help',
		'https://docs.example.com/Help',
		'//example.org/',
		'/help',
		'javascript:alert(1)',
		'JaVaScRiPt:alert(1)',
		'java\nscript:alert(1)',
		'\u0001javascript:alert(1)',
		'javascript://example.org/%0aalert(1)',
		'data:text/html,<script>alert(1)</script>',
		'vbscript:x',
		'blob:https://example.org/x',
		'file:///etc/passwd',
		'mailto:other@example.com',
		'mailto:help@example.com,other@evil.example',
		'mailto:help@example.com%2Cother@evil.example',
		'https://exаmple.org/'
	])('to %s is not allowed', (address) => {
		expect(isAllowed(address, links)).toBe(false);
	});

	it.each([
		'https://example.org',
		'https://EXAMPLE.org/a/b?c#d',
		'https://example.org:443/',
		'https://docs.example.com/help',
		'https://docs.example.com/help/a%20b',
		'mailto:help@example.com?subject=Hi',
		'mailto:HELP@example.com'
	])('to %s is allowed', (address) => {
		expect(isAllowed(address, links)).toBe(true);
	});

	it.each([
		'[safe](javascript:alert(1))',
		'[safe](javascript&colon;alert(1))',
		'[safe](&#106;avascript:alert(1))',
		'[safe][r]\n\n[r]: javascript:alert(1)',
		'<javascript:alert(1)>',
		'[safe](<java\tscript:alert(1)>)',
		'[safe](data:text/html;base64,PHNjcmlwdD4=)',
		'[https://example.org](https://evil.example)',
		'[![x](https://example.org/a.png)](https://evil.example)',
		'www.evil.example',
		'[\u202egro.elpmaxe//:sptth](https://evil.example)'
	])('%j is no link at all', (text) => {
		const { root } = drawn(text, { links });
		expect(all(root, '[href], [onclick]')).toEqual([]);
	});

	it('says its host as it is spelled for machines, isolated from what stands beside it', () => {
		const { root } = drawn('[\u202eevil](https://exаmple.org/)');
		const host = root.querySelector('[data-part=host]')!;
		expect([host.tagName, host.textContent]).toEqual(['BDI', 'xn--exmple-4nf.org']);
		expect(root.querySelector('bdi')!.textContent).toContain('\u202e');
		expect(root.querySelector('p')!.firstElementChild!.tagName).toBe('BDI');
	});

	it('is mere text with its host while the text is tainted', async () => {
		const { root, rerender } = drawn(
			'[it](https://example.org/a) ![p](https://example.org/p)\n\n```\nx\n```',
			{
				links,
				tainted: true
			}
		);
		expect(root.dataset.state).toBe('inert');
		expect(all(root, 'a, button, img')).toEqual([]);
		expect(all(root, '[data-part=host]').map(({ textContent }) => textContent)).toEqual([
			'example.org',
			'example.org'
		]);
		await rerender({ tainted: false });
		expect(all(root, 'a, button').length).toBe(3);
	});

	it('reads no address where there is none', () => {
		expect(addressOf('https://user:pw@example.org')).toBeUndefined();
		expect(addressOf('mailto:a%40b.c')).toEqual({ href: 'mailto:a%40b.c', host: 'a@b.c' });
	});
});

describe('a picture', () => {
	const text = '![A cat](https://pics.example/cat.png?d=secret)';

	it('is loaded by a person alone', async () => {
		const { root } = drawn(text);
		expect(root.querySelector('img')).toBeNull();
		expect(root.textContent).toContain('A picture: A cat pics.example');
		const load = root.querySelector<HTMLElement>('[data-action=load]')!;
		load.click();
		await vi.waitFor(() => expect(root.textContent).toContain('when a person presses'));
		expect(root.querySelector('img')).toBeNull();
		actingAs(PERSON, () => load.click());
		await vi.waitFor(() => expect(root.querySelector('img')).not.toBeNull());
		const image = root.querySelector('img')!;
		expect([image.alt, image.getAttribute('referrerpolicy')]).toEqual(['A cat', 'no-referrer']);
		image.dispatchEvent(new Event('error'));
		await vi.waitFor(() => expect(root.textContent).toContain('Nothing could be loaded from pics.example'));
	});

	it('that was asked for is not the next one that takes its place', async () => {
		const { root, rerender } = drawn('![a](https://pics.example/a)');
		actingAs(PERSON, () => root.querySelector<HTMLElement>('[data-action=load]')!.click());
		await vi.waitFor(() => expect(root.querySelector('img')).not.toBeNull());
		await rerender({ text: '![a](https://evil.example/a?d=secret)' });
		expect(root.querySelector('img')).toBeNull();
	});

	it('is offered where the app allows it, and nowhere else', () => {
		expect(drawn(text, { images: ['https://pics.example'] }).root.querySelector('button')).not.toBeNull();
		expect(drawn(text, { images: ['https://other.example'] }).root.querySelector('button')).toBeNull();
		expect(drawn(text, { images: 'never' }).root.querySelector('button')).toBeNull();
		expect(drawn('![x](data:image/svg+xml,<svg/>)').root.querySelector('button')).toBeNull();
	});
});

describe('code', () => {
	it('is copied as it is read, without signs that nobody sees', async () => {
		const writeText = vi.fn(() => Promise.resolve());
		vi.stubGlobal('navigator', Object.create(navigator, { clipboard: { value: { writeText } } }));
		const { root } = drawn('```js\nif (a) /* \u202e } */ b\n```');
		expect(root.querySelector('[data-part=control]')!.textContent).toBe('U+202E');
		expect(root.querySelector('pre')!.textContent).not.toContain('\u202e');
		root.querySelector<HTMLElement>('[data-action=copy]')!.click();
		await vi.waitFor(() => expect(root.textContent).toContain('Copied.'));
		expect(writeText).toHaveBeenCalledWith('if (a) /*  } */ b');
		vi.unstubAllGlobals();
	});

	it('says when the browser does not let it be copied', async () => {
		const writeText = () => Promise.reject(new Error('no'));
		vi.stubGlobal('navigator', Object.create(navigator, { clipboard: { value: { writeText } } }));
		const { root } = drawn('```\nx\n```');
		root.querySelector<HTMLElement>('[data-action=copy]')!.click();
		await vi.waitFor(() => expect(root.textContent).toContain('did not allow copying'));
		vi.unstubAllGlobals();
	});
});
