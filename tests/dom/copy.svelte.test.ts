import { describe, expect, it } from 'vitest';
import { copyArgs, copyJSON } from '../../src/lib/agent/journal/copy.js';
import { labelled } from '../../src/lib/agent/protocol/labelled.js';

class Todo {
	done = $state(false);
}

describe('copyJSON of $state', () => {
	// The node projects compile runes for the server, where $state is a plain value.
	it('is tested with real proxies', () => {
		const form = $state({ a: 1 });
		expect(() => structuredClone(form)).toThrow();
	});

	it('takes a proxy, freezes only the copy, and the source stays writable', () => {
		const form = $state({
			values: { city: 'Trier', tags: ['a', { deep: true }] },
			note: undefined as string | undefined
		});
		const copy = copyJSON(form);
		form.values.city = 'Bonn';
		form.values.tags.push('late');
		expect(copy).toEqual({ ok: true, value: { values: { city: 'Trier', tags: ['a', { deep: true }] } } });
		expect(Object.isFrozen(copy.ok && copy.value)).toBe(true);
		expect(form.values.tags).toHaveLength(3);
	});

	it('S2-90 takes a proxy as arguments too: its members are values, not getters', () => {
		const form = $state({ values: { city: 'Trier', tags: ['a', { deep: true }] }, list: [1, 2] });
		expect(copyArgs(form)).toEqual({
			ok: true,
			value: { values: { city: 'Trier', tags: ['a', { deep: true }] }, list: [1, 2] }
		});
		form.list.push(NaN);
		expect(copyArgs(form)).toMatchObject({ ok: false, reason: { code: 'not-json' } });
	});

	it('takes labelled parts out of a proxy', () => {
		const paths: string[] = [];
		const form = $state({ lines: [{ text: labelled('pasted', { integrity: 'untrusted' }) }] });
		expect(copyJSON(form, (path) => paths.push(path.join('/')))).toEqual({
			ok: true,
			value: { lines: [{ text: 'pasted' }] }
		});
		expect(paths).toEqual(['lines/0/text']);
	});

	it('refuses an instance with reactive fields and says where it stands', () => {
		const copy = copyJSON({ todo: new Todo() });
		expect(copy.ok).toBe(false);
		expect(!copy.ok && copy.reason.text).toMatch(/^"todo": .*Todo/);
	});

	it('finds a cycle through proxies', () => {
		const loop = $state<{ self: unknown }>({ self: null });
		loop.self = loop;
		const copy = copyJSON(loop);
		expect(!copy.ok && copy.reason.text).toMatch(/circle/);
	});
});
