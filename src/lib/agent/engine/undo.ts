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
	const no = (
		code: 'run-over' | 'run-live' | 'person-required' | 'unavailable',
		text?: string
	): UndoReport => ({
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
		const none = Object.values(parts).every(({ undone, kept }) => undone === 0 && kept.length > 0);
		// Where nothing can be put back, nothing is: the run stays taken back.
		if (none && touched(conductor).size > 0) return { ...no('unavailable', 'It cannot be put back.'), parts };
		// What stands again carries its label again.
		conductor.remark();
		conductor.append('run.redone', { parts }, by);
		return { ok: true, parts };
	}
	const undone = Object.values(parts).some(({ kept }) => kept.length > 0) ? 'partial' : 'all';
	conductor.append('run.undone', { parts, undone }, by);
	return { ok: true, parts };
}

const happened = ({ status }: { status: string }): boolean => status === 'confirmed' || status === 'unknown';

/** Instances in which something may have happened, latest first. */
function touched({ fold }: Conductor): Set<string> {
	const done = fold.view().effects.filter(happened);
	return new Set(done.map(({ instance }) => instance).reverse());
}

async function part(
	{ core, fold }: Conductor,
	instance: string,
	way: 'undo' | 'redo',
	by: Actor
): Promise<UndoPart> {
	const entry = core.registry.entry(instance);
	const provider = entry?.provider();
	const nothing = (what: string, why: string): UndoPart => ({ undone: 0, kept: [{ what, why }] });
	if (!entry || provider === undefined) return nothing(instance, reason('instance-gone').text);
	const { label, manifest } = entry;
	const acts = fold.view().steps.filter((step) => step.instance === instance && happened(step));
	let out = NOTHING;
	if (acts.some(({ effect }) => effect === 'reversible'))
		try {
			const method = manifest[way];
			out = method
				? ((await actingAs(by, () => method.call(manifest, provider, fold.id))) ?? NOTHING)
				: nothing(label, 'It cannot be put back.');
		} catch (error) {
			out = nothing(label, faultText(error));
		}
	const { undone, kept } = out;
	if (way === 'redo') return { undone, kept };
	const final = acts
		.filter(({ effect }) => effect === 'irreversible')
		.map(({ act }) => ({ what: `${label}: ${act}`, why: 'It cannot be taken back.' }));
	return { undone, kept: [...kept, ...final] };
}
