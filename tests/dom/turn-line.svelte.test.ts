import { render, screen } from '@testing-library/svelte';
import { userEvent } from '@testing-library/user-event';
import { flushSync, tick } from 'svelte';
import { beforeAll, describe, expect, it } from 'vitest';
import { actingAs } from '../../src/lib/actor/index.js';
import type { EffectEntry, Question, RunState } from '../../src/lib/agent/protocol/run-state.js';
import { scripted } from '../../src/lib/agent/adapters/scripted.js';
import { ActiveAgent } from '../../src/lib/agent/active/index.js';
import { createRegistry } from '../../src/lib/agent/capability/registry.js';
import { memoryStore } from '../../src/lib/agent/stores/memory.js';
import { deterministic } from '../../src/lib/testing/index.js';
import { Aura } from '../../src/lib/canon/surfaces/aura/index.js';
import { QuestionCard } from '../../src/lib/canon/surfaces/question/index.js';
import type { EmissionListener } from '../../src/lib/uix/index.js';
import { es } from '../../src/lib/langs/es/index.js';
import { four, PERSON, run } from '../fixtures/runs.js';
import { Sheet, sheetManifest } from '../fixtures/sheet.js';
import { late } from '../../src/lib/canon/surfaces/late/late.svelte.js';
import { StandIn } from '../fixtures/stand-in.svelte.js';

beforeAll(() => late.load());

const EFFECT: EffectEntry = {
	operation: 'op-1',
	step: 's1',
	instance: 'invoice',
	act: 'send',
	status: 'unknown',
	reach: 'world',
	decidedBy: { kind: 'human', id: 'person' },
	how: 'person',
	fingerprint: ''
};

const acting = run(
	four().steps.map((step, index) => ({
		...step,
		status: index === 0 ? ('dispatched' as const) : ('granted' as const)
	})),
	[],
	{ state: 'acting', activity: 'acting' }
);
const waits = (code: string, data?: unknown, more: Partial<RunState> = {}): RunState => ({
	...acting,
	state: 'escalated',
	activity: code === 'paused' ? 'paused' : 'waiting',
	escalations: [{ code, text: 'Because.', ...(data === undefined ? {} : { data }) }],
	...more
});
const question = (more: Partial<Question> = {}): Question => ({
	id: 'q1',
	run: 'run-1',
	from: { kind: 'agent', id: 'ada', name: 'Ada' },
	text: 'Which account?',
	reason: 'question',
	status: 'open',
	...more
});
const returned = (more: Partial<RunState> = {}): RunState =>
	run(
		four().steps.map((step, index) => ({
			...step,
			status: index < 3 ? ('confirmed' as const) : ('rejected' as const)
		})),
		[],
		{
			state: 'returned',
			activity: 'idle',
			outcome: { kind: 'completed', effects: [], spent: four().budget.spent },
			...more
		}
	);

function turnLine(agent: StandIn) {
	const view = render(Aura, { agent: agent.active });
	flushSync();
	return view;
}
const buttons = () => screen.getAllByRole('button').map((button) => button.textContent?.trim());
const press = async (name: string) => {
	const button = screen.getByRole('button', { name });
	button.focus();
	actingAs(PERSON, () => button.click());
	flushSync();
	await Promise.resolve();
};

describe('the turn line', () => {
	it('S2-09 says whose turn it is, who else is there and how far it is', () => {
		const agent = new StandIn(acting);
		turnLine(agent);
		const group = screen.getByRole('group', { name: 'Who acts now?' });
		expect(group.dataset).toMatchObject({ surface: 'turn-line', state: 'acting' });
		const [you, ada] = screen.getAllByRole('listitem');
		expect(you?.getAttribute('aria-current')).toBeNull();
		expect(ada?.getAttribute('aria-current')).toBe('true');
		expect(ada?.textContent?.replace(/\s+/g, ' ').trim()).toBe('A Ada is acting in invoice 1 of 4');
	});

	it('S2-09 stands on the person before a run and after it', () => {
		const agent = new StandIn();
		turnLine(agent);
		expect(screen.getAllByRole('listitem')[0]?.getAttribute('aria-current')).toBe('true');
		agent.show(returned());
		flushSync();
		expect(screen.getAllByRole('listitem')[0]?.textContent).toContain('You have control again');
		expect(screen.getAllByRole('listitem')[0]?.textContent).toContain('3 done, 1 rejected');
	});

	it.each(['offered', 'planned', 'reviewing', 'authorized', 'acting', 'escalated'] as const)(
		'S2-119 has Stop in reach of the keyboard while a run is %s',
		async (state) => {
			const agent = new StandIn({ ...acting, state, activity: 'thinking' });
			turnLine(agent);
			const user = userEvent.setup();
			for (let tabs = 0; tabs < 2 && document.activeElement?.textContent?.trim() !== 'Stop Ada'; tabs++)
				await user.tab();
			expect(document.activeElement?.textContent?.trim()).toBe('Stop Ada');
			await user.keyboard('{Enter}');
			expect(agent.called).toMatchObject([{ verb: 'stop' }]);
		}
	);

	it('S2-105 has a way out of every reason a run waits for', async () => {
		const ways: readonly [RunState, string, object][] = [
			[waits('paused'), 'Resume', { verb: 'resume' }],
			[waits('budget.acts'), 'Renew: 10 acts more', { verb: 'renew', args: [{ acts: 10 }] }],
			[waits('scope', { instance: 'outbox' }), 'Allow outbox', { verb: 'resume' }],
			[
				waits('unknown-effect', { operation: 'op-1' }, { effects: [EFFECT] }),
				'It happened',
				{ verb: 'settle', args: ['op-1', 'done'] }
			],
			[
				waits('unknown-effect', { operation: 'op-1' }, { effects: [EFFECT] }),
				'It did not',
				{ verb: 'settle', args: ['op-1', 'not-done'] }
			],
			[
				waits('unknown-effect', { operation: 'op-1' }, { effects: [EFFECT] }),
				'Leave it',
				{ verb: 'settle', args: ['op-1', 'abandon'] }
			],
			[waits('owner'), 'Bring here', { verb: 'resume' }],
			...['auth', 'stall', 'transport', 'desync', 'store', 'drift', 'consent', 'new-reason'].map(
				(code) => [waits(code), 'Try again', { verb: 'resume' }] as [RunState, string, object]
			),
			[{ ...acting, state: 'offered', activity: 'waiting' }, 'Let Ada begin', { verb: 'accept' }],
			[{ ...acting, state: 'offered', activity: 'waiting' }, 'Decline', { verb: 'stop' }]
		];
		for (const [state, name, called] of ways) {
			const agent = new StandIn(state);
			const { unmount } = turnLine(agent);
			await press(name);
			expect(agent.called, `${state.escalations[0]?.code ?? state.state}: ${name}`).toMatchObject([called]);
			unmount();
		}
	});

	it('S2-91 S2-105 of a run that another window carries on it says where it is, and offers to bring it here or to stop it', async () => {
		const clock = deterministic(1).clock;
		const store = memoryStore({ now: () => clock.now() });
		const open = (seed: number) => {
			const registry = createRegistry();
			registry.register(sheetManifest, new Sheet(), { id: 'sheet', label: 'Sheet' });
			const call = { instance: 'sheet', act: 'write', args: { key: 'amount', value: '1' } };
			return new ActiveAgent({
				identity: { id: 'ada', name: 'Ada', description: 'keeps sheets' },
				transport: scripted(() => ({ calls: [call] }), { clock }),
				registry,
				store,
				...deterministic(seed),
				clock
			});
		};
		const settle = async () => {
			for (let i = 0; i < 8; i++) await clock.advance(0);
		};
		const [here, there] = [open(1), open(2)];
		await settle();
		const { id } = there.run('Write', { by: PERSON });
		await settle();
		render(Aura, { agent: here });
		await screen.findByRole('button', { name: 'Bring here' });
		expect(screen.getByRole('group', { name: 'Who acts now?' }).dataset.state).toBe('waiting');
		expect(document.body.textContent).toContain('Ada is at work in another window');
		expect(buttons()).toEqual(['Stop Ada', 'Bring here']);
		await press('Bring here');
		await settle();
		flushSync();
		await tick();
		expect(here.get(id)!.state.elsewhere).toBeUndefined();
		expect(there.get(id)!.state).toMatchObject({ elsewhere: true, state: 'reviewing' });
		await here.dispose();
		await there.dispose();
	});

	it('S2-45 answers a question in place, from its schema alone', async () => {
		const schema = { type: 'object', properties: { account: { type: 'string' } }, required: ['account'] };
		const agent = new StandIn(waits('question', undefined, { questions: [question({ schema })] }));
		turnLine(agent);
		expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
		await userEvent.setup().type(await screen.findByLabelText('Account'), 'Operations');
		await press('Answer Ada');
		expect(agent.called).toMatchObject([{ verb: 'answer', args: ['q1', { account: 'Operations' }] }]);
	});

	it('S2-45 a question does not stand in two forms: beside a card the line leads there, and says it once', async () => {
		const state = waits('question', undefined, { questions: [question()] });
		const agent = new StandIn(state);
		const told: string[] = [];
		const onemit: EmissionListener = ({ component, event }) => void told.push(`${component} ${event}`);
		render(QuestionCard, { agent: agent.active, onemit });
		render(Aura, { agent: agent.active, onemit });
		flushSync();
		expect(screen.getAllByRole('form')).toHaveLength(1);
		expect(screen.getAllByRole('textbox')).toHaveLength(1);
		await press('Answer');
		expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Which account?' }));
		expect(agent.called).toEqual([]);
		agent.write('escalation.raised', { reason: { code: 'question', text: '' } });
		await tick();
		flushSync();
		expect(told.filter((one) => one.endsWith('escalate'))).toHaveLength(1);
	});

	it('I21 a press that a script made gives nothing, and the line says so; the person’s own does', async () => {
		const offer: RunState = { ...acting, state: 'offered', activity: 'waiting' };
		const ways: readonly [RunState, string][] = [
			[waits('budget.acts'), 'Renew: 10 acts more'],
			[waits('stall'), 'Try again'],
			[waits('unknown-effect', { operation: 'op-1' }, { effects: [EFFECT] }), 'It did not'],
			[offer, 'Let Ada begin']
		];
		for (const [state, name] of ways) {
			const agent = new StandIn(state);
			const { unmount } = turnLine(agent);
			screen.getByRole('button', { name }).click();
			await tick();
			flushSync();
			expect(agent.called, name).toEqual([]);
			expect(screen.getByRole('status').textContent).toBe('Only a person may decide this.');
			await press(name);
			expect(agent.called, name).toMatchObject([{ by: PERSON }]);
			unmount();
		}
	});

	it('I21 whoever holds the agent up may, a script too', async () => {
		const agent = new StandIn(acting);
		turnLine(agent);
		screen.getByRole('button', { name: 'Stop Ada' }).click();
		expect(agent.called).toMatchObject([{ verb: 'stop', by: { kind: 'app' } }]);
	});

	it('says in words why a decision was refused', async () => {
		const agent = new StandIn(waits('budget.acts'));
		agent.report = { ok: false, refused: { code: 'person-required', text: 'Only a person renews.' } };
		turnLine(agent);
		await press('Renew: 10 acts more');
		await Promise.resolve();
		flushSync();
		expect(screen.getByRole('status').textContent).toBe('Only a person may decide this.');
	});

	it('offers undo after the return, redo after the undo, and says what was kept', async () => {
		const agent = new StandIn(returned());
		turnLine(agent);
		expect(buttons()).toEqual(['Undo this run']);
		await press('Undo this run');
		await Promise.resolve();
		await Promise.resolve();
		flushSync();
		expect(agent.called).toMatchObject([{ verb: 'undo', args: ['run-1'] }]);
		expect(screen.getByRole('status').textContent).toBe('3 changes undone. Kept: Amount (you changed it).');
		agent.show(returned({ undone: 'partial' }));
		screen.getByRole('button').blur();
		flushSync();
		expect(buttons()).toEqual(['Redo this run']);
		agent.show(returned({ undone: 'all' }));
		flushSync();
		expect(buttons()).toContain('Redo this run');
	});

	it('offers no redo where nothing was taken back, and says what had to stay by its label', async () => {
		const agent = new StandIn(returned());
		agent.registry.register(sheetManifest, new Sheet(), { id: 'outbox', label: 'Outbox' });
		const steps = returned().steps.map((step) => ({ ...step, status: 'confirmed' as const }));
		agent.show(returned({ steps }));
		agent.parts = {
			outbox: { undone: 0, kept: [{ what: 'Outbox: sendMail', why: 'It cannot be taken back.' }] }
		};
		turnLine(agent);
		await press('Undo this run');
		await Promise.resolve();
		await Promise.resolve();
		flushSync();
		expect(screen.getByRole('status').textContent).toBe(
			'0 changes undone. Kept: Send mail in Outbox (it cannot be taken back).'
		);
		agent.write('run.undone', { parts: agent.parts, undone: 'partial' } as never);
		agent.show(returned({ steps, undone: 'partial' }));
		screen.queryByRole('button')?.blur();
		flushSync();
		expect(screen.queryAllByRole('button')).toEqual([]);
		// What was said about one run goes with the next.
		agent.show(returned({ steps, undone: 'partial' }), { ...acting, id: 'run-2' });
		flushSync();
		expect(screen.getByRole('status').textContent).toBe('');
	});

	it('says what had to stay in the language of the page, also the reasons of the house’s own form', () => {
		expect(es.aura.kept('Importe', 'changed since')).toBe(
			'Se conserva: Importe (ha cambiado desde entonces).'
		);
		expect(es.aura.kept('Importe', 'Lo has cambiado.')).toBe('Se conserva: Importe (Lo has cambiado).');
		expect(es.reviewCard.does('Submit', 'Factura')).toMatchObject({ before: 'Enviar ', strong: 'Factura' });
	});

	it('drops redo once it was refused', async () => {
		const agent = new StandIn(returned({ undone: 'all' }));
		agent.report = { ok: false, refused: { code: 'stale', text: 'x' } };
		turnLine(agent);
		await press('Redo this run');
		await Promise.resolve();
		await Promise.resolve();
		flushSync();
		expect(screen.getByRole('status').textContent).toBe('Something changed meanwhile.');
		screen.getByRole('button').blur();
		flushSync();
		expect(screen.queryByRole('button')).toBeNull();
	});

	it('shows what the agent said after the return and while it waits, and folds what is long', () => {
		const said = (text: string) => returned({ outcome: { ...returned().outcome!, text } });
		const agent = new StandIn(said('It is filled in.'));
		turnLine(agent);
		const part = (name: string) => document.querySelector(`[data-part='${name}']`);
		expect(part('said')?.textContent).toBe('It is filled in.');
		agent.show(said('word '.repeat(60)));
		flushSync();
		expect(part('said')?.tagName).toBe('DETAILS');
		const turns = [{ id: 't', text: 'Two accounts are named.', calls: [] }];
		agent.show(waits('question', undefined, { turns }));
		flushSync();
		expect(part('said')?.textContent).toBe('Two accounts are named.');
		agent.show({ ...acting, turns });
		flushSync();
		expect(part('said')).toBeNull();
	});

	it('says why a run failed, by step, and in the exact words of whoever failed', () => {
		const [first, ...rest] = returned().steps;
		const reasons = [{ code: 'args-invalid', text: 'values/amount: Expected a number.' }];
		const agent = new StandIn(
			returned({
				steps: [{ ...first!, status: 'refused', reasons }, ...rest],
				outcome: { ...returned().outcome!, kind: 'refused' }
			})
		);
		turnLine(agent);
		const why = () => document.querySelector("[data-part='why']")?.textContent?.trim();
		expect(why()).toBe('Set Amount in invoice: The values do not fit.values/amount: Expected a number.');
		agent.show({ ...waits('transport'), escalations: [{ code: 'transport', text: 'HTTP 503' }] });
		flushSync();
		expect(why()).toContain('HTTP 503');
		agent.show(acting);
		flushSync();
		expect(why()).toBeUndefined();
	});

	it('S3-16 lets go of Stop as soon as a stop was asked for', () => {
		const agent = new StandIn(acting);
		turnLine(agent);
		expect(buttons()).toEqual(['Pause', 'Stop Ada']);
		agent.write('stop.requested', {});
		flushSync();
		expect(screen.queryAllByRole('button')).toEqual([]);
	});

	it('S2-119 keeps the focus on a control that does not apply any more, switched off', async () => {
		const agent = new StandIn(acting);
		turnLine(agent);
		const stop = screen.getByRole('button', { name: 'Stop Ada' });
		stop.focus();
		agent.show(returned());
		flushSync();
		expect(document.activeElement).toBe(stop);
		expect(stop.getAttribute('aria-disabled')).toBe('true');
		await userEvent.setup().keyboard('{Enter}');
		expect(agent.called).toEqual([]);
		stop.blur();
		flushSync();
		expect(buttons()).toEqual(['Undo this run']);
	});

	it('gives its parts to own markup', () => {
		const agent = new StandIn(acting);
		turnLine(agent);
		expect(document.querySelectorAll("[data-surface='turn-line'] [data-part]").length).toBeGreaterThan(6);
	});
});
