import { render, screen } from '@testing-library/svelte';
import { userEvent } from '@testing-library/user-event';
import { flushSync, tick } from 'svelte';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { actingAs } from '../../src/lib/actor/index.js';
import type { Question } from '../../src/lib/agent/protocol/run-state.js';
import { QuestionForm } from '../../src/lib/canon/surfaces/question/index.js';
import { es } from '../../src/lib/langs/index.js';
import { PERSON, run } from '../fixtures/runs.js';
import { Sheet, sheetManifest } from '../fixtures/sheet.js';
import { StandIn } from '../fixtures/stand-in.svelte.js';

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
					text: '3 things Ada needs to go on',
					reason: 'question',
					status: 'open',
					...more
				}
			]
		})
	);
const schemaOf = (schema: z.ZodType) => z.toJSONSchema(schema) as Record<string, unknown>;
const show = (agent: StandIn, more: object = {}) => {
	const view = render(QuestionForm, { agent: agent.active, ...more });
	flushSync();
	return view;
};
const press = async (name: string) => {
	actingAs(PERSON, () => screen.getByRole('button', { name }).click());
	await tick();
};

describe('the plain form of a question', () => {
	const schema = schemaOf(
		z.object({
			account: z.enum(['operations', 'machines']),
			costCentre: z.string().regex(/^\d{4}$/),
			guests: z.int().default(2),
			urgent: z.boolean(),
			days: z.array(z.enum(['mon', 'tue', 'wed']))
		})
	);

	it('asks for consent in words: labels and what is read, in the language of the page', () => {
		const agent = asked({
			reason: 'consent',
			text: 'May Ada read this in this run?',
			schema: { type: 'array', items: { type: 'string', enum: ['#ticket.cells', '#lost.passport'] } }
		});
		agent.registry.register(sheetManifest, new Sheet(), { id: 'ticket', label: 'Billete' });
		show(agent, { lang: es });
		expect(screen.getByRole('heading').textContent).toBe('¿Qué puede leer Ada en este encargo?');
		const { description } = sheetManifest.reads.cells!;
		expect(screen.getByLabelText(`Billete: ${description}`)).toBeTruthy();
		expect(screen.getByLabelText('lost: Passport')).toBeTruthy();
	});

	it('S2-45 is named by who asks and what, and gives the whole answer', async () => {
		const agent = asked({ schema });
		show(agent);
		expect(screen.getByRole('form', { name: 'Ada asks you 3 things Ada needs to go on' })).toBeTruthy();
		const user = userEvent.setup();
		await user.click(screen.getByLabelText('machines'));
		await user.type(screen.getByLabelText('Cost centre'), '1204');
		await user.click(screen.getByLabelText('Urgent'));
		await user.click(screen.getByLabelText('tue'));
		await press('Answer Ada');
		expect(agent.called).toMatchObject([
			{
				verb: 'answer',
				args: ['q1', { account: 'machines', costCentre: '1204', guests: 2, urgent: true, days: ['tue'] }]
			}
		]);
	});

	it('says beside the field what the engine found wrong, and leads the person there', async () => {
		const agent = asked({ schema });
		agent.report = {
			ok: false,
			refused: { code: 'answer-invalid', text: '' },
			issues: [{ path: 'costCentre', message: 'Four digits, for example 1204.' }] as never
		};
		show(agent);
		const user = userEvent.setup();
		await user.click(screen.getByLabelText('operations'));
		await user.type(screen.getByLabelText('Cost centre'), '12-B');
		await press('Answer Ada');
		const field = screen.getByLabelText('Cost centre');
		expect(field.getAttribute('aria-invalid')).toBe('true');
		const described = field.getAttribute('aria-describedby')?.split(' ') ?? [];
		expect(described.map((id) => document.getElementById(id)?.textContent)).toContain(
			'Four digits, for example 1204.'
		);
		expect(document.activeElement).toBe(field);
		expect((field as HTMLInputElement).value).toBe('12-B');
		expect(screen.getByRole('status').textContent).toBe('One field needs a look.');
	});

	it('asks nothing of the engine while something is missing', async () => {
		const agent = asked({ schema });
		show(agent);
		await press('Answer Ada');
		expect(agent.called).toEqual([]);
		expect(screen.getByText('Cost centre is needed.')).toBeTruthy();
		expect(screen.getByRole('status').textContent).toBe('2 fields need a look.');
	});

	it('can always be declined', async () => {
		const agent = asked({ schema });
		show(agent);
		await press('Decline');
		expect(agent.called).toMatchObject([{ verb: 'decline', args: ['q1', undefined] }]);
	});

	it('takes one text where there is no schema', async () => {
		const agent = asked({});
		show(agent);
		await userEvent.setup().type(screen.getByLabelText('Your answer'), 'By lorry');
		await press('Answer Ada');
		expect(agent.called).toMatchObject([{ verb: 'answer', args: ['q1', 'By lorry'] }]);
	});

	it('I21 a script answers nothing, however it presses or submits, and the form says so', async () => {
		const agent = asked({});
		show(agent);
		await userEvent.setup().type(screen.getByLabelText('Your answer'), 'By lorry{Enter}');
		for (const name of ['Answer Ada', 'Decline']) {
			screen.getByRole('button', { name }).click();
			await tick();
			expect(screen.getByRole('status').textContent).toBe('Only a person may decide this.');
		}
		const form = screen.getByRole<HTMLFormElement>('form');
		form.requestSubmit();
		// Whatever scope it is sent in: what answers is the press.
		actingAs(PERSON, () => form.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true })));
		expect(agent.called).toEqual([]);
		await press('Answer Ada');
		expect(agent.called).toMatchObject([{ verb: 'answer', args: ['q1', 'By lorry'], by: PERSON }]);
		expect(screen.getByRole('status').textContent).toBe('');
	});

	it('asks for consent by a choice of entries', async () => {
		const entries = ['form.iban', 'document.private'];
		const agent = asked({
			reason: 'consent',
			text: 'May Ada read these?',
			schema: { type: 'array', items: { type: 'string', enum: entries } }
		});
		show(agent);
		await userEvent.setup().click(screen.getByLabelText('form.iban'));
		await press('Answer Ada');
		expect(agent.called).toMatchObject([{ verb: 'answer', args: ['q1', ['form.iban']] }]);
	});

	it('asks for no secret: such a question can only be declined', () => {
		const agent = asked({ schema: schemaOf(z.object({ password: z.string() })) });
		show(agent);
		expect(screen.queryByRole('textbox')).toBeNull();
		expect(screen.getByText(/Password would be a secret/)).toBeTruthy();
		expect(screen.getAllByRole('button').map((button) => button.textContent)).toEqual(['Decline']);
	});

	it('says why an answer was not taken', async () => {
		const agent = asked({});
		agent.report = { ok: false, refused: { code: 'question-settled', text: 'x' } };
		show(agent);
		await userEvent.setup().type(screen.getByLabelText('Your answer'), 'Yes');
		await press('Answer Ada');
		expect(screen.getByRole('status').textContent).toBe('This question has been settled already.');
	});

	it('links only to the web, and names the host', () => {
		show(asked({ url: 'https://bank.example/login?x=1', reason: 'auth' }));
		const link = screen.getByRole('link', { name: 'Open bank.example' });
		expect(link.getAttribute('rel')).toContain('noopener');
	});

	it('shows no link that is no web address', () => {
		show(asked({ url: 'javascript:alert(1)' }));
		expect(screen.queryByRole('link')).toBeNull();
	});

	it('speaks the language it is given', () => {
		show(asked({}), { lang: es });
		expect(screen.getByRole('button', { name: 'Responder a Ada' })).toBeTruthy();
	});

	it('is gone when nothing is asked', () => {
		show(new StandIn());
		expect(screen.queryByRole('form')).toBeNull();
	});
});
