import type { Actor } from '../../actor/actor.js';
import { parseArgs } from '../capability/projection.js';
import { find, valueOf } from '../gate/look.js';
import { copyArgs } from '../journal/copy.js';
import type { Kinds } from '../journal/kinds.js';
import { at, type StepMemory } from '../journal/memory.js';
import { reason } from '../protocol/codes.js';
import { from } from '../protocol/labels.js';
import type { Issue } from '../protocol/run-state.js';
import type { Reason } from '../protocol/words.js';
import { assessStep } from './assess-plan.js';
import type { Conductor } from './conductor.js';

/** An edit is a new proposal of the same act: parsed again, looked at again, bound to what is there now. */
export function edited(
	conductor: Conductor,
	memory: StepMemory,
	value: unknown,
	by: Actor
):
	| { refused: Reason; issues: readonly Issue[] }
	| NonNullable<Kinds['review.decided']['steps'][string]['edit']> {
	const { registry } = conductor.core;
	const { step, assessed, touches: before } = memory;
	const not = (refused: Reason, issues: readonly Issue[] = []) => ({
		refused,
		issues: issues.length > 0 ? issues : [{ path: '', message: refused.text }]
	});
	const copy = copyArgs(value);
	if (!copy.ok) return not(copy.reason);
	const found = find(registry, step.instance, step.act);
	if ('code' in found) return not(found);
	const parsed = parseArgs(found.act.act.args, copy.value);
	if (!parsed.ok) return not(parsed.reason, parsed.issues);
	const { confidentiality, sources } = step.label;
	const args = parsed.value;
	const label = from(by.kind === 'human' ? 'user' : 'app', confidentiality, sources);
	const proposal = { ...memory, step: { ...step, args, label, proposed: step.args } };
	const seen = assessStep(conductor, proposal, found);
	// Refused by policy: the step is closed when the plan goes on; the rest of the decision stands.
	if (seen.verdict === 'refuse') return { args, touches: before, label };
	if (by.kind !== 'human' && seen.facts.protected) return { refused: reason('person-required'), issues: [] };
	// What the card showed stays what it is bound to.
	const shown = new Map((assessed?.bound ?? before).map((touch) => [at(touch), touch]));
	const touches = seen.facts.touches.map(
		(touch) => shown.get(at(touch)) ?? { ...touch, value: valueOf(registry, touch) }
	);
	return { args, touches, label, preview: seen.facts.preview };
}
