import type { StepMemory } from '../journal/memory.js';
import { CLEAN, join, strange } from '../protocol/labels.js';
import type { Issue } from '../protocol/run-state.js';
import type { Label, Reason, Touch } from '../protocol/words.js';
import type { Conductor } from './conductor.js';
import { touchedLabel } from './fresh.js';

/** What a component says went wrong may quote anybody: no read vouches for it. */
export const saidBy = (instance: string, act: string): Label => ({
	...strange(`${instance}.${act}`),
	origins: ['participant']
});

/** What a component refuses with: anybody's words, or, where the act vouches for them, worth what it touches. */
export function refusedBy(
	conductor: Conductor,
	instance: string,
	act: string,
	touches: readonly Touch[]
): Label {
	const said = saidBy(instance, act);
	const entry = conductor.core.registry.entry(instance);
	if (!entry || touches.length === 0 || entry.acts.get(act)?.act.refusals !== 'own') return said;
	return join({ ...said, integrity: 'trusted' }, touchedLabel(conductor, entry, touches));
}

/** Codes of ours whose text quotes a component. */
const QUOTES = new Set(['threw', 'not-json', 'touch-unknown']);

/**
 * The words of a refusal of ours: our own, unless they quote what a component threw or why it says that an act is not
 * available. Which keys an unavailable call would have touched nobody asked it: then all it shows.
 */
export function quoted(
	conductor: Conductor,
	instance: string,
	act: string,
	why: Reason | undefined,
	touches: readonly Touch[] = []
): Label {
	if (why?.code !== 'unavailable') return QUOTES.has(why?.code ?? '') ? saidBy(instance, act) : CLEAN;
	return refusedBy(conductor, instance, act, touches.length > 0 ? touches : readsOf(conductor, instance));
}

const readsOf = ({ core }: Conductor, instance: string): Touch[] =>
	Object.keys(core.registry.entry(instance)?.manifest.reads ?? {}).map((read) => ({ read }));

/** What a schema finds wrong with arguments is said in its own words, which may quote whatever its component knows. */
export const issuesLabel = (
	conductor: Conductor,
	instance: string,
	act: string,
	issues: readonly Issue[] = []
): Label => (issues.length > 0 ? refusedBy(conductor, instance, act, readsOf(conductor, instance)) : CLEAN);

/** Whose words the reasons are for which a step was closed. */
export function reasonLabel(
	conductor: Conductor,
	{ step, touches }: StepMemory,
	why: Reason | undefined,
	theirs: true | 'refusal' | undefined
): Label {
	const { instance, act } = step;
	const said =
		theirs === 'refusal'
			? refusedBy(conductor, instance, act, touches)
			: theirs
				? saidBy(instance, act)
				: CLEAN;
	return join(said, quoted(conductor, instance, act, why, touches));
}
