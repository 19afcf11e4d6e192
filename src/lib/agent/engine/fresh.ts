import { CLEAN, join } from '../protocol/labels.js';
import type { Label, Touch } from '../protocol/words.js';
import type { Conductor } from './conductor.js';
import { capped, type Fresh } from './content.js';

/** Fresh values of what a step touched, as far as they may leave, with the label they bring; long ones are cut. */
export function freshState(
	conductor: Conductor,
	instance: string,
	touches: readonly Touch[]
): { fresh: Fresh; label: Label } {
	const out: Record<string, Fresh[string]> = {};
	let label = CLEAN;
	for (const { read, key } of touches) {
		const seen = conductor.readFor(instance, read, key);
		if (!('value' in seen)) continue;
		out[key === undefined ? read : `${read}:${key}`] = capped(seen.value);
		label = join(label, seen.label);
	}
	return { fresh: out, label };
}
