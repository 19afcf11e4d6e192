import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Blotter, redact, secretsOf } from '../../src/lib/relay/secrets.js';

const encoder = new TextEncoder();

/** A text through the blotter, in pieces of these lengths. */
function blotted(text: string, secrets: readonly string[], cuts: readonly number[]): string {
	const bytes = encoder.encode(text);
	const blotter = new Blotter(secrets);
	const out: Uint8Array[] = [];
	let at = 0;
	for (const cut of cuts) out.push(blotter.push(bytes.subarray(at, (at += cut))).slice());
	out.push(blotter.push(bytes.subarray(at)).slice(), blotter.end());
	return new TextDecoder().decode(Buffer.concat(out));
}

/** What should come out: every place that belongs to any occurrence of a secret is a star. */
function expected(text: string, secrets: readonly string[]): string {
	const out = [...text];
	for (const secret of secrets)
		for (let at = text.indexOf(secret); at >= 0; at = text.indexOf(secret, at + 1))
			out.fill('*', at, at + secret.length);
	return out.join('');
}

describe('a key that a provider repeats does not come out', () => {
	const KEY = 'sk-0123456789abcdef';

	test('wherever the stream is cut', () => {
		const text = `data: {"error":"Incorrect key ${KEY}"}\n\nÜ ${KEY}${KEY} sk-01234567 ${KEY.slice(0, -1)}`;
		const whole = blotted(text, [KEY], []);
		expect(whole).not.toContain(KEY);
		expect(whole).toContain('Ü ');
		expect(whole.endsWith(KEY.slice(0, -1))).toBe(true);
		expect(encoder.encode(whole)).toHaveLength(encoder.encode(text).length);
		for (let cut = 0; cut < text.length; cut++) expect(blotted(text, [KEY], [cut])).toBe(whole);
		expect(
			blotted(
				text,
				[KEY],
				Array.from(text, () => 1)
			)
		).toBe(whole);
	});

	test('whatever overlaps, the same comes out of every cut', () => {
		const secrets = ['abcabd', 'abdab', 'bbbb', 'dcba'];
		fc.assert(
			fc.property(
				fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'abc', ...secrets), { maxLength: 20 }),
				fc.array(fc.nat({ max: 6 }), { maxLength: 20 }),
				(words, cuts) => {
					const text = words.join('');
					expect(blotted(text, secrets, cuts)).toBe(expected(text, secrets));
				}
			)
		);
	});

	test('what is no beginning of one goes on at once', () => {
		const blotter = new Blotter([KEY]);
		expect(new TextDecoder().decode(blotter.push(encoder.encode('data: {}\n\n')))).toBe('data: {}\n\n');
		expect(new TextDecoder().decode(blotter.push(encoder.encode('as')))).toBe('a');
	});
});

describe('what counts as a secret', () => {
	test('what lets somebody in, with its scheme and without', () => {
		const headers = new Headers({
			authorization: 'Bearer sk-0123456789abcdef',
			'x-api-key': 'another-0123456789',
			'anthropic-version': '2023-06-01',
			'content-type': 'application/json'
		});
		expect(secretsOf(headers, new URL('https://api.example/v1?key=in-the-address-1'))).toEqual([
			'Bearer sk-0123456789abcdef',
			'sk-0123456789abcdef',
			'another-0123456789',
			'in-the-address-1'
		]);
	});

	test('a word that stands for a key where none is needed is none', () => {
		const headers = new Headers({ authorization: 'Bearer ollama' });
		expect(secretsOf(headers, new URL('http://localhost:11434')).some((one) => one === 'ollama')).toBe(false);
	});
});

describe('the words of a provider', () => {
	const clean = (text: string) => redact(text, ['my-own-secret-key'], 'models.example:8443');

	test.each([
		'connect ECONNREFUSED 10.1.2.3:8080',
		'connect to http://gateway.prod.internal:9000/v1?x=1 failed',
		'no route to vllm-7.svc',
		'upstream models.example:8443 is down',
		'at [fe80::1ff:fe23:4567:890a]:80',
		'Incorrect API key provided: sk-proj-****abcd.',
		'sent Bearer abc.def',
		'key my-own-secret-key is bad',
		'Rate limit reached in organization org-a1b2c3d4',
		'File "/srv/app/llm/server.py", line 3',
		'AIzaSyA1234567890abcdef is not valid'
	])('%s', (text) => {
		const out = clean(text);
		expect(out).toContain('…');
		for (const bad of [
			/10\.1\.2\.3/,
			/internal|svc|9000/,
			/models\.example/,
			/fe80/,
			/sk-proj|abcd/,
			/abc\.def/,
			/secret-key/,
			/a1b2c3d4/,
			/srv|server\.py/,
			/AIza/
		])
			expect(out).not.toMatch(bad);
	});

	test('what helps is left', () => {
		const said = 'The model `gpt-5.1-mini` does not exist (context of 128,000 tokens, text/event-stream).';
		expect(clean(said)).toBe(said);
	});

	test('one line, and short', () => {
		const out = clean(`one\r\ntwo\u0007 ${'x'.repeat(5000)}`);
		expect(out).toMatch(/^one two x+…$/);
		expect(out.length).toBeLessThan(310);
	});
});
