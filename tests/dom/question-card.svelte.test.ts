import { render, screen } from '@testing-library/svelte';
import { userEvent } from '@testing-library/user-event';
import { flushSync, tick } from 'svelte';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { actingAs } from '../../src/lib/actor/index.js';
import type { Question } from '../../src/lib/agent/protocol/run-state.js';
import { QuestionState } from '../../src/lib/canon/surfaces/question/question.svelte.js';
import { agentHue } from '../../src/lib/uix/eidos/index.js';
import type { AgentScope } from '../../src/lib/mount/index.js';
import { QuestionCard } from '../../src/lib/canon/surfaces/question/index.js';
import { late } from '../../src/lib/canon/surfaces/late/late.svelte.js';
import { collect, startOf } from '../../src/lib/canon/surfaces/question/answer.js';
import { fieldsOf } from '../../src/lib/canon/surfaces/question/fields.js';
import { checkAnswer } from '../../src/lib/agent/engine/question.js';
import { en, es } from '../../src/lib/langs/index.js';
import { PERSON, run } from '../fixtures/runs.js';
import { Sheet, sheetManifest } from '../fixtures/sheet.js';
import { StandIn } from '../fixtures/stand-in.svelte.js';

beforeAll(() => late.load(), 30_000);

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
	const view = render(QuestionCard, { agent: agent.active, ...more });
	flushSync();
	return view;
};
const press = async (name: string) => {
	actingAs(PERSON, () => screen.getByRole('button', { name }).click());
	await tick();
};

/** Schemas of the subset with an answer that fits: what a person would put in, by label. */
const part = fc.oneof(
	fc
		.record({ min: fc.integer({ min: -50, max: 50 }), room: fc.integer({ min: 0, max: 50 }) })
		.map(({ min, room }) => ({
			schema: { type: 'integer', minimum: min, maximum: min + room },
			right: min as unknown,
			wrong: (min - 1) as unknown
		})),
	fc.integer({ min: 1, max: 9 }).map((length) => ({
		schema: { type: 'string', minLength: length, maxLength: length + 3 },
		right: 'x'.repeat(length) as unknown,
		wrong: 'x'.repeat(length + 4) as unknown
	})),
	fc.constant({
		schema: { type: 'string', format: 'email' },
		right: 'a@b.example' as unknown,
		wrong: 'a' as unknown
	}),
	fc
		.uniqueArray(fc.string({ minLength: 1, maxLength: 12 }), { minLength: 2, maxLength: 7 })
		.map((choices) => ({
			schema: { type: 'string', enum: choices },
			right: choices[1] as unknown,
			wrong: undefined as unknown
		})),
	fc
		.uniqueArray(fc.string({ minLength: 1, maxLength: 12 }), { minLength: 2, maxLength: 5 })
		.map((choices) => ({
			schema: { type: 'array', items: { type: 'string', enum: choices }, minItems: 1 },
			right: [choices[0]] as unknown,
			wrong: undefined as unknown
		}))
);

describe('S2-45 a form from the schema alone', () => {
	it('S2-43 S2-45 every schema of the subset becomes a form whose right answer fits it and whose wrong one is named', () => {
		fc.assert(
			fc.property(fc.array(part, { minLength: 1, maxLength: 6 }), (parts) => {
				const properties = Object.fromEntries(parts.map(({ schema }, n) => [`f${n}`, schema]));
				const schema = { type: 'object', properties, required: Object.keys(properties) };
				const fields = fieldsOf(schema, '');
				const entries = (which: 'right' | 'wrong') =>
					Object.fromEntries(
						fields.map((field, n) => [
							field.key,
							startOf({ ...field, initial: (parts[n]![which] ?? '') as never })
						])
					);
				const right = collect(fields, entries('right'), en);
				expect(right).toEqual({
					ok: true,
					value: Object.fromEntries(parts.map((one, n) => [`f${n}`, one.right]))
				});
				expect(checkAnswer(schema, right.ok && right.value)).toEqual([]);
				const wrong = collect(fields, entries('wrong'), en);
				expect(wrong.ok ? [] : wrong.issues.map(({ path }) => path).sort()).toEqual(
					Object.keys(properties).sort()
				);
			})
		);
	});
});

describe('the card of a question', () => {
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
		expect(screen.getAllByRole('button').map((button) => button.textContent)).toEqual(['Decline', 'Later']);
	});

	it('says why an answer was not taken', async () => {
		const agent = asked({});
		agent.report = { ok: false, refused: { code: 'question-settled', text: 'x' } };
		show(agent);
		await userEvent.setup().type(screen.getByLabelText('Your answer'), 'Yes');
		await press('Answer Ada');
		expect(screen.getByRole('status').textContent).toBe('This question has been settled already.');
	});

	it('S2-43 leads to another page by its host, letter by letter, and is answered by saying that it is done', async () => {
		const agent = asked({ url: 'https://bänk.example:8443/login?x=1', reason: 'auth' });
		show(agent);
		const link = screen.getByRole<HTMLAnchorElement>('link', { name: 'Open xn--bnk-qla.example:8443' });
		expect(link.rel).toBe('noopener noreferrer nofollow');
		expect(link.target).toBe('_blank');
		expect(screen.queryByRole('textbox')).toBeNull();
		await press('I have done it');
		expect(agent.called).toMatchObject([{ verb: 'answer', args: ['q1', 'I have done it'] }]);
	});

	it.each([
		['javascript:alert(1)', /no web address/],
		['data:text/html,x', /no web address/],
		['//bank.example', /no web address/],
		['https://bank.example@evil.example/', /carries a name or a password/]
	])('opens nothing at %s, says why, and can only be declined', (url, why) => {
		show(asked({ url }));
		expect(screen.queryByRole('link')).toBeNull();
		expect(screen.getByText(why)).toBeTruthy();
		expect(screen.getAllByRole('button').map((button) => button.textContent)).toEqual(['Decline', 'Later']);
	});

	it('S2-44 Later leaves it open, gives the focus back, and keeps what was written', async () => {
		const before = document.body.appendChild(document.createElement('button'));
		const agent = asked({});
		show(agent);
		before.focus();
		const user = userEvent.setup();
		await user.tab();
		await user.type(screen.getByRole('textbox'), 'By lo');
		await press('Later');
		expect(document.activeElement).toBe(before);
		expect(agent.called).toEqual([]);
		expect(screen.queryByRole('textbox')).toBeNull();
		expect(screen.getByText('Ada still waits for your answer.')).toBeTruthy();
		await press('Look at the question');
		await tick();
		expect(document.activeElement).toBe(screen.getByRole('heading'));
		expect(screen.getByRole<HTMLInputElement>('textbox').value).toBe('By lo');
		before.remove();
	});

	it.each(['Answer Ada', 'Decline'])('S2-44 %s leads on to the next question, then back', async (name) => {
		const before = document.body.appendChild(document.createElement('button'));
		const agent = asked({});
		const [first] = agent.pending;
		const next = {
			...first,
			question: { ...(first as { question: Question }).question, id: 'q2', text: 'And?' }
		};
		show(agent);
		before.focus();
		const user = userEvent.setup();
		await user.tab();
		await user.type(screen.getByRole('textbox'), 'By lorry');
		screen.getByRole('button', { name }).focus();
		await press(name);
		agent.pending = [next as (typeof agent.pending)[number]];
		await tick();
		await tick();
		expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'And?' }));
		await user.tab();
		await user.type(screen.getByRole('textbox'), 'At noon');
		screen.getByRole('button', { name }).focus();
		await press(name);
		agent.pending = [];
		await tick();
		await tick();
		expect(document.activeElement).toBe(before);
		before.remove();
	});

	it('S2-44 a question that goes without its answer moves no focus', async () => {
		const before = document.body.appendChild(document.createElement('button'));
		const agent = asked({});
		show(agent);
		before.focus();
		await userEvent.setup().tab();
		agent.pending = [];
		await tick();
		await tick();
		expect(document.activeElement).toBe(document.body);
		before.remove();
	});

	it('shows one of several at a time, the oldest first, and says how many wait behind it', () => {
		const one = (id: string, text: string): Question => ({
			id,
			run: 'run-1',
			from: { kind: 'agent', id: 'ada', name: 'Ada' },
			text,
			reason: 'question',
			status: 'open'
		});
		const agent = new StandIn(
			run([], [], {
				state: 'escalated',
				escalations: [{ code: 'question', text: '' }],
				questions: [one('q1', 'First?'), one('q2', 'Second?'), one('q3', 'Third?')]
			})
		);
		show(agent);
		expect(screen.getAllByRole('form')).toHaveLength(1);
		expect(screen.getByRole('heading').textContent).toBe('First?');
		expect(screen.getByText('2 more questions wait after this one.')).toBeTruthy();
	});

	it('audit 31 holds what was given already: defaults, choices and lists', () => {
		show(
			asked({
				schema: {
					type: 'object',
					properties: {
						account: {
							type: 'string',
							oneOf: [
								{ const: 'a', title: 'Ops' },
								{ const: 'b', title: 'Mill' }
							],
							default: 'b'
						},
						guests: { type: 'integer', default: 2 },
						days: {
							type: 'array',
							items: {
								anyOf: [
									{ const: 1, title: 'Mon' },
									{ const: 2, title: 'Tue' }
								]
							},
							default: [2]
						},
						urgent: { type: 'boolean', default: true }
					}
				}
			})
		);
		expect(screen.getByLabelText<HTMLInputElement>('Mill').checked).toBe(true);
		expect(screen.getByLabelText<HTMLInputElement>(/^Guests/).value).toBe('2');
		expect(screen.getByLabelText<HTMLInputElement>('Tue').checked).toBe(true);
		expect(screen.getByLabelText<HTMLInputElement>('Mon').checked).toBe(false);
		expect(screen.getByLabelText<HTMLInputElement>('Urgent').checked).toBe(true);
	});

	it.each([
		[{ type: 'integer', minimum: 3 }, '1', 'Escribe un número que sea al menos 3.'],
		[{ type: 'number', maximum: 3 }, '5', 'Escribe un número que no pase de 3.'],
		[{ type: 'string', minLength: 5 }, 'abc', 'Escribe al menos 5 caracteres.'],
		[
			{ type: 'string', format: 'email' },
			'ada',
			'Escribe una dirección de correo, por ejemplo nombre@ejemplo.com.'
		],
		[{ type: 'string', format: 'uri' }, 'x y', 'Escribe una dirección web, por ejemplo https://ejemplo.com.']
	])(
		'names what is wrong with %o by what would be right, in the language of the page',
		async (part, typed, why) => {
			const agent = asked({ schema: { type: 'object', properties: { it: part }, required: ['it'] } });
			show(agent, { lang: es });
			await userEvent.setup().type(screen.getByLabelText('It'), typed);
			await press('Responder a Ada');
			expect(screen.getByLabelText('It').getAttribute('aria-invalid')).toBe('true');
			expect(screen.getByText(why)).toBeTruthy();
			expect(agent.called).toEqual([]);
		}
	);

	it('keeps what was written over an unmount while it is open, and nothing once it is settled', async () => {
		const agent = asked({ schema });
		const first = show(agent);
		const user = userEvent.setup();
		await user.type(screen.getByLabelText('Cost centre'), '12');
		await user.click(screen.getByLabelText('machines'));
		await user.click(screen.getByLabelText('tue'));
		first.unmount();
		const second = show(agent);
		expect(screen.getByLabelText<HTMLInputElement>('Cost centre').value).toBe('12');
		expect(screen.getByLabelText<HTMLInputElement>('machines').checked).toBe(true);
		expect(screen.getByLabelText<HTMLInputElement>('tue').checked).toBe(true);
		const { pending } = agent;
		agent.pending = [];
		flushSync();
		// The same id again, as no engine would have it: nothing of what was written is left to show.
		agent.pending = pending;
		flushSync();
		expect(screen.getByLabelText<HTMLInputElement>('Cost centre').value).toBe('');
		expect(screen.getByLabelText<HTMLInputElement>('machines').checked).toBe(false);
		second.unmount();
	});

	it('keeps no secret, whatever is entered for it', () => {
		const state = (fields: object) => {
			const agent = asked({ schema: schemaOf(z.object(fields as Record<string, z.ZodType>)) });
			const scope = { agent: agent.active, registry: agent.registry, lang: en } as unknown as AgentScope;
			const form = new QuestionState(() => ({ scope }));
			form.enter(form.fields[0]!, 'hunter2');
			return form.entry(form.fields[0]!);
		};
		expect(state({ password: z.string() })).toBe('');
		expect(state({ city: z.string() })).toBe('hunter2');
	});

	it('names the agent that asks, in its own hue, where that is another one', () => {
		show(asked({ from: { kind: 'agent', id: 'olga', name: 'Olga' } }));
		const form = screen.getByRole('form', { name: /^Olga asks you / });
		expect(form.style.getPropertyValue('--ax-agent-hue')).toBe(String(agentHue('olga')));
		expect(form.style.getPropertyValue('--ax-agent-hue')).not.toBe(String(agentHue('ada')));
		expect(screen.getByRole('button', { name: 'Answer Olga' })).toBeTruthy();
		// What leads to it looks for the agent of the page.
		expect(form.dataset['agent']).toBe('ada');
	});

	it('names the run it asks in by its goal, short and quoted, where that is not the present one', () => {
		const agent = asked({});
		const view = show(agent);
		expect(screen.getByRole('form').textContent).not.toContain('in the run');
		const [one] = agent.runs;
		const { pending } = agent;
		const goal = `Find a hotel” for ${'very '.repeat(20)}tired guests`;
		agent.runs = [
			{ ...one!, id: 'run-0', goal: 'Plan the fair', questions: [] },
			{ ...one!, goal, parent: 'run-0' }
		];
		agent.pending = pending;
		flushSync();
		const named = screen.getByText(/^in the run “/).textContent;
		expect(named).toMatch(/^in the run “[^”]*Find a hotel’ for very [^”]*…[^”]*”$/);
		expect(named.length).toBeLessThan(80);
		expect(screen.getByRole('form', { name: /^Ada asks you in the run “/ })).toBeTruthy();
		view.unmount();
		show(agent, { lang: es });
		expect(screen.getByText(/^en el encargo «/)).toBeTruthy();
	});

	it('names the run of a question also where that run is the present one and nested', () => {
		const agent = asked({});
		agent.runs = [{ ...agent.runs[0]!, goal: 'Find a hotel', parent: 'run-0' }];
		show(agent);
		expect(screen.getByText(/^in the run “.?Find a hotel.?”$/)).toBeTruthy();
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
