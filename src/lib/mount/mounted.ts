import { createSubscriber } from 'svelte/reactivity';
import type { Instance } from '../agent/capability/registry.js';
import type { CapabilityRegistry } from './types.js';

/** A registry that tells of changes. The engine's own does; another is read as it is. */
interface Telling {
	subscribe?(listener: () => void): () => void;
	entry?(id: string): { readonly trust?: string | undefined } | undefined;
}

/** What is mounted in one registry, reactive: the instances, and the elements of those that have one. @internal */
export class Mounted {
	readonly #registry: CapabilityRegistry;
	readonly #elements = new Map<string, Element>();
	/** What people called an instance outlives it: what waits for its steps goes on naming it. */
	readonly #labels = new Map<string, string>();
	/** Ids of those that strangers name, gone ones too. */
	readonly #imported = new Set<string>();
	#changed: () => void = () => {};
	readonly #subscribe = createSubscriber((update) => {
		const off = (this.#registry as Telling).subscribe?.(update);
		this.#changed = update;
		return () => {
			this.#changed = () => {};
			off?.();
		};
	});

	constructor(registry: CapabilityRegistry) {
		this.#registry = registry;
	}

	get instances(): readonly Instance[] {
		this.#subscribe();
		const { instances } = this.#registry;
		for (const { id, label } of instances) {
			if (this.#labels.get(id) === label) continue;
			this.#labels.set(id, label);
			this.#look(id);
		}
		return instances;
	}

	/** What people call an instance, or called it when it was mounted; the id where nobody knows. */
	label(id: string): string {
		return this.instances.find((one) => one.id === id)?.label ?? this.#labels.get(id) ?? id;
	}

	/** Did its registration say that strangers name it? */
	imported(id: string): boolean {
		void this.instances;
		this.#look(id);
		return this.#imported.has(id);
	}

	#look(id: string): void {
		const entry = (this.#registry as Telling).entry?.(id);
		if (entry?.trust === 'imported') this.#imported.add(id);
		else if (entry !== undefined) this.#imported.delete(id);
	}

	element(id: string): Element | undefined {
		this.#subscribe();
		return this.#elements.get(id);
	}

	/** The newest element of an id wins; the older one's removal then does nothing. */
	add(id: string, element: Element): () => void {
		this.#elements.set(id, element);
		this.#changed();
		return () => {
			if (this.#elements.get(id) !== element) return;
			this.#elements.delete(id);
			this.#changed();
		};
	}
}

// Beside the registry, not in it: the registry knows no DOM. Elements are only ever entered on mount, so nothing of a
// request stands here on a server.
const known = new WeakMap<CapabilityRegistry, Mounted>();

/** What is mounted in a registry. @internal */
export function mountedIn(registry: CapabilityRegistry): Mounted {
	let mounted = known.get(registry);
	if (!mounted) known.set(registry, (mounted = new Mounted(registry)));
	return mounted;
}
