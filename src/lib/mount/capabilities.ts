import { untrack } from 'svelte';
import type { AgentManifest } from '../agent/capability/index.js';
import { mountedIn } from './mounted.js';
import { known, register, registryFor } from './register-manifest.js';
import type { InstanceOptions } from './types.js';

/** What a registry is told about where an instance is. The one of the engine takes it; another may not care. */
interface PresenceSink {
	presence?(id: string, epoch: number, presence: { focused?: boolean; visible?: boolean }): void;
}

/**
 * An attachment: lets agents see a component for as long as its element stands (an outro included), and tells them whether
 * it is focused and visible. Without an agent above it does nothing.
 * @example <form {@attach capabilities(formManifest, form, { id: 'invoice', label: 'Invoice' })}>
 * @since 0.1.0
 */
export function capabilities<P>(
	// Contravariant argument types of the single acts have no common supertype but any.
	// eslint-disable-next-line @typescript-eslint/no-explicit-any
	manifest: AgentManifest<P, any>,
	provider: P | (() => P | undefined),
	as: InstanceOptions | (() => InstanceOptions)
): (element: Element) => () => void {
	const registry = registryFor(known(as));
	// What a provider reads while it is registered must not make the attachment run again.
	return (element) =>
		untrack(() => {
			if (registry === undefined) return () => {};
			const { id } = known(as);
			const dispose = register(registry, manifest, provider, known(as));
			if (dispose.refused !== undefined) return dispose;

			const epoch = registry.instances.find((instance) => instance.id === id)?.epoch ?? 0;
			const tell = (presence: { focused?: boolean; visible?: boolean }) =>
				(registry as PresenceSink).presence?.(id, epoch, presence);
			const forget = mountedIn(registry).add(id, element);

			const focusin = () => tell({ focused: true });
			const focusout = (event: Event) => {
				const to = (event as FocusEvent).relatedTarget;
				if (!(to instanceof Node && element.contains(to))) tell({ focused: false });
			};
			element.addEventListener('focusin', focusin);
			element.addEventListener('focusout', focusout);
			if (element.contains(element.ownerDocument.activeElement)) tell({ focused: true });

			const sight =
				typeof IntersectionObserver === 'function'
					? new IntersectionObserver((entries) => tell({ visible: entries.at(-1)?.isIntersecting ?? false }))
					: undefined;
			sight?.observe(element);

			return () => {
				sight?.disconnect();
				element.removeEventListener('focusin', focusin);
				element.removeEventListener('focusout', focusout);
				forget();
				dispose();
			};
		});
}
