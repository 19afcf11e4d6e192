import { type Actor, actingAs } from '../../actor/actor.js';
import { faultText } from '../journal/copy.js';
import { reason } from '../protocol/codes.js';
import type { UndoPart, UndoReport } from '../protocol/run-state.js';
import type { Conductor } from './conductor.js';

const NOTHING: UndoPart = Object.freeze({ undone: 0, kept: [] });

/**
 * Takes back, or puts back, what a run did: one step over all participants it touched. What cannot be taken back is named,
 * never passed over.
 */
export async function takeBack(
	conductor: Conductor | undefined,
	way: 'undo' | 'redo',
	by: Actor
): Promise<UndoReport> {
	const no = (code: 'run-over' | 'run-live' | 'person-required', text?: string): UndoReport => ({
		ok: false,
		refused: reason(code, text),
		parts: {}
	});
	if (!conductor) return no('run-over', 'There is no such run.');
	const { fold } = conductor;
	if (!fold.over) return no('run-live');
	if (by.kind === 'agent' || by.kind === 'outside') return no('person-required');
	// Twice is once.
	if ((way === 'undo') === (fold.undone !== undefined)) return { ok: true, parts: fold.undoParts };
	const parts: Record<string, UndoPart> = {};
	for (const instance of touched(conductor)) parts[instance] = await part(conductor, instance, way, by);
	if (way === 'redo') {
		// What stands again carries its label again.
		conductor.remark();
		conductor.append('run.redone', { parts }, by);
		return { ok: true, parts };
	}
	const whole = Object.values(parts).every(({ kept }) => kept.length === 0);
	conductor.append('run.undone', { parts, undone: whole ? 'all' : 'partial' }, by);
	return { ok: true, parts };
}

/** Instances in which something may have happened, latest first. */
function touched({ fold }: Conductor): Set<string> {
	const done = [...fold.effects.values()]
		.map(({ entry }) => entry)
		.filter(({ status }) => status === 'confirmed' || status === 'unknown');
	return new Set(done.reverse().map(({ instance }) => instance));
}

async function part(
	{ core, fold }: Conductor,
	instance: string,
	way: 'undo' | 'redo',
	by: Actor
): Promise<UndoPart> {
	const entry = core.registry.entry(instance);
	const provider = entry?.provider();
	if (!entry || provider === undefined)
		return { undone: 0, kept: [{ what: instance, why: reason('instance-gone').text }] };
	const acts = [...fold.steps.values()]
		.map(({ step }) => step)
		.filter(
			(step) => step.instance === instance && (step.status === 'confirmed' || step.status === 'unknown')
		);
	const final = acts
		.filter(({ effect }) => effect === 'irreversible')
		.map(({ act }) => ({ what: `${entry.label}: ${act}`, why: reason('irreversible').text }));
	const reversible = acts.some(({ effect }) => effect === 'reversible');
	const { manifest } = entry;
	let out: UndoPart = NOTHING;
	if (reversible && manifest[way]) {
		try {
			out = (await actingAs(by, () => manifest[way]!(provider, fold.id))) ?? NOTHING;
		} catch (error) {
			out = { undone: 0, kept: [{ what: entry.label, why: faultText(error) }] };
		}
	} else if (reversible) out = { undone: 0, kept: [{ what: entry.label, why: 'It cannot be put back.' }] };
	return { undone: out.undone, kept: way === 'undo' ? [...out.kept, ...final] : out.kept };
}
