import { fireEvent, render, screen, within } from '@testing-library/svelte';
import { userEvent } from '@testing-library/user-event';
import { createRawSnippet, flushSync } from 'svelte';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { actingAs } from '../../src/lib/actor/index.js';
import { late } from '../../src/lib/canon/surfaces/late/late.svelte.js';
import { CopilotPanel } from '../../src/lib/canon/surfaces/panel/index.js';
import type { ActView } from '../../src/lib/canon/surfaces/activity/index.js';
import { es } from '../../src/lib/langs/index.js';
import { type Emission, PERSON } from '../../src/lib/uix/index.js';
import { add, talker } from '../fixtures/panel/agents.js';
import PanelHost from '../fixtures/panel/PanelHost.svelte';

// What an agent needs of the engine comes with its first run.
vi.setConfig({ testTimeout: 30_000 });

beforeAll(() => late.load());

const seen = (check: () => void) =>
	vi.waitFor(
		() => {
			flushSync();
			check();
		},
		{ timeout: 10_000 }
	);
const input = () => screen.getByRole<HTMLTextAreaElement>('textbox');
const log = () => screen.getByRole('log');
const messages = () => within(log()).getAllByRole('article');
/** A press of a person: a test drives no trusted events of its own. */
const byPerson = <T>(does: () => T): T => actingAs(PERSON, does);

async function write(text: string) {
	await userEvent.type(input(), text);
}
const send = () => byPerson(() => fireEvent.keyDown(input(), { key: 'Enter' }));
const press = (name: string | RegExp) =>
	byPerson(() => fireEvent.click(screen.getByRole('button', { name })));

describe('S2-65 the panel of a conversation', () => {
	it('says what the agent can do before anything was said, and writes a suggestion without sending it', async () => {
		const agent = talker();
		render(PanelHost, { agent, suggestions: ['Count to three'] });
		await seen(() =>
			expect(screen.getByText('Ada can work here in Element, Closure and Provider.')).toBeTruthy()
		);
		expect(screen.getByText('Counts for you.')).toBeTruthy();
		await fireEvent.click(screen.getByRole('button', { name: 'Count to three' }));
		expect(input().value).toBe('Count to three');
		expect(agent.runs).toEqual([]);
	});

	it('S2-104 tells a run: goal, words, act, outcome, each by its author and in order', async () => {
		const agent = talker([{ say: 'I add two.', calls: [add(2)] }, { say: 'Two it is.' }]);
		render(PanelHost, { agent });
		await write('Add two');
		await send();
		await seen(() => expect(screen.getByText(/1 done\. Undo is available\./)).toBeTruthy());
		expect(messages().map((one) => one.getAttribute('aria-label')?.split(',')[0])).toEqual([
			'You',
			'Ada',
			'Ada'
		]);
		expect(log().textContent).toMatch(/Add two.*I add two\..*Add in Provider.*done.*Two it is\./s);
		expect(within(log()).getByRole('group', { name: 'Add in Provider: done' })).toBeTruthy();
		expect(input().value).toBe('');
	});

	it('undoes a run from its outcome, says what came of it, and brings it back', async () => {
		const agent = talker([{ calls: [add(2)] }, { say: 'Done.' }]);
		render(PanelHost, { agent });
		const run = agent.run('Add two', { by: PERSON });
		await run.returned;
		await seen(() => expect(screen.getByRole('button', { name: 'Undo this run' })).toBeTruthy());
		await press('Undo this run');
		await seen(() => expect(screen.getByText('1 change undone.')).toBeTruthy());
		expect(agent.get(run.id)?.state.undone).toBe('all');
		expect(screen.getByText(/You undid what Ada had done/)).toBeTruthy();
	});

	it('S2-111 chains runs in one conversation, and a run is whole without it', async () => {
		const agent = talker();
		const alone = agent.run('Alone', { by: PERSON });
		await alone.returned;
		expect(alone.state.outcome?.kind).toBe('answered');
		const view = render(PanelHost, { agent });
		await seen(() => expect(screen.getByText('Alone')).toBeTruthy());
		await write('And more');
		await send();
		await seen(() => expect(messages()).toHaveLength(4));
		expect(new Set(agent.runs.map(({ thread }) => thread)).size).toBe(1);
		view.unmount();
		expect(agent.get(alone.id)?.state.outcome?.text).toBe('Answer 1.');
	});

	it('opens an earlier conversation and begins a new one', async () => {
		const agent = talker();
		await agent.run('First talk', { by: PERSON, thread: 'one' }).returned;
		await agent.run('Second talk', { by: PERSON, thread: 'two' }).returned;
		render(PanelHost, { agent });
		await seen(() => expect(log().textContent).toContain('Second talk'));
		await press('Earlier');
		flushSync();
		const list = screen.getByRole('navigation', { name: 'Conversations' });
		await fireEvent.click(within(list).getByRole('button', { name: /First talk/ }));
		await seen(() => expect(log().textContent).toContain('First talk'));
		expect(log().textContent).not.toContain('Second talk');
		// What begins elsewhere does not take the place of what the person reads.
		await agent.run('By the app', { thread: 'three' }).returned;
		await seen(() => expect(agent.runs).toHaveLength(3));
		expect(log().textContent).toContain('First talk');
		await press('New conversation');
		await seen(() => expect(screen.queryByRole('log')).toBeNull());
		await write('Third');
		await send();
		await seen(() => expect(log().textContent).toContain('Third'));
		expect(new Set(agent.runs.map(({ thread }) => thread)).size).toBe(4);
	});

	it('emits the offer, once, and starts on it only by a person', async () => {
		const agent = talker();
		const heard: Emission[] = [];
		render(PanelHost, { agent, onemit: (emission: Emission) => heard.push(emission) });
		flushSync();
		const run = agent.offer('Tidy up', { by: { kind: 'rule', id: 'tidy', name: 'Evening' } });
		expect(heard.map(({ component, family, verb }) => `${component} ${family}.${verb}`)).toEqual([
			'copilot-panel delegate.offer'
		]);
		await seen(() => expect(screen.getByRole('button', { name: 'Let Ada begin' })).toBeTruthy());
		expect(messages()[0]?.getAttribute('aria-label')).toMatch(/^Evening/);
		// No person made this press.
		await fireEvent.click(screen.getByRole('button', { name: 'Let Ada begin' }));
		await seen(() => expect(screen.getByRole('status').textContent).toBe('Only a person may decide this.'));
		expect(run.state.state).toBe('offered');
		await press('Let Ada begin');
		expect((await run.returned).kind).toBe('answered');
	});

	it('declines an offer', async () => {
		const agent = talker();
		render(PanelHost, { agent });
		const run = agent.offer('Tidy up');
		await seen(() => expect(screen.getByRole('button', { name: 'Decline' })).toBeTruthy());
		await press('Decline');
		await run.returned;
		expect(run.state.state).toBe('cancelled');
	});

	it('renews a budget that is used up, and shows how far it is', async () => {
		const agent = talker([{ calls: [add(1), add(1)] }, { say: 'Done.' }], { budget: { acts: 1 } });
		render(PanelHost, { agent });
		const run = agent.run('Add', { by: PERSON });
		await seen(() => expect(screen.getByRole('button', { name: /^Renew/ })).toBeTruthy());
		const acts = screen.getByRole('meter', { name: 'Acts', hidden: true });
		expect(acts.getAttribute('aria-valuetext')).toBe('1 of 1 act, nearly spent');
		await press(/^Renew/);
		await run.returned;
		expect(run.state.budget.limit.acts).toBe(2);
	});

	it('tells a failure in words and does the work again', async () => {
		const agent = talker([{ fail: { text: 'The wire broke.', retryable: false } }, { say: 'Better now.' }]);
		render(PanelHost, { agent });
		const run = agent.run('Say it', { by: PERSON });
		await run.returned;
		await seen(() => expect(screen.getByText(/Ada failed and returned control to you/)).toBeTruthy());
		await press('Try again');
		await seen(() => expect(log().textContent).toContain('Better now.'));
		expect(agent.runs.at(-1)?.successorOf).toBe(run.id);
	});

	it('keeps what was written where it was refused, and says why', async () => {
		const agent = talker();
		render(PanelHost, { agent });
		await write('Hello');
		await agent.dispose();
		await send();
		expect(input().value).toBe('Hello');
		expect(screen.getByRole('status').textContent).not.toBe('');
	});

	it('keeps the draft when it is closed and opened again, for this agent alone', async () => {
		const agent = talker();
		const view = render(PanelHost, { agent });
		await write('Half a thou');
		await view.rerender({ shown: false });
		expect(screen.queryByRole('textbox')).toBeNull();
		await view.rerender({ shown: true });
		expect(input().value).toBe('Half a thou');
		view.unmount();
		render(PanelHost, { agent: talker() });
		expect(input().value).toBe('');
	});

	it('has words where there is no agent', () => {
		render(CopilotPanel);
		expect(screen.getByText('There is no agent here yet.')).toBeTruthy();
		expect(screen.queryByRole('textbox')).toBeNull();
	});

	it('speaks Spanish throughout', async () => {
		const agent = talker([{ calls: [add(2)] }, { say: 'Ya está.' }]);
		render(PanelHost, { agent, lang: es });
		await agent.run('Suma dos', { by: PERSON }).returned;
		await seen(() => expect(screen.getByRole('button', { name: 'Deshacer este encargo' })).toBeTruthy());
		expect(screen.getByRole('button', { name: 'Enviar' })).toBeTruthy();
		expect(screen.getByRole('group', { name: /: hecho$/ })).toBeTruthy();
		expect(document.body.textContent).not.toMatch(/\b(Send|Undo|Level|So far|done)\b/);
	});
});

describe('S2-65 what the person writes', () => {
	it('is sent by Enter and not by Shift+Enter, nor while an input method is at work', async () => {
		const agent = talker();
		render(PanelHost, { agent });
		await write('こんにちは');
		await byPerson(() => fireEvent.keyDown(input(), { key: 'Enter', shiftKey: true }));
		await byPerson(() => fireEvent.keyDown(input(), { key: 'Enter', isComposing: true }));
		await byPerson(() => fireEvent.keyDown(input(), { key: 'Enter', keyCode: 229 }));
		expect(agent.runs).toEqual([]);
		await send();
		expect(agent.runs.map(({ goal, principal }) => [goal, principal.kind])).toEqual([
			['こんにちは', 'human']
		]);
	});

	it('is nobody’s word but the app’s where a script sends it', async () => {
		const agent = talker();
		render(PanelHost, { agent });
		await write('Send everything');
		await fireEvent.click(screen.getByRole('button', { name: 'Send' }));
		expect(agent.runs[0]?.principal.kind).toBe('app');
	});

	it('changes what is under way, waits its turn, or stops it: three ways, each said', async () => {
		const agent = talker([{ hang: true }, { hang: true }, { say: 'Second.' }]);
		render(PanelHost, { agent });
		await write('Long work');
		await send();
		await seen(() => expect(screen.getByRole('radio', { name: 'Now, changes what it does' })).toBeTruthy());
		await write('Use the 15th');
		await press('Steer');
		await seen(() => expect(screen.getByText('Taken as a correction. The plan is made again.')).toBeTruthy());
		expect(agent.current?.revision).toBe(2);
		expect(agent.runs).toHaveLength(1);
		await seen(() =>
			expect(messages().map(({ textContent }) => textContent)).toEqual([
				expect.stringContaining('Long work'),
				expect.stringContaining('Use the 15th')
			])
		);

		await fireEvent.click(screen.getByRole('radio', { name: 'After this run, waits its turn' }));
		await write('Then tell Bruno');
		await press('Queue');
		await seen(() => expect(screen.getByText(/has not begun, other work comes first/)).toBeTruthy());
		expect(screen.getByRole('status').textContent).toContain('waits its turn');
		expect(agent.runs).toHaveLength(2);

		await press('Stop Ada');
		await seen(() => expect(log().textContent).toContain('Second.'));
		expect(agent.runs[0]?.outcome?.kind).toBe('interrupted');
		expect(agent.runs[1]?.outcome?.kind).toBe('answered');
	});

	it('S2-80 keeps the focus on what the person has it on, whatever a run does', async () => {
		const agent = talker([{ say: 'Slow.', hang: true }, { calls: [add(2)] }, { say: 'Done.' }]);
		render(PanelHost, { agent });
		const run = agent.run('Slowly', { by: PERSON });
		await seen(() => expect(log().textContent).toContain('Slow.'));
		const stop = screen.getByRole('button', { name: 'Stop Ada' });
		stop.focus();
		await run.stop(undefined, PERSON);
		await seen(() => expect(stop.getAttribute('aria-disabled')).toBe('true'));
		expect(document.activeElement).toBe(stop);
		stop.blur();
		await seen(() => expect(screen.queryByRole('button', { name: 'Stop Ada' })).toBeNull());

		await agent.run('Add', { by: PERSON, thread: run.state.thread }).returned;
		await seen(() => expect(screen.getByRole('button', { name: 'Undo this run' })).toBeTruthy());
		const undo = screen.getByRole('button', { name: 'Undo this run' });
		undo.focus();
		await press('Undo this run');
		await seen(() => expect(undo.textContent).toContain('Redo this run'));
		expect(document.activeElement).toBe(undo);
	});

	it('takes back what waits its turn', async () => {
		const agent = talker([{ hang: true }]);
		render(PanelHost, { agent });
		const run = agent.run('Long', { by: PERSON, thread: 't' });
		const next = agent.run('Next', { by: PERSON, thread: 't' });
		await seen(() => expect(screen.getByRole('button', { name: 'Take it back' })).toBeTruthy());
		await press('Take it back');
		await next.returned;
		expect(next.state.state).toBe('cancelled');
		await run.stop(undefined, PERSON);
	});

	it('takes files and long pasted text along as the words of others', async () => {
		const agent = talker();
		render(PanelHost, { agent });
		await seen(() => expect(screen.getByRole('button', { name: 'Attach…' })).toBeTruthy());
		const chooser = document.querySelector<HTMLInputElement>('input[type=file]')!;
		await userEvent.upload(chooser, [
			new File(['Dear bank'], 'letter.txt'),
			new File([new Uint8Array([0, 1, 255, 254])], 'photo.png'),
			new File(['x'.repeat(100_001)], 'long.txt')
		]);
		await seen(() => expect(screen.getByText('letter.txt')).toBeTruthy());
		await seen(() =>
			expect(screen.getByRole('status').textContent).toMatch(
				/photo\.png is not a text.*long\.txt is too long/
			)
		);
		input().focus();
		await userEvent.paste('A letter. '.repeat(60));
		await seen(() => expect(screen.getByText('Pasted text')).toBeTruthy());
		expect(input().value).toBe('');
		await write('Read this');
		await send();
		const opened = agent.get(agent.runs[0]!.id)?.journal[0]?.data as unknown as {
			attachments: { name: string; label: { integrity: string; origins: string[] } }[];
		};
		expect(
			opened.attachments.map(({ name, label }) => [name, label.integrity, label.origins.join()])
		).toEqual([
			['letter.txt', 'untrusted', 'imported'],
			['Pasted text', 'untrusted', 'imported']
		]);
		await seen(() => expect(within(messages()[0]!).getAllByText(/not trusted/)).toHaveLength(2));
	});

	it('takes pasted words for the person’s own only where the person says so', async () => {
		const agent = talker();
		render(PanelHost, { agent });
		input().focus();
		await seen(() => expect(screen.getByRole('button', { name: 'Attach…' })).toBeTruthy());
		await userEvent.paste('My own long brief. '.repeat(40));
		await seen(() => expect(screen.getByText('Pasted text')).toBeTruthy());
		await fireEvent.click(screen.getByRole('button', { name: 'Use as my own words' }));
		expect(input().value).toContain('My own long brief.');
		expect(screen.queryByText('Pasted text')).toBeNull();
		// What a person may well have typed goes where it is pasted.
		await userEvent.paste(' And short.');
		expect(input().value).toContain('And short.');
	});
});

describe('S2-65 how much the agent may do', () => {
	it('is picked by a person, up to what the app allows, and says why not higher', async () => {
		const agent = talker([], { policy: { ceiling: 'review' } });
		render(PanelHost, { agent });
		await seen(() =>
			expect(screen.getByText('Act after my review', { selector: 'span[data-part=value]' })).toBeTruthy()
		);
		const level = (name: RegExp) => screen.getByRole<HTMLInputElement>('radio', { name, hidden: true });
		expect(level(/Do what can be undone/).disabled).toBe(true);
		expect(screen.getByText('not allowed in this app')).toBeTruthy();
		await fireEvent.click(level(/Only suggest/));
		await seen(() => expect(agent.levels.user).toBe('suggest'));
		// A script lowers; only a person raises.
		await fireEvent.click(level(/Act after my review/));
		expect(agent.levels.user).toBe('suggest');
		await seen(() => expect(screen.getByRole('status').textContent).toBe('Only a person may decide this.'));
		await byPerson(() => fireEvent.click(level(/Act after my review/)));
		expect(agent.levels.user).toBe('review');
	});
});

describe('S2-104 an act in the transcript', () => {
	const acts = () => [...document.querySelectorAll<HTMLElement>('[data-surface=activity]')];

	it('is painted while its arguments arrive, and never heard before it is whole', async () => {
		const agent = talker([{ calls: [add(2, { pieces: 3 })], hang: true }]);
		render(PanelHost, { agent });
		const run = agent.run('Add', { by: PERSON });
		await seen(() => expect(acts()[0]?.dataset.state).toBe('arriving'));
		expect(acts()[0]?.querySelector('[data-part=arriving]')?.getAttribute('aria-hidden')).toBe('true');
		expect(acts()[0]?.textContent).toContain('{"instance":"provider","by":2}');
		expect(acts()[0]?.getAttribute('aria-label')).toBe('Add in Provider: values arriving');
		await run.stop(undefined, PERSON);
		await seen(() => expect(acts().map(({ dataset }) => dataset.state)).not.toContain('arriving'));
	});

	it('waits for the person, is done, refused with its reason, or unknown to all: line, sign and words', async () => {
		const agent = talker(
			[
				{
					calls: [
						add(1),
						{ instance: 'provider', act: 'add', args: { by: 'many' } },
						{ instance: 'nobody', act: 'add', args: {} }
					]
				},
				{ say: 'Well.' }
			],
			{ policy: { ceiling: 'review' } }
		);
		render(PanelHost, { agent });
		const run = agent.run('Add', { by: PERSON });
		await seen(() => expect(acts().map(({ dataset }) => dataset.state)).toContain('waiting'));
		expect(acts().find(({ dataset }) => dataset.state === 'waiting')?.textContent).toContain('needs you');
		expect(acts().filter(({ dataset }) => dataset.state === 'refused')).toHaveLength(2);
		expect(screen.getByText('The values do not fit.')).toBeTruthy();
		const review = run.state.reviews[0]!;
		run.decide({ review: review.id, verdict: 'reject', reason: 'no' }, PERSON);
		await run.returned;
		await seen(() => expect(acts().every(({ dataset }) => dataset.state === 'refused')).toBe(true));
		expect(document.body.textContent).toContain('rejected by you');
	});

	it('shows what the agent looked at, and that nobody vouches for it', async () => {
		const agent = talker([
			{ control: [{ name: 'pull', args: { instance: 'provider', read: 'count' } }] },
			{ say: 'Seen.' }
		]);
		render(PanelHost, { agent });
		await agent.run('Look', { by: PERSON }).returned;
		await seen(() => expect(acts()[0]?.textContent).toMatch(/Read count of Provider.*done/s));
	});

	it('can be drawn by the app, with all that is known of it', async () => {
		const agent = talker([{ calls: [add(2)] }, { say: 'Done.' }]);
		const activity = createRawSnippet<[{ act: ActView; run: string; step: string }]>((given) => ({
			render: () => `<i data-own>${given().act.sentence.strong}: ${given().act.word}</i>`
		}));
		render(PanelHost, { agent, activity });
		await agent.run('Add', { by: PERSON }).returned;
		await seen(() => expect(document.querySelector('[data-own]')).toBeTruthy());
		expect(acts()).toEqual([]);
	});
});
