import type { Actor } from '../../actor/actor.js';
import type { Entry } from '../capability/registry.js';
import { canonicalJSON } from '../protocol/canonical-json.js';
import type { Fold } from '../journal/fold.js';
import type { TouchAt } from '../journal/kinds.js';
import type { StepMemory } from '../journal/memory.js';
import { digestOf, isFixed } from '../journal/stored.js';
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
	run: run.id,
	revision: run.revision,
	step: step.id,
	act: step.act,
	manifest: entry.manifestHash,
	instance: entry.id,
	epoch: entry.epoch,
	args: step.args,
	label: terms.label,
	operation: terms.operation,
	touches: terms.touches,
	policy: terms.policy,
	requester: step.by,
	expires: terms.expires,
	nonce: terms.nonce
});

/**
 * SHA-256 over the injective canonical form of a bond, in which the arguments and their label stand as digests.
 * @since 0.1.0
 */
export const fingerprint = (bond: Bond): string =>
	sha256(
		JSON.stringify([
			bond.run,
			bond.revision,
			bond.step,
			bond.act,
			bond.manifest,
			bond.instance,
			bond.epoch,
			digestOf(bond.args),
			digestOf(bond.label as unknown as JSONValue),
			bond.operation,
			bond.touches.map(({ instance, read, key = null, version }) => [instance, read, key, version]),
			bond.policy,
			canonicalJSON(bond.requester as unknown as JSONValue),
			bond.expires,
			bond.nonce
		])
	);

/**
 * The same for a step. A permission is looked at when it is given and twice before the act: a bond of which every part is the
 * very one it was, and can never change, is not worked out again.
 * @since 0.1.0
 */
export function fingerprintOf(memory: StepMemory, bond: Bond): string {
	const { print } = memory;
	if (print && isSame(print.bond as Bond, bond)) return print.is;
	const is = fingerprint(bond);
	const { args, label, touches, requester } = bond;
	memory.print = [args, label, touches, requester].every(isFixed) ? { bond, is } : undefined;
	return is;
}

function isSame(one: Bond, other: Bond): boolean {
	for (const part in one) if (one[part as keyof Bond] !== other[part as keyof Bond]) return false;
	return true;
}
