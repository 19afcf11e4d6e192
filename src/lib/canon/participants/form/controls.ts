import type { FormValue } from './field.js';

/** A native control that holds a value. @since 0.1.0 */
export type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement | HTMLOutputElement;

/** The controls behind one path: one, or a group of radios or checkboxes of one name. @since 0.1.0 */
export interface ControlGroup {
	path: string;
	type: string;
	controls: readonly Control[];
}

const SKIPPED = new Set(['submit', 'reset', 'button', 'image']);
const TAGS = new Set(['INPUT', 'SELECT', 'TEXTAREA', 'OUTPUT']);

const isControl = (element: Element): element is Control =>
	TAGS.has(element.tagName) && !SKIPPED.has((element as HTMLInputElement).type);

/** Is it an input of that type? @internal */
export const isInput = (control: Control, ...types: readonly string[]): control is HTMLInputElement =>
	control.tagName === 'INPUT' && types.includes(control.type);

const isSelect = (control: Control): control is HTMLSelectElement => control.tagName === 'SELECT';

/**
 * Paths of a form: a control's `name`, else its `id`, else its label in kebab case. Radios and checkboxes of one name are
 * one field; other controls of one name are told apart as `name[0]`, `name[1]`.
 * @since 0.1.0
 */
export function groupControls(form: HTMLFormElement): Map<string, ControlGroup> {
	const named = new Map<string, Control[]>();
	for (const element of form.elements) {
		if (!isControl(element)) continue;
		const name = element.getAttribute('name') || element.id || kebab(labelOf(element));
		if (!name) continue;
		const others = named.get(name);
		if (others) others.push(element);
		else named.set(name, [element]);
	}

	const groups = new Map<string, ControlGroup>();
	for (const [path, controls] of named) {
		const first = controls[0]!;
		if (isInput(first, 'radio')) groups.set(path, { path, type: 'radio', controls });
		else if (controls.length === 1) groups.set(path, { path, type: typeOf(first), controls });
		else if (isInput(first, 'checkbox')) groups.set(path, { path, type: 'checkboxes', controls });
		else
			controls.forEach((control, at) =>
				groups.set(`${path}[${at}]`, { path: `${path}[${at}]`, type: typeOf(control), controls: [control] })
			);
	}
	return groups;
}

function typeOf(control: Control): string {
	if (isSelect(control)) return control.multiple ? 'select-multiple' : 'select';
	return control.type;
}

const squeeze = (text: string | null | undefined): string => (text ?? '').replace(/\s+/g, ' ').trim();
const kebab = (text: string): string =>
	text
		.toLowerCase()
		.replace(/[^\p{L}\p{N}]+/gu, '-')
		.replace(/^-|-$/g, '');

/** Text of an element without that of controls inside it. */
function textOf(element: Element): string {
	const copy = element.cloneNode(true) as Element;
	for (const inner of copy.querySelectorAll('input, select, textarea, output, button, [aria-hidden="true"]'))
		inner.remove();
	return squeeze(copy.textContent);
}

function referenced(element: Element): string {
	const root = element.getRootNode() as Document | ShadowRoot;
	const ids = (element.getAttribute('aria-labelledby') ?? '').split(/\s+/).filter(Boolean);
	return squeeze(ids.map((id) => root.getElementById?.(id)?.textContent ?? '').join(' '));
}

/** The name a person knows a control by: what assistive technology would say. @since 0.1.0 */
export function labelOf(control: Control): string {
	return (
		referenced(control) ||
		squeeze(control.getAttribute('aria-label')) ||
		squeeze([...(control.labels ?? [])].map(textOf).join(' ')) ||
		squeeze(control.getAttribute('title')) ||
		squeeze(control.getAttribute('placeholder'))
	);
}

/** Label of a field: for a group the name of what surrounds it. @since 0.1.0 */
export function groupLabel({ controls, type, path }: ControlGroup): string {
	const first = controls[0]!;
	if (type !== 'radio' && type !== 'checkboxes') return labelOf(first) || path;
	const around = first.closest('[role="radiogroup"], [role="group"], fieldset');
	const name =
		around &&
		(referenced(around) ||
			squeeze(around.getAttribute('aria-label')) ||
			squeeze(around.querySelector('legend')?.textContent));
	return name || path;
}

/** What a field holds now. Secret ones too: keeping them in is the provider's. @since 0.1.0 */
export function readGroup({ type, controls }: ControlGroup): FormValue {
	const first = controls[0]!;
	const ticked = () => controls.filter((control) => (control as HTMLInputElement).checked);
	switch (type) {
		case 'radio':
			return ticked()[0]?.value ?? null;
		case 'checkboxes':
			return ticked().map(({ value }) => value);
		case 'checkbox':
			return (first as HTMLInputElement).checked;
		case 'select-multiple':
			return [...(first as HTMLSelectElement).selectedOptions].map(({ value }) => value);
		case 'number':
		case 'range': {
			const value = (first as HTMLInputElement).valueAsNumber;
			return Number.isNaN(value) ? null : value;
		}
		case 'file':
			return [...((first as HTMLInputElement).files ?? [])].map(({ name }) => name);
		default:
			return first.value;
	}
}

/**
 * Puts a value in and tells the page as a person's edit would: `input`, then `change`. The setter is the element's own, so
 * libraries that watch instances see it; the events are not trusted and cannot be taken for a person's.
 * @since 0.1.0
 */
export function writeGroup({ type, controls }: ControlGroup, value: FormValue): void {
	const first = controls[0]!;
	switch (type) {
		case 'radio':
			for (const control of controls as HTMLInputElement[])
				if (control.checked !== (control.value === value)) tick(control, control.value === value);
			return;
		case 'checkboxes':
			for (const control of controls as HTMLInputElement[]) {
				const wanted = (value as readonly string[]).includes(control.value);
				if (control.checked !== wanted) tick(control, wanted);
			}
			return;
		case 'checkbox':
			return tick(first as HTMLInputElement, value === true);
		case 'select':
		case 'select-multiple': {
			const wanted = Array.isArray(value) ? value : [value];
			for (const option of (first as HTMLSelectElement).options) {
				const selected = wanted.includes(option.value);
				if (option.selected !== selected) option.selected = selected;
			}
			return tell(first);
		}
		default:
			return enter(first as HTMLInputElement, value === null ? '' : String(value));
	}
}

function enter(control: HTMLInputElement, text: string): void {
	const caret = caretOf(control);
	setNative(control, 'value', text);
	if (caret) control.setSelectionRange(...caret);
	tell(control);
}

function tick(control: HTMLInputElement, checked: boolean): void {
	setNative(control, 'checked', checked);
	// Taking the tick off a radio is no event in any browser; the one that gets it speaks for the group.
	if (checked || control.type !== 'radio') tell(control);
}

function tell(control: Control): void {
	control.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
	control.dispatchEvent(new Event('change', { bubbles: true }));
}

/** Through the prototype of the control's own realm: some libraries shadow the property on the instance. */
function setNative(control: Control, property: 'value' | 'checked', value: string | boolean): void {
	for (let at: object | null = Object.getPrototypeOf(control); at; at = Object.getPrototypeOf(at)) {
		const setter = Object.getOwnPropertyDescriptor(at, property)?.set;
		if (setter) return setter.call(control, value);
	}
}

/** The selection of a focused text control, which setting a value would throw to the end. */
function caretOf(control: HTMLInputElement): [number, number, 'forward' | 'backward' | 'none'] | undefined {
	if ((control.getRootNode() as Document).activeElement !== control) return undefined;
	const { selectionStart, selectionEnd, selectionDirection } = control;
	return selectionStart === null || selectionEnd === null
		? undefined
		: [selectionStart, selectionEnd, selectionDirection ?? 'none'];
}

/** What a field holds when nothing is in it; where the browser knows no empty value, the one the form started with. @since 0.1.0 */
export function emptyOf({ type, controls }: ControlGroup): FormValue {
	const first = controls[0]!;
	switch (type) {
		case 'radio':
		case 'number':
			return null;
		case 'checkboxes':
		case 'select-multiple':
			return [];
		case 'checkbox':
			return false;
		case 'select': {
			const options = [...(first as HTMLSelectElement).options];
			return (
				(
					options.find(({ value }) => value === '') ??
					options.find(({ defaultSelected }) => defaultSelected) ??
					options[0]
				)?.value ?? ''
			);
		}
		case 'range': {
			const copy = first.cloneNode() as HTMLInputElement;
			copy.value = copy.defaultValue;
			return copy.valueAsNumber;
		}
		case 'color':
			return (first as HTMLInputElement).defaultValue || '#000000';
		default:
			return '';
	}
}

/** Why a value does not fit the control, judged by the browser's own rules on a copy that is not in the page. @since 0.1.0 */
export function objectionOf(group: ControlGroup, value: FormValue): string | undefined {
	const { type, controls } = group;
	switch (type) {
		case 'checkbox':
			return typeof value === 'boolean' ? undefined : 'It takes true or false.';
		case 'radio':
		case 'select':
		case 'checkboxes':
		case 'select-multiple':
			return objectionOfChoice(group, value);
		case 'number':
		case 'range':
			if (value === null && type === 'number') return undefined;
			if (typeof value !== 'number' || !Number.isFinite(value)) return 'It takes a number.';
			break;
		default:
			if (typeof value !== 'string') return 'It takes a text.';
	}

	const copy = controls[0]!.cloneNode(true) as HTMLInputElement;
	copy.disabled = false;
	copy.value = String(value);
	if (copy.value.replace(/\r\n?/g, '\n') !== String(value).replace(/\r\n?/g, '\n'))
		return (
			{
				date: 'It takes a date as YYYY-MM-DD.',
				time: 'It takes a time as HH:MM.',
				'datetime-local': 'It takes a date and time as YYYY-MM-DDTHH:MM.',
				month: 'It takes a month as YYYY-MM.',
				week: 'It takes a week as YYYY-Www.',
				color: 'It takes a colour as #rrggbb.',
				range: `It takes a number from ${copy.min || 0} to ${copy.max || 100} in its steps.`
			}[type] ?? `It would hold ${JSON.stringify(copy.value)} instead.`
		);
	// The browser checks lengths of typed text only.
	if (copy.maxLength >= 0 && copy.value.length > copy.maxLength)
		return `It takes at most ${copy.maxLength} characters.`;
	if (copy.value !== '' && copy.minLength > 0 && copy.value.length < copy.minLength)
		return `It takes at least ${copy.minLength} characters.`;
	const { badInput, patternMismatch, rangeOverflow, rangeUnderflow, stepMismatch, typeMismatch } =
		copy.validity;
	if (rangeUnderflow) return `It takes nothing below ${copy.min}.`;
	if (rangeOverflow) return `It takes nothing above ${copy.max}.`;
	if (stepMismatch) return `It takes steps of ${copy.step || 1}${copy.min ? ` from ${copy.min}` : ''}.`;
	if (typeMismatch) return `It takes a valid ${type}.`;
	if (patternMismatch) return copy.title || `It takes the pattern ${copy.pattern}.`;
	return badInput ? 'It does not take this value.' : undefined;
}

function objectionOfChoice({ type, controls }: ControlGroup, value: FormValue): string | undefined {
	const first = controls[0]!;
	const open = (
		isSelect(first)
			? [...first.options].filter((option) => !option.disabled && !option.closest('optgroup:disabled'))
			: (controls as readonly HTMLInputElement[]).filter((control) => !control.disabled)
	).map((choice) => choice.value);
	const many = type === 'checkboxes' || type === 'select-multiple';
	if (many !== Array.isArray(value))
		return many ? 'It takes a list of choices.' : 'It takes one of its choices.';
	if (type === 'radio' && value === null) return undefined;
	const strange = (many ? (value as readonly FormValue[]) : [value]).filter(
		(one) => !open.includes(one as string)
	);
	if (strange.length === 0) return undefined;
	const shown = open.slice(0, 12).map((one) => JSON.stringify(one));
	return `It takes ${many ? 'any' : 'one'} of ${shown.join(', ')}${open.length > 12 ? ', …' : ''}.`;
}
