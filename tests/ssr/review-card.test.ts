import { render } from 'svelte/server';
import { describe, expect, it } from 'vitest';
import { ReviewCard } from '../../src/lib/canon/surfaces/review-card/index.js';
import { four, settled } from '../fixtures/runs.js';
import { Stub } from '../fixtures/stub-agent.svelte.js';

const shown = (props: Record<string, unknown>) =>
	render(ReviewCard, { props }).body.replace(/<!--.*?-->/g, '');

describe('S2-65 ReviewCard on a server', () => {
	it('says in words who waits for what, before any script has run, and offers nothing to approve', () => {
		const body = shown({ agent: new Stub(four()).active });
		expect(body).toContain('Ada is waiting for your review of 4 changes');
		expect(body).toContain('data-for="review-card"');
		expect(body).toContain('Stop Ada');
		expect(body).not.toMatch(/<input|data-action="(?:decide|try-again)"/);
	});

	it('renders nothing where nothing waits, and says how to give it an agent', () => {
		expect(shown({ agent: new Stub().active })).not.toContain('<article');
		expect(shown({ agent: new Stub(settled()).active, review: 'review-1' })).not.toContain('<article');
		expect(() => shown({})).toThrow('AgentRoot');
	});
});
