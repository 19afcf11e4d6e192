import { describe, expect, it } from 'vitest';
import { render } from 'vitest-browser-svelte';
import { StandIn } from '../fixtures/stand-in.svelte.js';
import Leaving from './fixtures/Leaving.svelte';

const there = (agent: StandIn) => agent.registry.instances.map(({ id, epoch }) => `${id} ${epoch}`);

describe('an instance tied to an element', () => {
	it('stays for as long as the element stands, its outro included', async () => {
		const agent = new StandIn();
		const { rerender } = await render(Leaving, { agent: agent.active, duration: 60_000 });
		expect(there(agent)).toEqual(['counter 1']);
		await rerender({ shown: false });
		expect(document.querySelector('section')).not.toBeNull();
		expect(there(agent)).toEqual(['counter 1']);
		await expect
			.poll(() => {
				for (const animation of document.getAnimations()) animation.finish();
				return document.querySelector('section');
			})
			.toBeNull();
		expect(there(agent)).toEqual([]);
	});

	it('tells whether it is in sight', async () => {
		const agent = new StandIn();
		await render(Leaving, { agent: agent.active, duration: 0 });
		const visible = () => agent.registry.instances[0]?.visible;
		await expect.poll(visible).toBe(true);
		document.querySelector<HTMLElement>('section')!.style.marginTop = '500vh';
		await expect.poll(visible).toBe(false);
	});
});
