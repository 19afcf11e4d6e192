import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import type { AgentAct, AgentManifest, AgentRead } from '../../src/lib/agent/capability/index.js';
import { defineManifest, done, labelled } from '../../src/lib/agent/capability/index.js';
import { readValue, readVersion } from '../../src/lib/agent/capability/reading.js';
import { createRegistry, Registry } from '../../src/lib/agent/capability/registry.js';

interface Counter {
	count: number;
	add(by: number): number;
}
const counter = (count = 0): Counter => ({
	count,
	add(by) {
		return (this.count += by);
	}
});
const counterManifest = defineManifest<Counter>()({
	kind: 'counter',
	description: 'A counter',
	reads: {
		count: {
			description: 'Present count',
			read: (c) => c.count,
			version: (c) => c.count,
			trust: 'app',
			sensitivity: 'page'
		}
	},
	acts: {
		add: {
			description: 'Adds to the count',
			args: z.object({ by: z.number().describe('How much') }),
			effect: 'reversible',
			touches: ['count'],
			perform: (c, { by }) => done(c.add(by))
		}
	},
	undo: () => ({ undone: 0, kept: [] })
});

type Loose = AgentManifest<Counter, string>;
const withRead = (read: Partial<AgentRead<Counter>>): Loose => ({
	...counterManifest,
	reads: { count: { ...counterManifest.reads.count, ...read } }
});
const withAct = (act: Partial<AgentAct<Counter, never>>, rest: Partial<Loose> = {}): Loose => ({
	...counterManifest,
	acts: { add: { ...counterManifest.acts.add, ...act } as never },
	...rest
});
const refusalOf = (
	manifest: unknown,
	as: unknown = { id: 'a', label: 'A' },
	provider: unknown = counter()
) => {
	const registry = new Registry();
	const dispose = registry.register(
		manifest as Loose,
		provider as Counter,
		as as { id: string; label: string }
	);
	expect(registry.instances).toEqual([]);
	expect(registry.problems.map(({ reason }) => reason)).toEqual([dispose.refused]);
	return dispose.refused;
};

describe('registration', () => {
	it('S2-01 S2-15 knows nothing until something is registered', () => {
		expect(createRegistry().instances).toEqual([]);
		expect(new Registry().entries()).toEqual([]);
	});

	it('S2-61 keeps two instances of one kind apart by their ids', () => {
		const registry = new Registry();
		const [one, two] = [counter(1), counter(2)];
		registry.register(counterManifest, one, { id: 'one', label: 'One' });
		registry.register(counterManifest, () => two, {
			id: 'two',
			label: 'Two',
			parent: 'one',
			level: 'review'
		});
		expect(registry.instances).toEqual([
			{ id: 'one', kind: 'counter', label: 'One', epoch: 1, ready: true, focused: false, visible: false },
			{
				id: 'two',
				kind: 'counter',
				label: 'Two',
				parent: 'one',
				epoch: 1,
				ready: true,
				focused: false,
				visible: false
			}
		]);
		expect(registry.entry('one')?.provider()).toBe(one);
		expect(registry.entry('two')?.provider()).toBe(two);
		expect(registry.entry('two')?.level).toBe('review');
		expect(Object.isFrozen(registry.instances) && registry.instances.every(Object.isFrozen)).toBe(true);
	});

	it('S2-93 lets the newest of the same id and kind win, counts its epoch and keeps its place', () => {
		const registry = new Registry();
		const [old, fresh] = [counter(1), counter(2)];
		const disposeOld = registry.register(counterManifest, old, { id: 'a', label: 'Old' });
		registry.register(counterManifest, counter(), { id: 'b', label: 'B' });
		registry.presence('a', 1, { focused: true });
		const disposeFresh = registry.register({ ...counterManifest }, fresh, { id: 'a', label: 'New' });
		disposeOld();
		expect(registry.instances.map(({ id, label, epoch, focused }) => [id, label, epoch, focused])).toEqual([
			['a', 'New', 2, false],
			['b', 'B', 1, false]
		]);
		registry.presence('a', 1, { focused: true });
		expect(registry.entry('a')?.focused).toBe(false);
		disposeFresh();
		disposeFresh();
		expect(registry.entry('a')).toBeUndefined();
		registry.register(counterManifest, old, { id: 'a', label: 'Again' });
		expect(registry.entry('a')).toMatchObject({ epoch: 3, order: 2 });
		expect(registry.entries().map(({ id }) => id)).toEqual(['b', 'a']);
	});

	it('refuses the same id under another kind while it is mounted', () => {
		const registry = new Registry();
		const dispose = registry.register(counterManifest, counter(), { id: 'a', label: 'A' });
		const other = { ...counterManifest, kind: 'other' };
		const refused = registry.register(other, counter(), { id: 'a', label: 'B' });
		expect(refused.refused?.code).toBe('id-clash');
		expect(registry.entry('a')?.kind).toBe('counter');
		dispose();
		expect(registry.register(other, counter(), { id: 'a', label: 'B' }).refused).toBeUndefined();
	});

	it('lists a refused registration once per id, kind and code until the last of them is disposed of', () => {
		const registry = new Registry();
		const bad = { ...counterManifest, description: ' ' };
		const first = registry.register(bad, counter(), { id: 'a', label: 'A' });
		const second = registry.register(bad, counter(), { id: 'a', label: 'A' });
		expect(registry.problems).toEqual([
			{
				id: 'a',
				kind: 'counter',
				reason: { code: 'description-missing', text: expect.stringContaining('counter') }
			}
		]);
		first();
		first();
		expect(registry.problems).toHaveLength(1);
		second();
		expect(registry.problems).toEqual([]);
	});

	it('leaves the mounted instance when its replacement is refused', () => {
		const registry = new Registry();
		registry.register(counterManifest, counter(), { id: 'a', label: 'A' });
		registry.register({ ...counterManifest, description: '' }, counter(), { id: 'a', label: 'A' })();
		expect(registry.entry('a')?.epoch).toBe(1);
	});

	it('is not ready while the getter gives nothing or throws', () => {
		const registry = new Registry();
		let get = (): Counter | undefined => undefined;
		registry.register(counterManifest, () => get(), { id: 'a', label: 'A' });
		const ready = () => registry.instances[0]?.ready;
		expect(ready()).toBe(false);
		get = () => {
			throw new Error('not mounted');
		};
		expect(ready()).toBe(false);
		get = () => null as never;
		expect(ready()).toBe(false);
		get = () => counter();
		expect(ready()).toBe(true);
	});

	it('tells listeners of changes, and survives their faults', () => {
		const registry = new Registry();
		const heard = vi.fn();
		registry.subscribe(() => {
			throw new Error('listener');
		});
		const stop = registry.subscribe(heard);
		const dispose = registry.register(counterManifest, counter(), { id: 'a', label: 'A' });
		registry.presence('a', 1, { visible: true });
		registry.presence('a', 1, { visible: true });
		registry.presence('gone', 1, { visible: true });
		dispose();
		expect(heard).toHaveBeenCalledTimes(3);
		stop();
		registry.register(counterManifest, counter(), { id: 'a', label: 'A' });
		expect(heard).toHaveBeenCalledTimes(3);
	});

	it('never throws, whatever it is given', () => {
		for (const manifest of [undefined, null, 1, {}, { kind: 'x' }, { kind: 'x', description: 'x', acts: 5 }])
			for (const as of [undefined, null, {}, { id: 'a' }])
				expect(refusalOf(manifest, as)?.code).toMatch(/^(args|description-missing)$/);
	});
});

describe('what registration checks', () => {
	it.each<[string, unknown]>([
		['manifest', { ...counterManifest, description: '' }],
		['read', withRead({ description: undefined as never })],
		['act', withAct({ description: '  ' })]
	])('S2-60 refuses a %s without a description', (_, manifest) => {
		expect(refusalOf(manifest)?.code).toBe('description-missing');
	});

	it.each<[string, unknown, string]>([
		[
			'an argument called instance',
			withAct({ args: z.object({ instance: z.string() }) as never }),
			'add.args'
		],
		['arguments that are no object', withAct({ args: z.string() as never }), 'add.args'],
		[
			'a union of objects on top',
			withAct({ args: z.union([z.object({}), z.object({ a: z.string() })]) as never }),
			'add.args'
		],
		[
			'a date, which has no JSON Schema form',
			withAct({ args: z.object({ at: z.date() }) as never }),
			'add.args'
		],
		['no schema at all', withAct({ args: undefined as never }), 'add.args'],
		['a stream that is no argument', withAct({ stream: 'text' }), 'add.stream cannot be "text"'],
		['a stream that is no text', withAct({ stream: 'by' }), 'add.stream cannot be "by"'],
		['a sink that is no argument', withAct({ sinks: { href: 'url' } }), 'add.sinks cannot be "href"'],
		[
			'a sink of the prototype',
			withAct({ sinks: { ['toString' as string]: 'url' as const } }),
			'add.sinks cannot be "toString"'
		],
		[
			'a compensation that is no act',
			withAct({ compensate: 'subtract' }),
			'add.compensate cannot be "subtract"'
		],
		['an unknown effect', withAct({ effect: 'undoable' as never }), 'add.effect'],
		['an unknown reach', withAct({ reach: 'moon' as never }), 'add.reach'],
		['an unknown level', withAct({ level: 'full' as never }), 'add.level'],
		['a cost that is none', withAct({ cost: NaN }), 'add.cost'],
		['an endless timeout', withAct({ timeoutMs: Infinity }), 'add.timeoutMs'],
		['an unknown sensitivity', withRead({ sensitivity: 'none' as never }), 'count.sensitivity'],
		['a kind with a dot', { ...counterManifest, kind: 'a.b' }, '"a.b"'],
		['a read without a version', withRead({ version: undefined as never }), 'count.version']
	])('refuses %s with code args, and names the place', (_, manifest, place) => {
		const refused = refusalOf(manifest);
		expect(refused?.code).toBe('args');
		expect(refused?.text).toContain(place);
	});

	it.each<[unknown, string]>([
		[
			withAct({ effect: 'some' as never }),
			'add.effect cannot be "some", only none, reversible, irreversible'
		],
		[withAct({ level: 'full' as never }), 'add.level cannot be "full", only suggest, review, auto'],
		[withRead({ trust: 'stranger' as never }), 'count.trust cannot be "stranger", only user, app, imported'],
		[{ ...counterManifest, trust: 'user' as never }, 'counter.trust cannot be "user", only app, imported'],
		[withRead({ version: 1 as never }), 'count.version cannot be 1, only a function'],
		[withAct({ timeoutMs: -1 }), 'add.timeoutMs cannot be -1, only a finite number from 0 on'],
		[withAct({ compareAndSet: 1 as never }), 'add.compareAndSet cannot be 1, only true or false'],
		[withAct({ compensate: 'subtract' }), 'add.compensate cannot be "subtract", only add'],
		[
			{ ...counterManifest, kind: 'a b' },
			'kind cannot be "a b", only 1 to 256 characters, no spaces, none of . # @'
		]
	])('S2-60 a refusal says what alone can stand there (%#)', (manifest, text) => {
		expect(refusalOf(manifest)?.text).toContain(text);
	});

	it('S2-60 a refused id or level is told what one is', () => {
		expect(refusalOf(counterManifest, { id: 'a b', label: 'A' })?.text).toBe(
			'The id cannot be "a b", only 1 to 128 characters, no spaces, none of . # @ :'
		);
		expect(refusalOf(counterManifest, { id: 'a', label: 'A', level: 'all' as never })?.text).toBe(
			'a.level cannot be "all", only suggest, review, auto'
		);
	});

	it.each(['', ' ', 'a b', 'a.b', '#a', 'a@b', 'a:b', 'a\nb', 'x'.repeat(129), 5, undefined])(
		'S2-93 refuses the id %j, which could not be addressed',
		(id) => {
			expect(refusalOf(counterManifest, { id, label: 'A' })?.code).toBe('args');
		}
	);

	it.each(['a', 'invoice-12', 's1', 'Rechnung_ä', 'a/b', 'x'.repeat(128)])('takes the id %j', (id) => {
		expect(new Registry().register(counterManifest, counter(), { id, label: 'A' }).refused).toBeUndefined();
	});

	it('refuses reversible acts of a manifest without undo, and touches of no read', () => {
		expect(refusalOf(withAct({}, { undo: undefined }))?.code).toBe('reversible-without-undo');
		expect(refusalOf(withAct({ touches: ['total'] as never }))?.code).toBe('touch-unknown');
	});

	it.each<[string, Partial<AgentRead<Counter>>]>([
		['a Map', { read: () => new Map() }],
		['a function inside', { read: () => ({ f: () => 1 }) }],
		[
			'a throw',
			{
				read: () => {
					throw new Error('boom');
				}
			}
		],
		['a version that is none', { version: () => undefined as never }]
	])('refuses a read that gives %s, if the provider is there', (_, read) => {
		expect(refusalOf(withRead(read))?.code).toBe('not-json');
		const later = new Registry().register(withRead(read), () => undefined, { id: 'a', label: 'A' });
		expect(later.refused).toBeUndefined();
	});

	it('S2-78 does not read what is secret or switched off', () => {
		const read = vi.fn(() => 1);
		for (const off of [{ sensitivity: 'secret' as const }, { enabled: () => false }]) {
			const registry = new Registry();
			expect(
				registry.register(withRead({ read, ...off }), counter(), { id: 'a', label: 'A' }).refused
			).toBeUndefined();
			expect(readValue(registry.entry('a')!, 'count').ok).toBe(false);
		}
		expect(read).not.toHaveBeenCalled();
	});

	it('fills in the dangerous defaults', () => {
		const compiled = (act: Partial<AgentAct<Counter, never>>) => {
			const registry = new Registry();
			registry.register(withAct(act), counter(), { id: 'a', label: 'A' });
			const { effect, reach, clearance, timeoutMs } = registry.entry('a')!.acts.get('add')!;
			return [effect, reach, clearance, timeoutMs];
		};
		expect(compiled({ effect: undefined })).toEqual(['irreversible', 'world', 'public', 30_000]);
		expect(compiled({})).toEqual(['reversible', 'page', 'private', 30_000]);
		expect(compiled({ effect: 'none' })).toEqual(['none', 'page', 'private', 30_000]);
		expect(compiled({ reach: 'app', timeoutMs: 5 })).toEqual(['reversible', 'app', 'page', 5]);
		expect(compiled({ effect: 'irreversible', reach: 'page', clearance: 'public' })).toEqual([
			'irreversible',
			'page',
			'public',
			30_000
		]);
	});

	it('S2-73 asks nothing of a server: what is registered here is callable here', () => {
		const registry = new Registry();
		registry.register(counterManifest, counter(), { id: 'a', label: 'A' });
		expect([...registry.entry('a')!.acts.keys()]).toEqual(['add']);
	});
});

describe('manifest hash', () => {
	const hashOf = (manifest: Loose): string => {
		const registry = new Registry();
		const { refused } = registry.register(manifest, counter(), { id: 'a', label: 'A' });
		expect(refused).toBeUndefined();
		return registry.entry('a')!.manifestHash;
	};

	it('covers declared data alone: functions count as a mark, schemas as their projection', () => {
		const base = hashOf(counterManifest);
		expect(base).toMatch(/^[0-9a-f]{64}$/);
		expect(hashOf({ ...counterManifest })).toBe(base);
		expect(hashOf(withRead({ read: (c) => c.count * 2 }))).toBe(base);
		expect(hashOf(withAct({ args: z.object({ by: z.number().describe('How much') }) as never }))).toBe(base);
		expect(hashOf(withAct({ args: z.object({ by: z.number().describe('By how much') }) as never }))).not.toBe(
			base
		);
		expect(hashOf(withAct({ available: () => true }))).not.toBe(base);
		expect(hashOf(withRead({ sensitivity: 'public' }))).not.toBe(base);
	});
});

describe('reading', () => {
	const entryOf = (manifest: Loose, provider: Counter | (() => Counter | undefined) = counter(7)) => {
		const registry = new Registry();
		registry.register(manifest, provider, { id: 'a', label: 'A' });
		return registry.entry('a')!;
	};

	it('gives a frozen copy with version and declared label', () => {
		expect(readValue(entryOf(counterManifest), 'count')).toEqual({
			ok: true,
			value: 7,
			version: 7,
			label: { integrity: 'trusted', confidentiality: 'page', origins: ['app'], sources: ['a.count'] }
		});
	});

	it('S2-78 takes what was not declared for the dangerous case', () => {
		const bare = withRead({ trust: undefined, sensitivity: undefined });
		expect(readValue(entryOf(bare), 'count')).toMatchObject({
			label: { integrity: 'untrusted', confidentiality: 'private', origins: ['imported'] }
		});
	});

	it('joins the labels of marked parts, which never lower it', () => {
		const parts = withRead({
			read: () => ({
				typed: labelled('x', { integrity: 'trusted', confidentiality: 'public' }),
				pasted: labelled('y', { integrity: 'untrusted', origins: ['imported'] })
			})
		});
		expect(readValue(entryOf(parts), 'count', 'k')).toEqual({
			ok: true,
			value: { typed: 'x', pasted: 'y' },
			version: 7,
			label: {
				integrity: 'untrusted',
				confidentiality: 'page',
				origins: ['app', 'imported'],
				sources: ['a.count:k']
			}
		});
	});

	it('answers faults as reasons', () => {
		let get: () => Counter | undefined = () => counter();
		const code = (manifest: Loose, name = 'count') => {
			const out = readValue(
				entryOf(manifest, () => get()),
				name
			);
			return out.ok ? 'ok' : out.reason.code;
		};
		expect(code(counterManifest, 'total')).toBe('args');
		expect(code(counterManifest, 'toString')).toBe('args');
		expect(code(withRead({ sensitivity: 'secret' }))).toBe('denied');
		expect(code(withRead({ enabled: () => false }))).toBe('unavailable');
		const secret = entryOf(withRead({ sensitivity: 'secret' }), counter(3));
		expect(readVersion(secret, 'count')).toEqual({ ok: true, version: 3 });
		get = () => undefined;
		expect(code(counterManifest)).toBe('not-ready');
		let broken = false;
		const throwing = withRead({
			read: (c) => {
				if (broken) throw new Error('boom');
				return c.count;
			}
		});
		const entry = entryOf(throwing);
		broken = true;
		expect(readValue(entry, 'count')).toMatchObject({
			ok: false,
			reason: { code: 'threw', text: expect.stringContaining('boom') }
		});
	});
});
