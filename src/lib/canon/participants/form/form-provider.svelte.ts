import type { Attachment } from 'svelte/attachments';
import { createFormProvider, type FormOptions, type FormProvider } from './form.provider.js';
import { nativeSource, type NativeOptions } from './native.js';
import { superformsSource, type SuperFormLike, type SuperformsOptions } from './superforms.js';

/** What {@link formProvider} takes. @since 0.1.0 */
export interface FormProviderOptions extends FormOptions, NativeOptions {
	/** The superform behind the form, where there is one. */
	superform?: SuperFormLike;
	/** Labels of fields the page has no label for (superforms only). */
	labels?: SuperformsOptions['labels'];
}

/** A provider that lives as long as its form is in the page. @since 0.1.0 */
export interface MountedForm {
	/** `{@attach form.attach}` on the form, before the attachment that registers it. */
	readonly attach: Attachment<HTMLFormElement>;
	/** The provider while the form is mounted; reactive. */
	readonly current: FormProvider | undefined;
}

/** A provider over the form it is attached to. @since 0.1.0 */
class Mounted implements MountedForm {
	#current = $state.raw<FormProvider>();
	readonly #options: FormProviderOptions;

	constructor(options: FormProviderOptions) {
		this.#options = options;
	}

	get current(): FormProvider | undefined {
		return this.#current;
	}

	readonly attach = (element: HTMLFormElement): (() => void) => {
		const { superform, labels } = this.#options;
		const source = superform
			? superformsSource(superform, { element, ...(labels && { labels }) })
			: nativeSource(element, this.#options);
		const provider = createFormProvider(source, this.#options);
		this.#current = provider;
		return () => {
			provider.destroy();
			if (this.#current === provider) this.#current = undefined;
		};
	};
}

/**
 * The everyday way: one object, attached to the form.
 * @example
 * const invoice = formProvider()
 * // <form {@attach invoice.attach} {@attach capabilities(formManifest, () => invoice.current, { id: 'invoice', label: 'Invoice' })}>
 * @since 0.1.0
 */
export function formProvider(options: FormProviderOptions = {}): MountedForm {
	return new Mounted(options);
}
