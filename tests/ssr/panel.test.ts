import { render } from 'svelte/server';
import { describe, expect, it, vi } from 'vitest';
import { Activity } from '../../src/lib/canon/surfaces/activity/index.js';
import { CopilotPanel } from '../../src/lib/canon/surfaces/panel/index.js';
import { es } from '../../src/lib/langs/index.js';
import { run } from '../fixtures/runs.js';
import { StandIn } from '../fixtures/stand-in.svelte.js';

const html = (props: object) => render(CopilotPanel, { props }).body.replace(/<!--.*?-->/g, '');

describe('S2-109 a panel rendered on a server', () => {
	it('S2-65 has its frame, what the agent is for, and the place to write', () => {
		const body = html({ agent: new StandIn().active, suggestions: ['Count <b>to</b> three'] });
		expect(body).toContain('data-surface="copilot-panel" data-state="empty"');
		expect(body).toContain('Fills in forms.');
		expect(body).toContain('Tell Ada something');
		expect(body).toContain('Enter sends, Shift+Enter starts a new line.');
		expect(body).toContain('Count &lt;b>to&lt;/b> three');
		expect(body).not.toContain('data-action="stop"');
	});

	it('speaks the language it is given', () => {
		expect(html({ agent: new StandIn().active, lang: es })).toContain('Dile algo a Ada');
	});

	it('says that a conversation is there, and stops what runs in it, before its body came', () => {
		const agent = new StandIn(run([], [], { state: 'acting', activity: 'acting' }));
		const body = html({ agent: agent.active });
		expect(body).toContain('data-state="open"');
		expect(body).toContain('data-surface="late"');
		expect(body).toContain('data-action="stop"');
	});

	it('listens to nothing and starts no timer', () => {
		const timer = vi.spyOn(globalThis, 'setTimeout');
		const agent = new StandIn(run([], [], { state: 'offered', activity: 'thinking' }));
		html({ agent: agent.active });
		expect(agent.listeners).toBe(0);
		expect(timer).not.toHaveBeenCalled();
		timer.mockRestore();
	});

	it('has words where there is no agent, and nothing of an act', () => {
		expect(html({})).toContain('There is no agent here yet.');
		const props = { agent: new StandIn().active, run: 'run-1', step: 's1' };
		expect(
			render(Activity, { props })
				.body.replace(/<!--.*?-->/g, '')
				.trim()
		).toBe('');
	});
});
