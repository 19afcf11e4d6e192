import { fireEvent, render, screen } from '@testing-library/svelte';
import { flushSync } from 'svelte';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ActCall } from '../../src/lib/agent/capability/index.js';
import { isActResult } from '../../src/lib/agent/capability/results.js';
import { type Entry, Registry } from '../../src/lib/agent/capability/registry.js';
import { digest } from '../../src/lib/mount/digest.js';
import { register } from '../../src/lib/mount/register-manifest.js';
import CounterView from '../fixtures/Counter.svelte';
import Page from '../fixtures/Page.svelte';
import Named from './fixtures/Named.svelte';
import NamedPage from './fixtures/NamedPage.svelte';
import { Counter, counterManifest } from '../fixtures/counter.js';
import { StandIn } from '../fixtures/stand-in.svelte.js';

afterEach(() => void vi.restoreAllMocks());

const ids = (agent: StandIn) => agent.registry.instances.map(({ id, epoch }) => `${id} ${epoch}`);
const entry = (agent: StandIn, id: string): Entry => {
	const found = (agent.registry as Registry).entry(id);
	if (found === undefined) throw new Error(`${id} is not mounted`);
	return found;
};
const mount = (agent: StandIn, counter = new Counter()) => {
	const view = render(Page, { agent: agent.active, counter });
	flushSync();
	return { ...view, counter };
};

describe('registration', () => {
	it('lasts as long as the component, in the registry of the nearest root', () => {
		const agent = new StandIn();
		const { unmount } = mount(agent);
		expect(ids(agent).sort()).toEqual(['closure 1', 'element 1', 'provider 1']);
		expect(agent.registry.instances.find(({ id }) => id === 'element')?.parent).toBe('provider');
		unmount();
		expect(ids(agent)).toEqual([]);
		mount(agent);
		expect(ids(agent).sort()).toEqual(['closure 2', 'element 2', 'provider 2']);
	});

	it('takes an agent that is given by hand', () => {
		const agent = new StandIn();
		render(CounterView, { counter: new Counter(), agent: agent.active });
		flushSync();
		expect(ids(agent)).toHaveLength(3);
	});

	it('S2-77 does nothing without an agent, and the component works as before', async () => {
		render(CounterView, { counter: new Counter() });
		flushSync();
		await fireEvent.click(screen.getByRole('button', { name: 'Count 1' }));
		expect(screen.getByRole('button', { name: 'Count 2' })).toBeTruthy();
	});

	it('leaves a newer registration alone when an older one leaves, as in a hot reload', () => {
		const agent = new StandIn();
		const old = mount(agent);
		mount(agent);
		expect(ids(agent)).toContain('element 2');
		old.unmount();
		expect(ids(agent).sort()).toEqual(['closure 2', 'element 2', 'provider 2']);
	});

	it('warns once in development where no agent is above, and names the cure', () => {
		const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
		for (const _ of [1, 2]) render(Named, { id: 'lonely' });
		flushSync();
		expect(warn.mock.calls).toEqual([
			[expect.stringMatching(/^"lonely" has no agent above it.*<AgentRoot agent=/)]
		]);
	});

	it('S2-93 warns in development of two mounted components under one id, not of one that takes its turn', () => {
		vi.useFakeTimers();
		const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
		const agent = new StandIn();
		const { unmount } = render(NamedPage, { agent: agent.active, ids: ['row', 'total'] });
		flushSync();
		expect(agent.registry.instances.map(({ label }) => label)).toEqual(['Counter row', 'Counter total']);
		unmount();
		render(NamedPage, { agent: agent.active, ids: ['row'] });
		flushSync();
		vi.advanceTimersByTime(5_000);
		expect(warn).not.toHaveBeenCalled();
		render(NamedPage, { agent: agent.active, ids: ['row'] });
		flushSync();
		vi.advanceTimersByTime(5_000);
		expect(warn.mock.calls).toEqual([
			[expect.stringContaining('Two mounted components are registered as "row"')]
		]);
		vi.useRealTimers();
	});

	it('says once in development that a long name nobody vouches for counts as text of strangers', () => {
		const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
		const agent = new StandIn();
		const named = (id: string, label: string, trust?: 'user') =>
			register(agent.registry, counterManifest, new Counter(), { id, label, ...(trust && { trust }) });
		named('short', 'x'.repeat(40));
		named('vouched', 'x'.repeat(41), 'user');
		expect(warn).not.toHaveBeenCalled();
		for (const label of ['x'.repeat(41), 'other '.repeat(9)]) named('long', label);
		named('lines', 'a\nb');
		expect(warn.mock.calls).toEqual([
			[expect.stringMatching(/^"long" has a label .* trust: 'user'/)],
			[expect.stringMatching(/^"lines" has a label/)]
		]);
	});

	it('says once in development why it was refused, and throws nothing', () => {
		const error = vi.spyOn(console, 'error').mockImplementation(() => {});
		const agent = new StandIn();
		agent.registry.register({ ...counterManifest, kind: 'other' }, new Counter(), {
			id: 'element',
			label: 'Taken'
		});
		mount(agent);
		expect(error).toHaveBeenCalledTimes(1);
		expect(error.mock.calls[0]?.[0]).toContain('"element" (counter) was not registered: id-clash.');
		expect(screen.getByRole('button', { name: 'Count 1' })).toBeTruthy();
	});

	it('tells where the person is', async () => {
		const agent = new StandIn();
		mount(agent);
		const focused = () => agent.registry.instances.find(({ id }) => id === 'element')?.focused;
		expect(focused()).toBe(false);
		const button = screen.getByRole('button', { name: 'Count 1' });
		button.focus();
		expect(focused()).toBe(true);
		button.blur();
		expect(focused()).toBe(false);
	});

	it('is not repeated by what the provider reads', async () => {
		const agent = new StandIn();
		mount(agent);
		await fireEvent.click(screen.getByRole('button', { name: 'Count 1' }));
		expect(ids(agent)).toContain('element 1');
	});
});

describe('expose', () => {
	const call = {} as ActCall;

	it('makes an anonymous manifest over closures, with a digest for a version', async () => {
		const agent = new StandIn();
		mount(agent);
		const { manifest, kind } = entry(agent, 'closure');
		expect(kind).toBe('exposed:closure');
		const { count } = manifest.reads;
		const before = count?.version({});
		expect(count?.read({})).toEqual({ count: 1 });
		expect(count?.version({})).toBe(before);
		await fireEvent.click(screen.getByRole('button', { name: 'Count 1' }));
		expect(count?.version({})).not.toBe(before);
	});

	it('takes anything for a result: what a maker made as it is, the rest as done', async () => {
		const agent = new StandIn();
		mount(agent);
		const { add, later } = entry(agent, 'closure').manifest.acts;
		const added = add?.perform({}, { by: 1 }, call);
		expect(added).toEqual({ kind: 'done', value: 2 });
		expect(isActResult(added)).toBe(true);
		const result = await later?.perform({}, {}, call);
		expect(result).toEqual({ kind: 'done', value: 'later' });
		expect(isActResult(result)).toBe(true);
		flushSync();
		expect(screen.getByRole('button', { name: 'Count 2' })).toBeTruthy();
	});

	it('passes arguments, not the provider, to what the spec gives', () => {
		const agent = new StandIn();
		mount(agent);
		const { manifest } = entry(agent, 'closure');
		expect(manifest.acts.add?.preview?.({}, { by: 5 })).toEqual({ kind: 'note', text: 'Adds 5' });
		expect(manifest.acts.add?.available?.({})).toBe(true);
		manifest.acts.add?.perform({}, { by: 2 }, call);
		expect(manifest.acts.add?.available?.({})).toBe('The count is full.');
	});
});

describe('a digest', () => {
	it('is equal for equal values and differs for others', () => {
		expect(digest({ a: 1, b: [1, { c: 2 }] })).toBe(digest({ b: [1, { c: 2 }], a: 1 }));
		const values = [0, '0', null, undefined, {}, [], [0], { a: 0 }, { a: '0' }, 'a', 'b'];
		expect(new Set(values.map(digest)).size).toBe(values.length);
	});
});
