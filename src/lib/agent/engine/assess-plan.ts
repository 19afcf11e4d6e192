import type { Actor } from '../../actor/actor.js';
import { parseArgs } from '../capability/projection.js';
import { type Assessed, type Assessment, assess } from '../gate/assess.js';
import { bond, fingerprintOf } from '../gate/fingerprint.js';
import { find, type Found, gone, touchesOf, valueOf, versionsOf } from '../gate/look.js';
import { argsLabel, type Grounds } from '../gate/taint.js';
import type { Fold } from '../journal/fold.js';
import type { AssessedStep, Grant, PlannedStep, TouchAt, TurnCall } from '../journal/kinds.js';
import { compact } from '../journal/compact.js';
import { at, drifted, type StepMemory } from '../journal/memory.js';
import { sha256 } from '../protocol/sha256.js';
import { reason } from '../protocol/codes.js';
import type { Change } from '../protocol/run-state.js';
import type { JSONValue, Reason } from '../protocol/words.js';
import { closeStep } from './close-step.js';
import type { Conductor } from './conductor.js';
import { policyOf } from './redaction.js';

/** A policy, as the one who decided. */
const POLICY: Actor = Object.freeze({ kind: 'rule', id: 'policy' });

/** A call that is to become a step. */
export interface Proposal {
	instance: string;
	act: string;
	args: JSONValue;
	found?: Found;
	/** It is refused at once, but counts and can be seen. */
	why?: Reason;
	call?: TurnCall;
}

/** What the arguments of a call are judged by. */
export const grounds = ({ label, words }: Fold, { act }: Found): Grounds => ({
	control: label,
	words,
	schema: act.schema
});

/** A step as it enters the plan. */
export function planned(
	{ fold, core }: Conductor,
	id: string,
	{ instance, act, args, found, why, call }: Proposal,
	by: Actor = core.agent
): PlannedStep {
	const entry = core.registry.entry(instance);
	const compiled = entry?.acts.get(act);
	const touched = found ? touchesOf(found, args) : [];
	const touches = 'code' in touched || !entry ? [] : versionsOf(entry, touched);
	return {
		id,
		instance,
		act,
		args,
		effect: compiled?.effect ?? 'irreversible',
		reach: compiled?.reach ?? 'world',
		label: found ? argsLabel(args, grounds(fold, found)) : fold.label,
		by: { ...by, run: fold.id, step: id },
		status: why ? 'refused' : 'proposed',
		reasons: why ? [why] : [],
		asks: 'policy',
		proposal: 1,
		manifest: entry?.manifestHash ?? '',
		epoch: entry?.epoch ?? 0,
		touches: 'code' in touches ? [] : touches,
		call: call?.id
	};
}

/** The one step of a caller without a model. */
export function proposeCall(conductor: Conductor): void {
	const { fold, core } = conductor;
	const { instance, act, args } = fold.opened.call!;
	const found = find(core.registry, instance, act);
	const propose = (more: Partial<Proposal>) => {
		const step = planned(conductor, `${fold.id}-s1`, { instance, act, args, ...more }, fold.principal);
		conductor.append('plan.proposed', { verb: 'plan', steps: [step] });
		return fold.steps.get(step.id)!;
	};
	if (!fold.covers(instance)) return void propose({ why: reason('scope') });
	if ('code' in found) return void propose({ why: found });
	const valid = parseArgs(found.act.act.args, args);
	if (valid.ok) return void propose({ found, args: valid.value });
	const { reason: why, issues } = valid;
	const said = issues.length > 0 ? { ...why, data: { issues } } : why;
	closeStep(conductor, propose({ why: said }), 'refused', [said], { issues });
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
	for (const memory of [...fold.due]) {
		const { step } = memory;
		const found = find(core.registry, step.instance, step.act);
		if ('code' in found) return closeStep(conductor, memory, 'refused', [gone(found)]);
		const seen = assessStep(conductor, memory, found);
		if (seen.verdict === 'refuse') return closeStep(conductor, memory, 'refused', seen.reasons, seen);
		if (seen.verdict === 'propose')
			return closeStep(conductor, memory, 'proposed', seen.reasons, { preview: seen.facts.preview });
		const asks = !memory.approval && (seen.verdict === 'ask' || memory.again.length > 0);
		open.push({ memory, found, facts: seen.facts, asks, reasons: [...memory.again, ...seen.reasons] });
	}
	if (open.some(({ asks }) => asks)) review(conductor, open);
	else grant(conductor, open);
}

/** A step under policy, levels and labels as they are now. */
export function assessStep(
	conductor: Conductor,
	{ step }: StepMemory,
	found: Found,
	last = false
): Assessment {
	const { fold, core } = conductor;
	return assess({
		found,
		step,
		control: fold.label,
		words: fold.words,
		policy: policyOf(conductor),
		level: fold.level,
		run: () => fold.view(),
		now: core.clock.now(),
		edited: step.proposed !== undefined,
		last
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
	const terms = { label, operation, touches, policy: core.policy.version, expires };
	return fingerprintOf(
		memory,
		bond(fold, memory, found.entry, { ...terms, nonce: nonceOf(fold, operation) })
	);
}

const nonceOf = ({ opened }: Fold, operation: string): string => `${opened.nonce}.${operation}`;

function review(conductor: Conductor, open: readonly Open[]): void {
	const { fold, core } = conductor;
	const expiresAt = core.clock.now() + core.patience.reviewMs;
	const changes = open.flatMap((item) => changesOf(conductor, item));
	const steps = open
		// What was approved before stays approved; only what asks again is shown for decision.
		.filter(({ asks, memory }) => asks || !memory.approval)
		.map((item): AssessedStep => {
			const { memory, found, facts, asks, reasons } = item;
			const bound = facts.touches.map((touch) => ({ ...touch, value: valueOf(core.registry, touch) }));
			return {
				step: memory.step.id,
				asks: asks ? 'person' : 'policy',
				reasons: asks ? reasons : [],
				protected: facts.protected,
				label: facts.label,
				weak: facts.weak || undefined,
				redact: facts.redact,
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
	if (!assessed || !drifted(again)) return [];
	if (assessed.epoch !== found.entry.epoch)
		return [{ instance: found.entry.id, read: 'instance', before: assessed.epoch, after: found.entry.epoch }];
	const now = new Map(facts.touches.map((touch) => [at(touch), touch]));
	return assessed.bound.flatMap((before): Change[] => {
		const touch = now.get(at(before));
		// The run's own writes are no change a person has to be told of.
		if (!touch || touch.version === (memory.expect.get(at(before)) ?? before.version)) return [];
		const { instance, read, key, value = null } = before;
		return [{ instance, read, key, before: value, after: valueOf(core.registry, touch) ?? null }];
	});
}

function grant(conductor: Conductor, open: readonly Open[]): void {
	const { fold, core } = conductor;
	const until = core.clock.now() + core.patience.reviewMs;
	const grants = open.map((item): Grant => {
		const { memory, facts, found } = item;
		const { approval, step } = memory;
		// A person bound it to what the card showed; policy alone to what the model was shown.
		const bound = compact(
			(approval ? memory.touches : facts.touches).map(({ instance, read, key, version }) => ({
				instance,
				read,
				key,
				version: approval ? version : shownVersion(fold, memory, { instance, read, key, version })
			}))
		);
		const expires = (approval && fold.reviews.get(approval.review)?.expiresAt) ?? until;
		const label = approval ? step.label : facts.label;
		const operation = operationOf(memory);
		const redact = new Set([...(memory.redact ?? []), ...(facts.redact ?? [])]);
		return {
			step: step.id,
			operation,
			how: approval ? 'person' : facts.standing ? 'sticky' : 'policy',
			decidedBy: approval?.by ?? POLICY,
			bound,
			fingerprint: print(conductor, item, label, bound, expires),
			expires,
			nonce: nonceOf(fold, operation),
			epoch: approval ? memory.epoch : found.entry.epoch,
			label,
			audit: facts.audit || undefined,
			redact: redact.size > 0 ? [...redact] : undefined
		};
	});
	const decider = grants.findLast(({ how }) => how === 'person')?.decidedBy ?? POLICY;
	conductor.append('grants.issued', { verb: 'authorize', grants }, decider);
}

/** The version the model knew: from the context or a result, else the one at the proposal. */
const shownVersion = ({ known }: Fold, { touches }: StepMemory, touch: TouchAt): string | number =>
	known.get(at(touch)) ?? touches.find((one) => at(one) === at(touch))?.version ?? touch.version;
