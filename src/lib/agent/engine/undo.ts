import { type Actor, actingAs } from '../../actor/actor.js';
import { providerKey } from '../effects/locks.js';
import { find } from '../gate/look.js';
import { copyJSON, faultText } from '../journal/copy.js';
import { reason } from '../protocol/codes.js';
import type { UndoPart, UndoReport } from '../protocol/run-state.js';
import type { Conductor } from './conductor.js';
import { keysOf, locked } from './locking.js';
import { remark } from './remark.js';
import { within } from './waiting.js';

const NOTHING: UndoPart = Object.freeze({ undone: 0, kept: [] });

/** How long a participant may take to take something back, and how long is waited for those who are acting on it. */
const PATIENCE = 30_000;

/** Undos under way, by run: one follows the other, so that twice at once is once. */
const under = new WeakMap<Conductor, Promise<UndoReport>>();

/**
 * Takes back, or puts back, what a run did: one step over all participants it touched. What cannot be taken back is named,
 * never passed over.
 */
export function takeBack(conductor: Conductor, way: 'undo' | 'redo', by: Actor): Promise<UndoReport> {
	const before = under.get(conductor);
	const report = before ? before.then(() => turnBack(conductor, way, by)) : turnBack(conductor, way, by);
	under.set(conductor, report);
	return report;
}

const no = (code: 'run-live' | 'person-required' | 'unavailable', text?: string): UndoReport => ({
	ok: false,
	refused: reason(code, text),
	parts: {}
});

async function turnBack(conductor: Conductor, way: 'undo' | 'redo', by: Actor): Promise<UndoReport> {
	const { fold } = conductor;
	if (!fold.over) return no('run-live');
	if (by.kind === 'agent' || by.kind === 'outside') return no('person-required');
	// Twice is once.
	if ((way === 'undo') === (fold.undone !== undefined)) return { ok: true, parts: fold.undoParts };
	const list: [string, UndoPart][] = [];
	for (const instance of touched(conductor)) list.push([instance, await part(conductor, instance, way, by)]);
	// Not by assignment: any name stays a name.
	const parts = Object.fromEntries(list);
	if (way === 'redo') {
		const none = Object.values(parts).every(({ undone, kept }) => undone === 0 && kept.length > 0);
		// Where nothing can be put back, nothing is: the run stays taken back.
		if (none && touched(conductor).size > 0) return { ...no('unavailable', 'It cannot be put back.'), parts };
		// What stands again carries its label again.
		remark(conductor.core, conductor.journal);
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
	if (acts.some(({ effect }) => effect === 'reversible')) {
		const method = manifest[way];
		const keys = acts.flatMap((step) => {
			const found = find(core.registry, instance, step.act);
			return 'code' in found ? [] : keysOf(found, step.args);
		});
		if (typeof provider === 'object' && provider !== null) keys.push(providerKey(provider));
		const abort = new AbortController();
		const release = method && (await locked(core, [...new Set(keys)], PATIENCE, abort));
		try {
			if (!method) out = nothing(label, 'It cannot be put back.');
			else if (!release) out = nothing(label, reason('locked').text);
			else {
				const call = async () => actingAs(by, () => method.call(manifest, provider, fold.id));
				const told = await within(core.clock, call(), { ms: PATIENCE, signal: abort.signal });
				out = typeof told === 'string' ? nothing(label, reason('timeout').text) : read(told, label);
			}
		} catch (error) {
			out = nothing(label, faultText(error));
		} finally {
			release?.();
		}
	}
	const { undone, kept } = out;
	if (way === 'redo') return { undone, kept };
	const final = acts
		.filter(({ effect }) => effect === 'irreversible')
		.map(({ act }) => ({ what: `${label}: ${act}`, why: 'It cannot be taken back.' }));
	return { undone, kept: [...kept, ...final] };
}

/** What a participant says it took back; one that says nothing sensible may have taken back anything. */
function read(told: UndoPart | undefined, label: string): UndoPart {
	if (told === undefined) return NOTHING;
	const copy = copyJSON(told);
	const { undone, kept } = ((copy.ok && copy.value) || {}) as Partial<UndoPart>;
	const sound =
		Number.isInteger(undone) &&
		undone! >= 0 &&
		Array.isArray(kept) &&
		kept.every((one) => typeof one?.what === 'string' && typeof one.why === 'string');
	return sound
		? { undone: undone!, kept: kept.map(({ what, why }) => ({ what, why })) }
		: { undone: 0, kept: [{ what: label, why: 'It gave no report of what it took back.' }] };
}
