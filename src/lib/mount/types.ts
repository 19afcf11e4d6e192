import type { ActiveAgent } from '../agent/active/active-agent.svelte.js';
import type { RegisterAs } from '../agent/capability/registry.js';
import type { Level } from '../agent/protocol/words.js';

export type { CapabilityRegistry } from '../agent/capability/registry.js';
export type { ActiveAgent } from '../agent/active/active-agent.svelte.js';

/** How an instance is registered. @since 0.1.0 */
export interface InstanceOptions {
	/** Stable, unique in its registry; the same id after a remount is the same instance, one epoch later. */
	id: string;
	/** What people call it. */
	label: string;
	/** Id of the instance it lies in. */
	parent?: string;
	/** Demands at least this much control for every act. */
	level?: Level;
	/** Who writes the label. @default app up to 40 characters on one line, else untrusted */
	trust?: RegisterAs['trust'];
	/** @default the agent of the nearest AgentRoot */
	agent?: ActiveAgent;
}
