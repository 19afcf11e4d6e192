import { marked } from 'marked';
import { DOMParser, type Node } from 'prosemirror-model';
import { describe, expect, it } from 'vitest';
import { parseMarkdown } from '../../src/lib/canon/participants/document/markdown/index.js';
import { starter } from '../engine/document-markdown-schemas.js';

/** What the editor would make of the page that the field's parser makes of it. */
function asTheFieldReadsIt(text: string): Node {
	const host = document.createElement('div');
	host.innerHTML = marked.parse(text, { async: false });
	// The last line of code ends with a newline there, and nobody's editor shows it.
	for (const code of host.querySelectorAll('pre code'))
		code.textContent = code.textContent.replace(/\n$/, '');
	return DOMParser.fromSchema(starter).parse(host);
}

/** Without what the editor adds to a link of its own, and what the page says of a column in a style. */
const told = (doc: Node): unknown =>
	JSON.parse(
		JSON.stringify(doc, (key, value: unknown) =>
			['target', 'rel', 'class', 'align'].includes(key) ? undefined : value
		)
	);

const TEXTS = [
	'# Title\n\nA paragraph with **bold**, *italic*, ***both***, `code` and ~~gone~~.\n\nAnother one.',
	'## Heading with *em* and `code` ##\ntext right below',
	'- one\n- two\n- three',
	'* one\n* two\n\n  more of two\n* three',
	'1. one\n2. two\n   - deep\n   - deeper\n3. three',
	'3. three\n4. four',
	'- one\n  - two\n    - three\n      - four\n- back',
	'- item\n\n  ```js\n  code();\n  ```\n- next',
	'Text\n- list right after\n- again\n\nend',
	'> quote **bold**\n> second line\n>\n> new paragraph\n\nafter',
	'> - list in quote\n> - again\n> > nested',
	'```python\ndef a():\n    return "*x*"\n\n\n# end\n```',
	'~~~\n```\n~~~',
	'one\n\n---\n\ntwo\n\n***\n\n___',
	'a [link](https://example.org/a_(b)?c=d&e=f "A title") and [another](/rel).',
	'a [**bold** link](https://a.b) and *[em](https://a.b)*',
	'line one  \nline two\\\nline three\nsame line',
	'snake_case_word and 2 * 3 * 4 and a*b*c and __bold__ and _em_',
	'Escapes: \\*no\\* \\_no\\_ \\# \\[a\\](b) \\`c\\` 1\\. \\- \\\\',
	'AT&amp;T &lt;b&gt; &quot;q&quot; &#169; &nope;',
	'**bold with *nested em* inside** and *em with **nested** bold*',
	'unclosed **bold and *em and `code and [link](x',
	'**bold**text and text**bold** and "**quoted**"',
	'`` a `tick` b `` and ` spaced ` and ```` ``` ````',
	'| a | b |\n| --- | :-: |\n| *1* | `2` |\n| 3 \\| 4 | |',
	'* * *\n\n- - -',
	'1) one\n2) two',
	"Hello world! This is fine, isn't it? 5 < 6 > 4; a | b.",
	'# \n\n#hashtag\n\n#5 is no heading'
];

describe('S2-66 the subset is read as the field reads it', () => {
	it.each(TEXTS)('S2-66 %j', (text) => {
		const result = parseMarkdown(text, starter);
		if (!result.ok) throw new Error(result.text);
		const doc = starter.node('doc', null, result.nodes);
		expect(told(doc)).toEqual(told(asTheFieldReadsIt(text)));
	});
});
