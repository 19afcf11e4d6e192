import { untrack } from 'svelte';
import { currentCause, type Actor } from '../../../actor/index.js';
import type {
	Decision,
	DecisionReport,
	Pending,
	Review,
	RunState,
	Step,
	Verdict
} from '../../../agent/protocol/run-state.js';
import type { JournalRecord } from '../../../agent/protocol/records.js';
import type { Reason } from '../../../agent/protocol/words.js';
import type { Language } from '../../../langs/index.js';
import { asHuman } from '../../../uix/soma/index.js';
import { isUnchanged, StepDraft, type StepVerdict } from './draft.svelte.js';
import { reasonText } from './facts.js';
import { createNaming, type ReviewNaming } from './naming.js';

/** What the card needs of an ActiveAgent. @since 0.1.0 */
export interface ReviewAgent {
	readonly pending: readonly Pending[];
	readonly runs: readonly RunState[];
	get(
		run: string
	):
		| { decide(decision: Decision, by?: Actor): DecisionReport; readonly journal?: readonly JournalRecord[] }
		| undefined;
	readonly engine: {
		readonly identity: { id: string; name: string };
		readonly registry: {
			readonly instances: readonly { id: string; kind: string; label: string }[];
			entry?(
				id: string
			):
				| { readonly manifest: { readonly acts: Readonly<Record<string, { description: string }>> } }
				| undefined;
		};
	};
}

/** What {@link ReviewCardState} reads; a getter, so that everything may change. @since 0.1.0 */
export interface ReviewCardOptions {
	agent: ReviewAgent | undefined;
	/** What is mounted, for its labels. @default what the agent's registry holds now */
	instances?: readonly { id: string; label: string }[];
	/** Id of a review. @default the first that waits */
	review?: string;
	lang: Language;
	/** Who the person is, for the journal. @default the person at the page */
	person?: Actor;
}

/** One step as the card shows it. @since 0.1.0 */
export interface ReviewStep {
	/** From 1, in the order in which the steps run. */
	number: number;
	step: Step;
	/** Undefined where policy alone decides. */
	draft: StepDraft | undefined;
}

/** Steps in a row that do the same in the same place. @since 0.1.0 */
export interface ReviewGroup {
	key: string;
	steps: readonly ReviewStep[];
	/** Many of a kind: decided together as well as one by one. */
	many: boolean;
}

/** Fewer steps than this are never grouped. */
const GROUP_FROM = 5;

/**
 * The review a person decides on: which it is, what has been said about each step so far, what the main button would do.
 * Drafts are the person's: they outlive a drift where the step is the same, and nothing but a trusted event changes them.
 * @since 0.1.0
 */
export class ReviewCardState {
	readonly #read: () => ReviewCardOptions;
	readonly #drafts = new Map<string, StepDraft>();
	readonly #latest = new Map<string, { review: string; draft: StepDraft }>();
	/** The review that was last on show; it stays as a strip when nothing new waits. */
	#shown = $state<string>();
	#deferred = $state<string>();
	#acknowledged = $state<string>();
	#sent = $state.raw<{ review: string; at: number }>();

	/** What the engine said to the last decision, if it refused. */
	refused = $state.raw<Reason>();
	/** Asks why before everything is rejected. */
	rejecting = $state(false);
	rejectReason = $state('');

	constructor(read: () => ReviewCardOptions) {
		this.#read = read;
	}

	readonly lang: Language = $derived.by(() => this.#read().lang);
	readonly agent: ReviewAgent | undefined = $derived.by(() => this.#read().agent);
	readonly review: Review | undefined = $derived.by(() => {
		const { agent, review } = this.#read();
		if (!agent) return undefined;
		const byId = (id: string | undefined) =>
			id === undefined ? undefined : agent.runs.flatMap((run) => run.reviews).find((one) => one.id === id);
		if (review !== undefined) return byId(review);
		const waiting = agent.pending.find((one) => one.kind === 'review');
		return waiting?.kind === 'review' ? waiting.review : byId(this.#shown);
	});
	readonly run: RunState | undefined = $derived.by(() => {
		const id = this.review?.run;
		return id === undefined ? undefined : this.agent?.runs.find((run) => run.id === id);
	});
	readonly naming: ReviewNaming = $derived.by(() =>
		createNaming(this.lang, this.#read().instances ?? this.agent?.engine.registry.instances ?? [])
	);
	readonly who: string = $derived.by(() => this.agent?.engine.identity.name ?? '');

	/** Every step of the plan under review in order: those that ask, and those that run by policy. */
	readonly steps: readonly ReviewStep[] = $derived.by(() => {
		const { review, run } = this;
		if (!review || !run) return [];
		const asked = new Set(review.steps);
		const plan = run.plan?.steps ?? [];
		const source = review.steps.every((id) => plan.some((step) => step.id === id)) ? plan : run.steps;
		return source
			.filter((step) => asked.has(step.id) || (source === plan && step.asks === 'policy' && !isOver(step)))
			.map((step, index) => ({
				number: index + 1,
				step,
				draft: asked.has(step.id) ? this.#draftOf(review, step) : undefined
			}));
	});
	readonly asked: readonly (ReviewStep & { draft: StepDraft })[] = $derived.by(() =>
		this.steps.filter((one): one is ReviewStep & { draft: StepDraft } => one.draft !== undefined)
	);
	readonly final: readonly ReviewStep[] = $derived.by(() =>
		this.asked.filter(({ step }) => step.effect === 'irreversible')
	);
	readonly groups: readonly ReviewGroup[] = $derived.by(() => {
		const groups: { key: string; steps: ReviewStep[] }[] = [];
		for (const one of this.steps) {
			const key = JSON.stringify([one.step.instance, one.step.act, one.step.effect, one.draft === undefined]);
			const last = groups.at(-1);
			if (last?.key === key) last.steps.push(one);
			else groups.push({ key, steps: [one] });
		}
		return groups.map(({ steps }) => ({
			key: steps[0]?.step.id ?? '',
			steps,
			many: steps.length >= GROUP_FROM && steps[0]?.draft !== undefined
		}));
	});

	/** `stale`: something moved and the person has not looked yet; `later`: put off; the rest is over. */
	readonly phase: 'none' | 'open' | 'stale' | 'later' | 'settled' | 'expired' | 'superseded' = $derived.by(
		() => {
			const review = this.review;
			if (!review || !this.run) return 'none';
			if (review.status !== 'open') return review.status;
			if (this.#deferred === review.id) return 'later';
			const moved = (review.changes?.length ?? 0) > 0;
			return moved && this.#acknowledged !== review.id ? 'stale' : 'open';
		}
	);
	/** One step alone is decided by its own buttons, without a second press. */
	readonly single: boolean = $derived.by(() => this.asked.length === 1);

	readonly #by = (...wanted: StepDraft['progress'][]): readonly number[] =>
		this.asked.filter(({ draft }) => wanted.includes(draft.progress)).map(({ number }) => number);
	readonly undecided: readonly number[] = $derived.by(() => this.#by('undecided'));
	readonly unchecked: readonly number[] = $derived.by(() => this.#by('unchecked'));
	readonly invalid: readonly number[] = $derived.by(() => this.#by('invalid'));
	/** Numbers of the steps the main button would do. */
	readonly doing: readonly number[] = $derived.by(() =>
		this.asked
			.filter(({ draft }) => draft.verdict === 'approve' || draft.verdict === 'edit')
			.map(({ number }) => number)
	);
	readonly canDecide: boolean = $derived.by(
		() => this.phase === 'open' && this.undecided.length + this.unchecked.length + this.invalid.length === 0
	);
	/** Why the main button does nothing yet, in words; '' when it does. */
	readonly why: string = $derived.by(() => {
		const words = this.lang.reviewCard;
		if (this.phase === 'stale') return words.approveOff;
		if (this.invalid.length > 0) return words.invalidSteps(this.invalid);
		if (this.unchecked.length > 0) return words.uncheckedSteps(this.unchecked);
		return this.undecided.length > 0 ? words.undecided(this.undecided) : '';
	});
	/** Steps that can be undone, among those that ask. */
	readonly undoable: readonly ReviewStep[] = $derived.by(() =>
		this.asked.filter(({ step }) => step.effect !== 'irreversible')
	);
	/** Why the one button of a single step does nothing yet; '' when it does. */
	readonly singleWhy: string = $derived.by(() => {
		const words = this.lang.reviewCard;
		const [one] = this.asked;
		if (!one) return '';
		if (one.draft.verdict === 'edit' && one.draft.progress === 'invalid')
			return words.invalidSteps([one.number]);
		return one.step.effect === 'irreversible' && !one.draft.sure ? words.sureFirst : '';
	});
	/** Why somebody is asked, where it is the same for all of several steps: said once. */
	readonly shared: readonly string[] = $derived.by(() => {
		const words = this.lang.reviewCard;
		const all = this.asked.map(({ step }) => step.reasons);
		if (all.length < 2) return [];
		// The level holds for every step, also where another reason would have asked anyway.
		const held = all
			.flat()
			.filter(
				({ code, text }) => code === 'level' || all.every((list) => list.some((one) => one.text === text))
			);
		return [...new Set(held.map((one) => reasonText(one, words)))];
	});
	/** Accessible name of the card: the agent, and the act. */
	readonly name: string = $derived.by(() => {
		const [one] = this.asked;
		return one
			? this.lang.reviewCard.name(this.who, this.asked.length, this.naming.plain(one.step))
			: this.who;
	});
	/** What became of a settled review, in sentences. */
	readonly fate: { approved: readonly string[]; rejected: readonly string[] } = $derived.by(() => {
		const said = ({ step }: ReviewStep) =>
			this.naming.plain(step) + (step.proposed === undefined ? '' : ` (${this.lang.reviewCard.yoursNote})`);
		// The verdict counts, not what became of the step: an approved one may have failed since.
		const { verdicts } = this.#decided ?? {};
		const isRejected = ({ step }: ReviewStep) =>
			(verdicts?.[step.id]?.verdict ?? (step.status === 'rejected' ? 'reject' : 'approve')) === 'reject';
		return {
			approved: this.asked.filter((one) => !isRejected(one)).map(said),
			rejected: this.asked.filter(isRejected).map(said)
		};
	});
	readonly canApproveUndoable: boolean = $derived.by(() =>
		this.asked.some(({ step, draft }) => step.effect !== 'irreversible' && draft.verdict === undefined)
	);
	readonly #decided: { at: number; verdicts?: Decided['steps'] } | undefined = $derived.by(() => {
		const review = this.review;
		if (review?.status !== 'settled') return undefined;
		const record = this.#recordOf('review.decided');
		return record ? { at: record.at, verdicts: (record.data as unknown as Decided).steps } : this.#sent;
	});
	/** When the review was decided, in ms; undefined where nobody knows. */
	readonly decidedAt: number | undefined = $derived.by(() => this.#decided?.at);
	/** When the agent asked, in ms; undefined where nobody knows. */
	readonly askedAt: number | undefined = $derived.by(() => this.#recordOf('review.opened')?.at);

	/** Keeps the present review on show after its end. Called by the view, from an effect. */
	remember(): void {
		const review = this.review;
		if (review && untrack(() => this.#shown) !== review.id) this.#shown = review.id;
	}

	/** Says what a step shall come to. A step that cannot be undone is approved only after its box. */
	choose(one: ReviewStep, verdict: StepVerdict, event: Event): boolean {
		return this.#asPerson(event, () => {
			const { draft, step } = one;
			if (!draft || (verdict === 'approve' && step.effect === 'irreversible' && !draft.sure)) return false;
			draft.verdict = verdict;
			return true;
		});
	}

	/** The box of a step that cannot be undone. Unticked, its approval falls. */
	check({ draft }: ReviewStep, sure: boolean, event: Event): boolean {
		return this.#asPerson(event, () => {
			if (!draft) return false;
			draft.sure = sure;
			if (!sure && draft.verdict === 'approve') draft.verdict = undefined;
			return true;
		});
	}

	/** A correction of one value. It belongs to `edit` and decides nothing. */
	type({ draft }: ReviewStep, path: string, text: string, event: Event): boolean {
		return this.#asPerson(event, () => {
			draft?.type(path, text);
			return draft !== undefined;
		});
	}

	/** Why a step is rejected; the agent reads it. */
	giveReason({ draft }: ReviewStep, reason: string, event: Event): boolean {
		return this.#asPerson(event, () => {
			if (draft) draft.reason = reason;
			return draft !== undefined;
		});
	}

	/** Why everything is rejected; the agent reads it. */
	giveRejectReason(reason: string, event: Event): boolean {
		return this.#asPerson(event, () => {
			this.rejectReason = reason;
			return true;
		});
	}

	/** Asks why, before everything is rejected. Decides nothing. */
	openRejecting(event: Event): boolean {
		return this.#asPerson(event, () => {
			this.rejecting = this.phase === 'open';
			return this.rejecting;
		});
	}

	/** Back from the question why. */
	closeRejecting(event: Event): boolean {
		return this.#asPerson(event, () => {
			this.rejecting = false;
			return true;
		});
	}

	/** Opens the person's own values for the one step, or drops back to the proposal; what was typed is kept. */
	toggleEdit({ draft }: ReviewStep, event: Event): boolean {
		return this.#asPerson(event, () => {
			if (draft) draft.verdict = draft.verdict === 'edit' ? undefined : 'edit';
			return draft !== undefined;
		});
	}

	/** What an act says of itself, where the registry tells. */
	about(step: Step): string {
		const entry = this.agent?.engine.registry.entry?.(step.instance);
		return entry?.manifest.acts[step.act]?.description ?? '';
	}

	/** Marks everything undecided that can be undone. Decides nothing yet. */
	approveUndoable(event: Event, among: readonly ReviewStep[] = this.asked): boolean {
		return this.#asPerson(event, () => {
			for (const { step, draft } of among)
				if (draft && step.effect !== 'irreversible') draft.verdict ??= 'approve';
			return true;
		});
	}

	/** Marks all these steps as rejected. Decides nothing yet. */
	rejectAmong(event: Event, among: readonly ReviewStep[]): boolean {
		return this.#asPerson(event, () => {
			for (const { draft } of among) if (draft) draft.verdict = 'reject';
			return true;
		});
	}

	/** The main button: every step is named, or nothing is sent. */
	decide(event: Event): boolean {
		return this.#asPerson(event, (by) => {
			const review = this.review;
			// The second half of a double click was aimed at what stood here before.
			if (!review || !this.canDecide || isSecondClick(event)) return false;
			const steps: Record<string, Verdict> = {};
			for (const { step, draft } of this.asked) steps[step.id] = verdictOf(draft);
			return this.#send(review, { review: review.id, steps }, by);
		});
	}

	/** The one step of a review by its own button. */
	decideSingle(verdict: 'approve' | 'reject', event: Event): boolean {
		return this.#asPerson(event, () => {
			const [one] = this.asked;
			if (!this.single || !one || this.phase !== 'open' || isSecondClick(event)) return false;
			// An open correction goes along: approving means what the card shows.
			const wanted = verdict === 'approve' && one.draft.verdict === 'edit' ? 'edit' : verdict;
			const before = one.draft.verdict;
			if (!this.choose(one, wanted, event)) return false;
			if (this.decide(event)) return true;
			if (one.draft.verdict !== 'edit') one.draft.verdict = before;
			return false;
		});
	}

	/** Rejects the whole review, with the reason that stands in {@link rejectReason}. */
	rejectAll(event: Event): boolean {
		return this.#asPerson(event, (by) => {
			const review = this.review;
			if (!review || review.status !== 'open' || isSecondClick(event)) return false;
			const reason = this.rejectReason.trim();
			return this.#send(
				review,
				{ review: review.id, verdict: 'reject', ...(reason === '' ? {} : { reason }) },
				by
			);
		});
	}

	/** Puts the review off. It stays open, nothing is decided, nothing typed is lost. */
	later(event: Event): boolean {
		return this.#asPerson(event, () => {
			if (this.phase !== 'open' && this.phase !== 'stale') return false;
			this.rejecting = false;
			this.#deferred = this.review?.id;
			return true;
		});
	}

	/** Comes back to a review that was put off, or looks at what has moved. */
	again(event: Event): boolean {
		return this.#asPerson(event, () => {
			if (this.phase === 'stale') this.#acknowledged = this.review?.id;
			this.#deferred = undefined;
			return true;
		});
	}

	#send(review: Review, decision: Decision, by: Actor): boolean {
		// The card is drawn a frame after the engine knows; until then it was decided already.
		if (this.#sent?.review === review.id) return false;
		const report = this.agent?.get(review.run)?.decide(decision, by);
		if (!report) return false;
		this.refused = report.ok ? undefined : report.refused;
		if (report.ok) {
			this.#sent = { review: review.id, at: Date.now() };
			this.#shown = review.id;
			this.rejecting = false;
			this.rejectReason = '';
			return true;
		}
		for (const { step, draft } of this.asked) draft.issues = report.issues?.[step.id] ?? [];
		return false;
	}

	#asPerson(event: Event, fn: (by: Actor) => boolean): boolean {
		return asHuman(
			event,
			() => {
				const by = currentCause();
				return by.kind === 'human' ? fn(by) : false;
			},
			this.#read().person
		);
	}

	#recordOf(kind: string): JournalRecord | undefined {
		const review = this.review;
		if (!review) return undefined;
		return this.agent
			?.get(review.run)
			?.journal?.findLast(
				(record) => record.kind === kind && (record.data as { review?: unknown }).review === review.id
			);
	}

	#draftOf(review: Review, step: Step): StepDraft {
		const key = `${review.id} ${step.id}`;
		const known = this.#drafts.get(key);
		if (known) return known;
		return untrack(() => {
			const earlier = this.#latest.get(step.id);
			const kept = earlier && isUnchanged(earlier.draft.step, step, review) ? earlier.draft : undefined;
			const draft = new StepDraft(step, kept);
			if (earlier) this.#drafts.delete(`${earlier.review} ${step.id}`);
			this.#drafts.set(key, draft);
			this.#latest.set(step.id, { review: review.id, draft });
			return draft;
		});
	}
}

function verdictOf(draft: StepDraft): Verdict {
	const reason = draft.reason.trim();
	if (draft.verdict === 'edit' && draft.collected.ok) return { verdict: 'edit', args: draft.collected.args };
	if (draft.verdict === 'approve') return { verdict: 'approve' };
	return { verdict: 'reject', ...(reason === '' ? {} : { reason }) };
}

/** What a record of a decision holds. */
interface Decided {
	review: string;
	steps: Readonly<Record<string, Verdict>>;
}

function isOver({ status }: Step): boolean {
	return status !== 'proposed' && status !== 'granted' && status !== 'waiting';
}

function isSecondClick(event: Event): boolean {
	return event.type === 'click' && (event as MouseEvent).detail > 1;
}
