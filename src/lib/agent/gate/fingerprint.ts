import type { Actor } from '../../actor/actor.js';
import { canonicalJSON } from '../journal/canonical-json.js';
import type { TouchAt } from '../journal/kinds.js';
import { sha256 } from '../journal/sha256.js';
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

const digests = new WeakMap<object, string>();

/** Digest of frozen arguments; each payload is hashed once. */
function digest(args: JSONValue): string {
	if (typeof args !== 'object' || args === null) return sha256(canonicalJSON(args));
	let known = digests.get(args);
	if (known === undefined) digests.set(args, (known = sha256(canonicalJSON(args))));
	return known;
}

/** SHA-256 over the injective canonical form of a bond. @since 0.1.0 */
export function fingerprint(bond: Bond): string {
	const { args, touches, ...rest } = bond;
	return sha256(
		canonicalJSON({
			...(rest as unknown as Record<string, JSONValue>),
			args: digest(args),
			touches: touches.map(({ instance, read, key = null, version }) => [instance, read, key, version])
		})
	);
}
