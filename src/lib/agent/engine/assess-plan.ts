import type { Actor } from '../../actor/actor.js';
import { parseArgs } from '../capability/projection.js';
import { type Assessed, type Assessment, assess } from '../gate/assess.js';
import { fingerprint } from '../gate/fingerprint.js';
import { find, type Found, touchesOf, valueOf, versionsOf } from '../gate/look.js';
import { argsLabel } from '../gate/taint.js';
import { at, isParked, type StepMemory } from '../journal/memory.js';
import type { AssessedStep, Grant, PlannedStep, TouchAt } from '../journal/kinds.js';
import { sha256 } from '../journal/sha256.js';
import { reason } from '../protocol/codes.js';
import type { Change, Issue, Preview } from '../protocol/run-state.js';
import type { JSONValue, Reason } from '../protocol/words.js';
import type { Conductor } from './conductor.js';
import { refusal } from './content.js';
import { freshState } from './fresh.js';

/** A policy, as the one who decided. */
const POLICY: Actor = Object.freeze({ kind: 'rule', id: 'policy' });

/** A step as it enters the plan. */
export function planned(
	conductor: Conductor,
	id: string,
	what: { found: Found; args: JSONValue; call?: string; by?: Actor }
): PlannedStep {
	const { fold, core } = conductor;
	const { found, args, call, by = core.agent } = what;
	const { entry, act } = found;
	const touched = touchesOf(found, args);
	const touches = 'code' in touched ? [] : versionsOf(entry, touched);
	return {
		id,
		instance: entry.id,
		act: act.name,
		args,
		effect: act.effect,
		reach: act.reach,
		label: argsLabel(args, fold.label, fold.words),
		by: { ...by, run: fold.id, step: id },
		status: 'proposed',
		reasons: [],
		asks: 'policy',
		proposal: 1,
		manifest: entry.manifestHash,
		epoch: entry.epoch,
		touches: Array.isArray(touches) ? touches : [],
		call
	};
}

/** A mutating call that was refused at once: a step, so that it counts and can be seen. */
export function plannedRefusal(
	conductor: Conductor,
	id: string,
	what: { instance: string; act: string; args: JSONValue; why: Reason; call?: string; by?: Actor }
): PlannedStep {
	const { fold, core } = conductor;
	const compiled = core.registry.entry(what.instance)?.acts.get(what.act);
	return {
		id,
		instance: what.instance,
		act: what.act,
		args: what.args,
		effect: compiled?.effect ?? 'irreversible',
		reach: compiled?.reach ?? 'world',
		label: fold.label,
		by: { ...(what.by ?? core.agent), run: fold.id, step: id },
		status: 'refused',
		reasons: [what.why],
		asks: 'policy',
		proposal: 1,
		manifest: '',
		epoch: 0,
		touches: [],
		call: what.call
	};
}

/** The one step of a caller without a model. */
export function proposeCall(conductor: Conductor): void {
	const { fold, core } = conductor;
	const { instance, act, args } = fold.opened.call!;
	const by = fold.principal;
	const id = `${fold.id}-s1`;
	const found = find(core.registry, instance, act);
	const refuse = (why: Reason, data?: readonly Issue[]) =>
		plannedRefusal(conductor, id, {
			instance,
			act,
			args,
			by,
			why: data && data.length > 0 ? { ...why, data: { issues: data.map((issue) => ({ ...issue })) } } : why
		});
	let step: PlannedStep;
	if (!fold.covers(instance)) step = refuse(reason('scope'));
	else if ('code' in found) step = refuse(found);
	else {
		const valid = parseArgs(found.act.act.args, args);
		step = valid.ok
			? planned(conductor, id, { found, args: valid.value, by })
			: refuse(valid.reason, valid.issues);
	}
	conductor.append('plan.proposed', { verb: 'plan', steps: [step] });
}

interface Open {
	memory: StepMemory;
	found: Found;
	facts: Assessed;
	asks: boolean;
	reasons: readonly Reason[];
}

/**
 * Takes the open steps of the plan to policy: refuses, parks, opens one review for all that ask, or grants. If any step
 * needs a person the whole plan waits.
 */
export function assessPlan(conductor: Conductor): void {
	const { fold, core } = conductor;
	const open: Open[] = [];
	for (const memory of fold.planSteps) {
		const { step } = memory;
		if (step.status !== 'proposed' || isParked(step)) continue;
		const found = find(core.registry, step.instance, step.act);
		if ('code' in found) {
			const gone = found.code === 'unknown-instance' ? reason('instance-gone') : found;
			return refuse(conductor, memory, [gone]);
		}
		const seen = assessStep(conductor, memory, found);
		if (seen.verdict === 'refuse') return refuse(conductor, memory, seen.reasons);
		if (seen.verdict === 'propose') return park(conductor, memory, seen.facts.preview);
		const asks = !memory.approval && (seen.verdict === 'ask' || memory.again.length > 0);
		open.push({ memory, found, facts: seen.facts, asks, reasons: [...memory.again, ...seen.reasons] });
	}
	if (open.some(({ asks }) => asks)) review(conductor, open);
	else grant(conductor, open);
}

/** A step under policy, levels and labels as they are now. */
export function assessStep(
	{ fold, core }: Conductor,
	{ step }: StepMemory,
	found: Found,
	last = false
): Assessment {
	return assess({
		found,
		step,
		control: fold.label,
		words: fold.words,
		policy: core.policy,
		level: fold.level,
		run: () => fold.view(),
		now: core.clock.now(),
		edited: step.proposed !== undefined,
		last
	});
}

function refuse(conductor: Conductor, memory: StepMemory, reasons: readonly Reason[]): void {
	const { step, call, touches } = memory;
	const { fresh, label } = freshState(conductor, step.instance, touches);
	conductor.close({
		step: step.id,
		status: 'refused',
		reasons,
		performative: 'refuse',
		content: refusal(reasons, { fresh }),
		label,
		call
	});
}

function park(conductor: Conductor, { step, call }: StepMemory, preview: Preview | undefined): void {
	const reasons = [reason('suggest-only')];
	conductor.close({
		step: step.id,
		status: 'proposed',
		reasons,
		performative: 'refuse',
		content: refusal(reasons),
		preview,
		call
	});
}

const operationOf = ({ step, proposal }: StepMemory): string => `${step.id}-o${proposal}`;

/** Binds a step to what a permission is given on. */
function print(
	conductor: Conductor,
	{ memory, found }: Pick<Open, 'memory' | 'found'>,
	label: Assessed['label'],
	touches: readonly TouchAt[],
	expires: number
): string {
	const { fold, core } = conductor;
	const operation = operationOf(memory);
	return fingerprint({
		run: fold.id,
		revision: fold.revision,
		step: memory.step.id,
		act: memory.step.act,
		manifest: found.entry.manifestHash,
		instance: found.entry.id,
		epoch: found.entry.epoch,
		args: memory.step.args,
		label,
		operation,
		touches,
		policy: core.policy.version,
		requester: memory.step.by,
		expires,
		nonce: nonceOf(conductor, operation)
	});
}

const nonceOf = (conductor: Conductor, operation: string): string =>
	`${conductor.fold.opened.nonce}.${operation}`;

function review(conductor: Conductor, open: readonly Open[]): void {
	const { fold, core } = conductor;
	const expiresAt = core.clock.now() + core.patience.reviewMs;
	const changes = open.flatMap((item) => changesOf(conductor, item));
	const steps = open
		// What was approved before stays approved; only what asks again is shown for decision.
		.filter(({ asks, memory }) => asks || !memory.approval)
		.map((item): AssessedStep => {
			const { memory, found, facts, asks, reasons } = item;
			const bound = facts.touches.map((touch) => {
				const value = valueOf(core.registry, touch);
				return value === undefined ? touch : { ...touch, value };
			});
			return {
				step: memory.step.id,
				asks: asks ? 'person' : 'policy',
				reasons: asks ? reasons : [],
				protected: facts.protected,
				label: facts.label,
				weak: facts.weak || undefined,
				preview: facts.preview,
				bound,
				fingerprint: print(conductor, item, facts.label, facts.touches, expiresAt),
				epoch: found.entry.epoch
			};
		});
	const asked = steps.filter(({ asks }) => asks === 'person');
	conductor.append('review.opened', {
		verb: 'review',
		review: `${fold.id}-r${fold.reviews.size + 1}`,
		reasons: unique(asked.flatMap(({ reasons }) => reasons)),
		fingerprint: sha256(asked.map((step) => step.fingerprint).join('\n')),
		expiresAt,
		steps,
		changes: changes.length > 0 ? changes : undefined
	});
}

const unique = (reasons: readonly Reason[]): Reason[] =>
	reasons.filter(
		({ code, text }, i) => reasons.findIndex((one) => one.code === code && one.text === text) === i
	);

/** What moved since the card that was approved. */
function changesOf({ core }: Conductor, { memory, facts, found }: Open): Change[] {
	const { assessed, again } = memory;
	if (!assessed || !again.some(({ code }) => code === 'drift')) return [];
	if (assessed.epoch !== found.entry.epoch)
		return [{ instance: found.entry.id, read: 'instance', before: assessed.epoch, after: found.entry.epoch }];
	const now = new Map(facts.touches.map((touch) => [at(touch), touch]));
	return assessed.bound.flatMap((before): Change[] => {
		const touch = now.get(at(before));
		// The run's own writes are no change a person has to be told of.
		if (!touch || touch.version === (memory.expect.get(at(before)) ?? before.version)) return [];
		return [
			{
				instance: before.instance,
				read: before.read,
				key: before.key,
				before: before.value ?? null,
				after: valueOf(core.registry, touch) ?? null
			}
		];
	});
}

function grant(conductor: Conductor, open: readonly Open[]): void {
	const { fold, core } = conductor;
	const until = core.clock.now() + core.patience.reviewMs;
	let decider = POLICY;
	const grants = open.map((item): Grant => {
		const { memory, facts, found } = item;
		const { approval } = memory;
		const person = approval !== undefined;
		if (approval) decider = approval.by;
		// A person bound it to what the card showed; policy alone to what the model was shown.
		const bound: readonly TouchAt[] = person
			? memory.touches.map(plainTouch)
			: facts.touches.map((touch) => ({ ...touch, version: shownVersion(fold.known, memory, touch) }));
		const reviewed = person ? fold.reviews.get(approval.review)?.expiresAt : undefined;
		const expires = reviewed ?? until;
		const label = person ? memory.step.label : facts.label;
		return {
			step: memory.step.id,
			operation: operationOf(memory),
			how: person ? 'person' : facts.standing ? 'sticky' : 'policy',
			decidedBy: approval?.by ?? POLICY,
			bound,
			fingerprint: print(conductor, item, label, bound, expires),
			expires,
			nonce: nonceOf(conductor, operationOf(memory)),
			epoch: person ? memory.epoch : found.entry.epoch,
			label,
			audit: facts.audit || undefined
		};
	});
	conductor.append('grants.issued', { verb: 'authorize', grants }, decider);
}

const plainTouch = ({ instance, read, key, version }: TouchAt): TouchAt => ({
	instance,
	read,
	key,
	version
});

/** The version the model knew: from the context or a result, else the one at the proposal. */
const shownVersion = (
	known: ReadonlyMap<string, string | number>,
	{ touches }: StepMemory,
	touch: TouchAt
): string | number =>
	known.get(at(touch)) ?? touches.find((one) => at(one) === at(touch))?.version ?? touch.version;
