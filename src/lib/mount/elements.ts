import { createSubscriber } from 'svelte/reactivity';
import type { CapabilityRegistry } from './types.js';

class Elements {
	readonly #elements = new Map<string, Element>();
	#changed: () => void = () => {};
	readonly #subscribe = createSubscriber((update) => {
		this.#changed = update;
		return () => (this.#changed = () => {});
	});

	get(id: string): Element | undefined {
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

// Beside the registry, not in it: the registry knows no DOM. Only mounted elements are ever entered, so nothing stands
// here on a server.
const known = new WeakMap<CapabilityRegistry, Elements>();

/** The elements of the instances of a registry, by instance id; reading is reactive. @internal */
export function elementsOf(registry: CapabilityRegistry): Elements {
	let elements = known.get(registry);
	if (!elements) known.set(registry, (elements = new Elements()));
	return elements;
}
