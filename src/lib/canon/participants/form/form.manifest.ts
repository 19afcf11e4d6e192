import {
	defineManifest,
	done,
	labelled,
	refuse,
	type ActResult,
	type AgentManifest,
	type Preview
} from '../../../agent/capability/index.js';
import { array, boolean, nothing, number, object, record, string, union } from '../schema.js';
import type { FormRejection, FormReport, FormValue } from './field.js';
import type { FormProvider } from './form.provider.js';

/** What {@link createFormManifest} takes. @since 0.1.0 */
export interface FormManifestOptions {
	/** What the form is for, for the model. @default a general sentence */
	description?: string;
	/** Who may see the values: `private` asks the person once a run. @default 'page' */
	sensitivity?: 'public' | 'page' | 'private';
	/** Whether and how the form may be submitted. Always reviewed. @default { reach: 'world' } */
	submit?: false | { description?: string; reach?: 'app' | 'world' };
}

const VALUES = record(
	union([string(), number(), boolean(), nothing(), array(union([string(), number(), boolean()]))]),
	'New values by field path; text, number, true/false, a list for several choices, null for an empty number or choice'
);

/** What is wrong, in one text; the most general code leads. */
function refusal(rejected: readonly FormRejection[]): ActResult {
	const code = (['denied', 'unavailable', 'args-invalid'] as const).find((one) =>
		rejected.some((r) => r.code === one)
	)!;
	return refuse(code, rejected.map(({ path, text }) => `${path}: ${text}`).join(' '));
}

function preview(form: FormProvider, values: Readonly<Record<string, FormValue>>): Preview {
	const fields = new Map(form.fields().map((field) => [field.path, field]));
	return {
		kind: 'fields',
		fields: Object.entries(values).map(([path, after]) => ({
			path,
			label: fields.get(path)!.label,
			before: fields.get(path)!.value ?? null,
			after
		}))
	};
}

/** The form as it stands once everything followed from the write. */
async function settled(form: FormProvider, values: Readonly<Record<string, FormValue>>): Promise<ActResult> {
	const { values: now, errors, rejected, written } = await form.settled(values);
	const versions = Object.fromEntries(
		Object.entries(written).map(([path, version]) => [`values:${path}`, version])
	);
	return done({ values: now, errors, rejected }, { versions });
}

/** Nothing written and something refused: the act did not happen. */
const happened = ({ rejected, written }: FormReport): boolean =>
	rejected.length === 0 || Object.keys(written).length > 0;

const touching = (paths: readonly string[]) => paths.map((key) => ({ read: 'values' as const, key }));
const askIfContested = (form: FormProvider, paths: readonly string[]) =>
	form.contested(paths).length > 0 ? ('review' as const) : undefined;

/**
 * What a form lets an agent read and do. Filling and clearing can be taken back; submitting is an act of its own and never
 * goes without a person.
 * @since 0.1.0
 */
export function createFormManifest(
	options: FormManifestOptions = {}
): AgentManifest<FormProvider, 'fields' | 'values' | 'errors'> {
	const { sensitivity = 'page', submit = {} } = options;
	const make = defineManifest<FormProvider>();
	const fill = {
		description:
			'Fill fields of the form in, all or none. Answers with the form as it then stands; what is in `rejected` was not taken. Does not submit.',
		args: object({ values: VALUES })
	};
	const clear = {
		description: 'Empty fields of the form, all or none.',
		args: object({ paths: array(string('Path of a field'), 'Paths of the fields to empty') })
	};
	return make({
		kind: 'form',
		description:
			options.description ?? 'A form: fields with labels, their values, and what is wrong with them.',
		reads: {
			fields: {
				description:
					'The fields: path, label, type, choices, constraints; `closed` ones only the person fills in',
				read: (form) =>
					form
						.fields()
						.map(({ path, label, type, required, options: choices, constraints, closed, filled }) => ({
							path,
							label,
							type,
							...(required && { required }),
							...(choices && { options: choices }),
							...(constraints && { constraints }),
							...(closed && { closed: closed.reason }),
							...(closed?.secret && { filled })
						})),
				version: (form) => form.structureVersion(),
				trust: 'app',
				sensitivity: 'page'
			},
			values: {
				description: 'What the fields hold now, by path',
				read: (form, key) => {
					if (key !== undefined) {
						const field = form.field(key);
						return field ? shown(field) : null;
					}
					return Object.fromEntries(
						form.fields().flatMap((field) => (field.closed?.secret ? [] : [[field.path, shown(field)]]))
					);
				},
				version: (form, key) => form.version(key),
				keys: (form) => form.fields().flatMap(({ path, closed }) => (closed?.secret ? [] : [path])),
				summary: (form) => {
					const fields = form.fields();
					return `${fields.filter(({ filled }) => filled).length} of ${fields.length} fields are filled in.`;
				},
				trust: 'user',
				sensitivity
			},
			errors: {
				description: 'What is wrong with the values, by path',
				read: (form) => form.errors(),
				version: (form) => form.errorsVersion(),
				trust: 'app',
				sensitivity: 'page'
			}
		},
		acts: {
			fill: {
				...fill,
				effect: 'reversible',
				reach: 'page',
				level: (form, { values }) => askIfContested(form, Object.keys(values)),
				touches: (_, { values }) => touching(Object.keys(values)),
				preview: (form, { values }) => {
					const rejected = form.check(values);
					return rejected.length > 0 ? refusal(rejected) : preview(form, values);
				},
				perform: (form, { values }) => {
					const report = form.fill(values);
					return happened(report) ? settled(form, values) : refusal(report.rejected);
				}
			},
			clear: {
				...clear,
				effect: 'reversible',
				reach: 'page',
				level: (form, { paths }) => askIfContested(form, paths),
				touches: (_, { paths }) => touching(paths),
				preview: (form, { paths }) => {
					const rejected = form.closed(paths);
					return rejected.length > 0 ? refusal(rejected) : preview(form, form.emptied(paths));
				},
				perform: (form, { paths }) => {
					const report = form.clear(paths);
					return happened(report) ? settled(form, form.emptied(paths)) : refusal(report.rejected);
				}
			},
			...(submit && {
				submit: {
					description: submit.description ?? 'Submit the form as it stands. Cannot be taken back.',
					args: object({}),
					effect: 'irreversible' as const,
					reach: submit.reach ?? ('world' as const),
					level: 'review' as const,
					// By field, so that the run's own fills before it are told from somebody else's edits.
					touches: (form: FormProvider) => [
						...touching(form.fields().map(({ path }) => path)),
						{ read: 'fields' as const }
					],
					preview: (form: FormProvider): Preview | ActResult => {
						const filled = form.fields().filter((field) => field.filled && !field.closed?.secret);
						return {
							kind: 'fields',
							fields: filled.map(({ path, label, value = null }) => ({
								path,
								label,
								before: value,
								after: value
							}))
						};
					},
					perform: async (form: FormProvider, _: object, { signal }: { signal: AbortSignal }) => {
						const report = await form.submit(signal);
						return report.submitted
							? done(
									report.value === undefined ? { submitted: true } : { submitted: true, value: report.value }
								)
							: refusal(
									Object.entries(report.errors).map(([path, messages]) => ({
										path,
										code: 'args-invalid' as const,
										text: messages.join(' ')
									}))
								);
					}
				}
			})
		},
		undo: (form, run) => form.undo(run),
		redo: (form, run) => form.redo(run)
	});
}

/** Pasted text is nobody's instruction. */
function shown({
	value,
	pasted,
	closed
}: {
	value?: FormValue;
	pasted: boolean;
	closed?: { secret: boolean };
}): FormValue {
	if (closed?.secret || value === undefined) return null;
	return pasted ? labelled(value, { integrity: 'untrusted', origins: ['imported'] }) : value;
}

/** The manifest of a form whose values the page's agents may see and which may be submitted after a review. @since 0.1.0 */
export const formManifest = createFormManifest();
