import { onMount } from 'svelte';
import { DEV } from '../uix/development.js';
import type { AgentManifest } from '../agent/capability/index.js';
import type { Reason } from '../agent/protocol/words.js';
import { agentScope } from './context.js';
import type { CapabilityRegistry, InstanceOptions } from './types.js';

type Provider<P> = P | (() => P | undefined);
/** Known now, or read when it is needed: then a prop may stand in it. */
type As = InstanceOptions | (() => InstanceOptions);

/** @internal */
export const known = (as: As): InstanceOptions => (typeof as === 'function' ? as() : as);

/** Live registrations by id, in development: a clash of names is seen where both are mounted. */
const live = new WeakMap<CapabilityRegistry, Map<string, number>>();
const warned = new Set<string>();

function warnOnce(text: string): void {
	if (!warned.has(text)) console.warn(text);
	warned.add(text);
}

/** Longer than an outro: what is on its way out is no clash. */
const OUTRO_MS = 2_000;

function count(registry: CapabilityRegistry, id: string): () => void {
	const ids = live.get(registry) ?? new Map<string, number>();
	live.set(registry, ids);
	const now = () => ids.get(id) ?? 0;
	ids.set(id, now() + 1);
	if (now() > 1)
		setTimeout(() => {
			if (now() > 1)
				warnOnce(
					`Two mounted components are registered as "${id}"; agents see the newer one alone. Give each an id of its own, for example "${id}-2".`
				);
		}, OUTRO_MS);
	let gone = false;
	return () => {
		if (!gone) ids.set(id, now() - 1);
		gone = true;
	};
}

/** The registry an instance belongs to: of the given agent, else of the nearest AgentRoot. In component init. @internal */
export function registryFor(as: InstanceOptions): CapabilityRegistry | undefined {
	const scope = agentScope();
	// An agent that is given as undefined is a choice: agents are switched off here.
	if (DEV && typeof window === 'object' && scope === undefined && !('agent' in as))
		warnOnce(
			`"${as.id}" has no agent above it, so no agent sees it. Put it below <AgentRoot agent={…}>, in a component of its own, or give it an agent: { id, label, agent }.`
		);
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
	{ id, label, parent, level, trust }: InstanceOptions
): (() => void) & { readonly refused?: Reason } {
	const dispose = registry.register(manifest, provider, {
		id,
		label,
		...(parent === undefined ? {} : { parent }),
		...(level === undefined ? {} : { level }),
		...(trust === undefined ? {} : { trust })
	});
	if (DEV && dispose.refused !== undefined)
		console.error(
			`"${id}" (${manifest.kind}) was not registered: ${dispose.refused.code}. ${dispose.refused.text.replace(/\.?$/, '.')} ` +
				'The component works as before; agents do not see it until its manifest is put right.'
		);
	if (!DEV || dispose.refused !== undefined) return dispose;
	if (trust === undefined && !/^.{0,40}$/.test(label))
		warnOnce(
			`"${id}" has a label of more than 40 characters or lines, so its name counts as text of strangers, and a run that is shown it is led by them. Say who writes it, for example { id, label, trust: 'user' }.`
		);
	const discount = count(registry, id);
	return () => {
		discount();
		dispose();
	};
}

/**
 * Lets agents see a component, for as long as it is mounted. Call it in component init. Without an agent above, and on a
 * server, it does nothing.
 * @param provider the object that gives the component life, or how to get it once it exists
 * @param as under which id and label; a function where props stand in it
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
	as: As
): () => void {
	const registry = registryFor(known(as));
	let dispose: (() => void) | undefined;
	let gone = false;
	onMount(() => {
		if (registry === undefined || gone) return;
		dispose = register(registry, manifest, provider, known(as));
		return dispose;
	});
	return () => {
		gone = true;
		dispose?.();
	};
}
