import { admitRead } from '../gate/admit.js';
import { exhausted } from '../gate/budget.js';
import { find, type Found, touchesOf } from '../gate/look.js';
import { judge, type Judgement } from '../gate/policy.js';
import { argsLabel, isProtected } from '../gate/taint.js';
import type { QuestionMemory, TurnMemory } from '../journal/memory.js';
import { reason } from '../protocol/codes.js';
import { CLEAN, join, UNKNOWN } from '../protocol/labels.js';
import type { Question, Step } from '../protocol/run-state.js';
import type { JSONValue, Label, Reason } from '../protocol/words.js';
import { actTime } from './act-time.js';
import { askConsent, askPerson } from './ask.js';
import { grounds, planned } from './assess-plan.js';
import { closeStep } from './close-step.js';
import { unsorted } from './conduct.js';
import type { Conductor } from './conductor.js';
import { capped, failure, refusal, success } from './content.js';
import { dispatch } from './dispatch.js';
import { touchedLabel } from './fresh.js';
import { stepId } from './painter.js';
import { found, overview, partOf, wantedBy } from './pull.js';
import { readFor } from './read-for.js';
import { masked, policyOf } from './redaction.js';
import { issuesLabel, quoted, saidBy } from './said.js';
import { valueFor, withParts } from './settle.js';
import { sort, type Sorted } from './sort.js';
import { within } from './waiting.js';

type Read = Extract<Sorted, { is: 'read' }>;
type Control = Extract<Sorted, { is: 'control' }>;

/**
 * Deals with the calls of a closed turn: refuses what is none, runs reads in parallel, puts questions, and gathers the
 * mutating calls into the plan before any of them runs.
 * @returns work to be waited for, if there is any
 */
export function sortTurn(conductor: Conductor, turn: TurnMemory): Promise<void> | undefined {
	const { fold, core } = conductor;
	const questions = [...fold.questions.values()];
	const put = turn.closed!.interrupts?.find(({ id }) => !fold.putBy(turn, id));
	if (put) {
		const { id: interrupt, ...spec } = put;
		askPerson(conductor, spec, { interrupt });
		return undefined;
	}
	const sorted = unsorted(fold, turn).map((call): Sorted => {
		const item = sort(core, fold, turn, call);
		const { verdict } = item.is === 'read' ? judged(conductor, item) : { verdict: 'deny' };
		if (item.is !== 'read' || verdict === 'deny' || !(verdict === 'ask' || leaves(conductor, item)))
			return item;
		// A person is to see it: then it waits in the plan, like any other act.
		const { entry, act } = item.found;
		return { ...item, is: 'step', instance: entry.id, act: act.name };
	});
	const stray = sorted.find((item) => item.is === 'stray');
	if (stray) {
		const { call, why, instance = '', issues } = stray;
		const { act = call.name } = turn.opened.tools.find(({ name }) => name === call.name) ?? {};
		const label = join(quoted(conductor, instance, act, why), issuesLabel(conductor, instance, act, issues));
		refuse(conductor, call.id, why, { instance, issues }, label);
		return undefined;
	}
	const reads = sorted.filter((item) => item.is === 'read');
	if (reads.length > 0) return readAll(conductor, reads);
	for (const item of sorted)
		if (item.is === 'control' && item.name !== 'finish') {
			const asked = questions.find(({ call }) => call === item.call.id);
			if (asked?.question.status === 'open') continue;
			(item.name === 'ask' ? ask : pull)(conductor, item, asked);
			return undefined;
		}
	const calls = sorted.filter((item) => item.is === 'step');
	if (calls.length === 0) return undefined;
	// Was a question of this turn left unanswered by the person? Then its plan is declined with it.
	const declined = questions.some(
		({ question, call }) =>
			question.reason === 'question' &&
			question.status === 'declined' &&
			fold.calls.get(call!)?.turn === turn.id
	);
	if (declined) {
		refuse(conductor, calls[0]!.call.id, reason('declined'));
		return undefined;
	}
	const places = new Map(turn.closed!.calls.map(({ id }, i) => [id, i + 1]));
	const steps = calls.map((item) => planned(conductor, stepId(turn.id, places.get(item.call.id)!), item));
	conductor.append('plan.proposed', { verb: 'plan', turn: turn.id, steps });
	calls.forEach(({ why, issues }, i) => {
		if (why) closeStep(conductor, fold.steps.get(steps[i]!.id)!, 'refused', [why], { issues });
	});
	return undefined;
}

/** Tells the model that a call is not carried out, and where it went astray if it named an instance. */
function refuse(
	conductor: Conductor,
	call: string,
	why: Reason,
	{ instance, issues }: Partial<Extract<Sorted, { is: 'stray' }>> = {},
	label = CLEAN
): void {
	const refused = instance === undefined ? undefined : { instance, code: why.code };
	conductor.closeCall(call, refusal([why], { issues }), 'refuse', { refused, label });
}

/** Runs reads in parallel, as many as the budget has room for; the others wait for a renewal. */
async function readAll(conductor: Conductor, reads: readonly Read[]): Promise<void> {
	const { fold, core } = conductor;
	const abort = (conductor.actAbort = new AbortController());
	const running: Promise<void>[] = [];
	for (const item of reads) {
		const { call, found } = item;
		const counted = fold.letIn.has(call.id);
		const cost = counted ? 0 : (found.act.act.cost ?? 0);
		const spent = exhausted(fold, found.entry.id, cost, core.clock.now(), counted);
		if (spent) {
			conductor.overspent(spent);
			break;
		}
		running.push(run(conductor, item, abort.signal));
	}
	await Promise.all(running);
	if (conductor.actAbort === abort) conductor.actAbort = undefined;
}

/** Shows what the context left out, and what there is; a read that may not leave yet is asked for. */
function pull(conductor: Conductor, { call, args }: Control, asked: QuestionMemory | undefined): void {
	const wanted = wantedBy(args);
	if ('code' in wanted) return refuse(conductor, call.id, wanted);
	const { instance, read, key } = wanted;
	if (instance === undefined || read === undefined) {
		const out = instance === undefined ? found(conductor, wanted) : overview(conductor, instance);
		if ('code' in out) return refuse(conductor, call.id, out, { instance });
		return conductor.closeCall(call.id, out.content, 'inform', { label: out.label, looked: instance });
	}
	const seen = readFor(conductor, instance, read, key);
	if ('value' in seen) {
		const part = partOf(seen.value, conductor.core.registry.entry(instance), wanted);
		if ('code' in part) return refuse(conductor, call.id, part, { instance });
		return conductor.closeCall(call.id, { value: part.value }, 'inform', {
			label: seen.label,
			told: [seen.told],
			looked: instance
		});
	}
	if (asked) refuse(conductor, call.id, reason('declined'), { instance });
	else if (seen.code === 'consent') {
		const entry = `#${instance}.${read}`;
		const standing = conductor.fold.openQuestions.find(({ question }) => consents(question).includes(entry));
		// Asked already for the whole run: from now on the run waits for that answer.
		if (standing) conductor.append('question.asked', { question: standing.question, call: call.id });
		else askConsent(conductor, [entry], call.id);
	} else refuse(conductor, call.id, seen, { instance }, quoted(conductor, instance, read, seen));
}

/** The reads a question asks to let go. */
function consents({ reason: why, schema }: Question): readonly unknown[] {
	const items = why === 'consent' ? (schema?.items as { enum?: readonly unknown[] } | undefined) : undefined;
	return items?.enum ?? [];
}

/** Puts a question of the model, or tells it the answer. */
function ask(conductor: Conductor, { call, args }: Control, asked: QuestionMemory | undefined): void {
	if (asked?.question.status === 'answered')
		return conductor.closeCall(call.id, { answer: asked.value ?? null }, 'inform');
	if (asked)
		return refuse(conductor, call.id, reason(asked.question.status === 'declined' ? 'declined' : 'expired'));
	const { text, schema } = args;
	if (typeof text !== 'string' || text === '')
		return refuse(conductor, call.id, reason('args-invalid', 'ask needs {text, schema?}.'));
	const plain = typeof schema === 'object' && schema !== null;
	const spec = { text, schema: plain ? (schema as Record<string, unknown>) : undefined };
	askPerson(conductor, spec, { call: call.id });
}

/** Runs a call without effect: through the same door, without grant and locks. */
async function run(conductor: Conductor, read: Read, signal: AbortSignal): Promise<void> {
	const { fold, core } = conductor;
	const { call, args, found } = read;
	const { entry, act, provider } = found;
	const shut = (reasons: readonly Reason[]) =>
		conductor.closeCall(call.id, refusal(reasons), 'refuse', {
			label: quoted(conductor, entry.id, act.name, reasons[0])
		});
	const admission = admitRead(looked(conductor, read));
	if (admission.verdict !== 'admitted') return shut(admission.reasons);
	// One that an engine before this one had admitted is counted.
	if (!fold.letIn.has(call.id)) {
		const { redact } = judged(conductor, read);
		conductor.append('call.admitted', {
			call: call.id,
			instance: entry.id,
			act: act.name,
			cost: act.act.cost || undefined,
			redact: redact.length > 0 ? redact : undefined
		});
		// Who heard of it may have changed what it was let in on.
		if (conductor.isGone || fold.over) return;
		const still = admitRead(looked(conductor, read));
		if (still.verdict !== 'admitted') return shut(still.reasons);
	}
	// What came between waits for the person, or belongs to older instructions: it stays a call of its turn.
	if (fold.escalations.size > 0 || fold.turn?.revision !== fold.revision) return;
	const actor = { ...core.agent, run: fold.id };
	const ms = actTime(conductor, act.timeoutMs);
	const performed = dispatch(
		act,
		provider,
		args,
		{ actor, run: fold.id, step: call.id, operation: call.id, expect: {}, signal },
		actor
	);
	// A read takes nothing: after a stop nobody waits for it.
	const out = await within(core.clock, performed, { ms, signal });
	if (fold.over || conductor.isGone) return;
	const seen = conductor.below.reduce((all, run) => join(all, run.label), fold.label);
	const label = join(seen, labelOf(conductor, found, args));
	// What the component says went wrong is its own word.
	const theirs = join(label, saidBy(entry.id, act.name));
	const tell = (content: JSONValue, performative: 'inform' | 'refuse' | 'failure', as = theirs) =>
		conductor.closeCall(call.id, content, performative, { label: as });
	const failed = (why: Reason, as?: Label) => tell(failure('failed', why, {}), 'failure', as);
	if (typeof out === 'string') {
		const content = failure('failed', reason(out === 'stop' ? 'interrupted' : out), {});
		return conductor.closeCall(call.id, content, 'failure', { label, unsure: true });
	}
	if ('threw' in out) return failed(reason('threw', out.threw));
	const { result } = out;
	if (result.kind === 'done') {
		const { value = null, parts, why } = valueFor(act, result.value);
		if (why) return failed(why);
		// What was demanded when it was let in, and since.
		const hidden = [...(fold.letIn.get(call.id) ?? []), ...judged(conductor, read).redact];
		const shown = capped(masked(value, hidden, ['result']));
		return tell(success(shown, {}), 'inform', withParts(label, parts));
	}
	if (result.kind === 'escalate') return tell(refusal([reason('question', result.question.text)]), 'refuse');
	const unsure = result.kind === 'unknown';
	conductor.closeCall(call.id, refusal([result.reason]), unsure ? 'failure' : 'refuse', {
		label: !unsure && act.act.refusals === 'own' ? label : theirs,
		status: 'refused'
	});
}

/** The last look at a call without effect, on the page as it is now. */
function looked(conductor: Conductor, read: Read): Parameters<typeof admitRead>[0] {
	const { fold, core } = conductor;
	const { entry, act } = read.found;
	const { verdict, reasons } = judged(conductor, read);
	// What a person is to see by now is no call of this kind any more.
	const asks = verdict === 'ask' || leaves(conductor, read);
	const denied = verdict === 'deny' ? reasons : asks ? [reason('stale')] : [];
	const now = find(core.registry, entry.id, act.name);
	// A remount is another one.
	const missing = 'code' in now ? now : now.entry === entry ? undefined : reason('instance-gone');
	return { run: fold, entry, missing, denied };
}

/** Would a call without effect take something out, on a stranger's word? */
function leaves({ fold }: Conductor, { args, found }: Read): boolean {
	const about = grounds(fold, found);
	const { effect, reach, clearance, act } = found.act;
	const label = argsLabel(args, about);
	return isProtected({ effect, reach, clearance, sinks: act.sinks ?? {}, args, label, ...about });
}

/** What the rules say of a call without effect. */
function judged(conductor: Conductor, { call, args, found }: Read): Judgement {
	const { fold, core } = conductor;
	const { entry, act } = found;
	const step: Step = {
		id: `${call.id}-read`,
		instance: entry.id,
		act: act.name,
		args,
		effect: 'none',
		reach: act.reach,
		label: fold.label,
		by: core.agent,
		status: 'proposed',
		reasons: [],
		asks: 'policy'
	};
	return judge(policyOf(conductor).rules, step, entry.kind, () => fold.view(), core.clock.now());
}

/** The label of what an act without effect tells: of the reads it declares, else anybody's and private. */
function labelOf(conductor: Conductor, found: Found, args: JSONValue): Label {
	const { entry, act } = found;
	const touched = act.act.touches === undefined ? [] : touchesOf(found, args);
	if ('code' in touched || touched.length === 0)
		return { ...UNKNOWN, origins: ['participant'], sources: [`${entry.id}.${act.name}`] };
	return touchedLabel(conductor, entry, touched);
}
