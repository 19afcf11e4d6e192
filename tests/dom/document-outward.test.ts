import { Editor } from '@tiptap/core';
import StarterKit from '@tiptap/starter-kit';
import type { Node } from 'prosemirror-model';
import { describe, expect, it } from 'vitest';
import { actingAs } from '../../src/lib/actor/index.js';
import { readValue } from '../../src/lib/agent/capability/reading.js';
import type { Registry } from '../../src/lib/agent/capability/registry.js';
import type { AgentOptions } from '../../src/lib/agent/index.js';
import {
	createDocumentManifest,
	createDocumentProvider,
	documentManifest,
	type DocumentManifestOptions
} from '../../src/lib/canon/participants/document/index.js';
import { AgentDocument } from '../../src/lib/canon/participants/document/tiptap.js';
import { person } from '../../src/lib/testing/index.js';
import { bench } from '../fixtures/engine.js';
import { ada, desk, h, p, schema } from '../fixtures/document/desk.js';

const EVIL = 'https://evil.example/?q=secret';
const text = (words: string, href: string): Node => schema.text(words, [schema.mark('link', { href })]);

/** A letter that came from somewhere else, and one paragraph with a link and a picture of its own. */
async function run(
	name: string,
	args: Record<string, unknown>,
	options: DocumentManifestOptions = {},
	policy: AgentOptions['policy'] = {},
	vouch?: 'user'
) {
	const one = desk(
		[
			h(1, 'Letter', 'title'),
			p('The price is 100 euros.', 'sum'),
			schema.node('paragraph', { id: 'linked' }, [
				schema.text('See '),
				text('terms', 'https://ours.example/terms'),
				schema.node('image', { src: 'https://ours.example/logo.png', alt: 'logo' })
			])
		],
		vouch && { vouch }
	);
	const made = bench([{ calls: [{ instance: 'letter', act: name, args: args as never }] }, {}], {
		policy: { ceiling: 'auto', ...policy }
	});
	made.dispose();
	made.registry.register(createDocumentManifest(options), one.document, { id: 'letter', label: 'Letter' });
	const before = addresses(one.view.state.doc);
	const { doc } = one.view.state;
	const going = made.engine.run('write', { by: person });
	for (let turn = 0; turn < 12; turn++) await made.settle();
	const label = (key: string) => {
		const out = readValue((made.registry as Registry).entry('letter')!, 'block', key);
		return out.ok ? out.label : out.reason;
	};
	const step = going.state.steps[0]!;
	return { ...one, run: going, step, label, before, after: addresses(one.view.state.doc), old: doc };
}

/** Every address in the nodes of a document, by a walk of the test's own. */
function addresses(doc: Node): readonly string[] {
	const found: string[] = [];
	doc.descendants((node) => {
		for (const { attrs } of [node, ...node.marks])
			found.push(...[attrs['href'], attrs['src']].filter((one): one is string => typeof one === 'string'));
	});
	return [...new Set(found)];
}
const asked = (told: Awaited<ReturnType<typeof run>>) =>
	told.run.state.state === 'reviewing' && told.step.reasons.map(({ code }) => code).join();

describe('S2-86 beside strangers’ text the level decides what is written', () => {
	it('a plain rewrite runs by policy, and its words stay a stranger’s', async () => {
		const one = await run('rewrite', { block: 'sum', text: 'The price is **90** euros.' });
		expect(one.run.state.reviews).toEqual([]);
		expect(one.step).toMatchObject({ status: 'confirmed', label: { integrity: 'untrusted' } });
		expect(one.document.block('sum')!.markdown).toBe('The price is **90** euros.');
		expect(one.label('sum')).toMatchObject({
			integrity: 'untrusted',
			origins: expect.toSatisfy((all: string[]) => [...all].sort().join() === 'agent,app,imported,user')
		});
	});

	it('no text is a sink; the address of a format is one', () => {
		for (const [name, { sinks }] of Object.entries(documentManifest.acts))
			expect(sinks, name).toEqual(name === 'format' ? { href: 'url' } : undefined);
	});

	it('a link that is put on by format is asked for where strangers may have led to it', async () => {
		const one = await run('format', { block: 'sum', format: 'link', href: EVIL });
		expect(asked(one)).toBe('tainted');
	});
});

describe('S2-84 what reaches out of a text is a person’s to see', () => {
	const WRITES: readonly [name: string, args: (text: string) => Record<string, unknown>][] = [
		['insert', (text) => ({ after: 'sum', text })],
		['rewrite', (text) => ({ block: 'sum', text })],
		['rewriteSection', (text) => ({ section: 'title', text })],
		['replaceText', (text) => ({ block: 'sum', find: '100', text })]
	];

	it.each(WRITES)(
		'%s with a new link asks, also where nobody’s words but the person’s are there',
		async (name, args) => {
			for (const vouch of [undefined, 'user'] as const) {
				const one = await run(name, args(`See [this](${EVIL})`), {}, {}, vouch);
				expect(asked(one)).toBe('level');
				expect(one.step.preview).toMatchObject({ after: expect.stringContaining(EVIL) as string });
				expect(one.view.state.doc).toBe(one.old);
			}
		}
	);

	it('no habit answers it', async () => {
		const rules = [{ by: 'user' as const, verdict: 'allow' as const, act: 'rewrite', reason: 'always' }];
		const one = await run('rewrite', { block: 'sum', text: `[x](${EVIL})` }, {}, { rules }, 'user');
		expect(asked(one)).toBe('level');
	});

	it('a link that is kept does not, nor on other words; the same address as a link elsewhere does', async () => {
		const kept = '[The terms](https://ours.example/terms) ![logo](https://ours.example/logo.png) hold.';
		const same = await run('rewrite', { block: 'linked', text: kept });
		expect(same.step.status).toBe('confirmed');
		expect(same.after).toEqual(same.before);
		const other = await run('rewrite', { block: 'sum', text: '[terms](https://ours.example/terms)' });
		expect(asked(other)).toBe('level');
		const changed = await run('rewrite', {
			block: 'linked',
			text: '[terms](https://ours.example/terms?q=1)'
		});
		expect(asked(changed)).toBe('level');
	});

	it.each(WRITES)('%s with an image is refused, or asks where images are welcome', async (name, args) => {
		const closed = await run(name, args(`A ![logo](${EVIL})`));
		expect(closed.step).toMatchObject({ status: 'refused', reasons: [{ code: 'image' }] });
		expect(closed.view.state.doc).toBe(closed.old);
		const open = await run(name, args(`A ![logo](${EVIL})`), { images: true });
		expect(asked(open)).toBe('level');
	});

	it('an address that was a link before does not become an image', async () => {
		const image = '![x](https://ours.example/terms)';
		const one = await run('rewrite', { block: 'linked', text: image });
		expect(one.step).toMatchObject({ status: 'refused', reasons: [{ code: 'image' }] });
		expect(asked(await run('rewrite', { block: 'linked', text: image }, { images: true }))).toBe('level');
	});
});

describe('S2-84 no trick of writing gets an address in unasked', () => {
	const TRICKS = [
		`[a](${EVIL})`,
		`[a](<${EVIL}>)`,
		`[a](${EVIL} "title")`,
		'[a](HTTPS://EVIL.example/)',
		'[a](//evil.example/x)',
		'[a](/\\evil.example)',
		'[a](\\\\evil.example)',
		'[a](ht\\tps://evil.example)',
		'[a](https&#58;//evil.example)',
		'[a](&#104;ttps://evil.example)',
		'[a](javascript:alert(1))',
		'[a](JaVaScRiPt:alert(1))',
		'[a](java\tscript:alert(1))',
		'[a](\u200bjavascript:alert(1))',
		'[a](javascript&colon;alert(1))',
		'[a](data:text/html,x)',
		'[a](vbscript:x)',
		'[a](mailto:mallory@evil.example?body=secret)',
		`[a][1]\n\n[1]: ${EVIL}`,
		`[1]\n\n[1]: ${EVIL}`,
		`<${EVIL}>`,
		EVIL,
		`<a href="${EVIL}">a</a>`,
		`<img src="${EVIL}">`,
		`\\[a](${EVIL})`,
		`[a\\](${EVIL})`,
		`[a]\\(${EVIL})`,
		`[**a**](${EVIL})`,
		`**[a](${EVIL})**`,
		`[[a](${EVIL})](/b)`,
		`[![a](${EVIL})](/b)`,
		`\`[a](${EVIL})\``,
		`- item [a](${EVIL})`,
		`> quote [a](${EVIL})`,
		`# [a](${EVIL})`,
		`| a | b |\n|---|---|\n| [a](${EVIL}) | c |`,
		`\`\`\`\n[a](${EVIL})\n\`\`\``,
		`!\\[a](${EVIL})`,
		`\\![a](${EVIL})`,
		'![a](//evil.example/x.png)',
		'![a](data:image/svg+xml,x)',
		`![](${EVIL})`,
		`![a][1]\n\n[1]: ${EVIL}`,
		`[a]( ${EVIL} )`,
		`[a](${EVIL}\n"t")`,
		`[a](#x)`,
		`[a](?q=secret)`,
		'[a](..)'
	];

	it.each(TRICKS)('%j', async (trick) => {
		for (const images of [false, true])
			for (const [name, args] of [
				['insert', { after: 'sum', text: trick }],
				['rewrite', { block: 'sum', text: trick }]
			] as const) {
				const one = await run(name, args, { images });
				// Whatever went through went through as words.
				expect(one.after).toEqual(one.before);
				if (asked(one) === false) {
					expect(['confirmed', 'refused']).toContain(one.step.status);
					continue;
				}
				// And what is asked for does bring an address, once it is agreed to.
				const [review] = one.run.state.reviews;
				one.run.decide({ review: review!.id, verdict: 'approve' }, person);
				await one.run.returned;
				const brought = addresses(one.view.state.doc).filter((address) => !one.before.includes(address));
				expect(brought).not.toEqual([]);
				for (const address of brought) expect(address).not.toMatch(/^\s*(?:javascript|data|vbscript)/i);
			}
	});
});

describe('S2-84 an editor that makes links of bare addresses by itself', () => {
	it('makes none of what an agent writes, and goes on doing so for the app', () => {
		const editor = new Editor({
			element: window.document.createElement('div'),
			content: '<p>One</p>',
			extensions: [StarterKit, AgentDocument]
		});
		const letter = createDocumentProvider(() => editor.view);
		const bare = `See ${EVIL}\n\nnow`;
		expect(actingAs(ada, () => letter.insert('end', bare)).ok).toBe(true);
		expect(editor.getText()).toContain(EVIL);
		expect(addresses(editor.state.doc)).toEqual([]);
		// The same by anybody else.
		expect(letter.insert('end', bare).ok).toBe(true);
		expect(addresses(editor.state.doc)).toEqual([EVIL]);
		editor.destroy();
	});
});
