import { readLabel, readValue } from '../capability/reading.js';
import type { Entry } from '../capability/registry.js';
import { keyed } from '../journal/memory.js';
import { CLEAN, join, UNKNOWN } from '../protocol/labels.js';
import type { ToldAt } from '../journal/kinds.js';
import type { Label, Touch } from '../protocol/words.js';
import type { Conductor } from './conductor.js';
import { capped, type Fresh } from './content.js';
import { readFor } from './read-for.js';
import { masked } from './redaction.js';

/** Fresh values of what a step touched, as far as they may leave, with the label they bring; long ones are cut. */
export function freshState(
	conductor: Conductor,
	instance: string,
	touches: readonly Touch[],
	hidden: readonly string[] = []
): { fresh: Fresh; label: Label; told: readonly ToldAt[] | undefined } {
	const fresh: Record<string, Fresh[string]> = {};
	const told: ToldAt[] = [];
	let label = CLEAN;
	for (const touch of touches) {
		const seen = readFor(conductor, instance, touch.read, touch.key);
		if (!('value' in seen)) continue;
		const { read, key } = touch;
		const names = key === undefined ? [] : key.split('.');
		// Masked before it is cut: what is cut is text.
		fresh[keyed(touch)] = capped(masked(seen.value, hidden, names, [read], [read, ...names]));
		told.push(seen.told);
		label = join(label, seen.label);
	}
	return { fresh, label, told: told.length > 0 ? told : undefined };
}

/** What touched values are worth, whether or not they may leave; what cannot be read counts as it is declared. */
export function touchedLabel({ core }: Conductor, entry: Entry, touches: readonly Touch[]): Label {
	return touches.reduce<Label>((all, { read, key }) => {
		const seen = readValue(entry, read, key);
		const declared = entry.manifest.reads[read];
		const label = seen.ok ? seen.label : declared ? readLabel(declared, `${entry.id}.${read}`) : UNKNOWN;
		return join(all, core.labelOf(entry, read, label, key));
	}, CLEAN);
}

/** The label a read declares, for results that carry no value of it. */
export function declaredLabel(
	{ core }: Conductor,
	{ instance, read }: { instance: string; read: string }
): Label | undefined {
	const declared = core.registry.entry(instance)?.manifest.reads[read];
	return declared && readLabel(declared, `${instance}.${read}`);
}
