import { isSchema, parseArgs } from '../capability/projection.js';
import type { CompiledAct, Entry } from '../capability/registry.js';
import { type Found, veiled, versionOf } from '../gate/look.js';
import { copyJSON, faultText } from '../journal/copy.js';
import type { Grant, Kinds, Moved, TouchAt } from '../journal/kinds.js';
import { at, type StepMemory } from '../journal/memory.js';
import { reason } from '../protocol/codes.js';
import { CLEAN, join, over, UNKNOWN } from '../protocol/labels.js';
import type { JSONValue, Label, Reason } from '../protocol/words.js';
import { askPerson } from './ask.js';
import type { Conductor } from './conductor.js';
import { capped, failure, outdated, refusal, success } from './content.js';
import type { Performed } from './dispatch.js';
import { declaredLabel, freshState } from './fresh.js';
import { hiddenOf, masked } from './redaction.js';
import { reasonLabel } from './said.js';
import { type Before, mark, written } from './written.js';

/** How often an operation may be tried again. */
const RETRIES = 2;

/** Waits before an operation is sent again to a receiver that is relied on to do it once, in milliseconds. */
const AGAIN = [1000, 4000] as const;

/** An act under way: whose, which step, on which permission. */
export interface Going {
	conductor: Conductor;
	memory: StepMemory;
	grant: Grant;
	before?: Before;
}

/** What came of a call, or why nobody knows. */
type Ended = Performed | 'timeout' | 'stop';

/** An answer after its outcome was settled: recorded, never adopted as the course of the run. */
export function belated(going: Going, late: Performed): void {
	const { conductor, grant } = going;
	const { operation } = grant;
	if (conductor.fold.effects.get(operation)!.entry.status !== 'unknown') return;
	const { marked, label } = mark(going);
	const tell = (what: Pick<Kinds['effect.late'], 'status' | 'result' | 'reason'>) =>
		conductor.append('effect.late', { operation, marked, written: label, ...what });
	if ('threw' in late) tell({ status: 'unknown', reason: reason('threw', late.threw) });
	else if (late.result.kind === 'done') {
		const copy = copyJSON(late.result.value);
		const given = copy.ok && late.result.value !== undefined;
		const result = given ? masked(copy.value, hiddenOf(conductor, going.memory), ['result']) : undefined;
		tell({ status: 'confirmed', result });
	} else if (late.result.kind !== 'escalate') {
		const { kind, reason: why } = late.result;
		tell({ status: kind === 'unknown' ? 'unknown' : 'failed', reason: why });
	}
	conductor.drive();
}

/** Does nobody know whether it happened? */
export function isUnsure({ conductor, memory, grant }: Going, out: Ended): boolean {
	if (typeof out === 'string') return true;
	if ('threw' in out) return !isHarmless(conductor, memory, grant, []);
	return out.result.kind === 'unknown';
}

/** Nothing happened only where nothing could have, or where it is seen that nothing did. */
const isHarmless = (
	conductor: Conductor,
	memory: StepMemory,
	grant: Grant,
	moved: readonly Moved[]
): boolean =>
	memory.step.effect === 'none' ||
	(memory.step.effect === 'reversible' && moved.length === 0 && unmoved(conductor, memory, grant));

/** May the same operation be sent again, though it may have happened? Only as the receiver still promises to do it once. */
function repeatable({ conductor, memory, grant, found }: Going & { found: Found }): boolean {
	const { fold, core } = conductor;
	const { until = 0 } = fold.effects.get(grant.operation) ?? {};
	const promised = found.act.act.idempotent !== undefined && core.clock.now() < until;
	return promised && memory.retries < RETRIES && !fold.stopping && memory.revision === fold.revision;
}

/**
 * Records what came of a dispatched act: one outcome, or that it comes back for another try or an answer.
 * @param moves tells what was seen to move
 * @param watched was all of it seen? Only of a synchronous act it is
 */
export function settle(going: Going & { found: Found }, ...outcome: Outcome): void {
	try {
		takeIn(going, ...outcome);
	} catch (fault) {
		untold(going, fault);
	}
}

type Outcome = [out: Ended, moves?: () => readonly Moved[], watched?: boolean];

function takeIn(going: Going & { found: Found }, ...[out, moves, watched = false]: Outcome): void {
	const moved = moves?.() ?? [];
	const { conductor, memory, grant } = going;
	const { step } = memory;
	const close = (
		status: 'confirmed' | 'failed' | 'unknown',
		why?: Reason,
		more?: Pick<Settlement, 'told' | 'value' | 'parts' | 'refused' | 'theirs'>
	) => settled(going, { status, why, moved, watched, ...more });
	const release = (more: Pick<Kinds['effect.released'], 'why' | 'reason' | 'afterAt' | 'unsure'>) =>
		conductor.append('effect.released', { operation: grant.operation, step: step.id, ...more });
	const unsure = (why: Reason, more?: { theirs: true }) => {
		if (!repeatable(going)) return close('unknown', why, more);
		const afterAt = conductor.core.clock.now() + AGAIN[memory.retries]!;
		release({ why: 'retry', reason: why, afterAt, unsure: true });
	};
	if (typeof out === 'string') return unsure(reason(out === 'stop' ? 'interrupted' : out));
	if ('threw' in out) {
		const why = reason('threw', out.threw);
		return isHarmless(conductor, memory, grant, moved)
			? close('failed', why, { theirs: true })
			: unsure(why, { theirs: true });
	}
	const { result } = out;
	switch (result.kind) {
		case 'done': {
			const { why, ...given } = valueFor(going.found.act, result.value);
			return close('confirmed', why, {
				...given,
				told: declared(going.found.entry, memory, result.versions)
			});
		}
		case 'retry': {
			const { reason: why, afterMs } = result;
			if (memory.retries >= RETRIES)
				return close('failed', reason('retry-exhausted', why.text), { theirs: 'refusal' });
			const afterAt = afterMs === undefined ? undefined : conductor.core.clock.now() + afterMs;
			return release({ why: 'retry', reason: why, afterAt });
		}
		case 'escalate':
			release({ why: 'question' });
			return askPerson(conductor, result.question, { step: step.id }, step.by);
		case 'refuse':
			return close('failed', result.reason, { refused: true, theirs: 'refusal' });
		case 'unknown':
			return unsure(result.reason, { theirs: true });
	}
}

/** Settles an act of an engine that was thrown away: whether it ran nobody can tell. */
export function giveUp(conductor: Conductor, memory: StepMemory, why: Reason): void {
	const going = { conductor, memory, grant: memory.grant! };
	settled(going, { status: 'unknown', why, moved: [], watched: false });
}

/** Settles an act that was held back between its record and its call. */
export function unrun(going: Going, why: Reason): void {
	settled(going, { status: 'failed', why, moved: [], watched: true });
}

/**
 * Settles an act whose outcome could not be taken in: it ran, and what it says of that nobody knows. What it may have written
 * is marked as anybody's, for whoever reads it next.
 */
function untold({ conductor, memory, grant }: Going, fault: unknown): void {
	const { core, fold } = conductor;
	const { operation } = grant;
	if (fold.effects.get(operation)?.entry.status !== 'dispatched') throw fault;
	core.report(fault);
	const why = reason('threw', faultText(fault));
	for (const touch of memory.touches) core.safely(() => core.mark(touch, UNKNOWN, true));
	conductor.append('effect.settled', {
		operation,
		step: memory.step.id,
		call: memory.call,
		status: 'unknown',
		reason: why,
		moved: [],
		marked: memory.touches.length > 0 ? memory.touches : undefined,
		written: UNKNOWN,
		label: UNKNOWN,
		cost: fold.effects.get(operation)?.reserved ?? 0,
		content: failure('unknown', why, {}),
		performative: 'failure'
	});
}

/** Does the page itself show that nothing happened? */
export function unmoved({ core }: Conductor, { expect }: StepMemory, { bound }: Grant): boolean {
	return (
		bound.length > 0 && bound.every((touch) => versionOf(core.registry, touch) === expect.get(at(touch)))
	);
}

/**
 * The value of a result, if it is JSON and fits its schema, with the labels of its marked parts; else it is dropped and the
 * act stays done.
 */
export function valueFor({ act }: CompiledAct, value: unknown): Given & { why?: Reason } {
	if (value === undefined) return {};
	const parts: Partial<Label>[] = [];
	const copy = copyJSON(value, (_path, label) => parts.push(label));
	const parsed = copy.ok && isSchema(act.result) ? parseArgs(act.result, copy.value) : copy;
	return parsed.ok ? { value: parsed.value, parts } : { why: reason('result-invalid', parsed.reason.text) };
}

/** A label joined with those of marked parts. */
export const withParts = (label: Label, parts: readonly Partial<Label>[] = []): Label =>
	parts.reduce<Label>((all, part) => join(all, over(label, part)), label);

interface Given {
	value?: JSONValue;
	/** Labels of parts that the act marked. */
	parts?: readonly Partial<Label>[];
}

interface Settlement extends Given {
	status: 'confirmed' | 'failed' | 'unknown';
	moved: readonly Moved[];
	watched: boolean;
	/** Versions the act itself reports. */
	told?: readonly Moved[];
	why?: Reason;
	refused?: true;
	/** The text of `why` is the component's own: a refusal, or whatever else went wrong. */
	theirs?: true | 'refusal';
}

function settled(going: Going, settlement: Settlement): void {
	const { conductor, memory, grant } = going;
	const { status, moved: seen, watched, told = [], value, parts, why, refused, theirs } = settlement;
	const { step, call, touches } = memory;
	const { operation } = grant;
	const done = status === 'confirmed';
	const hidden = hiddenOf(conductor, memory);
	const result = value === undefined ? undefined : masked(value, hidden, ['result']);
	// A version the act itself reports is its own word; it completes what was seen to move.
	const moved = [...seen, ...told.filter((one) => !seen.some((other) => at(other) === at(one)))];
	const unsure = status === 'unknown';
	const { marked, label: wrote } =
		status === 'failed' && moved.length === 0
			? { marked: [], label: written(going) }
			: mark(going, moved, watched, unsure);
	// Listed in the records are the keys of this step; what others expect moved with them.
	const { fresh, label: shown, told: versions } = freshState(conductor, step.instance, touches, hidden);
	// What nothing was declared of may have come from anywhere.
	const unsaid = touches.length === 0 && value !== undefined ? UNKNOWN : CLEAN;
	const said = reasonLabel(conductor, memory, done ? undefined : why, theirs);
	const label = withParts(
		touches.reduce<Label>(
			(all, touch) => join(all, declaredLabel(conductor, touch) ?? CLEAN),
			[shown, unsaid, said].reduce(join, wrote)
		),
		parts
	);
	const edited = step.proposed === undefined ? undefined : masked(step.args, hidden, ['executed']);
	conductor.append('effect.settled', {
		operation,
		step: step.id,
		call,
		status,
		reason: why,
		result,
		moved,
		marked: marked.length > 0 ? marked : undefined,
		written: wrote,
		label,
		cost: status === 'failed' ? 0 : (conductor.fold.effects.get(operation)?.reserved ?? 0),
		content: done
			? memory.revision !== conductor.fold.revision
				? outdated(fresh)
				: success(result === undefined ? undefined : capped(result), fresh, edited)
			: refused
				? refusal([why!], { fresh })
				: failure(status, why!, fresh),
		told: versions,
		performative: done ? 'inform' : refused ? 'refuse' : 'failure'
	});
}

/** Versions of what a grant is bound to; one that cannot be told counts as moved. */
export const versionsNow = ({ core }: Conductor, { bound }: Grant): TouchAt[] =>
	bound.map((touch) => ({ ...touch, version: versionOf(core.registry, touch) ?? NaN }));

/** Versions an act says it left behind. */
function declared(
	entry: Entry,
	{ step, expect }: StepMemory,
	versions: Readonly<Record<string, string | number>> = {}
) {
	return Object.entries(versions).map(([name, version]): Moved => {
		const [, read, key] = /^([^:]*):?(.*)$/s.exec(name)!;
		const touch = { instance: step.instance, read: read!, key: name.includes(':') ? key : undefined };
		const after = veiled(entry, read!, version);
		return { ...touch, before: expect.get(at(touch)) ?? after, after };
	});
}
