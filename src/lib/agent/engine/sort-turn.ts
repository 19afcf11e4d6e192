import type { JSONValue, Label, Reason } from '../protocol/words.js';
import { reason } from '../protocol/codes.js';
import { CLEAN, join, UNKNOWN } from '../protocol/labels.js';
import { exhausted, admitRead } from '../gate/admit.js';
import { readValue } from '../capability/reading.js';
import { find, type Found, touchesOf } from '../gate/look.js';
import { judge } from '../gate/policy.js';
import type { TurnMemory } from '../journal/memory.js';
import type { Step } from '../protocol/run-state.js';
import { planned, plannedRefusal } from './assess-plan.js';
import type { Conductor } from './conductor.js';
import { spentUp } from './conduct.js';
import { capped, failure, refusal, success } from './content.js';
import { valueFor } from './settle.js';
import { dispatch, type Performed } from './dispatch.js';
import { asQuestion } from './question.js';
import { type Sorted, sort } from './sort.js';

/**
 * Deals with the calls of a closed turn: refuses what is none, runs reads in parallel, puts questions, and gathers the
 * mutating calls into the plan before any of them runs.
 * @returns work to be waited for, if there is any
 */
export function sortTurn(conductor: Conductor, turn: TurnMemory): Promise<void> | undefined {
	const { fold, core } = conductor;
	for (const interrupt of turn.closed!.interrupts ?? [])
		if (![...fold.questions.values()].some((asked) => asked.interrupt === interrupt.id)) {
			const { id, text, schema, expiresAt } = interrupt;
			conductor.append('question.asked', {
				question: {
					id: conductor.questionId(),
					run: fold.id,
					from: core.agent,
					text,
					reason: 'question',
					status: 'open',
					schema,
					expiresAt
				},
				interrupt: id
			});
			return undefined;
		}
	const open = turn.closed!.calls.filter(({ id, there }) => {
		const call = fold.calls.get(id)!;
		return !there && call.status === 'open' && call.step === undefined;
	});
	const sorted = open.map((call) => sort(core, fold, turn, call));
	for (const item of sorted)
		if (item.is === 'stray') {
			const { call, why, instance = '', issues } = item;
			close(conductor, call.id, refusal([why], { issues }), { instance, code: why.code });
			return undefined;
		}
	const reads = sorted.filter((item) => item.is === 'read');
	if (reads.length > 0) return readAll(conductor, reads);
	for (const item of sorted)
		if (item.is === 'control' && item.name !== 'finish' && control(conductor, item)) return undefined;
	const mutating = sorted.filter((item) => item.is === 'step' || item.is === 'refused');
	if (mutating.length > 0) plan(conductor, turn, mutating);
	return undefined;
}

function close(
	conductor: Conductor,
	call: string,
	content: JSONValue,
	refused?: { instance: string; code: string }
): void {
	conductor.append('call.closed', { call, status: 'refused', content, performative: 'refuse', refused });
}

/** Runs reads in parallel, as many as the budget has room for; the others wait for a renewal. */
async function readAll(
	conductor: Conductor,
	reads: readonly Extract<Sorted, { is: 'read' }>[]
): Promise<void> {
	const { fold, core } = conductor;
	const abort = new AbortController();
	conductor.actAbort = abort;
	const running: Promise<void>[] = [];
	for (const item of reads) {
		const spent = exhausted(fold, item.found.entry.id, 0, core.clock.now());
		if (spent) {
			const why = spentUp(fold, spent);
			conductor.append('escalation.raised', { verb: 'escalate', key: 'budget', reason: why });
			break;
		}
		running.push(run(conductor, item, abort));
	}
	await Promise.all(running);
	if (conductor.actAbort === abort) conductor.actAbort = undefined;
}

/** Was a question of this turn left unanswered by the person? Then its plan is declined with it. */
function declined({ fold }: Conductor, turn: TurnMemory): boolean {
	return [...fold.questions.values()].some(
		({ question, call }) =>
			call !== undefined &&
			question.reason === 'question' &&
			question.status === 'declined' &&
			fold.calls.get(call)?.turn === turn.id
	);
}

function plan(
	conductor: Conductor,
	turn: TurnMemory,
	calls: readonly Extract<Sorted, { is: 'step' | 'refused' }>[]
): void {
	if (declined(conductor, turn)) {
		close(conductor, calls[0]!.call.id, refusal([reason('declined')]));
		return;
	}
	const steps = calls.map((item, i) => {
		const id = `${turn.id}-s${i + 1}`;
		return item.is === 'step'
			? planned(conductor, id, { found: item.found, args: item.args, call: item.call.id })
			: plannedRefusal(conductor, id, { ...item, call: item.call.id });
	});
	conductor.append('plan.proposed', { verb: 'plan', turn: turn.id, steps });
	calls.forEach((item, i) => {
		if (item.is !== 'refused') return;
		conductor.append('step.closed', {
			step: steps[i]!.id,
			call: item.call.id,
			status: 'refused',
			reasons: [item.why],
			performative: 'refuse',
			content: refusal([item.why], { issues: item.issues })
		});
	});
}

/** @returns whether something was recorded */
function control(conductor: Conductor, item: Extract<Sorted, { is: 'control' }>): boolean {
	const { fold, core } = conductor;
	const { call, args } = item;
	const asked = [...fold.questions.values()].find((one) => one.call === call.id);
	if (asked?.question.status === 'open') return false;
	if (item.name === 'ask') return ask(conductor, item, asked);
	const { instance, read, key } = args;
	if (
		typeof instance !== 'string' ||
		typeof read !== 'string' ||
		(key !== undefined && typeof key !== 'string')
	) {
		close(conductor, call.id, refusal([reason('args-invalid', 'pull needs {instance, read, key?}.')]));
		return true;
	}
	const seen = conductor.readFor(instance, read, key);
	if ('value' in seen) {
		conductor.append('call.closed', {
			call: call.id,
			status: 'closed',
			content: { value: capped(seen.value) },
			performative: 'inform',
			label: seen.label
		});
		return true;
	}
	if (seen.code !== 'consent' || asked) {
		const why = asked ? reason('declined') : seen;
		close(conductor, call.id, refusal([why]), { instance, code: why.code });
		return true;
	}
	const entry = `#${instance}.${read}`;
	conductor.append('question.asked', {
		question: {
			id: conductor.questionId(),
			run: fold.id,
			from: core.agent,
			text: `May ${core.identity.name} read this in this run?`,
			schema: { type: 'array', items: { type: 'string', enum: [entry] }, uniqueItems: true },
			reason: 'consent',
			status: 'open'
		},
		call: call.id
	});
	return true;
}

function ask(
	conductor: Conductor,
	{ call, args }: Extract<Sorted, { is: 'control' }>,
	asked: { question: { id: string; status: string }; value?: JSONValue } | undefined
): boolean {
	const { fold, core } = conductor;
	if (asked) {
		const answered = asked.question.status === 'answered';
		conductor.append('call.closed', {
			call: call.id,
			status: answered ? 'closed' : 'refused',
			content: answered
				? { answer: asked.value ?? null }
				: refusal([reason(asked.question.status === 'declined' ? 'declined' : 'expired')]),
			performative: answered ? 'inform' : 'refuse'
		});
		return true;
	}
	const { text, schema } = args;
	if (typeof text !== 'string' || text === '') {
		close(conductor, call.id, refusal([reason('args-invalid', 'ask needs {text, schema?}.')]));
		return true;
	}
	const question = asQuestion(
		{
			text,
			...(typeof schema === 'object' && schema !== null ? { schema: schema as Record<string, unknown> } : {})
		},
		{ id: conductor.questionId(), run: fold.id, from: core.agent }
	);
	conductor.append('question.asked', { question, call: call.id });
	return true;
}

/** Runs a call without effect: through the same door, without grant and locks. */
async function run(
	conductor: Conductor,
	item: Extract<Sorted, { is: 'read' }>,
	abort: AbortController
): Promise<void> {
	const { fold, core } = conductor;
	const { call, args } = item;
	const { entry, act, provider } = item.found;
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
	const now = find(core.registry, entry.id, act.name);
	const judged = judge(core.policy.rules, step, entry.kind, () => fold.view(), core.clock.now());
	const admission = admitRead({
		run: fold,
		entry,
		...('code' in now ? { missing: now } : {}),
		denied: judged.verdict === 'deny' ? judged.reasons : []
	});
	if (admission.verdict !== 'admitted') return close(conductor, call.id, refusal(admission.reasons));
	conductor.append('call.admitted', { call: call.id, instance: entry.id, act: act.name });
	const actor = { ...core.agent, run: fold.id };
	const timer = new AbortController();
	const late = core.clock.sleep(act.timeoutMs, timer.signal).then(
		(): Heard => ({ fault: reason('timeout') }),
		() => new Promise<never>(() => undefined)
	);
	// A read takes nothing: after a stop nobody waits for it.
	const stopped = new Promise<Heard>((resolve) =>
		abort.signal.addEventListener('abort', () => resolve({ fault: reason('interrupted') }), { once: true })
	);
	const performed = dispatch(
		act,
		provider,
		args,
		{ actor, run: fold.id, step: call.id, operation: call.id, expect: {}, signal: abort.signal },
		actor
	);
	const out: Heard = await Promise.race([performed, late, stopped]);
	timer.abort();
	if (fold.over || conductor.isGone) return;
	const told = {
		call: call.id,
		status: 'closed' as const,
		label: join(fold.label, labelOf(conductor, item.found, args))
	};
	const failed = (why: Reason) =>
		conductor.append('call.closed', {
			...told,
			content: failure('failed', why, {}),
			performative: 'failure'
		});
	if ('fault' in out) return void failed(out.fault);
	if ('threw' in out) return void failed(reason('threw', out.threw));
	const { result } = out;
	if (result.kind === 'done') {
		const value = valueFor(act, result.value);
		if (value.why) return void failed(value.why);
		const content = success(capped(value.value ?? null), {});
		conductor.append('call.closed', { ...told, content, performative: 'inform' });
		return;
	}
	const why = result.kind === 'escalate' ? reason('question', result.question.text) : result.reason;
	conductor.append('call.closed', {
		...told,
		status: 'refused',
		content: refusal([why]),
		performative: result.kind === 'unknown' ? 'failure' : 'refuse'
	});
}

type Heard = Performed | { fault: Reason };

/** The label of what an act without effect tells: of the reads it declares, else anybody's and private. */
function labelOf(conductor: Conductor, found: Found, args: JSONValue): Label {
	const { entry, act } = found;
	const touched = act.act.touches === undefined ? [] : touchesOf(found, args);
	if ('code' in touched || touched.length === 0)
		return { ...UNKNOWN, origins: ['participant'], sources: [`${entry.id}.${act.name}`] };
	return touched.reduce<Label>((all, { read, key }) => {
		const seen = readValue(entry, read, key);
		const label = seen.ok ? seen.label : (conductor.declaredLabel(entry.id, read) ?? UNKNOWN);
		return join(all, conductor.core.labelOf(entry, read, label, key));
	}, CLEAN);
}
