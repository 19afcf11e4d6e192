import type { Entry } from '../capability/registry.js';
import { valueOf, versionOf } from '../gate/look.js';
import type { Grant, Moved, TouchAt } from '../journal/kinds.js';
import { at, type StepMemory } from '../journal/memory.js';
import { CLEAN, join } from '../protocol/labels.js';
import type { Label, Touch } from '../protocol/words.js';
import type { Conductor } from './conductor.js';
import { touchedLabel } from './fresh.js';

/** What a call may carry from one place to another, as it was before the call. */
export interface Before {
	/** Label of what it touches, where that is more than one thing; what stays in its place keeps its label by itself. */
	inputs: Label;
	/** Reads of the instance that the call does not say it touches. */
	others: readonly TouchAt[];
}

/** Looks before the call, in the same tick. */
export function before(conductor: Conductor, entry: Entry, touches: readonly Touch[]): Before {
	const { id: instance, manifest } = entry;
	const others = Object.keys(manifest.reads).flatMap((read) => {
		const version = touches.some((touch) => touch.read === read)
			? undefined
			: versionOf(conductor.core.registry, { instance, read });
		return version === undefined ? [] : [{ instance, read, version }];
	});
	return { inputs: touches.length > 1 ? touchedLabel(conductor, entry, touches) : CLEAN, others };
}

interface Writing {
	conductor: Conductor;
	memory: StepMemory;
	grant: Grant;
	before?: Before;
}

/** Did a person say yes to the values? */
const endorsed = ({ how, decidedBy }: Grant): boolean => how === 'person' && decidedBy.kind === 'human';

/**
 * What a call hands over is worth: its arguments, and what runs that it began have seen. A person endorses exactly the values
 * the card showed, never the context.
 */
export function written({ conductor, memory, grant }: Writing): Label {
	const { label } = memory.step;
	const own = endorsed(grant)
		? join({ ...label, integrity: 'trusted' }, { ...CLEAN, origins: ['user'] })
		: join(label, { ...CLEAN, origins: ['agent'] });
	return conductor.below.reduce((all, run) => join(all, run.label), own);
}

/**
 * Marks what was written with its label, so that copying never launders: the own keys that were seen to move, or all of
 * them where nobody watched, and what moved beside them. What may still land (`unsure`) is told from no edit of a person.
 * @returns what was marked, and the label of all of it
 */
export function mark(
	writing: Writing,
	moved: readonly Moved[] = [],
	watched = false,
	unsure = false
): { marked: TouchAt[]; label: Label } {
	const { conductor, memory, grant, before } = writing;
	const { registry } = conductor.core;
	const { step, touches } = memory;
	const changed = new Set(moved.map(at));
	const own = written(writing);
	const carried = join(own, before?.inputs ?? CLEAN);
	// An approval covers what was shown; the rest is worth what led to the call.
	const more = join(carried, step.label);
	// What changes nothing wrote nothing, unless it was seen to.
	const places = watched
		? touches.filter((touch) => changed.has(at(touch)))
		: step.effect === 'none'
			? []
			: touches;
	const beside = (before?.others ?? []).filter(({ version, ...touch }) =>
		watched ? versionOf(registry, touch) !== version : touches.length === 0 && step.effect !== 'none'
	);
	let label = own;
	const marked = [...places, ...beside].flatMap(({ instance, read, key }): TouchAt[] => {
		const touch = { instance, read, key };
		const version = versionOf(registry, touch);
		if (version === undefined) return [];
		const worth = !endorsed(grant) ? carried : wasShown(conductor, memory, touch) ? own : more;
		conductor.core.mark(touch, worth, unsure);
		label = join(label, worth);
		return [{ ...touch, version }];
	});
	return { marked, label };
}

/** Is all that stands there now made of words that stood on the card: arguments, preview, and what was there before? */
function wasShown(
	{ core }: Conductor,
	{ step, assessed }: StepMemory,
	touch: Touch & { instance: string }
): boolean {
	const value = valueOf(core.registry, touch);
	const stood = assessed?.bound.find((one) => at(one) === at(touch))?.value;
	const seen = new Set(wordsOf([step.args, step.preview, stood]));
	return value !== undefined && wordsOf(value).every((word) => seen.has(word));
}

const wordsOf = (value: unknown): readonly string[] =>
	(JSON.stringify(value) ?? '').toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
