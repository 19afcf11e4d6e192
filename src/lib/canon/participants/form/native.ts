import { emptyOf, objectionOf, readGroup, writeGroup } from './controls.js';
import type { FormSource, FormValue, SubmitReport } from './field.js';
import { FormElement } from './form-element.js';

/** What {@link nativeSource} takes. @since 0.1.0 */
export interface NativeOptions {
	/**
	 * The app's own way to submit. What it returns (plain JSON) is the report's value.
	 * @default the form's own: `requestSubmit()`, as if the person had pressed the button
	 */
	submit?: (signal?: AbortSignal) => unknown;
}

/**
 * A form of native controls, named by `name` (else `id`, else label). Whatever is bound to them follows: a write goes
 * through the control and its `input` and `change` events.
 * @example createFormProvider(nativeSource(document.querySelector('form')!))
 * @since 0.1.0
 */
export function nativeSource(form: HTMLFormElement, options: NativeOptions = {}): FormSource {
	const element = new FormElement(form);
	const group = (path: string) => element.groups().get(path);
	return {
		paths: () => [...element.groups().keys()],
		fields: () => element.fields(),
		fact: (path) => element.fact(path),
		read: (path) => {
			const found = group(path);
			return found && readGroup(found);
		},
		objection: (path, value) => objectionOf(group(path)!, value),
		empty: (path) => emptyOf(group(path)!),
		write(values) {
			for (const [path, { value }] of values) {
				// Looked up one by one: an earlier value may have made or taken away a later field.
				const found = group(path);
				if (found) writeGroup(found, value);
			}
		},
		errors: () => element.errors(),
		validate: () => element.errors(),
		submit: (signal) => submit(element, options, signal),
		focused: () => element.focused(),
		composing: () => element.composing(),
		paint: (path, by) => element.paint(path, by),
		element: () => form,
		watch: (listener) => element.watch(listener)
	};
}

async function submit(
	element: FormElement,
	options: NativeOptions,
	signal?: AbortSignal
): Promise<SubmitReport> {
	const { form } = element;
	const errors = form.noValidate ? {} : element.errors();
	// Asked beforehand: `requestSubmit` on an invalid form would take the focus to the first bad field.
	if (Object.keys(errors).length > 0) return { submitted: false, errors };
	if (!options.submit) {
		form.requestSubmit();
		return { submitted: true, errors: {} };
	}
	// A throw goes on to the caller: the form may have gone out, nobody here can tell.
	const value = (await options.submit(signal)) as FormValue | undefined;
	return { submitted: true, errors: {}, ...(value !== undefined && { value }) };
}
