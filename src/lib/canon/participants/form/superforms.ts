import { objectionOf, type ControlGroup } from './controls.js';
import { closing } from './deny.js';
import type {
	FieldFacts,
	FormConstraints,
	FormErrors,
	FormSource,
	FormValue,
	SubmitReport
} from './field.js';
import { FormElement } from './form-element.js';
import { at, flatErrors, leaves, lively, plain, split, withAt } from './paths.js';

interface Readable<T> {
	subscribe(run: (value: T) => void): () => void;
}

/** What is used of a superform (sveltekit-superforms 2.20 or later). @since 0.1.0 */
export interface SuperFormLike {
	// Superforms types its data, taint and updater per schema; no common supertype is callable.
	/* eslint-disable @typescript-eslint/no-explicit-any */
	form: Readable<any> & { update(this: void, updater: any, options?: { taint?: any }): void };
	errors: Readable<any>;
	constraints?: Readable<any>;
	tainted: Readable<any>;
	submitting: Readable<boolean>;
	message?: Readable<any>;
	options: { validators?: any };
	validateForm(): Promise<{ errors: any }>;
	submit(submitter?: HTMLElement | null): void;
	/* eslint-enable @typescript-eslint/no-explicit-any */
}

/** What {@link superformsSource} takes. @since 0.1.0 */
export interface SuperformsOptions {
	/** The form in the page: gives labels, kinds of controls, focus, marks, and whose hand it was. Fields meet by `name`. */
	element?: HTMLFormElement;
	/** Labels of fields the page has no label for. */
	labels?: Readonly<Record<string, string>>;
}

const peek = <T>(store: Readable<T>): T => {
	let found: T;
	store.subscribe((value) => (found = value))();
	return found!;
};

/**
 * A form of sveltekit-superforms: a fill is one patch of its store, so constraints, taint and validation stay the library's.
 * Without `element` a field counts as touched when it is tainted by anything but a fill.
 * @example createFormProvider(superformsSource(superForm(data, options), { element }))
 * @since 0.1.0
 */
export function superformsSource(superform: SuperFormLike, options: SuperformsOptions = {}): FormSource {
	const element = options.element && new FormElement(options.element);
	const data = (): unknown => peek(superform.form);
	const groupOf = (path: string) => element?.groups().get(path);
	let writing = false;

	const paths = (): string[] => {
		const known = new Set(leaves(data()));
		for (const path of element?.groups().keys() ?? []) if (!path.startsWith('__superform')) known.add(path);
		return [...known];
	};
	const fact = (path: string): FieldFacts | undefined => {
		const inPage = element?.fact(path);
		if (!inPage && !paths().includes(path)) return undefined;
		const inData = factOfData(superform, path, at(data(), path), options.labels?.[path]);
		if (!inPage) return inData;
		const constraints = { ...inData.constraints, ...inPage.constraints };
		return {
			...inPage,
			label: inPage.label === path ? inData.label : inPage.label,
			required: inPage.required || inData.required,
			...(Object.keys(constraints).length > 0 && { constraints })
		};
	};
	const read = (path: string): FormValue | undefined => {
		const value = at(data(), path);
		return value === undefined && !paths().includes(path) ? undefined : plain(value);
	};

	return {
		paths,
		fields: () => paths().map((path) => fact(path)!),
		fact,
		read,
		objection: (path, value) =>
			objectionOfData(at(data(), path), value) ??
			objectionInPage(groupOf(path), value) ??
			objectionOfFacts(fact(path)!, value),
		empty: (path) => emptyOfData(at(data(), path)),
		write(values) {
			writing = true;
			try {
				// One patch for a fill; taking a fill back may need a second one, for paths whose taint goes.
				for (const untaint of [false, true]) {
					const part = [...values].filter(([, { tainted }]) => (tainted === false) === untaint);
					if (part.length === 0) continue;
					superform.form.update(
						(now: unknown) =>
							part.reduce(
								(copy, [path, { value }]) => withAt(copy, split(path), lively(value, at(now, path))),
								now
							),
						{ taint: untaint ? 'untaint' : true }
					);
				}
			} finally {
				writing = false;
			}
		},
		tainted: (path) =>
			at(peek(superform.tainted), path) === true || hasTaint(at(peek(superform.tainted), path)),
		errors: () => flatErrors(peek(superform.errors)),
		validate: () =>
			superform.options.validators
				? superform.validateForm().then(({ errors }) => flatErrors(errors))
				: flatErrors(peek(superform.errors)),
		submit: (signal) => submit(superform, element, signal),
		focused: () => element?.focused(),
		composing: () => element?.composing(),
		paint: (path, by) => element?.paint(path, by),
		element: () => options.element,
		watch(listener) {
			// The event is seen on its way down, before a binding hands the value to the store.
			let last: { path: string; event: Event; pasted: boolean } | undefined;
			const unwatch = element?.watch((change) => {
				if (change.kind !== 'edit') return listener(change);
				last = { path: change.path!, event: change.event!, pasted: change.pasted === true };
				setTimeout(() => (last = undefined));
			});
			let first = true;
			const unsubscribe = superform.form.subscribe(() => {
				if (first || writing) return void (first = false);
				listener(last ? { kind: 'edit', ...last } : { kind: 'edit', person: !element });
			});
			return () => {
				unwatch?.();
				unsubscribe();
			};
		}
	};
}

const hasTaint = (node: unknown): boolean =>
	node === true || (typeof node === 'object' && node !== null && Object.values(node).some(hasTaint));

function factOfData(superform: SuperFormLike, path: string, value: unknown, label = path): FieldFacts {
	const type =
		value instanceof Date
			? 'date'
			: Array.isArray(value)
				? 'list'
				: value instanceof Blob
					? 'file'
					: ({ boolean: 'checkbox', number: 'number' }[typeof value as string] ?? 'text');
	const found = (superform.constraints && at(peek(superform.constraints), path)) as
		| {
				required?: boolean;
				min?: number | string;
				max?: number | string;
				minlength?: number;
				maxlength?: number;
				pattern?: string;
				step?: number;
		  }
		| undefined;
	const { required = false, minlength: minLength, maxlength: maxLength, ...rest } = found ?? {};
	const constraints = Object.fromEntries(
		Object.entries({ ...rest, minLength, maxLength }).filter(([, one]) => one !== undefined)
	) as FormConstraints;
	return {
		path,
		label,
		type,
		required,
		...(Object.keys(constraints).length > 0 && { constraints }),
		...closing({ type, name: path, label })
	};
}

/** The store's type must not change under the app's feet. */
function objectionOfData(now: unknown, value: FormValue): string | undefined {
	if (now === undefined || now === null) return undefined;
	if (Array.isArray(now)) return Array.isArray(value) ? undefined : 'It takes a list.';
	if (now instanceof Date)
		return value === null || (typeof value === 'string' && !Number.isNaN(+new Date(value)))
			? undefined
			: 'It takes a date as YYYY-MM-DD.';
	if (typeof now === 'number' && value === null) return undefined;
	if (typeof now === typeof value && value !== null) return undefined;
	return { string: 'It takes a text.', number: 'It takes a number.', boolean: 'It takes true or false.' }[
		typeof now as string
	];
}

/** The control judges the value as it would show it. */
function objectionInPage(group: ControlGroup | undefined, value: FormValue): string | undefined {
	if (!group) return undefined;
	switch (group.type) {
		case 'checkbox':
		case 'number':
		case 'range':
			return value === null && group.type === 'range' ? undefined : objectionOf(group, value);
		case 'checkboxes':
		case 'select-multiple':
			return objectionOf(group, Array.isArray(value) ? value.map(String) : value);
		default:
			if (Array.isArray(value)) return undefined;
			return objectionOf(group, value === null ? (group.type === 'radio' ? null : '') : String(value));
	}
}

function objectionOfFacts({ constraints = {} }: FieldFacts, value: FormValue): string | undefined {
	const { min, max, minLength, maxLength, pattern } = constraints;
	if (typeof value === 'number') {
		if (typeof min === 'number' && value < min) return `It takes nothing below ${min}.`;
		if (typeof max === 'number' && value > max) return `It takes nothing above ${max}.`;
	}
	if (typeof value === 'string' && value !== '') {
		if (minLength !== undefined && value.length < minLength)
			return `It takes at least ${minLength} characters.`;
		if (maxLength !== undefined && value.length > maxLength)
			return `It takes at most ${maxLength} characters.`;
		if (pattern !== undefined && !new RegExp(`^(?:${pattern})$`, 'u').test(value))
			return `It takes the pattern ${pattern}.`;
	}
	return undefined;
}

function emptyOfData(now: unknown): FormValue {
	if (Array.isArray(now)) return [];
	return { string: '', boolean: false }[typeof now as string] ?? null;
}

async function submit(
	superform: SuperFormLike,
	element: FormElement | undefined,
	signal?: AbortSignal
): Promise<SubmitReport> {
	const form = element?.form;
	const inPage = form && !form.noValidate ? element.errors() : {};
	const bad: FormErrors =
		Object.keys(inPage).length > 0 || !superform.options.validators
			? inPage
			: flatErrors((await superform.validateForm()).errors);
	if (Object.keys(bad).length > 0) return { submitted: false, errors: bad };

	superform.submit(form ?? null);
	if (!peek(superform.submitting))
		return { submitted: false, errors: { '': ['The app held the form back.'] } };
	await new Promise<void>((resolve) => {
		const stop = superform.submitting.subscribe((busy) => {
			// A store calls its new subscriber before it hands out `stop`.
			if (!busy) queueMicrotask(end);
		});
		const end = () => {
			stop();
			resolve();
		};
		signal?.addEventListener('abort', end, { once: true });
	});
	signal?.throwIfAborted();
	const errors = flatErrors(peek(superform.errors));
	const message = superform.message && plain(peek(superform.message));
	return {
		submitted: Object.keys(errors).length === 0,
		errors,
		...(message !== undefined && message !== null && { value: message })
	};
}
