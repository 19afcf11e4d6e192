import type { Actor } from '../../actor/actor.js';
import type { Entry } from '../capability/registry.js';
import { canonicalJSON } from '../protocol/canonical-json.js';
import type { Fold } from '../journal/fold.js';
import type { TouchAt } from '../journal/kinds.js';
import type { StepMemory } from '../journal/memory.js';
import { digestOf } from '../journal/stored.js';
import { sha256 } from '../protocol/sha256.js';
import type { JSONValue, Label } from '../protocol/words.js';

/** All that a permission is bound to. @since 0.1.0 */
export interface Bond {
	run: string;
	revision: number;
	step: string;
	act: string;
	manifest: string;
	instance: string;
	epoch: number;
	args: JSONValue;
	label: Label;
	operation: string;
	touches: readonly TouchAt[];
	policy: string;
	requester: Actor;
	expires: number;
	nonce: string;
}

/** What a step of a run is bound to in its component as it is now, on the terms of a permission. @since 0.1.0 */
export const bond = (
	run: Fold,
	{ step }: StepMemory,
	entry: Entry,
	terms: Pick<Bond, 'label' | 'operation' | 'touches' | 'policy' | 'expires' | 'nonce'>
): Bond => ({
	...terms,
	run: run.id,
	revision: run.revision,
	step: step.id,
	act: step.act,
	manifest: entry.manifestHash,
	instance: entry.id,
	epoch: entry.epoch,
	args: step.args,
	requester: step.by
});

/** SHA-256 over the injective canonical form of a bond. @since 0.1.0 */
export function fingerprint(bond: Bond): string {
	const { args, touches, ...rest } = bond;
	return sha256(
		canonicalJSON({
			...(rest as unknown as Record<string, JSONValue>),
			args: digestOf(args),
			touches: touches.map(({ instance, read, key = null, version }) => [instance, read, key, version])
		})
	);
}
