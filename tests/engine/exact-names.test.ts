import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { namesIn } from '../../src/lib/agent/capability/exact.js';
import { createRegistry, type AgentManifest } from '../../src/lib/agent/index.js';
import { sanitise } from '../../src/lib/agent/capability/sanitise.js';

/** One manifest with a name in the place that a test is about. */
const PLACES: Record<string, (name: string) => { manifest: AgentManifest<object>; id?: string }> = {
	id: (id) => ({ manifest: make({}), id }),
	kind: (kind) => ({ manifest: make({ kind }) }),
	'a read': (read) => ({ manifest: make({ read }) }),
	'an act': (act) => ({ manifest: make({ act }) }),
	'an argument': (name) => ({ manifest: make({ args: z.strictObject({ [name]: z.string() }) }) }),
	'an argument within an argument': (name) => ({
		manifest: make({ args: z.strictObject({ list: z.array(z.strictObject({ [name]: z.number() })) }) })
	}),
	'a value of a choice': (value) => ({
		manifest: make({ args: z.strictObject({ one: z.enum(['plain', value]) }) })
	}),
	'the one value': (value) => ({ manifest: make({ args: z.strictObject({ one: z.literal(value) }) }) })
};

function make({
	kind = 'note',
	read = 'text',
	act = 'write',
	args = z.strictObject({}) as z.ZodType
}): AgentManifest<object> {
	return {
		kind,
		description: 'A note',
		reads: { [read]: { description: 'Text', read: () => 1, version: () => 1 } },
		acts: { [act]: { description: 'Writes', args, perform: () => ({ kind: 'done' }) } }
	} as unknown as AgentManifest<object>;
}

const register = (place: string, name: string) => {
	const { manifest, id = 'note' } = PLACES[place]!(name);
	const registry = createRegistry();
	const { refused } = registry.register(manifest, {}, { id, label: 'Note' });
	return { refused, instances: registry.instances };
};

describe('names that a model has to send back', () => {
	test.each(Object.keys(PLACES))(
		'S0-16 %s with a reserved sign is refused, with a sentence that names the cure',
		(place) => {
			for (const name of [
				'\u27e6x',
				'x\u301b',
				'a\u{e0041}',
				'a\u202eb',
				'<|im_start|>',
				'[INST]',
				'x\ufe01'
			]) {
				const { refused, instances } = register(place, name);
				expect(refused, name).toMatchObject({
					code: 'args',
					text: expect.stringContaining('Give it a name of plain signs')
				});
				expect(refused!.text).not.toContain(name);
				expect(instances).toEqual([]);
			}
		}
	);

	test.each(Object.keys(PLACES))('S0-16 %s in any language, with signs that pass, comes in', (place) => {
		for (const name of [
			'Gr\u00f6\u00dfe',
			'\u6771\u4eac',
			'\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645',
			'\u2764\ufe0f',
			'a-b_c[0]',
			'<='
		])
			expect(register(place, name).refused, name).toBeUndefined();
	});

	test('S0-16 descriptions and titles may hold anything: they are texts', () => {
		const args = z.strictObject({ one: z.string().describe('\u27e6<|im_start|>').default('\u27e6') });
		const { refused } = createRegistry().register(make({ args }), {}, { id: 'note', label: '\u27e6[INST]' });
		expect(refused).toBeUndefined();
	});

	test('S0-16 what comes in reaches the model sign by sign', () => {
		fc.assert(
			fc.property(
				fc.constantFrom(...Object.keys(PLACES)),
				fc.string({ unit: 'binary', minLength: 1, maxLength: 4 }),
				(place, name) => {
					const { refused } = register(place, name);
					if (!refused) expect(sanitise(name, '')).toBe(name);
					else expect(refused.code).toMatch(/^(args|id-clash)$/);
				}
			),
			{ numRuns: 300 }
		);
	});

	test('S0-16 names are found wherever a schema holds them, and only names', () => {
		const schema = {
			type: 'object',
			description: 'words',
			properties: {
				a: { enum: ['x', 1, { y: 'z' }], title: 'words' },
				b: { anyOf: [{ const: 'w' }, { default: 'words' }] }
			}
		};
		const names = [...namesIn(schema)];
		for (const name of ['a', 'b', 'x', 'y', 'z', 'w']) expect(names).toContain(name);
		expect(names).not.toContain('words');
	});
});
