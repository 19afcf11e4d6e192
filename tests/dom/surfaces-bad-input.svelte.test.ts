import { fireEvent, render, screen } from '@testing-library/svelte';
import { flushSync, tick } from 'svelte';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { actingAs } from '../../src/lib/actor/index.js';
import type { ActiveAgent } from '../../src/lib/agent/active/index.js';
import type { Question } from '../../src/lib/agent/protocol/run-state.js';
import { goTo } from '../../src/lib/canon/surfaces/go-to.js';
import { late } from '../../src/lib/canon/surfaces/late/late.svelte.js';
import { CopilotPanel } from '../../src/lib/canon/surfaces/panel/index.js';
import { QuestionCard } from '../../src/lib/canon/surfaces/question/index.js';
import { shownTime } from '../../src/lib/canon/surfaces/review-card/time.js';
import { RunTrail } from '../../src/lib/canon/surfaces/run-trail/index.js';
import { en } from '../../src/lib/langs/index.js';
import { add, talker } from '../fixtures/panel/agents.js';
import PanelHost from '../fixtures/panel/PanelHost.svelte';
import TrailHost from '../fixtures/run-trail/TrailHost.svelte';
import { PERSON, run } from '../fixtures/runs.js';
import { StandIn } from '../fixtures/stand-in.svelte.js';

vi.setConfig({ testTimeout: 30_000 });
beforeAll(() => late.load(), 30_000);
afterEach(() => vi.unstubAllGlobals());

const seen = (check: () => void) =>
	vi.waitFor(
		() => {
			flushSync();
			check();
		},
		{ timeout: 10_000 }
	);
const asked = (more: Partial<Question>): StandIn =>
	new StandIn(
		run([], [], {
			state: 'escalated',
			escalations: [{ code: 'question', text: '' }],
			questions: [
				{
					id: 'q1',
					run: 'run-1',
					from: { kind: 'agent', id: 'ada', name: 'Ada' },
					text: 'What is missing?',
					reason: 'question',
					status: 'open',
					...more
				}
			]
		})
	);
const objectOf = (...keys: string[]) => ({
	type: 'object',
	properties: Object.fromEntries(keys.map((key) => [key, { type: 'string' }])),
	required: keys
});
const press = (name: string) => actingAs(PERSON, () => fireEvent.click(screen.getByRole('button', { name })));

describe('S2-43 S2-45 a question whose schema was made by a stranger', () => {
	it('has every fault and hint at its field, whatever the key is made of', async () => {
		const agent = asked({ schema: objectOf('first name', 'a b c') });
		render(QuestionCard, { agent: agent.active });
		flushSync();
		await press('Answer Ada');
		await tick();
		flushSync();
		for (const input of screen.getAllByRole('textbox')) {
			const ids = input.getAttribute('aria-describedby')!.split(' ');
			expect(ids).toHaveLength(1);
			expect(document.getElementById(ids[0]!)?.dataset['part']).toBe('error');
		}
	});

	it('starts empty also where a key is the name of something every object has', async () => {
		const agent = asked({ schema: objectOf('constructor', 'toString', '__proto__') });
		render(QuestionCard, { agent: agent.active });
		flushSync();
		const inputs = () => screen.getAllByRole<HTMLInputElement>('textbox');
		await fireEvent.input(inputs()[0]!, { target: { value: 'mine' } });
		flushSync();
		expect(inputs().map(({ value }) => value)).toEqual([
			'mine',
			...inputs()
				.slice(1)
				.map(() => '')
		]);
	});

	it('takes types and formats nobody knows for text', () => {
		const schema = {
			type: 'object',
			properties: { a: { type: 'constructor', format: 'toString' }, b: { type: 'string', format: 'valueOf' } }
		};
		render(QuestionCard, { agent: asked({ schema }).active });
		flushSync();
		expect(screen.getAllByRole<HTMLInputElement>('textbox').map(({ type }) => type)).toEqual([
			'text',
			'text'
		]);
	});

	it('keeps what was entered and what was put off over an unmount', async () => {
		const agent = asked({ schema: objectOf('city') });
		const first = render(QuestionCard, { agent: agent.active });
		flushSync();
		await fireEvent.input(screen.getByRole('textbox'), { target: { value: 'Lisbon' } });
		first.unmount();
		const second = render(QuestionCard, { agent: agent.active });
		flushSync();
		expect(screen.getByRole<HTMLInputElement>('textbox').value).toBe('Lisbon');
		await press('Later');
		second.unmount();
		render(QuestionCard, { agent: agent.active });
		flushSync();
		expect(screen.getByRole('button', { name: 'Look at the question' })).toBeTruthy();
		expect(agent.called).toEqual([]);
		// Another agent's question of the same name starts empty.
		render(QuestionCard, { agent: asked({ schema: objectOf('city') }).active });
		flushSync();
		expect(screen.getByRole<HTMLInputElement>('textbox').value).toBe('');
	});
});

describe('the panel between agents', () => {
	const goals = () =>
		[...document.querySelectorAll("[data-part='words']")].map((one) => one.textContent!.trim());

	it('S2-65 shows the other agent’s conversation once the agent is another', async () => {
		const one = talker([{ say: 'Eins.' }]);
		const other = talker([{ say: 'Zwei.' }]);
		const view = render(CopilotPanel, { agent: one });
		await one.run('First goal', { by: PERSON }).returned;
		await other.run('Second goal', { by: PERSON }).returned;
		await seen(() => expect(goals()).toEqual(['First goal', 'Eins.']));
		await view.rerender({ agent: other });
		await seen(() => expect(goals()).toEqual(['Second goal', 'Zwei.']));
		await view.rerender({ agent: one });
		await seen(() => expect(goals()).toEqual(['First goal', 'Eins.']));
	});

	it('S2-65 paints what the other agent writes, and nothing of the one before', async () => {
		const one = talker([{ say: ['Left ', 'behind.'], hang: true }]);
		const other = talker([{ say: ['Right ', 'here.'], hang: true }]);
		const view = render(CopilotPanel, { agent: one });
		one.run('First goal', { by: PERSON });
		await seen(() => expect(goals()).toContain('Left behind.'));
		await view.rerender({ agent: other });
		other.run('Second goal', { by: PERSON });
		await seen(() => expect(goals()).toEqual(['Second goal', 'Right here.']));
		await one.dispose();
		await other.dispose();
	});

	it('writes a suggestion behind what the person has begun, and bears the same suggestion twice', async () => {
		render(PanelHost, { agent: talker(), suggestions: ['Count', 'Count', 'Add'] });
		flushSync();
		const input = screen.getByRole<HTMLTextAreaElement>('textbox');
		await fireEvent.click(screen.getAllByRole('button', { name: 'Count' })[1]!);
		await fireEvent.click(screen.getByRole('button', { name: 'Add' }));
		expect(input.value).toBe('Add');
		await fireEvent.input(input, { target: { value: 'My own words' } });
		await fireEvent.click(screen.getByRole('button', { name: 'Add' }));
		expect(input.value).toBe('My own words\nAdd');
	});

	it('S2-104 leaves the level as it is shown where a script pressed another one', async () => {
		const agent = talker([{ say: 'Here.' }]);
		agent.setLevel('review', PERSON);
		render(PanelHost, { agent });
		await agent.run('Begin', { by: PERSON }).returned;
		await seen(() => expect(document.querySelector("[data-fact='level']")).toBeTruthy());
		const level = (value: string) =>
			document.querySelector<HTMLInputElement>(`[type=radio][value=${value}]`)!;
		level('auto').click();
		flushSync();
		await tick();
		expect(agent.levels.user).toBe('review');
		expect(level('auto').checked).toBe(false);
		actingAs(PERSON, () => level('auto').click());
		flushSync();
		expect(agent.levels.user).toBe('auto');
		expect(level('auto').checked).toBe(true);
	});
});

describe('R10 the trail of another run', () => {
	it('leaves place, length and note behind with the run they were about', async () => {
		const agent: ActiveAgent = talker([
			{ calls: [add(2)] },
			{ calls: [{ instance: 'closure', act: 'add', args: { by: 1 } }] },
			{ say: 'Done.' }
		]);
		const view = render(TrailHost, { agent });
		await agent.run('Add twice', { by: PERSON }).returned;
		await agent.run('Say something', { by: PERSON }).returned;
		const [first, second] = agent.runs;
		await view.rerender({ run: first!.id });
		const region = () => screen.getByRole('region', { name: 'What Ada did' });
		await seen(() => expect(screen.getByRole('combobox')).toBeTruthy());
		const select = screen.getByRole<HTMLSelectElement>('combobox');
		await fireEvent.change(select, { target: { value: 'provider' } });
		await press('Undo this run');
		const note = () => region().querySelector("[data-part='note']")!.textContent;
		await seen(() => expect(note()).not.toBe(''));
		await view.rerender({ run: second!.id });
		flushSync();
		expect(note()).toBe('');
		expect(region().querySelector("[data-part='empty']")).toBeNull();
		expect(region().textContent).toContain('Say something');
	});

	it('says that it could not copy where a page has no clipboard', async () => {
		vi.stubGlobal('navigator', { ...navigator, clipboard: undefined });
		const agent = talker([{ say: 'Done.' }]);
		render(RunTrail, { agent });
		await agent.run('Say something', { by: PERSON }).returned;
		await seen(() => expect(screen.getByRole('button', { name: en.runTrail.copy })).toBeTruthy());
		await press(en.runTrail.copy);
		await seen(() => expect(screen.getByText(en.runTrail.notCopied)).toBeTruthy());
	});
});

describe('two agents on one page', () => {
	it('leads to the card of the agent that asked for it', () => {
		document.body.innerHTML = ['ada', 'ben']
			.map(
				(id) =>
					`<article data-surface="review-card" data-state="open" data-agent="${id}"><button id="${id}">x</button></article>`
			)
			.join('');
		expect(goTo(document, 'review-card', 'ben')).toBe(true);
		expect(document.activeElement!.id).toBe('ben');
		expect(goTo(document, 'review-card')).toBe(true);
		expect(document.activeElement!.id).toBe('ada');
		expect(goTo(document, 'review-card', 'nobody"]')).toBe(false);
		document.body.innerHTML = '';
	});
});

describe('a locale nobody knows', () => {
	it.each(['en_US', '', 'no locale!', 'x'.repeat(10_000)])('tells times in some way for %.20s', (code) => {
		expect(shownTime(0, code)).toMatch(/\d/);
	});
	it('shows a panel in a language whose code is none', async () => {
		const agent = talker([{ say: 'Done.' }]);
		render(PanelHost, { agent, lang: { ...en, code: 'en_US' } });
		await agent.run('Say something', { by: PERSON }).returned;
		await seen(() => expect(screen.getByText('Done.')).toBeTruthy());
	});
	it('tells a time that is none as none', () => {
		expect(shownTime(Number.NaN, 'en')).toBe('');
	});
});
