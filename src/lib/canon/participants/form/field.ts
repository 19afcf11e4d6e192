import type { Actor } from '../../../actor/index.js';

/** What a field may hold: plain JSON. Number and range give numbers, dates ISO text, empty ones `null` or `''`. @since 0.1.0 */
export type FormValue =
	null | boolean | number | string | readonly FormValue[] | { readonly [key: string]: FormValue };

/** Messages by path. Only paths with a message stand in it. @since 0.1.0 */
export type FormErrors = Readonly<Record<string, readonly string[]>>;

/** Why a value was not taken. @since 0.1.0 */
export interface FormRejection {
	path: string;
	/** `denied` nobody but the person fills this field · `unavailable` not now · `args-invalid` no such field, or the value does not fit. */
	code: 'denied' | 'unavailable' | 'args-invalid';
	text: string;
}

/** One choice of a select, a radio group or a group of checkboxes. @since 0.1.0 */
export interface FormOption {
	value: string;
	label: string;
	disabled?: true;
}

/** What the control itself demands of its value. @since 0.1.0 */
export interface FormConstraints {
	min?: string | number;
	max?: string | number;
	step?: string | number;
	minLength?: number;
	maxLength?: number;
	pattern?: string;
}

/** Why a field is not filled by anybody but the person. @since 0.1.0 */
export interface Closed {
	reason: 'secret' | 'never' | 'consent' | 'disabled' | 'readonly' | 'inert' | 'type';
	/** Its value is not read out either. */
	secret: boolean;
}

/** What a source knows about one field, without its value. @since 0.1.0 */
export interface FieldFacts {
	path: string;
	label: string;
	/** Type of the control: `text`, `number`, `select`, `select-multiple`, `radio`, `checkbox`, `checkboxes`, `textarea`, … */
	type: string;
	required: boolean;
	options?: readonly FormOption[];
	constraints?: FormConstraints;
	/** Not open to anybody but the person. */
	closed?: Closed;
	/** Opened by the app although it is of a kind that is closed by default: each fill of it wants a person's eye. */
	opened?: true;
}

/** Who wrote the value that now stands in a field. @since 0.1.0 */
export interface Written {
	actor: Actor;
	run?: string;
	/** Time in ms. */
	at: number;
}

/** One field as the app, a person's surface or an agent may see it. @since 0.1.0 */
export interface FormField extends FieldFacts {
	/** Absent where it is secret. */
	value?: FormValue;
	/** Is anything in it? Told also where the value is not. */
	filled: boolean;
	disabled: boolean;
	/** A person edited it since the form was made or reset. */
	touched: boolean;
	/** It holds the focus. */
	focused: boolean;
	/** The value came in by paste or drop. */
	pasted: boolean;
	/** An agent, rule or outside caller wrote the present value, and no person has edited or accepted it since. */
	written?: Written;
}

/** What a source tells about a change it saw. @since 0.1.0 */
export interface SourceChange {
	/** `reset` and `remount` concern the whole form. */
	kind: 'edit' | 'reset' | 'remount';
	path?: string;
	/** The event behind it; a trusted one makes it a person's. */
	event?: Event;
	/** Seen by the source itself to be a person's or unknown hand rather than the app's code. */
	person?: boolean;
	pasted?: boolean;
}

/** What became of a submission. @since 0.1.0 */
export interface SubmitReport {
	/** The form was handed over. What the receiver made of it is known only where `errors` or `value` tell. */
	submitted: boolean;
	/** Why not, or what the receiver objected to. */
	errors: FormErrors;
	value?: FormValue;
}

/**
 * Where a form lives: real controls, or the store of a form library. Sources are adapters; everything about people,
 * agents and undo is the provider's.
 * @since 0.1.0
 */
export interface FormSource {
	/** Cheap: no labels, no rules. */
	paths(): readonly string[];
	fields(): readonly FieldFacts[];
	fact(path: string): FieldFacts | undefined;
	/** `undefined` when there is no such field. Also gives secret values: the provider keeps them in. */
	read(path: string): FormValue | undefined;
	/** Why the value does not fit, in one sentence. */
	objection(path: string, value: FormValue): string | undefined;
	/** What the field holds when nothing is in it. */
	empty(path: string): FormValue;
	/** All in one go, through the control or store that is there. `tainted` restores the library's flag. */
	write(values: ReadonlyMap<string, { value: FormValue; tainted?: boolean }>): void;
	/** The library's own flag, where it has one. */
	tainted?(path: string): boolean;
	/** What stands now, without validating anew. */
	errors(): FormErrors;
	/** Validates as it stands, shows nothing, submits nothing. */
	validate(): FormErrors | Promise<FormErrors>;
	submit(signal?: AbortSignal): Promise<SubmitReport>;
	focused(): string | undefined;
	composing(): string | undefined;
	/** Derives the attributes that tell who wrote a field; without `by` removes them. */
	paint(path: string, by?: { id: string; text: string }): void;
	/** The element events are stamped on. */
	element(): Element | undefined;
	watch(listener: (change: SourceChange) => void): () => void;
}

/** The form as it stands after a write. All went well if `rejected` is empty. @since 0.1.0 */
export interface FormReport {
	/** All values that may be read, so that what the form computed from the write shows too. */
	values: Readonly<Record<string, FormValue>>;
	errors: FormErrors;
	/** What was not taken as it was given, and why. */
	rejected: readonly FormRejection[];
	/** Paths that were written, all that were asked for or none, each with the version it has now. */
	written: Readonly<Record<string, number>>;
}

/** Something changed. @since 0.1.0 */
export interface FormChange {
	kind: 'edit' | 'fill' | 'clear' | 'submit' | 'undo' | 'redo' | 'accept' | 'reset';
	paths: readonly string[];
	by: Actor;
}

/** What became of taking back or redoing a run. @since 0.1.0 */
export interface FormUndo {
	/** Fields that changed back. */
	undone: number;
	/** Fields left as they are: label and reason. */
	kept: readonly { what: string; why: string }[];
}
