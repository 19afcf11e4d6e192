import type { Actor } from '../../actor/actor.js';
import { copyJSON, isObject } from '../journal/copy.js';
import type { Kinds } from '../journal/kinds.js';
import { isClosed, type Meant } from '../journal/memory.js';
import { UPDATES } from '../journal/take-course.js';
import { reason } from '../protocol/codes.js';
import type { Question, RunState, SteerReport, Update } from '../protocol/run-state.js';
import { classify } from '../steer/classify.js';
import { words } from './border.js';
import { standing } from './conduct.js';
import type { Conductor } from './conductor.js';
import { halt } from './halt.js';
import { within } from './waiting.js';

/** How an update is understood. */
const INTERPRETED: Record<Update['kind'], string> = {
	progress: 'A question about progress; nothing changes.',
	correction: 'A correction: the plan is made again under it.',
	pause: 'A pause: nothing runs until it is resumed.',
	cancel: 'A stop.',
	goal: 'A new goal: the plan is made again for it.'
};

type How = Kinds['update.received']['how'];

/** An update as it is taken in: its kind, and who said that it is one of that kind; none where that is to be asked. */
export interface Told {
	text: string;
	kind?: Update['kind'];
	how: How;
}

/** What was said, as far as rules understand it; undefined where it is no update. */
export function toldBy(update: string | Update): Told | undefined {
	if (typeof update === 'string') {
		const rule = classify(update);
		return update.trim() === '' ? undefined : { text: update, kind: rule?.kind, how: 'rule' };
	}
	return asUpdate(update, 'given');
}

function asUpdate(given: unknown, how: How): Told | undefined {
	const copy = copyJSON(given);
	if (!copy.ok || !isObject(copy.value)) return undefined;
	const text = words(copy.value.text);
	const kind = UPDATES.find((one) => one === (copy.value as { kind?: unknown }).kind);
	return text === undefined || !kind ? undefined : { text, kind, how };
}

/** Asks whom the app named for it; what it says wrongly, or not in time, it has not said. */
export async function classified({ core, fold }: Conductor, { text, how }: Told): Promise<Told> {
	const ask = core.options.classify;
	if (!ask) return { text, how };
	try {
		const answer = Promise.resolve().then(() => ask(text, fold.view()));
		const { signal } = new AbortController();
		const told = await within<unknown>(core.clock, answer, { ms: core.patience.turnMs, signal });
		return (
			asUpdate(isObject(told as never) ? { ...(told as object), text } : undefined, 'model') ?? { text, how }
		);
	} catch (error) {
		core.report(error);
		return { text, how };
	}
}

/** Asks how something is meant: nothing changes before that is answered. */
export function askMeaning(conductor: Conductor, { text }: Told): SteerReport {
	const { fold, core } = conductor;
	const id = `${fold.id}-q${fold.questions.size + 1}`;
	const question: Question = {
		id,
		run: fold.id,
		from: core.agent,
		text: `How is this meant: “${text}”?`,
		schema: { type: 'string', enum: [...UPDATES] },
		reason: 'question',
		status: 'open'
	};
	conductor.append('question.asked', { question, update: text });
	conductor.drive();
	return {
		revision: fold.revision,
		kind: 'progress',
		interpretation: 'It can be meant in more than one way; nothing changes before that is answered.',
		superseded: [],
		question: id
	};
}

/** What a run says of itself to whoever asks. */
export const saysOf = ({ state, outcome, steps }: RunState): string => {
	const done = steps.filter(({ status }) => status === 'confirmed').length;
	const where = outcome ? `The run is over: ${outcome.kind}.` : `The run is ${state}.`;
	return `${where} ${done} of ${steps.length} steps done.`;
};

/** Takes an update in and lets it take effect, in one tick. A correction and a goal are recorded with their revision. */
export function apply(conductor: Conductor, meant: Omit<Meant, 'by'>, by: Actor, how: How): SteerReport {
	const { fold } = conductor;
	const { kind, text, question } = meant;
	const interpretation = kind === 'progress' ? saysOf(fold.view()) : INTERPRETED[kind];
	if (kind === 'correction' || kind === 'goal') return revise(conductor, meant, by, how);
	conductor.append('update.received', { kind, text, interpretation, how, question }, by);
	if (fold.heard) heed(conductor, fold.heard);
	conductor.drive();
	return { revision: fold.revision, kind, interpretation, superseded: [] };
}

/** A stop or a pause that was said takes effect. */
export function heed(conductor: Conductor, { kind, text, by }: Meant): void {
	if (kind === 'cancel') return halt(conductor, reason('interrupted', text), by);
	conductor.append('escalation.raised', { verb: 'escalate', key: 'paused', reason: reason('paused') }, by);
}

/** The next revision: what belongs to older instructions is admitted no more from here on. */
function revise(
	conductor: Conductor,
	{ kind, text, question }: Omit<Meant, 'by'>,
	by: Actor,
	how: How
): SteerReport {
	const { core, fold, house } = conductor;
	const interpretation = INTERPRETED[kind];
	const steps = [...fold.steps.values()].map(({ step }) => step);
	const superseded = steps
		.filter((step) => !isClosed(step) && step.status !== 'dispatched')
		.map(({ id }) => id);
	const { completed, unresolved, pending } = standing(fold);
	const change = { superseded, completed, unresolved: [...unresolved, ...pending] };
	// Before the first plan there is nothing to be re-planned.
	const moves = fold.state !== 'offered' && fold.state !== 'escalated' && fold.inFlight.length === 0;
	const verb = moves ? ('plan' as const) : undefined;
	const n = fold.revision + 1;
	const policy = core.frozen(fold.level);
	const understood = { kind, text, interpretation, how, question };
	conductor.append('revision.accepted', { n, ...understood, ...change, policy, verb }, by);
	conductor.turnAbort?.abort();
	// Whoever works for this run works under the same instructions from now on.
	for (const { id, over } of fold.below) {
		const below = over ? undefined : house.conductor(id);
		if (below && !below.fold.stopping) revise(below, { kind, text }, by, how);
	}
	conductor.drive();
	return { revision: n, kind, interpretation, ...change };
}
