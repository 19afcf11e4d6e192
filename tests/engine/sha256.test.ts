import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sha256 } from '../../src/lib/agent/protocol/sha256.js';

const lone = fc.array(fc.integer({ min: 0xd700, max: 0xe0ff })).map((units) => String.fromCharCode(...units));
const reference = (text: string) => createHash('sha256').update(new TextEncoder().encode(text)).digest('hex');

describe('sha256', () => {
	it('knows the published examples', () => {
		expect(sha256('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
		expect(sha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
		expect(sha256('abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq')).toBe(
			'248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1'
		);
	});

	it('equals the platform for any text, lone surrogates included', () => {
		fc.assert(
			fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.string(), lone), (text) => {
				expect(sha256(text)).toBe(reference(text));
			})
		);
	});

	it('equals the platform at every length around the block borders', () => {
		for (let length = 0; length <= 200; length++) {
			const text = 'x'.repeat(length);
			expect(sha256(text)).toBe(reference(text));
		}
	});

	it('equals the platform for long texts of two, three and four byte signs', () => {
		for (const sign of ['a', 'é', '漢', '😀', '\ud800']) {
			const text = sign.repeat(50_000);
			expect(sha256(text)).toBe(reference(text));
		}
	});

	it('counts a lone surrogate as U+FFFD', () => {
		expect(sha256('a\ud800b')).toBe(sha256('a\ufffdb'));
	});
});
