import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { actingAs, type Actor } from '../../src/lib/actor/index.js';
import {
	createFormProvider,
	nativeSource,
	type FormChange,
	type FormOptions,
	type FormProvider,
	type FormValue
} from '../../src/lib/canon/participants/form/index.js';
import type { Emission } from '../../src/lib/uix/sema/index.js';

const by = (run: string): Actor => ({ kind: 'agent', id: 'ada', name: 'Ada', run });

const CONTROLS = `
	<label>Customer <input name="customer" required maxlength="20"></label>
	<label>Amount <input name="amount" type="number" min="0" step="0.5"></label>
	<label>Mail <input name="mail" type="email"></label>
	<label>Site <input name="site" type="url"></label>
	<label>Phone <input name="phone" type="tel" pattern="[0-9 ]+" title="Digits and spaces"></label>
	<label>Due <input name="due" type="date" min="2026-01-01"></label>
	<label>At <input name="at" type="time"></label>
	<label>Colour <input name="colour" type="color" value="#112233"></label>
	<label>Weight <input name="weight" type="range" min="0" max="10" step="2" value="4"></label>
	<label>Note <textarea name="note"></textarea></label>
	<label>Currency <select name="currency"><option value="">–</option><option value="EUR">Euro</option><option value="XXX" disabled>None</option></select></label>
	<label>Tags <select name="tags" multiple><option>a</option><option>b</option><option>c</option></select></label>
	<label><input type="checkbox" name="express"> Express</label>
	<fieldset><legend>Pay by</legend>
		<label><input type="radio" name="pay" value="bank"> Bank</label>
		<label><input type="radio" name="pay" value="card"> Card</label>
	</fieldset>
	<fieldset><legend>Days</legend>
		<label><input type="checkbox" name="days" value="mon"> Monday</label>
		<label><input type="checkbox" name="days" value="tue"> Tuesday</label>
	</fieldset>
	<output name="total">0</output>
	<button>Send</button>`;

function mount(html = CONTROLS, options?: FormOptions) {
	document.body.innerHTML = `<form>${html}</form>`;
	const form = document.querySelector('form')!;
	const provider = createFormProvider(nativeSource(form), options);
	const control = (name: string) => form.querySelector<HTMLInputElement>(`[name="${name}"]`)!;
	/** An edit that nobody vouches for: the app's own, as far as the form can tell. */
	const edit = (name: string, value: string) => {
		control(name).value = value;
		control(name).dispatchEvent(new Event('input', { bubbles: true }));
	};
	return { form, provider, control, edit };
}

const FITS: Record<string, FormValue> = {
	customer: 'ACME',
	amount: 12.5,
	mail: 'a@b.example',
	site: 'https://b.example/',
	phone: '12 34',
	due: '2026-11-30',
	at: '10:30',
	colour: '#abcdef',
	weight: 6,
	note: 'two\nlines',
	currency: 'EUR',
	tags: ['a', 'c'],
	express: true,
	pay: 'card',
	days: ['tue']
};
const MISFITS: [path: string, value: FormValue][] = [
	['customer', 5],
	['customer', 'x'.repeat(21)],
	['customer', 'two\nlines'],
	['amount', '12'],
	['amount', -1],
	['amount', 0.3],
	['mail', 'nobody'],
	['site', 'b.example'],
	['phone', 'twelve'],
	['due', '30.11.2026'],
	['due', '2025-12-31'],
	['at', 'noon'],
	['colour', 'red'],
	['weight', 11],
	['weight', 3],
	['weight', null],
	['currency', 'GBP'],
	['currency', 'XXX'],
	['currency', ['EUR']],
	['tags', 'a'],
	['tags', ['z']],
	['express', 'yes'],
	['pay', 'cash'],
	['days', ['wed']],
	['nothere', 'x']
];

describe('a form of native controls', () => {
	it('S2-77 works without any agent: labels, types, values, choices', () => {
		const { provider } = mount();
		expect(provider.fields().map(({ path, label, type }) => `${path}|${label}|${type}`)).toStrictEqual([
			'customer|Customer|text',
			'amount|Amount|number',
			'mail|Mail|email',
			'site|Site|url',
			'phone|Phone|tel',
			'due|Due|date',
			'at|At|time',
			'colour|Colour|color',
			'weight|Weight|range',
			'note|Note|textarea',
			'currency|Currency|select',
			'tags|Tags|select-multiple',
			'express|Express|checkbox',
			'pay|Pay by|radio',
			'days|Days|checkboxes',
			'total|total|output'
		]);
		expect(provider.field('pay')!.options).toStrictEqual([
			{ value: 'bank', label: 'Bank' },
			{ value: 'card', label: 'Card' }
		]);
		expect(provider.field('customer')).toMatchObject({ required: true, constraints: { maxLength: 20 } });
	});

	it('S2-03 a fill by the app and by an agent end in the same values', () => {
		const mine = mount().provider.fill(FITS);
		const { provider } = mount();
		const theirs = actingAs(by('r'), () => provider.fill(FITS));
		expect(mine.rejected).toStrictEqual([]);
		expect(theirs).toStrictEqual(mine);
		expect(theirs.values).toStrictEqual({ ...FITS, total: '0' });
	});

	it.each(MISFITS)('%s does not take %j, and nothing else of the fill is written', (path, value) => {
		const { provider } = mount();
		const before = provider.values();
		const report = provider.fill({ note: 'fine', [path]: value });
		expect(report.rejected).toMatchObject([{ path, code: 'args-invalid' }]);
		expect(report.written).toStrictEqual({});
		expect(provider.values()).toStrictEqual(before);
	});

	it('clears to what the control calls empty', () => {
		const { provider } = mount();
		provider.fill(FITS);
		const report = provider.clear(Object.keys(FITS));
		expect(report.values).toStrictEqual({
			customer: '',
			amount: null,
			mail: '',
			site: '',
			phone: '',
			due: '',
			at: '',
			colour: '#112233',
			weight: 4,
			note: '',
			currency: '',
			tags: [],
			express: false,
			pay: null,
			days: [],
			total: '0'
		});
	});

	it('finds controls by id or label, tells controls of one name apart, and takes those outside that belong to it', () => {
		document.body.innerHTML =
			'<form id="f"><input id="by-id"><label>First name <input></label><input name="line"><input name="line"></form><input form="f" name="far">';
		const provider = createFormProvider(nativeSource(document.querySelector('form')!));
		expect(provider.fields().map(({ path }) => path)).toStrictEqual([
			'by-id',
			'first-name',
			'line[0]',
			'line[1]',
			'far'
		]);
		provider.fill({ 'line[1]': 'second', far: 'away' });
		expect(provider.values()).toMatchObject({ 'line[0]': '', 'line[1]': 'second', far: 'away' });
	});

	it('lists what the form made of a value, and shows what followed from it', async () => {
		const { provider, control, form } = mount();
		form.addEventListener('input', () => {
			control('customer').value = control('customer').value.toUpperCase();
			form.querySelector('output')!.value = 'computed';
		});
		const report = provider.fill({ customer: 'acme', note: 'x' });
		expect(report.rejected).toStrictEqual([
			{ path: 'customer', code: 'args-invalid', text: 'The form made "ACME" of it.' }
		]);
		expect(report.values).toMatchObject({ customer: 'ACME', total: 'computed' });
		expect(await provider.settled({ customer: 'acme' })).toMatchObject({ rejected: [{ path: 'customer' }] });
	});

	it('versions move with the value alone, also where no event told of it', () => {
		const { provider, control, edit } = mount();
		const first = provider.version('customer');
		const other = provider.version('note');
		control('customer').dispatchEvent(new Event('change', { bubbles: true }));
		expect(provider.version('customer')).toBe(first);
		edit('customer', 'a');
		const second = provider.version('customer');
		control('customer').value = 'b';
		const third = provider.version('customer');
		expect(new Set([first, second, third]).size).toBe(3);
		expect(provider.version('note')).toBe(other);
		const structure = provider.structureVersion();
		control('note').setAttribute('aria-label', 'Remark');
		expect(provider.structureVersion()).toBe(structure + 1);
		expect(provider.structureVersion()).toBe(structure + 1);
	});

	it('an edit by a script is nobody’s touch', () => {
		const { provider, edit } = mount();
		edit('customer', 'script');
		expect(provider.field('customer')).toMatchObject({ value: 'script', touched: false });
	});

	it('tells of every change who made it, and stops when destroyed', () => {
		const { provider, edit, form } = mount();
		const heard: FormChange[] = [];
		provider.on((change) => heard.push(change));
		edit('note', 'x');
		actingAs(by('r'), () => provider.fill({ note: 'y' }));
		provider.accept('note');
		provider.undo('r');
		expect(heard.map(({ kind, by: who }) => `${kind} ${who.kind}`)).toStrictEqual([
			'edit app',
			'fill agent',
			'accept app',
			'undo app'
		]);
		provider.destroy();
		edit('note', 'z');
		expect(heard).toHaveLength(4);
		expect(form.hasAttribute('data-participant')).toBe(false);
	});
});

describe('what a form says', () => {
	it.each(['fill', 'clear', 'undo', 'redo'] as const)(
		'S2-05 S2-72 S2-125 %s emits its own family for the app and delegate.act for an agent, before the work',
		(method) => {
			const order: string[] = [];
			const emissions: Emission[] = [];
			const { provider } = mount(CONTROLS, {
				onemit: (emission) => {
					order.push('emission');
					emissions.push(emission);
				}
			});
			const call = () =>
				({
					fill: () => provider.fill({ note: 'x' }),
					clear: () => provider.clear(['note']),
					undo: () => provider.undo('before'),
					redo: () => provider.redo('before')
				})[method]();
			const prepare = () => {
				actingAs(by('before'), () => provider.fill({ note: `${emissions.length}` }));
				if (method === 'redo') provider.undo('before');
				emissions.length = order.length = 0;
			};
			prepare();
			const stop = provider.on(() => order.push('handler'));
			call();
			stop();
			expect(emissions).toMatchObject([{ family: 'edit', event: method, actor: { kind: 'app' } }]);
			expect(order).toStrictEqual(['emission', 'handler']);

			prepare();
			actingAs({ ...by('r'), step: 's' }, call);
			expect(emissions).toMatchObject([
				{
					family: 'delegate',
					verb: 'act',
					event: method,
					actor: { id: 'ada' },
					cause: { run: 'r', step: 's' }
				}
			]);
		}
	);

	it('S2-115 handlers of the app that a fill sets off see the agent as the cause, and no person', () => {
		const { provider, form } = mount();
		const inner: string[] = [];
		const other = document.createElement('form');
		other.innerHTML = '<input name="copy">';
		document.body.append(other);
		const second = createFormProvider(nativeSource(other), {
			onemit: ({ family, cause }) => inner.push(`${family} ${cause?.run}`)
		});
		form.addEventListener('change', () => second.fill({ copy: String(provider.value('note')) }));
		actingAs(by('r'), () => provider.fill({ note: 'x' }));
		expect(inner).toStrictEqual(['delegate r']);
		expect(second.field('copy')).toMatchObject({ touched: false, written: { run: 'r' } });
	});

	it('a refused fill did nothing and says nothing', () => {
		const emissions: Emission[] = [];
		const { provider } = mount(CONTROLS, { onemit: (emission) => emissions.push(emission) });
		provider.fill({ amount: 'many' });
		expect(emissions).toStrictEqual([]);
	});
});

describe('who wrote it', () => {
	it('S2-67 S2-108 is a fact of the form, and the attributes follow from it', () => {
		const { provider, control } = mount(CONTROLS, { now: () => 7 });
		control('customer').setAttribute('aria-description', 'As registered');
		actingAs(by('r'), () => provider.fill({ customer: 'ACME' }));
		expect(provider.field('customer')!.written).toStrictEqual({ actor: by('r'), run: 'r', at: 7 });
		expect(control('customer').getAttribute('aria-description')).toBe('Written by Ada');
		expect(control('customer').dataset.by).toBe('ada');
		provider.accept('customer');
		expect(provider.field('customer')).not.toHaveProperty('written');
		expect(control('customer').getAttribute('aria-description')).toBe('As registered');
		expect(control('customer').dataset.by).toBeUndefined();
	});

	it('marks the field around the control where there is one, and unmarks at the next edit', () => {
		const { provider, edit } = mount('<div data-part="field"><input name="x"></div>');
		const field = document.querySelector<HTMLElement>('[data-part="field"]')!;
		actingAs(by('r'), () => provider.fill({ x: 'y' }));
		expect(field.dataset.by).toBe('ada');
		edit('x', 'z');
		expect(field.dataset.by).toBeUndefined();
		expect(provider.field('x')).not.toHaveProperty('written');
	});

	it('S2-11 S2-67 a control that is made again gets its mark again', async () => {
		const { provider, form, control } = mount();
		actingAs(by('r'), () => provider.fill({ customer: 'ACME' }));
		const copy = document.createElement('input');
		copy.name = 'customer';
		copy.value = 'ACME';
		control('customer').replaceWith(copy);
		await new Promise((resolve) => setTimeout(resolve));
		expect(copy.dataset.by).toBe('ada');
		expect(form.querySelectorAll('[data-by]')).toHaveLength(1);
	});

	it('the app’s own fill carries no mark', () => {
		const { provider, form } = mount();
		provider.fill({ customer: 'ACME' });
		expect(form.querySelector('[data-by]')).toBeNull();
	});
});

describe('taking a run back', () => {
	it('S2-74 S2-75 several fills of a run are one step back and one forth', () => {
		const { provider } = mount();
		provider.fill({ customer: 'Mine', tags: ['b'] });
		const before = provider.values();
		actingAs(by('r'), () => provider.fill({ customer: 'First', express: true }));
		actingAs(by('r'), () => provider.fill({ customer: 'Last', tags: ['a'], pay: 'bank' }));
		const after = provider.values();
		expect(provider.undo('r')).toStrictEqual({ undone: 4, kept: [] });
		expect(provider.values()).toStrictEqual(before);
		expect(provider.undo('r')).toStrictEqual({ undone: 0, kept: [] });
		expect(provider.redo('r')).toStrictEqual({ undone: 4, kept: [] });
		expect(provider.values()).toStrictEqual(after);
		expect(provider.field('customer')!.written?.run).toBe('r');
	});

	it('S2-106 keeps what was changed since and says so by its label', () => {
		const { provider, edit } = mount();
		actingAs(by('r'), () => provider.fill({ customer: 'ACME', note: 'n' }));
		edit('customer', 'ACME Ltd');
		expect(provider.undo('r')).toStrictEqual({
			undone: 1,
			kept: [{ what: 'Customer', why: 'changed since' }]
		});
		expect(provider.values()).toMatchObject({ customer: 'ACME Ltd', note: '' });
	});

	it('never brings back over a person’s words what a run wrote before them', () => {
		const { provider, edit } = mount();
		actingAs(by('r'), () => provider.fill({ customer: 'First' }));
		edit('customer', 'Mine');
		actingAs(by('r'), () => provider.fill({ customer: 'Second' }));
		expect(provider.undo('r').undone).toBe(1);
		expect(provider.value('customer')).toBe('Mine');
	});

	it('of two runs on one field each goes alone, in either order', () => {
		const { provider } = mount();
		actingAs(by('a'), () => provider.fill({ customer: 'A' }));
		actingAs(by('b'), () => provider.fill({ customer: 'B' }));
		expect(provider.undo('a').kept).toStrictEqual([{ what: 'Customer', why: 'changed since' }]);
		expect(provider.value('customer')).toBe('B');
		provider.undo('b');
		expect(provider.value('customer')).toBe('');
		provider.redo('a');
		expect(provider.value('customer')).toBe('A');
	});

	it('lists a field that is gone, and a choice that is', () => {
		const { provider, control } = mount();
		provider.fill({ currency: 'EUR' });
		actingAs(by('r'), () => provider.fill({ customer: 'ACME', currency: '' }));
		control('customer').closest('label')!.remove();
		control('currency').querySelector('[value="EUR"]')!.remove();
		expect(provider.undo('r')).toStrictEqual({
			undone: 0,
			kept: [
				{ what: 'customer', why: 'no longer in the form' },
				{ what: 'Currency', why: 'the field does not take the value any more' }
			]
		});
	});

	it('S2-75 under any interleaving of runs and edits, undo leaves nothing of the run and redo brings it all back', () => {
		expect.hasAssertions();
		const step = fc.oneof(
			fc.record({ run: fc.constantFrom('a', 'b'), path: fc.constantFrom('customer', 'note', 'mail') }),
			fc.record({ run: fc.constant(undefined), path: fc.constantFrom('customer', 'note', 'mail') })
		);
		fc.assert(
			fc.property(fc.array(step, { maxLength: 12 }), fc.constantFrom('a', 'b'), (steps, taken) => {
				const { provider, edit } = mount(
					'<input name="customer" value="0"><input name="note" value="0"><input name="mail" value="0">'
				);
				const log: { run?: string; path: string; value: string }[] = [];
				steps.forEach(({ run, path }, at) => {
					const value = `${run ?? 'person'}${at}`;
					if (run === undefined) edit(path, value);
					else actingAs(by(run), () => provider.fill({ [path]: value }));
					log.push({ ...(run !== undefined && { run }), path, value });
				});
				const last = (without?: string) =>
					Object.fromEntries(
						['customer', 'note', 'mail'].map((path) => [
							path,
							log.findLast((entry) => entry.path === path && (without === undefined || entry.run !== without))
								?.value ?? '0'
						])
					);
				expect(provider.values()).toStrictEqual(last());
				const versions = everyVersion(provider);
				const report = provider.undo(taken);
				expect(provider.values()).toStrictEqual(last(taken));
				const moved = Object.keys(versions).filter((path) => everyVersion(provider)[path] !== versions[path]);
				expect(moved).toHaveLength(report.undone);
				expect(provider.undo(taken).undone).toBe(0);
				provider.redo(taken);
				expect(provider.values()).toStrictEqual(last());
			}),
			{ numRuns: 50 }
		);
	}, 30_000);
});

const everyVersion = (provider: FormProvider) =>
	Object.fromEntries(provider.fields().map(({ path }) => [path, provider.version(path)]));

describe('submitting', () => {
	it('goes through the form’s own submit event, once it is valid', async () => {
		const { provider, form, control } = mount('<input name="x" required><button>Send</button>');
		const sent: string[] = [];
		form.addEventListener('submit', (event) => {
			event.preventDefault();
			sent.push(control('x').value);
		});
		expect(await provider.submit()).toMatchObject({ submitted: false, errors: { x: [expect.any(String)] } });
		expect(document.activeElement).toBe(document.body);
		provider.fill({ x: 'y' });
		expect(await provider.submit()).toStrictEqual({ submitted: true, errors: {} });
		expect(sent).toStrictEqual(['y']);
	});

	it('or through the app’s own function, whose answer and failure come back', async () => {
		document.body.innerHTML = '<form><input name="x"></form>';
		const form = document.querySelector('form')!;
		const ok = createFormProvider(nativeSource(form, { submit: async () => ({ id: 7 }) }));
		expect(await ok.submit()).toStrictEqual({ submitted: true, errors: {}, value: { id: 7 } });
		const lost = createFormProvider(nativeSource(form, { submit: () => Promise.reject(new Error('lost')) }));
		await expect(lost.submit()).rejects.toThrow('lost');
		expect(form.dataset.state).toBe('idle');
	});
});
