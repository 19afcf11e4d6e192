import { describe, expect, it } from 'vitest';
import { toHTML } from '../../src/lib/canon/participants/document/markdown/index.js';
import { basic } from '../engine/document-markdown-schemas.js';

const agent = { run: 'r1', agent: 'Ada', version: '2', at: 5 };
const mark = basic.marks.agentText!.create(agent);
const doc = basic.node('doc', null, [
	basic.node('heading', { level: 2, agent, id: 'h' }, [basic.text('Hers', [mark])]),
	basic.node('paragraph', null, [
		basic.text('mine '),
		basic.text('hers', [mark, basic.marks.strong!.create()]),
		basic.text(' <b>.')
	])
]);

describe('S2-67 who wrote what, in the HTML that leaves the editor', () => {
	it('S2-67 nothing unless it is asked for', () => {
		expect(toHTML(doc)).toBe('<h2>Hers</h2><p>mine <strong>hers</strong> &lt;b&gt;.</p>');
		expect(toHTML(doc.child(1))).toBe('<p>mine <strong>hers</strong> &lt;b&gt;.</p>');
	});

	it('S2-67 as attributes, and as a sentence for whoever listens, told once', () => {
		const html = toHTML(doc, { document, provenance: true });
		expect(html).toContain(
			'<h2 aria-description="Written by Ada"><span data-agent-run="r1" data-agent-name="Ada">Hers</span></h2>'
		);
		expect(html).toContain(
			'<p>mine <strong><span data-agent-run="r1" data-agent-name="Ada" aria-description="Written by Ada">'
		);
	});

	it('S2-67 in the words of the app, or in none', () => {
		const german = toHTML(doc, {
			document,
			provenance: true,
			describe: ({ by }) => `Von ${by.map((one) => one.agent).join()} geschrieben`
		});
		expect(german.match(/Von Ada geschrieben/g)).toHaveLength(2);
		expect(toHTML(doc, { document, provenance: true, describe: () => '' })).not.toContain('aria-description');
	});
});
