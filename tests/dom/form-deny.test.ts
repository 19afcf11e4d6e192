import { describe, expect, it } from 'vitest';
import { createFormProvider, nativeSource } from '../../src/lib/canon/participants/form/index.js';

function formOf(html: string) {
	document.body.innerHTML = `<form>${html}</form>`;
	return createFormProvider(nativeSource(document.querySelector('form')!));
}

const SECRET: [why: string, html: string][] = [
	['type password', '<input name="x" type="password" value="s3">'],
	['type file', '<input name="x" type="file">'],
	['type hidden', '<input name="x" type="hidden" value="s3">'],
	...[
		'one-time-code',
		'current-password',
		'new-password',
		'cc-number',
		'cc-csc',
		'section-a billing cc-exp'
	].map((token): [string, string] => [
		`autocomplete ${token}`,
		`<input name="x" autocomplete="${token}" value="s3">`
	]),
	['the app says never', '<input name="x" data-agent="never" value="s3">'],
	[
		'the app says never of all around',
		'<div data-agent="never"><input name="x" data-agent="allow" value="s3"></div>'
	],
	['named by a card', '<input name="cardNumber" value="s3">'],
	['named cvv', '<input name="card-cvv" value="s3">'],
	['en label', '<label>Verification code <input name="x" value="s3"></label>'],
	['es label', '<label>Contraseña <input name="x" value="s3"></label>'],
	['de label', '<label>Kennwort <input name="x" value="s3"></label>'],
	['fr label', '<label>Mot de passe <input name="x" value="s3"></label>'],
	['a proof of identity', '<label>Passport number <input name="x" value="s3"></label>'],
	['a captcha', '<input name="g-recaptcha-response" value="s3">']
];

const CONSENT: [why: string, html: string][] = [
	['en terms', '<label><input type="checkbox" name="x"> I agree to the terms</label>'],
	['en marketing by name', '<input type="checkbox" name="marketingOptIn">'],
	['es', '<label><input type="checkbox" name="x"> Acepto la política de privacidad</label>'],
	['de', '<label><input type="checkbox" name="x"> Ich stimme der Datenschutzerklärung zu</label>'],
	['de AGB', '<label><input type="checkbox" name="x"> AGB gelesen</label>'],
	['fr', "<label><input type='checkbox' name='x'> J'accepte les conditions générales</label>"],
	[
		'radios',
		'<fieldset><legend>Newsletter</legend><label><input type="radio" name="x" value="y"> Yes</label><label><input type="radio" name="x" value="n"> No</label></fieldset>'
	]
];

const OPEN: [why: string, html: string, value: string | boolean | null][] = [
	['terms of payment', '<label>Payment terms <input name="x"></label>', 'net 30'],
	['an ordinary box', '<label><input type="checkbox" name="x"> Express delivery</label>', true],
	['a text that speaks of terms', '<label>Terms of the offer <input name="x"></label>', 'none'],
	['a VAT number', '<label>VAT number <input name="vatNumber"></label>', 'DE123']
];

const PASSING: [why: string, html: string, reason: string][] = [
	['disabled', '<input name="x" value="v" disabled>', 'disabled'],
	['disabled around', '<fieldset disabled><input name="x" value="v"></fieldset>', 'disabled'],
	['readonly', '<input name="x" value="v" readonly>', 'readonly'],
	['aria-readonly', '<input name="x" value="v" aria-readonly="true">', 'readonly'],
	['inert', '<div inert><input name="x" value="v"></div>', 'inert']
];

describe('what only the person fills in', () => {
	it.each(SECRET)('S2-78 %s: neither filled nor read out', (_, html) => {
		const form = formOf(html);
		const [field] = form.fields();
		const path = field!.path;
		expect(field).toMatchObject({ closed: { secret: true } });
		expect(field).not.toHaveProperty('value');
		expect(JSON.stringify([form.fields(), form.values(), form.value(path) ?? null])).not.toContain('s3');
		expect(form.fill({ [path]: 'stolen' })).toMatchObject({
			written: {},
			rejected: [{ path, code: 'denied' }]
		});
		expect(form.clear([path])).toMatchObject({ written: {}, rejected: [{ path, code: 'denied' }] });
		expect(document.querySelector('input')!.value).toBe(html.includes('s3') ? 's3' : '');
	});

	it.each(CONSENT)('%s: an agreement is not given for the person', (_, html) => {
		const form = formOf(html);
		const [field] = form.fields();
		const value = field!.type === 'radio' ? 'y' : true;
		expect(field!.closed).toStrictEqual({ reason: 'consent', secret: false });
		expect(form.fill({ [field!.path]: value }).rejected).toMatchObject([{ code: 'denied' }]);
		expect(document.querySelector('input')!.checked).toBe(false);
	});

	it.each(CONSENT)('%s: opened by the app it may be filled, and always wants a review', (_, html) => {
		const form = formOf(`<div data-agent="allow">${html}</div>`);
		const [field] = form.fields();
		const value = field!.type === 'radio' ? 'y' : true;
		expect(form.contested([field!.path])).toStrictEqual([field!.path]);
		expect(form.fill({ [field!.path]: value }).rejected).toStrictEqual([]);
		expect(document.querySelector('input')!.checked).toBe(true);
	});

	it('opening never opens what the browser itself calls secret', () => {
		const form = formOf('<input name="x" type="password" data-agent="allow">');
		expect(form.fill({ x: 'stolen' }).rejected).toMatchObject([{ code: 'denied' }]);
	});

	it.each(OPEN)('%s is open', (_, html, value) => {
		const form = formOf(html);
		const { path } = form.fields()[0]!;
		expect(form.fill({ [path]: value })).toMatchObject({ rejected: [], values: { [path]: value } });
		expect(form.contested([path])).toStrictEqual([]);
	});

	it.each(PASSING)('%s: read out, not filled', (_, html, reason) => {
		const form = formOf(html);
		expect(form.field('x')).toMatchObject({ value: 'v', closed: { reason, secret: false } });
		expect(form.fill({ x: 'w' }).rejected).toMatchObject([{ path: 'x', code: 'unavailable' }]);
		expect(form.value('x')).toBe('v');
	});
});
