import { disown } from '../../../uix/soma/index.js';
import { agentHue } from '../../../uix/eidos/index.js';
import { groupControls, type Control, type ControlGroup } from './controls.js';
import { factsOf } from './facts.js';
import type { FieldFacts, FormErrors, SourceChange } from './field.js';
import { Hand } from './hand.js';

/** What changes which fields there are. */
const OBSERVED = ['name', 'id', 'type', 'form', 'multiple', 'aria-label', 'placeholder'];

/**
 * What every source over a real `<form>` needs from it: which fields there are, where the person is, what changes, and the
 * marks on it. Holds no fact of its own but where a composition runs.
 * @since 0.1.0
 */
export class FormElement {
	#groups: Map<string, ControlGroup> | undefined;
	#count = 0;
	#composing: Element | undefined;
	#observer: MutationObserver | undefined;
	#remounted: (() => void) | undefined;
	/** Before a mark: what stood there, so that taking it off leaves no trace. */
	readonly #before = new WeakMap<Element, string | null>();

	constructor(readonly form: HTMLFormElement) {}

	groups(): ReadonlyMap<string, ControlGroup> {
		// Observers report late; what is pending is taken now, so that a read in the same tick is true.
		const pending = this.#observer?.takeRecords().length ?? 0;
		if (pending > 0) queueMicrotask(() => this.#remounted?.());
		if (!this.#observer || pending > 0 || this.#count !== this.form.elements.length) this.#groups = undefined;
		this.#count = this.form.elements.length;
		return (this.#groups ??= groupControls(this.form));
	}

	fact(path: string): FieldFacts | undefined {
		const group = this.groups().get(path);
		return group && factsOf(group);
	}

	fields(): FieldFacts[] {
		return [...this.groups().values()].map(factsOf);
	}

	pathOf(element: Element | null | undefined): string | undefined {
		if (!element) return undefined;
		for (const [path, { controls }] of this.groups()) if (controls.includes(element as Control)) return path;
		return undefined;
	}

	focused(): string | undefined {
		return this.pathOf((this.form.getRootNode() as Document | ShadowRoot).activeElement);
	}

	composing(): string | undefined {
		return this.#composing?.isConnected ? this.pathOf(this.#composing) : undefined;
	}

	/** The browser's own judgement, in its own words. Asks without making `invalid` events, which would move the focus. */
	errors(): FormErrors {
		const found: Record<string, string[]> = {};
		for (const [path, { controls }] of this.groups()) {
			const bad = controls.find((control) => control.willValidate && !control.validity.valid);
			if (bad) found[path] = [bad.validationMessage || 'invalid'];
		}
		return found;
	}

	paint(path: string, by?: { id: string; text: string }): void {
		for (const control of this.groups().get(path)?.controls ?? []) {
			const wrapper = control.closest('[data-part="field"], [data-field]');
			const field = wrapper && this.form.contains(wrapper) ? wrapper : control;
			if (by) {
				if (!this.#before.has(control)) this.#before.set(control, control.getAttribute('aria-description'));
				set(field, 'data-by', by.id);
				setHue(field, agentHue(by.id));
				set(control, 'aria-description', by.text);
			} else if (this.#before.has(control)) {
				set(field, 'data-by', null);
				setHue(field, null);
				set(control, 'aria-description', this.#before.get(control) ?? null);
				this.#before.delete(control);
			}
		}
	}

	watch(listener: (change: SourceChange) => void): () => void {
		const { form } = this;
		// At the root: controls may belong to the form (`form="id"`) and stand outside of it.
		const root = form.getRootNode();
		const view = form.ownerDocument.defaultView;
		const mine = (event: Event) =>
			event.target instanceof Element && (event.target as HTMLInputElement).form === form;

		const hand = new Hand();
		const edit = (event: Event) => {
			if (!mine(event)) return;
			if (hand.forged(event)) disown(event);
			const path = this.pathOf(event.target as Element);
			if (path === undefined) return;
			const pasted = /^insertFrom(Paste|Drop|Yank)/.test((event as InputEvent).inputType ?? '');
			listener({ kind: 'edit', path, event, pasted });
		};
		const start = (event: Event) => {
			if (mine(event)) this.#composing = event.target as Element;
		};
		const end = (event: Event) => {
			if (event.target === this.#composing) this.#composing = undefined;
		};
		// The values change after the event.
		const reset = (event: Event) => {
			if (event.target === form)
				setTimeout(() => event.defaultPrevented || listener({ kind: 'reset', event }));
		};
		const handlers = {
			...hand.handlers,
			input: edit,
			change: edit,
			compositionstart: start,
			compositionend: end,
			focusout: end,
			reset
		};
		for (const [type, handler] of Object.entries(handlers)) root.addEventListener(type, handler, true);

		if (view) {
			this.#remounted = () => {
				this.#groups = undefined;
				listener({ kind: 'remount' });
			};
			this.#observer = new view.MutationObserver(this.#remounted);
			this.#observer.observe(form, {
				subtree: true,
				childList: true,
				attributes: true,
				attributeFilter: OBSERVED
			});
		}
		return () => {
			for (const [type, handler] of Object.entries(handlers)) root.removeEventListener(type, handler, true);
			this.#observer?.disconnect();
			this.#observer = this.#remounted = undefined;
		};
	}
}

function set(element: Element, name: string, value: string | null): void {
	if (element.getAttribute(name) === value) return;
	if (value === null) element.removeAttribute(name);
	else element.setAttribute(name, value);
}

/** The colour of an author is a matter of style; a style that was empty before is taken off whole. */
function setHue(element: Element, hue: number | null): void {
	const { style } = element as HTMLElement;
	if (hue !== null) style.setProperty('--ax-agent-hue', String(hue));
	else {
		style.removeProperty('--ax-agent-hue');
		if (style.length === 0) element.removeAttribute('style');
	}
}
