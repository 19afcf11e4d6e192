import { render } from 'svelte/server';
import { describe, expect, it } from 'vitest';
import { ReviewCard } from '../../src/lib/canon/surfaces/review-card/index.js';
import { four, settled } from '../fixtures/runs.js';
import { Stub } from '../fixtures/stub-agent.svelte.js';

describe('S2-65 ReviewCard on a server', () => {
	it('renders the whole review without a document', () => {
		const { body } = render(ReviewCard, { props: { agent: new Stub(four()).active } });
		expect(body).toContain('Review 4 steps before anything happens');
		expect(body.replace(/<!--.*?-->/g, '')).toContain('<del><bdi>1,200.00 €</bdi></del>');
		expect(body).not.toMatch(/<input[^>]* checked/);
	});

	it('renders a settled one as a strip without buttons', () => {
		const { body } = render(ReviewCard, {
			props: { agent: new Stub(settled()).active, review: 'review-1' }
		});
		expect(body).toContain('You approved 3 of 4 steps');
		expect(body).not.toContain('<button');
	});

	it('renders nothing where nothing waits, and says how to give it an agent', () => {
		expect(render(ReviewCard, { props: { agent: new Stub().active } }).body).not.toContain('<article');
		expect(() => render(ReviewCard, { props: {} }).body).toThrow('AgentRoot');
	});
});
