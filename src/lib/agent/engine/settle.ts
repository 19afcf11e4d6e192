import type { ActResult } from '../capability/manifest.js';
import { isSchema, parseArgs } from '../capability/projection.js';
import { readVersion } from '../capability/reading.js';
import type { CompiledAct } from '../capability/registry.js';
import { raise } from '../effects/raised.js';
import { find, type Found } from '../gate/look.js';
import { copyJSON } from '../journal/copy.js';
import { at, type StepMemory } from '../journal/memory.js';
import type { Grant, Moved, TouchAt } from '../journal/kinds.js';
import { reason } from '../protocol/codes.js';
import { CLEAN, join, UNKNOWN } from '../protocol/labels.js';
import type { JSONValue, Label, Reason } from '../protocol/words.js';
import type { Conductor } from './conductor.js';
import { capped, failure, refusal, success } from './content.js';
import type { Performed } from './dispatch.js';
import { freshState } from './fresh.js';
import { asQuestion } from './question.js';

/** How often an operation may be tried again. */
const RETRIES = 2;

/** What came of a call, or why nobody knows. */
export type Ended = Performed | { ended: 'timeout' | 'stop' };

/** An answer after its outcome was settled: recorded, never adopted as the course of the run. */
export function belated(conductor: Conductor, grant: Grant, late: Performed): void {
	const { entry } = conductor.fold.effects.get(grant.operation)!;
	if (entry.status !== 'unknown') return;
	const memory = conductor.fold.steps.get(entry.step)!;
	const found = find(conductor.core.registry, entry.instance, entry.act);
	const marked = marks(conductor, memory, [], false);
	mark('code' in found ? undefined : found, memory, grant, marked);
	if ('threw' in late)
		conductor.append('effect.late', {
			operation: grant.operation,
			marked,
			status: 'unknown',
			reason: reason('threw', late.threw)
		});
	else if (late.result.kind === 'done') {
		const copy = copyJSON(late.result.value);
		conductor.append('effect.late', {
			operation: grant.operation,
			marked,
			status: 'confirmed',
			result: copy.ok && late.result.value !== undefined ? copy.value : undefined
		});
	} else if (late.result.kind !== 'escalate')
		conductor.append('effect.late', {
			operation: grant.operation,
			marked,
			status: late.result.kind === 'unknown' ? 'unknown' : 'failed',
			reason: late.result.reason
		});
	conductor.drive();
}

/** Records what came of a dispatched act: one outcome, or that it comes back for another try or an answer. */
export function settle(
	conductor: Conductor,
	memory: StepMemory,
	grant: Grant,
	found: Found | undefined,
	out: Ended,
	moved: readonly Moved[],
	watched = false
): void {
	const close = (what: Omit<Settlement, 'moved' | 'watched'>) =>
		settled(conductor, memory, grant, found, { ...what, moved, watched });
	if ('ended' in out) {
		const why = out.ended === 'stop' ? reason('interrupted') : reason('timeout');
		return close({ status: 'unknown', why });
	}
	if ('threw' in out) {
		// Nothing happened only where nothing could have, or where it is seen that nothing did.
		const { effect } = memory.step;
		const safe =
			effect === 'none' ||
			(effect === 'reversible' && moved.length === 0 && unmoved(conductor, memory, grant));
		const why = reason('threw', out.threw);
		return close({ status: safe ? 'failed' : 'unknown', why });
	}
	const { result } = out;
	switch (result.kind) {
		case 'done':
			return close(finished(memory, found, result));
		case 'retry':
			if (memory.retries >= RETRIES)
				return close({ status: 'failed', why: reason('retry-exhausted', result.reason.text) });
			conductor.append('effect.released', {
				operation: grant.operation,
				step: memory.step.id,
				why: 'retry',
				reason: result.reason,
				afterAt: result.afterMs === undefined ? undefined : conductor.core.clock.now() + result.afterMs
			});
			return undefined;
		case 'escalate': {
			const { fold } = conductor;
			conductor.append('effect.released', {
				operation: grant.operation,
				step: memory.step.id,
				why: 'question'
			});
			conductor.append('question.asked', {
				question: asQuestion(result.question, {
					id: conductor.questionId(),
					run: fold.id,
					from: memory.step.by
				}),
				step: memory.step.id
			});
			return undefined;
		}
		case 'refuse':
			return close({ status: 'failed', why: result.reason, refused: true });
		case 'unknown':
			return close({ status: 'unknown', why: result.reason });
	}
}

/** Settles an act of an engine that was thrown away: whether it ran nobody can tell. */
export function giveUp(conductor: Conductor, memory: StepMemory, why: Reason): void {
	const found = find(conductor.core.registry, memory.step.instance, memory.step.act);
	const known = 'code' in found ? undefined : found;
	settled(conductor, memory, memory.grant!, known, {
		status: 'unknown',
		why,
		moved: [],
		watched: false
	});
}

function unmoved(conductor: Conductor, memory: StepMemory, grant: Grant): boolean {
	if (grant.bound.length === 0 || !conductor.core.registry.entry(memory.step.instance)) return false;
	return versionsNow(conductor, memory, grant).every(
		(touch) => memory.expect.get(at(touch)) === touch.version
	);
}

/** What a done act gives back, and the versions it says it left behind. */
function finished(
	memory: StepMemory,
	found: Found | undefined,
	result: Extract<ActResult, { kind: 'done' }>
): Omit<Settlement, 'moved' | 'watched'> {
	const checked = found ? valueFor(found.act, result.value) : {};
	return { status: 'confirmed', told: declared(memory, result.versions), ...checked };
}

/** The value of a result, if it is JSON and fits its schema; else it is dropped and the act stays done. */
export function valueFor({ act }: CompiledAct, value: unknown): { value?: JSONValue; why?: Reason } {
	if (value === undefined) return {};
	const copy = copyJSON(value);
	if (!copy.ok) return { why: reason('result-invalid', copy.reason.text) };
	if (!isSchema(act.result)) return { value: copy.value };
	const parsed = parseArgs(act.result, copy.value);
	return parsed.ok ? { value: parsed.value } : { why: reason('result-invalid', parsed.reason.text) };
}

interface Settlement {
	status: 'confirmed' | 'failed' | 'unknown';
	/** What was seen to move. */
	moved: readonly Moved[];
	/** Was all of it seen? Only of a synchronous act it is. */
	watched: boolean;
	/** Versions the act itself reports. */
	told?: readonly Moved[];
	value?: JSONValue;
	why?: Reason;
	refused?: true;
}

function settled(
	conductor: Conductor,
	memory: StepMemory,
	grant: Grant,
	found: Found | undefined,
	{ status, moved: seen, watched, told = [], value, why, refused }: Settlement
): void {
	const { step, call, touches } = memory;
	const cost = status === 'failed' ? 0 : (conductor.fold.effects.get(grant.operation)?.reserved ?? 0);
	// A version the act itself reports is its own word; it completes what was seen to move.
	const moved = [...seen, ...told.filter((one) => !seen.some((other) => at(other) === at(one)))];
	const marked = status === 'failed' && moved.length === 0 ? [] : marks(conductor, memory, moved, watched);
	mark(found, memory, grant, marked);
	// Listed in the records are the keys of this step; what others expect moved with them.
	const { fresh, label: shown } = freshState(conductor, step.instance, touches);
	// What nothing was declared of may have come from anywhere.
	const unsaid = touches.length === 0 && value !== undefined ? UNKNOWN : CLEAN;
	const label = touches.reduce<Label>(
		(all, { read }) => join(all, conductor.declaredLabel(step.instance, read) ?? CLEAN),
		join(join(written(memory, grant), shown), unsaid)
	);
	const content =
		status === 'confirmed'
			? success(
					value === undefined ? undefined : capped(value),
					fresh,
					step.proposed === undefined ? undefined : step.args
				)
			: refused
				? refusal([why!], { fresh })
				: failure(status, why!, fresh);
	conductor.append('effect.settled', {
		operation: grant.operation,
		step: step.id,
		call,
		status,
		reason: why,
		result: value,
		moved,
		marked: marked.length > 0 ? marked : undefined,
		written: written(memory, grant),
		label,
		cost,
		content,
		performative: status === 'confirmed' ? 'inform' : refused ? 'refuse' : 'failure'
	});
}

/** The label of what was written: a person endorses exactly the values the card showed, never the context. */
function written(memory: StepMemory, grant: Grant): Label {
	const { label } = memory.step;
	const endorsed = grant.how === 'person' && grant.decidedBy.kind === 'human';
	return endorsed
		? join({ ...label, integrity: 'trusted' }, { ...CLEAN, origins: ['user'] })
		: join(label, { ...CLEAN, origins: ['agent'] });
}

/** Own keys that a write may have changed: those seen to move, or all of them where nobody watched. */
function marks(
	{ core }: Conductor,
	memory: StepMemory,
	moved: readonly Moved[],
	watched: boolean
): readonly TouchAt[] {
	const entry = core.registry.entry(memory.step.instance);
	if (!entry) return [];
	const changed = new Set(moved.map(at));
	return memory.touches.flatMap(({ instance, read, key }): TouchAt[] => {
		const now = readVersion(entry, read, key);
		const touch = { instance, read, key };
		return now.ok && (!watched || changed.has(at(touch))) ? [{ ...touch, version: now.version }] : [];
	});
}

/** Marks what was written with its label, so that copying never launders. */
function mark(found: Found | undefined, memory: StepMemory, grant: Grant, marked: readonly TouchAt[]): void {
	if (!found || typeof found.provider !== 'object' || found.provider === null) return;
	for (const { read, key, version } of marked)
		raise(found.provider, read, key, written(memory, grant), version);
}

/** Versions of what a grant is bound to; one that cannot be told counts as moved. */
export function versionsNow({ core }: Conductor, memory: StepMemory, grant: Grant): TouchAt[] {
	const entry = core.registry.entry(memory.step.instance)!;
	return grant.bound.map((touch) => {
		const now = readVersion(entry, touch.read, touch.key);
		return { ...touch, version: now.ok ? now.version : NaN };
	});
}

/** Versions an asynchronous act says it left behind. */
export function declared(
	memory: StepMemory,
	versions: Readonly<Record<string, string | number>> | undefined
): Moved[] {
	return Object.entries(versions ?? {}).map(([name, after]) => {
		const colon = name.indexOf(':');
		const read = colon < 0 ? name : name.slice(0, colon);
		const key = colon < 0 ? undefined : name.slice(colon + 1);
		const touch = { instance: memory.step.instance, read, key };
		return { ...touch, before: memory.expect.get(at(touch)) ?? after, after };
	});
}
