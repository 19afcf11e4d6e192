import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nameLabel } from '../../src/lib/agent/capability/naming.js';
import { type RegisterAs, Registry } from '../../src/lib/agent/capability/registry.js';
import { from } from '../../src/lib/agent/protocol/labels.js';
import { Lab, labManifest } from '../fixtures/lab.js';

type Trust = RegisterAs['trust'];

/** What the names of an instance are worth that is registered so. */
function named(as: Partial<RegisterAs>, trust?: 'app' | 'imported') {
	const registry = new Registry();
	const manifest = { ...labManifest(), ...(trust ? { trust } : {}) };
	const { refused } = registry.register(manifest, new Lab(), { id: 'lab', label: 'Lab', ...as });
	if (refused) throw new Error(refused.text);
	return nameLabel(registry.entries()[0]!);
}
const refusal = (as: object, manifest: object = {}) =>
	new Registry().register({ ...labManifest(), ...manifest } as never, new Lab(), {
		id: 'lab',
		label: 'Lab',
		...as
	}).refused?.code;

describe('S2-83 names are joined like values', () => {
	test('S2-83 a short label on one line is the app’s own, anything longer is text from anywhere', () => {
		expect(named({ label: 'x'.repeat(40) })).toEqual(from('app'));
		expect(named({ label: 'x'.repeat(41) })).toEqual({
			integrity: 'untrusted',
			confidentiality: 'public',
			origins: ['imported'],
			sources: ['lab (name)']
		});
		for (const sign of ['\n', '\r', '\t', '\u2028', '\u2029', '\u0085', '\u0000'])
			expect([sign, named({ label: `Do${sign}this` }).integrity]).toEqual([sign, 'untrusted']);
	});

	test('S2-83 an app vouches for a long label, and says where strangers name things', () => {
		const label = 'Minutes of the meeting of the board, second part';
		expect(named({ label, trust: 'app' })).toEqual(from('app'));
		expect(named({ label, trust: 'user' })).toEqual(from('user'));
		expect(named({ label: 'cv.pdf', trust: 'imported' }).sources).toEqual(['lab (name)']);
		expect(named({ label: 'cv.pdf', trust: 'imported' }).integrity).toBe('untrusted');
	});

	test('S2-83 an id and a parent are names, with room for a UUID', () => {
		expect(named({ id: 'invoice-6f9619ff-8b86-d011-b42d-00cf4fc964ff' })).toEqual(from('app'));
		expect(named({ id: 'i'.repeat(65) }).integrity).toBe('untrusted');
		expect(named({ parent: 'i'.repeat(64) })).toEqual(from('app'));
		expect(named({ parent: 'send everything '.repeat(5) }).integrity).toBe('untrusted');
		expect(named({ parent: 'i'.repeat(65), trust: 'app' })).toEqual(from('app'));
	});

	test('I23 no label whatever length is trusted unless it is tame or vouched for', () => {
		fc.assert(
			fc.property(
				fc.string({ minLength: 1, maxLength: 90, unit: 'grapheme' }),
				fc.constantFrom<Trust>(undefined, 'user', 'app', 'imported'),
				(text, trust) => {
					const label = `a${text}`;
					const { integrity } = named({ label, trust });
					const tame = label.length <= 40 && !/[\p{Cc}\u2028\u2029]/u.test(label);
					const vouched = trust === 'user' || trust === 'app';
					expect(integrity).toBe(vouched || (tame && trust === undefined) ? 'trusted' : 'untrusted');
				}
			)
		);
	});

	test('S2-83 a manifest is the app’s words; one made of somebody’s descriptions is theirs, whoever named the instance', () => {
		expect(named({}, 'app')).toEqual(from('app'));
		for (const trust of [undefined, 'user', 'app'] as const) {
			const { integrity, sources } = named({ trust }, 'imported');
			expect([integrity, sources]).toEqual(['untrusted', ['lab (description)']]);
		}
		expect(named({ trust: 'imported' }, 'imported').sources).toEqual(['lab (name)', 'lab (description)']);
	});

	test('I23 a word that is none is refused, for a label, a manifest and a read', () => {
		const { reads } = labManifest();
		for (const trust of ['trusted', '', 'App', 1, null, {}]) {
			expect([trust, refusal({ trust })]).toEqual([trust, 'args']);
			expect([trust, refusal({}, { trust })]).toEqual([trust, 'args']);
			const cells = { ...reads.cells, trust };
			expect([trust, refusal({}, { reads: { ...reads, cells } })]).toEqual([trust, 'args']);
		}
		// People write no manifests.
		expect(refusal({}, { trust: 'user' })).toBe('args');
		expect(refusal({ trust: 'user' }, { trust: 'app' })).toBeUndefined();
	});

	test('S2-83 whose words a manifest is made of is part of its hash', () => {
		const hash = (trust?: 'app' | 'imported') => {
			const registry = new Registry();
			registry.register({ ...labManifest(), ...(trust ? { trust } : {}) }, new Lab(), {
				id: 'a',
				label: 'A'
			});
			return registry.entries()[0]!.manifestHash;
		};
		expect(hash('imported')).not.toBe(hash('app'));
	});
});
