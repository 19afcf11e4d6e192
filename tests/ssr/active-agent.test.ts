import { describe, expect, it, vi } from 'vitest';
import { defineActiveAgent } from '../../src/lib/agent/active/index.js';
import { scripted } from '../../src/lib/agent/adapters/scripted.js';
import { render } from 'svelte/server';
import Page from '../fixtures/Page.svelte';
import { Counter } from '../fixtures/counter.js';

describe('S2-109 an agent on a server', () => {
	it('is made and rendered without timers, registers nothing and starts nothing', async () => {
		const timeout = vi.spyOn(globalThis, 'setTimeout');
		const interval = vi.spyOn(globalThis, 'setInterval');
		const agent = defineActiveAgent({
			identity: { id: 'ada', name: 'Ada', description: 'Counts' },
			transport: scripted([{ say: 'Never' }])
		});
		const { body } = render(Page, { props: { agent, counter: new Counter() } });
		expect(body).toContain('Who acts now?');
		expect(agent.engine.registry.instances).toEqual([]);
		expect(agent.runs).toEqual([]);
		expect(agent.pending).toEqual([]);
		expect(agent.current).toBeUndefined();
		expect(timeout).not.toHaveBeenCalled();
		expect(interval).not.toHaveBeenCalled();
		vi.restoreAllMocks();
	});

	it('refuses a run as a value', async () => {
		const agent = defineActiveAgent({
			identity: { id: 'ada', name: 'Ada', description: 'Counts' },
			transport: scripted([{ say: 'Never' }])
		});
		const outcome = await agent.run('Count').returned;
		expect(outcome).toMatchObject({ kind: 'refused', reason: { code: 'server' } });
		expect(agent.current?.state).toBe('returned');
	});
});
