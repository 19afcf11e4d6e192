import { render, screen } from '@testing-library/svelte';
import { userEvent } from '@testing-library/user-event';
import { flushSync } from 'svelte';
import { describe, expect, it, vi } from 'vitest';
import type { Question } from '../../src/lib/agent/protocol/run-state.js';
import { actingAs } from '../../src/lib/actor/index.js';
import { PERSON } from '../../src/lib/uix/index.js';
import { Aura } from '../../src/lib/canon/surfaces/aura/index.js';
import { Late, late } from '../../src/lib/canon/surfaces/late/late.svelte.js';
import { ReviewCard } from '../../src/lib/canon/surfaces/review-card/index.js';
import { wordDiff } from '../../src/lib/canon/surfaces/review-card/word-diff.js';
import { four, run } from '../fixtures/runs.js';
import { StandIn } from '../fixtures/stand-in.svelte.js';
import { Stub } from '../fixtures/stub-agent.svelte.js';

const ALL = '../../src/lib/canon/surfaces/late/parts.js';

const asked: Question = {
	id: 'q1',
	run: 'run-1',
	from: { kind: 'agent', id: 'ada', name: 'Ada' },
	text: 'Which account?',
	reason: 'question',
	status: 'open'
};
const asking = run(four().steps, [], {
	state: 'escalated',
	activity: 'waiting',
	escalations: [{ code: 'question', text: 'Asked.' }],
	questions: [asked]
});

/** The forms themselves, by the ways the mocked module takes. */
const real = async () => ({
	QuestionForm: (await import('../../src/lib/canon/surfaces/question/components/QuestionForm.svelte'))
		.default,
	AmendForm: (await import('../../src/lib/canon/surfaces/review-card/components/AmendForm.svelte')).default,
	wordDiff
});
const asks = () => {
	const agent = new StandIn(asking);
	agent.pending = [{ kind: 'question', question: asked }];
	return agent.active;
};
const offline = () =>
	vi.doMock(ALL, () => {
		throw new Error('offline');
	});

describe('the forms come with the first run', () => {
	it('are not there before it', async () => {
		render(Aura, { agent: new StandIn().active });
		flushSync();
		await new Promise((resolve) => setTimeout(resolve));
		expect(late.now).toBeUndefined();
		expect(late.failed).toBe(false);
	});

	it('S2-73 a question stands in words until its form is there, and where that did not come, is asked for again', async () => {
		offline();
		render(Aura, { agent: asks() });
		flushSync();
		expect(screen.getByText('Which account?').getAttribute('data-part')).toBe('reason');
		expect(screen.getByRole('button', { name: 'Stop Ada' })).toBeTruthy();
		const again = await screen.findByRole('button', { name: 'Try again' });
		expect(screen.getByText('Which account? The form could not be loaded.')).toBeTruthy();
		await userEvent.click(again);
		expect(await screen.findByRole('button', { name: 'Try again' })).toBe(again);
		expect(document.querySelector('form')).toBeNull();
	});

	it('S2-121 where the fields of an edit did not come, that is said, nothing is decided, and it can be left', async () => {
		offline();
		const agent = new Stub(four());
		// Nobody but a person is taken for one in the card, and what presses here is a script.
		const press = (name: string) => {
			actingAs(PERSON, () => screen.getAllByRole('radio', { name })[0]!.click());
			flushSync();
		};
		render(ReviewCard, { agent: agent.active });
		press('Edit');
		expect((await screen.findByRole('alert')).textContent).toBe('The form could not be loaded.');
		press('Reject');
		expect(screen.queryByRole('alert')).toBeNull();
		expect(agent.decisions).toEqual([]);
	});

	it('are asked for once while they come, and anew after they did not', async () => {
		vi.doUnmock(ALL);
		let tries = 0;
		const mine = new Late(() => {
			tries++;
			return tries === 1 ? Promise.reject(new Error('offline')) : real();
		});
		await Promise.all([mine.load(), mine.load()]);
		expect([tries, mine.failed, mine.now]).toEqual([1, true, undefined]);
		await mine.load();
		await mine.load();
		expect([tries, mine.failed]).toEqual([2, false]);
		expect(mine.now).toHaveProperty('QuestionForm');
	});
});
