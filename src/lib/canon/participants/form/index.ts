export { createFormManifest, formManifest } from './form.manifest.js';
export type { FormManifestOptions } from './form.manifest.js';
export { formMorfo } from './form.morfo.js';
export { createFormProvider, FormProvider } from './form.provider.js';
export type { FormOptions } from './form.provider.js';
export { formProvider } from './form-provider.svelte.js';
export type { FormProviderOptions, MountedForm } from './form-provider.svelte.js';
export { nativeSource } from './native.js';
export type { NativeOptions } from './native.js';
export { superformsSource } from './superforms.js';
export type { SuperFormLike, SuperformsOptions } from './superforms.js';
export type {
	Closed,
	FieldFacts,
	FormChange,
	FormConstraints,
	FormErrors,
	FormField,
	FormOption,
	FormRejection,
	FormReport,
	FormSource,
	FormUndo,
	FormValue,
	SourceChange,
	SubmitReport,
	Written
} from './field.js';
