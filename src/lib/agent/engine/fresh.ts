import type { Touch } from '../protocol/words.js';
import type { Conductor } from './conductor.js';
import { capped, type Fresh } from './content.js';

/** Fresh values of what a step touched, as far as they may leave; long ones are cut. */
export function freshState(conductor: Conductor, instance: string, touches: readonly Touch[]): Fresh {
	const out: Record<string, Fresh[string]> = {};
	for (const { read, key } of touches) {
		const seen = conductor.readFor(instance, read, key);
		if ('value' in seen) out[key === undefined ? read : `${read}:${key}`] = capped(seen.value);
	}
	return out;
}
