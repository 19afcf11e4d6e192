import { fireEvent, render, screen, within } from '@testing-library/svelte';
import { flushSync } from 'svelte';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { actingAs } from '../../src/lib/actor/index.js';
import type { ActiveAgent } from '../../src/lib/agent/active/index.js';
import { late } from '../../src/lib/canon/surfaces/late/late.svelte.js';
import { Trail } from '../../src/lib/canon/surfaces/run-trail/trail.js';
import { es } from '../../src/lib/langs/index.js';
import { person } from '../../src/lib/testing/index.js';
import { type Emission, PERSON } from '../../src/lib/uix/index.js';
import { add, talker } from '../fixtures/panel/agents.js';
import TrailHost from '../fixtures/run-trail/TrailHost.svelte';
import { Counter } from '../fixtures/counter.js';

beforeAll(() => late.load());

const seen = (check: () => void) =>
	vi.waitFor(() => {
		flushSync();
		check();
	});
const byPerson = <T>(does: () => T): T => actingAs(PERSON, does);
const ended = (agent: ActiveAgent) =>
	seen(() => expect(agent.runs.length > 0 && agent.runs.every(({ outcome }) => outcome)).toBe(true));
const region = () => screen.getByRole('region', { name: 'What Ada did' });
const lineOf = (text: RegExp) =>
	within(region())
		.getAllByRole('listitem')
		.find((line) => text.test(line.textContent ?? ''))!;
/** Opens what is behind a line, and gives it by name. */
async function behind(line: HTMLElement): Promise<Record<string, string>> {
	const details = line.querySelector('details')!;
	details.open = true;
	await fireEvent(details, new Event('toggle'));
	flushSync();
	return Object.fromEntries(
		[...details.querySelectorAll('dt')].map((term) => [
			term.textContent,
			term.nextElementSibling!.textContent!.trim().replace(/\s+/g, ' ')
		])
	);
}

describe('the trail of a run', () => {
	it('R10 has every record of the journal in a line, and every act with who asked, who decided and how', async () => {
		const agent = talker([
			{ say: 'I add twice.', calls: [add(2), add(3)] },
			{ say: 'Done.', calls: [{ act: 'nothing', instance: 'provider', args: {} }] },
			{ say: 'Five it is.' }
		]);
		render(TrailHost, { agent });
		agent.run('Add five', { by: person });
		await ended(agent);
		await seen(() => expect(region().textContent).toContain('Five it is.'));

		const { journal } = agent.get(agent.runs[0]!.id)!;
		const lines = new Trail().read(journal);
		const told = new Set(lines.flatMap(({ records }) => records.map(({ seq }) => seq)));
		expect([...told].sort((a, b) => a - b)).toEqual(journal.map(({ seq }) => seq));
		expect(within(region()).getAllByRole('listitem')).toHaveLength(lines.length);

		const { effects } = agent.runs[0]!;
		expect(effects).toHaveLength(2);
		const acts = within(region())
			.getAllByRole('listitem')
			.filter((line) => line.dataset['state'] === 'done' && /Add in Provider/.test(line.textContent!));
		expect(acts).toHaveLength(effects.length);
		for (const [index, effect] of effects.entries()) {
			const facts = await behind(acts[index]!);
			expect(facts).toMatchObject({
				'Asked for by': 'Ada',
				'Decided by': 'The rules of this app and your settings',
				Operation: effect.operation,
				Component: 'Provider',
				By: index === 0 ? '2' : '3'
			});
			expect(facts['Permission']).toContain(effect.fingerprint.slice(0, 12));
		}
	});

	it('R10 says who decided in a review, what was rejected and why', async () => {
		const agent = talker([{ calls: [add(2), add(3)] }, { say: 'Well.' }], { policy: { ceiling: 'review' } });
		render(TrailHost, { agent });
		const run = agent.run('Add five', { by: person });
		await seen(() => expect(agent.pending).toHaveLength(1));
		const [one] = agent.pending;
		const review = one?.kind === 'review' ? one.review : undefined;
		const [first, second] = review!.steps as [string, string];
		await seen(() => expect(lineOf(/Add in Provider/).dataset['state']).toBe('waiting'));
		await run.decide(
			{
				review: review!.id,
				steps: { [first]: { verdict: 'approve' }, [second]: { verdict: 'reject', reason: 'Too much' } }
			},
			person
		);
		await ended(agent);
		await seen(() => expect(lineOf(/approved 1 step and rejected 1 step/).textContent).toContain('Too much'));
		const acts = within(region())
			.getAllByRole('listitem')
			.filter((line) => /Add in Provider/.test(line.textContent!));
		expect(acts.map((line) => line.dataset['state'])).toEqual(['done', 'refused']);
		expect((await behind(acts[0]!))['Decided by']).toBe('You, in a review');
		expect((await behind(acts[1]!))['Decided by']).toBeUndefined();
	});

	it('takes a run back, tells it as a further line, and offers no redo that cannot be', async () => {
		const counter = new Counter();
		const agent = talker([{ calls: [add(2)] }, { say: 'Two.' }]);
		const heard: Emission[] = [];
		render(TrailHost, { agent, counter, onemit: (emission) => heard.push(emission) });
		agent.run('Add two', { by: person });
		await ended(agent);
		expect(counter.count).toBe(2);
		const button = (name: string) => within(region()).queryByRole('button', { name });
		await seen(() => expect(button('Undo this run')).toBeTruthy());
		await byPerson(() => fireEvent.click(button('Undo this run')!));
		await seen(() => expect(counter.count).toBe(0));
		await seen(() => expect(lineOf(/took back 1 change/)).toBeTruthy());
		expect(within(region()).getByRole('status').textContent).toBe('1 change undone.');
		expect(button('Undo this run')).toBeNull();
		// This counter cannot bring anything back: that is said, and not offered again.
		await byPerson(() => fireEvent.click(button('Redo this run')!));
		await seen(() => expect(button('Redo this run')).toBeNull());
		expect(within(region()).getByRole('status').textContent).not.toBe('');
		expect(heard.map(({ verb }) => verb)).toContain('undo');
	});

	it('copies the journal as JSON lines, and says where that is not allowed', async () => {
		const written: string[] = [];
		const clipboard = { writeText: vi.fn((text: string) => Promise.resolve(void written.push(text))) };
		vi.stubGlobal('navigator', Object.create(navigator, { clipboard: { value: clipboard } }));
		try {
			const agent = talker();
			render(TrailHost, { agent });
			const run = agent.run('Say something', { by: person });
			await ended(agent);
			await seen(() => expect(region().textContent).toContain('Answer 1.'));
			const copy = () => within(region()).getByRole('button', { name: 'Copy as JSON lines' });
			await fireEvent.click(copy());
			await seen(() =>
				expect(within(region()).getByRole('status').textContent).toBe(`${run.journal.length} records copied.`)
			);
			expect(
				written[0]!
					.trim()
					.split('\n')
					.map((line) => JSON.parse(line))
			).toEqual(run.journal);
			clipboard.writeText.mockRejectedValueOnce(new Error('no'));
			await fireEvent.click(copy());
			await seen(() =>
				expect(within(region()).getByRole('status').textContent).toBe('The browser did not allow copying.')
			);
		} finally {
			vi.unstubAllGlobals();
		}
	});

	it('shows the latest run and every other by choice, holds to one component, and knows empty and unknown', async () => {
		const agent = talker([{ calls: [add(2)] }, { say: 'Two.' }]);
		const { rerender } = render(TrailHost, { agent });
		await seen(() => expect(region().textContent).toContain('Ada has done nothing yet.'));
		agent.run('Add two', { by: person });
		await ended(agent);
		const second = agent.run('And another', { by: person });
		await ended(agent);
		await seen(() => expect(region().textContent).toContain('And another'));
		const choice = within(region()).getByRole<HTMLSelectElement>('combobox', { name: 'Run' });
		expect(choice.value).toBe(second.id);
		await fireEvent.change(choice, { target: { value: agent.runs[0]!.id } });
		await seen(() => expect(lineOf(/Add in Provider/)).toBeTruthy());
		await rerender({ agent, run: 'nobody' });
		await seen(() => expect(region().dataset['state']).toBe('none'));
		expect(region().textContent).toContain('This run is not known here.');
	});

	it(
		'stays at hand over a thousand acts: a page of lines at first, all of them by asking',
		{ timeout: 60_000 },
		async () => {
			const turns = Array.from({ length: 50 }, () => ({ calls: Array.from({ length: 20 }, () => add(1)) }));
			const most = 1e6;
			const agent = talker([...turns, { say: 'Done.' }], {
				budget: { acts: most, turns: most, tokens: 1e9, actsPerInstance: most, actsPerMinute: most, ms: 1e9 }
			});
			agent.run('Add a thousand', { by: person });
			// The same act over and over asks for a person to look.
			for (let i = 0; i < 400 && !agent.runs[0]?.outcome; i += 1) {
				await new Promise((go) => setTimeout(go, 10));
				if (agent.pending.length > 0) agent.get(agent.runs[0]!.id)?.resume(person);
			}
			render(TrailHost, { agent });
			await seen(() => expect(within(region()).getAllByRole('listitem')).toHaveLength(200));
			const more = () => within(region()).queryByRole('button', { name: /^Show \d+ more$/ });
			while (more()) {
				await fireEvent.click(more()!);
				flushSync();
			}
			expect(within(region()).getAllByRole('listitem').length).toBeGreaterThan(1000);
		}
	);

	it('speaks the language it is given', async () => {
		const agent = talker();
		render(TrailHost, { agent, lang: es });
		agent.run('Di algo', { by: person });
		await ended(agent);
		await seen(() =>
			expect(screen.getByRole('region', { name: 'Qué hizo Ada' }).textContent).toMatch(/pidió esto/)
		);
	});
});
