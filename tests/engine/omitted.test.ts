import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { AgentAct, AgentRead } from '../../src/lib/agent/capability/index.js';
import { readLabel } from '../../src/lib/agent/capability/reading.js';
import { Registry } from '../../src/lib/agent/capability/registry.js';
import { isProtected } from '../../src/lib/agent/gate/taint.js';
import { done } from '../../src/lib/agent/capability/index.js';
import { CLEAN, join } from '../../src/lib/agent/protocol/labels.js';
import { person } from '../../src/lib/testing/index.js';
import { laboratory } from '../fixtures/lab.js';

type Read = AgentRead<object>;
type Act = AgentAct<object>;

const some = <T>(...values: T[]) => fc.option(fc.constantFrom(...values), { nil: undefined });
const metaOfRead = fc.record({
	trust: some<Read['trust']>('user', 'app', 'imported'),
	sensitivity: some<Read['sensitivity']>('public', 'page', 'private')
});
const metaOfAct = fc.record({
	effect: some<Act['effect']>('none', 'reversible', 'irreversible'),
	reach: some<Act['reach']>('page', 'app', 'world'),
	clearance: some<Act['clearance']>('public', 'page', 'private'),
	touches: some<readonly string[]>([], ['text'])
});

/** Without the fields that say nothing: `undefined` is not the same as left out. */
const said = <T extends object>(meta: T): Partial<T> =>
	Object.fromEntries(Object.entries(meta).filter(([, value]) => value !== undefined)) as Partial<T>;

function mounted(read: object, act: object) {
	const registry = new Registry();
	const manifest = {
		kind: 'thing',
		description: 'A thing',
		reads: { text: { description: 'Its text', read: () => 'x', version: () => 1, ...said(read) } },
		acts: {
			go: {
				description: 'Goes',
				args: z.strictObject({}),
				perform: () => done('a server says'),
				...said(act)
			}
		},
		undo: () => ({ undone: 0, kept: [] })
	};
	const { refused } = registry.register(manifest as never, {}, { id: 'thing', label: 'Thing' });
	if (refused) throw new Error(refused.text);
	return registry;
}

describe('I23 what is left out is the dangerous case', () => {
	test('I23 S2-83 a read that says nothing is untrusted and private, and no word of it makes it worse', () => {
		fc.assert(
			fc.property(metaOfRead, (meta) => {
				const label = readLabel(said(meta) as Read, 'thing.text');
				const { trust, sensitivity } = meta;
				expect(label.integrity).toBe(trust === 'user' || trust === 'app' ? 'trusted' : 'untrusted');
				expect(label.confidentiality).toBe(sensitivity ?? 'private');
				// Left out, a field is at least as bad as with any word in it.
				for (const field of Object.keys(meta) as (keyof typeof meta)[]) {
					const { [field]: _, ...rest } = said(meta);
					const less = readLabel(rest as Read, 'thing.text');
					expect(join(less, { ...label, origins: less.origins })).toEqual(less);
				}
			})
		);
	});

	test('I23 S2-84 an act that says nothing is irreversible and reaches the world, and no word of it makes it worse', () => {
		fc.assert(
			fc.property(metaOfAct, fc.constantFrom('public', 'page', 'private'), (meta, confidentiality) => {
				const act = mounted({}, meta).entries()[0]!.acts.get('go')!;
				const { effect, reach, clearance } = meta;
				expect(act.effect).toBe(effect ?? 'irreversible');
				expect(act.reach).toBe(reach ?? (act.effect === 'irreversible' ? 'world' : 'page'));
				expect(act.clearance).toBe(clearance ?? { page: 'private', app: 'page', world: 'public' }[act.reach]);
				const label = { ...CLEAN, confidentiality };
				const guarded = (one: typeof act) =>
					isProtected({ ...one, sinks: {}, args: {}, label, control: label, words: [], schema: {} });
				const { effect: _, ...rest } = said(meta);
				const silent = mounted({}, rest).entries()[0]!.acts.get('go')!;
				expect(silent.effect).toBe('irreversible');
				expect(guarded(silent)).toBe(true);
			})
		);
	});

	test('I23 S2-84 at every level an act of which the effect is left out waits for a person, whatever else it says', async () => {
		await fc.assert(
			fc.asyncProperty(metaOfRead, metaOfAct, fc.constantFrom('review', 'auto'), async (read, act, user) => {
				const { effect: _, ...rest } = act;
				const registry = mounted(read, rest);
				const made = laboratory([{ calls: [{ instance: 'thing', act: 'go', args: {} }] }, {}], {
					registry: registry,
					policy: { ceiling: 'auto', user }
				});
				const run = made.engine.run('go', { by: person });
				await made.settle();
				expect(run.state.state).toBe('reviewing');
				expect(run.state.reviews[0]!.reasons.map(({ code }) => code)).toContain('irreversible');
			}),
			{ numRuns: 20 }
		);
	});

	test('I23 S2-83 what a lookup tells is anybody’s and private, unless it says what it touches', async () => {
		await fc.assert(
			fc.asyncProperty(metaOfRead, some<readonly string[]>([], ['text']), async (read, touches) => {
				const registry = mounted(
					{ ...read, sensitivity: read.sensitivity ?? 'private' },
					{ effect: 'none', touches }
				);
				const made = laboratory([{ calls: [{ instance: 'thing', act: 'go', args: {} }] }, {}], { registry });
				const run = made.engine.run('go', { by: person });
				await made.settle();
				const { label } = run.journal.find(({ kind }) => kind === 'call.closed')!.data as unknown as {
					label: typeof CLEAN;
				};
				const told = touches?.length ? readLabel(said(read) as Read, 'thing.text') : undefined;
				const own = told?.integrity === 'trusted';
				expect(label.integrity).toBe(own ? 'trusted' : 'untrusted');
				expect(label.confidentiality === 'private').toBe((told?.confidentiality ?? 'private') === 'private');
			}),
			{ numRuns: 30 }
		);
	});
});
