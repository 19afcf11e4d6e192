import type { Kinds, KnownRecord } from '../../../agent/journal/kinds.js';
import { describe, isOver, nameIn, quoted, refusalIn, waitOf } from '../../../langs/index.js';
import { viewOfCall, viewOfStep, type ActState } from '../activity/act-view.js';
import { argsIn, type CallEntry } from '../activity/entries.js';
import type { TrailNames } from './run-trail.svelte.js';
import type { Line } from './trail.js';

/** How a line stands: as an act does, or as something that was said or decided. */
export type LineState = ActState | 'said';

/** One line of the trail in words. @since 0.1.0 */
export interface LineView {
	key: string;
	/** In ms since the epoch. */
	at: number;
	part: number;
	state: LineState;
	who: { kind: 'person' | 'agent' | 'outside' | 'rule'; name: string };
	/** What was done; follows the name, unless it is a sentence of its own. */
	what: string;
	/** A whole sentence that names its own subject. */
	whole: boolean;
	/** What became of it, in a word or two. */
	word: string;
	/** Somebody's own words. */
	quote: string;
	/** Where it was done. */
	instance: string | undefined;
	line: Line;
}

type Said = Pick<LineView, 'what'> &
	Partial<Pick<LineView, 'word' | 'quote' | 'state' | 'whole' | 'instance'>>;

/** A line in words. */
export function viewOf(line: Line, names: TrailNames): LineView {
	const { subject, records } = line;
	const first = records[0]!;
	const said =
		subject.kind === 'act'
			? act(subject.step, names)
			: subject.kind === 'call'
				? call(subject, records, names)
				: recorded(first, records, names);
	return {
		key: line.key,
		at: first.at,
		part: line.part,
		who: names.author(subject.kind === 'act' ? (names.steps.get(subject.step)?.by ?? first.by) : first.by),
		state: 'said',
		whole: false,
		word: '',
		quote: '',
		instance: undefined,
		...said,
		line
	};
}

function act(id: string, names: TrailNames): Said {
	const step = names.steps.get(id);
	if (step === undefined) return { what: id };
	const { sentence, state, word } = viewOfStep(step, names.run, names);
	return {
		what: sentence.before + sentence.strong + sentence.after,
		whole: true,
		state,
		word,
		instance: step.instance
	};
}

function call(
	{ call: id, name, raw }: Extract<Line['subject'], { kind: 'call' }>,
	records: readonly KnownRecord[],
	names: TrailNames
): Said {
	const admitted = dataOf(records, 'call.admitted');
	const closed = dataOf(records, 'call.closed');
	const args = argsIn(raw);
	const entry: CallEntry = {
		id,
		name,
		raw,
		args,
		...(admitted && { act: admitted.act }),
		...(closed && {
			closed: {
				refused: closed.status === 'refused',
				performative: closed.performative,
				content: closed.content,
				untrusted: closed.label?.integrity === 'untrusted'
			}
		})
	};
	const { sentence, state, word } = viewOfCall(entry, names);
	const named = typeof args['instance'] === 'string' ? args['instance'] : undefined;
	const instance = admitted?.instance ?? closed?.looked ?? closed?.refused?.instance ?? named;
	return {
		what: sentence.before + sentence.strong + sentence.after,
		whole: true,
		state,
		word,
		...(instance !== undefined && { instance })
	};
}

function recorded(first: KnownRecord, records: readonly KnownRecord[], names: TrailNames): Said {
	const { lang, run, label } = names;
	const { does, reviews } = lang.runTrail;
	switch (first.kind) {
		case 'run.opened':
			return { what: first.data.offer ? does.offered : does.asked, quote: first.data.goal };
		case 'run.accepted':
			return { what: does.accepted };
		case 'turn.opened': {
			const closed = dataOf(records, 'turn.closed');
			const failed = dataOf(records, 'turn.failed');
			const why = closed?.reason ?? (closed ? undefined : failed?.reason);
			return {
				what: does.thought,
				quote: (closed ?? failed)?.text ?? '',
				...(why && { state: 'failed', word: refusalIn(lang, why) })
			};
		}
		case 'plan.proposed':
			return { what: does.planned(first.data.steps.length) };
		case 'review.opened': {
			const status = run.reviews.find(({ id }) => id === first.data.review)?.status;
			return {
				what: does.review(first.data.steps.filter(({ asks }) => asks === 'person').length),
				...(status && { word: reviews[status], ...(status === 'open' && { state: 'waiting' as const }) })
			};
		}
		case 'review.decided': {
			const verdicts = Object.values(first.data.steps);
			const count = (which: string) => verdicts.filter(({ verdict }) => verdict === which).length;
			return {
				what: does.decided(count('approve'), count('reject'), count('edit')),
				quote: verdicts.flatMap(({ reason }) => reason ?? []).join('\n')
			};
		}
		case 'question.asked': {
			const { id, text } = first.data.question;
			const status = run.questions.find((one) => one.id === id)?.status;
			return { what: does.question, quote: text, ...(status && { word: lang.talk.answered[status] }) };
		}
		case 'question.closed':
			return { what: does[first.data.status] };
		case 'escalation.raised':
			if (waitOf(first.data.reason) === 'paused') return { what: does.paused };
			return { what: does.halted(refusalIn(lang, first.data.reason) || first.data.reason.code) };
		case 'escalation.cleared':
			return { what: does.wentOn };
		case 'budget.renewed':
			return { what: does.renewed(amounts(first.data.add, lang)) };
		case 'scope.widened':
			return { what: does.widened(label(first.data.instance)), instance: first.data.instance };
		case 'consent.set':
			return { what: does.consented(nameIn(lang, first.data.entry), first.data.verdict) };
		case 'level.set':
			return { what: does.level(lang.talk.levels[first.data.user]) };
		case 'revision.accepted':
			return { what: does.said, quote: first.data.text };
		case 'message':
			return { what: does.said, quote: first.data.text };
		case 'stop.requested':
			return { what: does.stopped };
		case 'effect.ruled':
			return { what: does.ruled[first.data.fact] };
		case 'run.ended': {
			// As it ended: what was taken back afterwards is a line of its own.
			const ended = { ...run };
			delete ended.undone;
			const naming = { agentName: names.agent, label, imported: () => false };
			return { what: isOver(run) ? describe(ended, lang, naming) : '', whole: true };
		}
		case 'run.undone':
			return { what: does.undone(moved(first.data.parts)) };
		case 'run.redone':
			return { what: does.redone(moved(first.data.parts)) };
		default:
			return { what: does.other(quoted(lang, first.kind)) };
	}
}

const moved = (parts: Kinds['run.undone']['parts']): number =>
	Object.values(parts).reduce((sum, { undone }) => sum + undone, 0);

function amounts(add: Kinds['budget.renewed']['add'], { aura }: TrailNames['lang']): string {
	return aura.list(
		Object.entries(add).flatMap(([limit, n]) =>
			n > 0 ? aura.amount[limit as keyof typeof aura.amount](n) : []
		)
	);
}

/** What the last record of a kind says. */
export const dataOf = <K extends KnownRecord['kind']>(
	records: readonly KnownRecord[],
	kind: K
): Kinds[K] | undefined => records.findLast((one) => one.kind === kind)?.data as Kinds[K] | undefined;
