import { onMount } from 'svelte';
import { DEV } from '../uix/development.js';
import type { AgentManifest } from '../agent/capability/index.js';
import type { Reason } from '../agent/protocol/words.js';
import { agentScope } from './context.js';
import type { CapabilityRegistry, InstanceOptions } from './types.js';

type Provider<P> = P | (() => P | undefined);

/** The registry an instance belongs to: of the given agent, else of the nearest AgentRoot. In component init. @internal */
export function registryFor(as: InstanceOptions): CapabilityRegistry | undefined {
	const scope = agentScope();
	if (as.agent !== undefined && as.agent !== scope?.agent) return as.agent.engine.registry;
	return scope?.registry;
}

/** Registers now, and says once in development why it was refused. @internal */
export function register<P>(
	registry: CapabilityRegistry,
	// Contravariant argument types of the single acts have no common supertype but any.
	// eslint-disable-next-line @typescript-eslint/no-explicit-any
	manifest: AgentManifest<P, any>,
	provider: Provider<P>,
	{ id, label, parent, level }: InstanceOptions
): (() => void) & { readonly refused?: Reason } {
	const dispose = registry.register(manifest, provider, {
		id,
		label,
		...(parent === undefined ? {} : { parent }),
		...(level === undefined ? {} : { level })
	});
	if (DEV && dispose.refused !== undefined)
		console.error(
			`"${id}" (${manifest.kind}) was not registered: ${dispose.refused.code}. ${dispose.refused.text} ` +
				'The component works as before; agents do not see it until its manifest is put right.'
		);
	return dispose;
}

/**
 * Lets agents see a component, for as long as it is mounted. Call it in component init. Without an agent above, and on a
 * server, it does nothing.
 * @param provider the object that gives the component life, or how to get it once it exists
 * @returns how to take it back before the unmount
 * @example
 * const form = new InvoiceForm()
 * registerManifest(formManifest, form, { id: 'invoice', label: 'Invoice' })
 * @since 0.1.0
 */
export function registerManifest<P>(
	// eslint-disable-next-line @typescript-eslint/no-explicit-any
	manifest: AgentManifest<P, any>,
	provider: Provider<P>,
	as: InstanceOptions
): () => void {
	const registry = registryFor(as);
	let dispose: (() => void) | undefined;
	let gone = false;
	onMount(() => {
		if (registry === undefined || gone) return;
		dispose = register(registry, manifest, provider, as);
		return dispose;
	});
	return () => {
		gone = true;
		dispose?.();
	};
}
