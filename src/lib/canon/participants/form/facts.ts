import { groupLabel, isInput, labelOf, type ControlGroup } from './controls.js';
import { closing } from './deny.js';
import type { FieldFacts, FormConstraints, FormOption } from './field.js';

/** All that can be said of a field without its value. @since 0.1.0 */
export function factsOf(group: ControlGroup): FieldFacts {
	const { path, type, controls } = group;
	const first = controls[0]!;
	const label = groupLabel(group);
	const options = optionsOf(group);
	const constraints = constraintsOf(group);
	return {
		path,
		label,
		type,
		required: 'required' in first && controls.some((control) => (control as HTMLInputElement).required),
		...(options && { options }),
		...(constraints && { constraints }),
		...closing({
			type,
			name: `${path} ${first.id}`,
			label:
				options && type !== 'select' && type !== 'select-multiple'
					? [label, ...options.map((o) => o.label)].join(' | ')
					: label,
			autocomplete: first.getAttribute('autocomplete') ?? '',
			...markOf(first),
			disabled: controls.every((control) => control.matches(':disabled') || isAria(control, 'disabled')),
			readonly: ('readOnly' in first && first.readOnly) || isAria(first, 'readonly'),
			inert: first.closest('[inert]') !== null
		})
	};
}

const isAria = (element: Element, name: string): boolean => element.getAttribute(`aria-${name}`) === 'true';

/** The app's word on the control or on anything around it. Never beats allow. */
function markOf(element: Element): { mark?: 'never' | 'allow' } {
	if (element.closest('[data-agent="never"]')) return { mark: 'never' };
	return element.closest('[data-agent="allow"]') ? { mark: 'allow' } : {};
}

function optionsOf({ type, controls }: ControlGroup): readonly FormOption[] | undefined {
	const first = controls[0]!;
	if (type === 'select' || type === 'select-multiple')
		return [...(first as HTMLSelectElement).options].map((option) => ({
			value: option.value,
			label: option.label,
			...(option.disabled && { disabled: true as const })
		}));
	if (type === 'radio' || type === 'checkboxes')
		return controls.map((control) => ({
			value: control.value,
			label: labelOf(control) || control.value,
			...((control as HTMLInputElement).disabled && { disabled: true as const })
		}));
	const list = isInput(first, first.type) ? first.list : null;
	return list ? [...list.options].map(({ value, label }) => ({ value, label: label || value })) : undefined;
}

function constraintsOf({ type, controls }: ControlGroup): FormConstraints | undefined {
	const input = controls[0] as HTMLInputElement;
	const numeric = type === 'number' || type === 'range';
	const bound = (text: string | undefined) => (text ? (numeric ? Number(text) : text) : undefined);
	const found = Object.entries({
		min: bound(input.min),
		max: bound(input.max),
		step: input.step === 'any' ? undefined : (bound(input.step) ?? (numeric ? 1 : undefined)),
		minLength: input.minLength > 0 ? input.minLength : undefined,
		maxLength: input.maxLength >= 0 ? input.maxLength : undefined,
		pattern: input.pattern || undefined
	}).filter(([, value]) => value !== undefined);
	return found.length > 0 ? Object.fromEntries(found) : undefined;
}
