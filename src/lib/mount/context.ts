import { createContext } from 'svelte';
import type { Instance } from '../agent/capability/registry.js';
import type { Language } from '../langs/language.js';
import { mountedIn } from './mounted.js';
import { RecordQueue } from './record-queue.js';
import type { ActiveAgent, CapabilityRegistry } from './types.js';

/** What AgentRoot gives to everything below it. Fields are read when needed, so that props may change. @since 0.1.0 */
export interface AgentScope {
	readonly agent: ActiveAgent;
	readonly registry: CapabilityRegistry;
	/** Absent: the surface's own default. */
	readonly lang: Language | undefined;
	/** Surfaces register here for the records that are theirs to tell. */
	readonly queue: RecordQueue;
	/** What is mounted, reactive. */
	readonly instances: readonly Instance[];
	/** What people call an instance, also once it is gone; the id where nobody knows. Reactive. */
	label(instance: string): string;
	/** Did its registration say `trust: 'imported'`, also once it is gone? Then its label is a stranger's words. Reactive. */
	imported(instance: string): boolean;
	/** The mounted element of an instance, reactive; only instances that came by `capabilities` have one. */
	element(instance: string): Element | undefined;
}

const [read, write] = createContext<AgentScope>();

/** Gives a scope to the components below. In component init. @internal */
export const setAgentScope = write;

/** The scope of the nearest AgentRoot, or `undefined` where there is none. In component init. @since 0.1.0 */
export function agentScope(): AgentScope | undefined {
	try {
		return read();
	} catch {
		// Svelte throws for a missing context; without an agent everything of the app still works.
		return undefined;
	}
}

// One queue per agent for surfaces that stand alone, so that two of them still tell each record once.
const alone = new WeakMap<object, RecordQueue>();

/** A scope for surfaces that are given their agent as a prop, outside every AgentRoot. @internal */
export function scopeOf(agent: ActiveAgent): AgentScope {
	return {
		agent,
		get registry() {
			return agent.engine.registry;
		},
		lang: undefined,
		get queue() {
			let queue = alone.get(agent);
			if (!queue) {
				queue = new RecordQueue(agent);
				alone.set(agent, queue);
			}
			return queue;
		},
		get instances() {
			return mountedIn(agent.engine.registry).instances;
		},
		label: (instance) => mountedIn(agent.engine.registry).label(instance),
		imported: (instance) => mountedIn(agent.engine.registry).imported(instance),
		element: (instance) => mountedIn(agent.engine.registry).element(instance)
	};
}

/**
 * The scope a surface works in: that of its `agent` prop, else that of the nearest AgentRoot. In component init; call the
 * result where it is needed, so that a changed prop counts.
 * @throws when there is neither
 * @since 0.1.0
 */
export function useAgentScope(surface: string, agent: () => ActiveAgent | undefined): () => AgentScope {
	const nearest = agentScope();
	let own: AgentScope | undefined;
	return () => {
		const given = agent();
		if (nearest !== undefined && (given === undefined || given === nearest.agent)) return nearest;
		if (given === undefined)
			throw new Error(
				`${surface} has no agent. Put it below <AgentRoot agent={…}> or give it the prop "agent".`
			);
		if (own?.agent !== given) own = scopeOf(given);
		return own;
	};
}
