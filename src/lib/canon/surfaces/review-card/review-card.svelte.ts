import { untrack } from 'svelte';
import { SvelteSet } from 'svelte/reactivity';
import { actingAs, currentCause, type Actor } from '../../../actor/index.js';
import type { Decision, Review, RunState, Step, Verdict } from '../../../agent/protocol/run-state.js';
import type { JournalRecord } from '../../../agent/protocol/records.js';
import type { Reason } from '../../../agent/protocol/words.js';
import { nameIn, refusalIn, traceOf, type Language } from '../../../langs/index.js';
import { asHuman, personFrom } from '../../../uix/soma/index.js';
import { Desk, deskOf } from './desk.svelte.js';
import { reasonText } from './facts.js';
import { isUnchanged, StepDraft, type StepVerdict } from './draft.svelte.js';
import { nameOf } from '../names.js';
import { notByHand } from '../not-by-hand.js';
import { shownIn, type Shown } from '../shown.js';
import type { ActFacts, ReviewAgent, ReviewCardOptions } from './options.js';
import { createNaming, whyNot, type ReviewNaming } from './naming.js';
import {
	groupsOf,
	sharedReasons,
	stepsOf,
	type AskedStep,
	type ReviewGroup,
	type ReviewStep
} from './plan.js';

/** More steps than this are folded by kind. */
const MANY = 24;

/**
 * The review a person decides on: which it is, what has been said about each step so far, what the main button would do.
 * Drafts are the person's: they outlive a drift where the step is the same, and nothing but a trusted event changes them.
 * @since 0.1.0
 */
export class ReviewCardState {
	readonly #read: () => ReviewCardOptions;
	/** The review that was last on show; it stays as a strip when nothing new waits. */
	#shown = $state<string>();

	/** Groups that are open, and those that ever were. */
	readonly #opened = new SvelteSet<string>();
	readonly #looked = new SvelteSet<string>();
	#only = $state.raw<ReadonlySet<string>>();

	/** What the engine said to the last decision, if it refused. */
	refused = $state.raw<Reason>();
	/** What is said before there is an agent; nothing of it is ever sent. */
	readonly #blank = new Desk();

	constructor(read: () => ReviewCardOptions) {
		this.#read = read;
	}

	get lang(): Language {
		return this.#read().lang;
	}
	get agent(): ReviewAgent | undefined {
		return this.#read().agent;
	}
	readonly #desk: Desk = $derived.by(() => {
		const { agent } = this;
		return agent ? untrack(() => deskOf(agent)) : this.#blank;
	});
	/** Asks why before everything is rejected. */
	get rejecting(): boolean {
		return this.review !== undefined && this.#desk.rejecting === this.review.id;
	}
	/** Why everything is rejected. */
	get rejectReason(): string {
		return this.#desk.rejectReason;
	}
	get who(): string {
		return nameIn(this.lang, this.agent?.engine.identity.name ?? '');
	}
	/** The last run, where it ended with proposals and nothing waits. */
	readonly proposal: RunState | undefined = $derived.by(() => {
		const { agent, review } = this.#read();
		if (review !== undefined || agent?.pending.some((one) => one.kind === 'review')) return undefined;
		const last = agent?.runs.at(-1);
		return last?.outcome?.kind === 'proposed' ? last : undefined;
	});
	readonly review: Review | undefined = $derived.by(() => {
		const { agent, review } = this.#read();
		const waiting = review === undefined && agent?.pending.find((one) => one.kind === 'review');
		if (waiting && waiting.kind === 'review') return waiting.review;
		if (this.proposal) return undefined;
		const id = review ?? this.#shown;
		return agent?.runs.flatMap((run) => run.reviews).find((one) => one.id === id);
	});
	get run(): RunState | undefined {
		return this.proposal ?? this.agent?.runs.find(({ id }) => id === this.review?.run);
	}
	get #instances(): readonly { id: string; label: string }[] {
		return this.#read().instances ?? this.agent?.engine.registry.instances ?? [];
	}
	readonly naming: ReviewNaming = $derived.by(() => {
		const names = {
			label: (id: string) => this.#labelOf(id),
			imported: (id: string) => {
				const told = this.#read().imported;
				return told ? told(id) : this.agent?.engine.registry.entry?.(id)?.trust === 'imported';
			}
		};
		const name = (id: string) => nameOf(names, this.lang, id);
		return createNaming(this.lang, name, this.run?.steps, () => this.#seen);
	});
	#labelOf(id: string): string {
		return this.#instances.find((one) => one.id === id)?.label ?? this.#read().label?.(id) ?? id;
	}
	/** Labels that the sentences of the card do not show whole. */
	get cut(): readonly string[] {
		const labels = new Set(this.steps.map(({ step }) => this.#labelOf(step.instance)));
		return [...labels].filter((label) => !nameIn(this.lang, label).includes(label));
	}
	/** What the run was shown until now. */
	readonly #seen: Shown = $derived.by(() =>
		this.run ? shownIn(this.agent?.get(this.run.id)?.journal) : new Map()
	);
	/** Has what this step is about left the page? Then it can be rejected, not approved. */
	isGone({ step }: ReviewStep): boolean {
		return !this.#instances.some(({ id }) => id === step.instance);
	}

	/** Every step of the plan under review in order: those that ask, and those that run by policy. */
	readonly steps: readonly ReviewStep[] = $derived.by(() => {
		const { review, run, proposal } = this;
		if (proposal)
			return proposal.steps
				.filter(({ status }) => status === 'proposed')
				.map((step, index) => ({ number: index + 1, step, draft: undefined }));
		return review && run ? stepsOf(review, run, (step) => this.#draftOf(review, step)) : [];
	});
	readonly asked: readonly AskedStep[] = $derived.by(() =>
		this.steps.filter((one): one is AskedStep => one.draft !== undefined)
	);
	readonly groups: readonly ReviewGroup[] = $derived(groupsOf(this.steps, this.many));

	/** `stale`: something moved and the person has not looked yet; `later`: put off; the rest is over. */
	get phase(): 'none' | 'open' | 'stale' | 'later' | 'proposed' | 'settled' | 'expired' | 'superseded' {
		const { review } = this;
		if (this.proposal) return 'proposed';
		if (!review || !this.run) return 'none';
		if (review.status !== 'open') return review.status;
		if (this.#desk.deferred === review.id) return 'later';
		return review.changes?.length && this.#desk.acknowledged !== review.id ? 'stale' : 'open';
	}
	/** One step alone is decided by its own buttons, without a second press. */
	get single(): boolean {
		return this.asked.length === 1;
	}

	#numbers(wanted: (one: AskedStep) => boolean): readonly number[] {
		return this.asked.filter(wanted).map(({ number }) => number);
	}
	get undecided(): readonly number[] {
		return this.#numbers(({ draft }) => draft.progress === 'undecided');
	}
	get unchecked(): readonly number[] {
		return this.#numbers(({ draft }) => draft.progress === 'unchecked');
	}
	get invalid(): readonly number[] {
		return this.#numbers(({ draft }) => draft.progress === 'invalid');
	}
	/** Numbers of the steps the main button would do. */
	get doing(): readonly number[] {
		return this.#numbers(({ draft: { verdict } }) => verdict === 'approve' || verdict === 'edit');
	}
	/** Steps the main button would do and cannot: what they are about is gone. Of one step alone, that one. */
	get gone(): readonly AskedStep[] {
		return this.asked.filter(
			(one) => this.isGone(one) && (this.single || ['approve', 'edit'].includes(one.draft.verdict ?? ''))
		);
	}
	/** Sentences of what the run has done by now. */
	get done(): readonly string[] {
		const done = this.run?.steps.filter(({ status }) => status === 'confirmed') ?? [];
		return done.map((step) => this.naming.plain(step));
	}
	/** Steps that cannot be undone. */
	get final(): readonly AskedStep[] {
		return this.asked.filter(({ step }) => step.effect === 'irreversible');
	}
	get canDecide(): boolean {
		if (this.gone.some(({ draft }) => draft.verdict !== 'reject')) return false;
		return this.phase === 'open' && this.asked.every(({ draft }) => draft.progress === 'ready');
	}
	/** Why the main button does nothing yet, in words; '' when it does. */
	get why(): string {
		const words = this.lang.reviewCard;
		if (this.phase === 'stale') return words.approveOff;
		const { gone } = this;
		if (gone.length > 0) {
			const labels = [...new Set(gone.map(({ step }) => this.naming.label(step.instance)))];
			return this.single
				? words.gone(labels[0]!)
				: words.goneSteps(
						this.#numbers((one) => gone.includes(one)),
						labels
					);
		}
		if (this.invalid.length > 0) return words.invalidSteps(this.invalid);
		// One step alone is decided by the press itself; only its box has to come first.
		if (this.single) return this.final.some(({ draft }) => !draft.sure) ? words.sureFirst : '';
		if (this.unchecked.length > 0) return words.uncheckedSteps(this.unchecked);
		return this.undecided.length > 0 ? words.undecided(this.undecided) : '';
	}
	/** Why somebody is asked, where it is the same for all of several steps: said once. */
	readonly shared: readonly string[] = $derived.by(() => {
		const { naming, lang } = this;
		return sharedReasons(this.asked, (reason) => reasonText(reason, lang, naming));
	});
	/** Where the text stands that may have led to steps that cannot be undone, in labels; undefined: none did. */
	get led(): readonly string[] | undefined {
		const led = this.final.flatMap(({ step }) =>
			step.reasons.filter(({ code }) => code === 'tainted').flatMap((reason) => traceOf(reason).sources)
		);
		return this.final.some(({ step }) => step.label.integrity === 'untrusted') || led.length > 0
			? this.naming.telling('tainted', led)
			: undefined;
	}
	/** Accessible name of the card: the agent, and the act. */
	get name(): string {
		const [one] = this.asked;
		return one
			? this.lang.reviewCard.name(this.who, this.asked.length, this.naming.plain(one.step))
			: this.who;
	}
	/** What became of a settled review, in sentences. */
	get fate(): {
		approved: readonly string[];
		rejected: readonly string[];
		/** Approved, and not done for a reason. */
		failed: readonly string[];
	} {
		// The verdict counts, not what became of the step: an approved one may have failed since.
		const verdicts = (this.#recordOf('review.decided')?.data as unknown as Decided | undefined)?.steps;
		const among = (wanted: boolean) =>
			this.asked.filter(({ step }) => {
				const said = verdicts?.[step.id]?.verdict;
				return (said === undefined ? step.status === 'rejected' : said === 'reject') === wanted;
			});
		const of = (wanted: boolean) =>
			among(wanted).map(
				({ step }) =>
					this.naming.plain(step) +
					(step.proposed === undefined ? '' : ` (${this.lang.reviewCard.yoursNote})`)
			);
		const failed = among(false)
			.filter(({ step }) => /^(failed|refused|unknown|withdrawn|skipped)$/.test(step.status))
			.map(({ step }) => `${this.naming.plain(step)}: ${refusalIn(this.lang, whyNot(step))}`);
		return { approved: of(false), rejected: of(true), failed };
	}
	/** When the review was decided, in ms; undefined where nobody knows. */
	get decidedAt(): number | undefined {
		const sent = this.#desk.sent?.review === this.review?.id ? this.#desk.sent : undefined;
		return (this.#recordOf('review.decided') ?? sent)?.at;
	}
	/** When the agent asked, in ms; undefined where nobody knows. */
	get askedAt(): number | undefined {
		return this.#recordOf('review.opened')?.at;
	}

	/** Keeps the present review on show after its end. Called by the view, from an effect. */
	remember(): void {
		const { review } = this;
		if (review && untrack(() => this.#shown) !== review.id) this.#shown = review.id;
	}

	/** What an act says of itself, where the registry tells. */
	about({ instance, act }: Step): Partial<ActFacts> {
		return this.agent?.engine.registry.entry?.(instance)?.manifest.acts[act] ?? {};
	}

	/** More steps than anybody looks through at once: of a kind they lie together, folded until a person opens them. */
	get many(): boolean {
		return this.steps.length > MANY;
	}
	isOpen({ key, many }: ReviewGroup): boolean {
		return !many || !this.many || this.#opened.has(key);
	}
	wasOpen(group: ReviewGroup): boolean {
		return this.isOpen(group) || this.#looked.has(group.key);
	}
	/** Was this step ever on show? What nobody has seen, nobody approves in passing. */
	isSeen(one: ReviewStep): boolean {
		return !this.many || this.groups.some((group) => group.steps.includes(one) && this.wasOpen(group));
	}
	toggle({ key }: ReviewGroup): void {
		this.#looked.add(key);
		if (!this.#opened.delete(key)) this.#opened.add(key);
	}
	/** The steps on show of a group: all, or those that were undecided when the person asked for these. */
	among({ steps }: ReviewGroup): readonly ReviewStep[] {
		const only = this.#only;
		return only ? steps.filter(({ step }) => only.has(step.id)) : steps;
	}
	get filtered(): boolean {
		return this.#only !== undefined;
	}
	/** Shows what is undecided now, or everything again. What is decided meanwhile stays where it is. */
	filter(on: boolean): void {
		this.#only = on
			? new Set(this.asked.flatMap(({ step, draft }) => (draft.progress === 'ready' ? [] : [step.id])))
			: undefined;
	}
	/** The next step after this one that still waits for a word, from the top again at the end; its group is opened. */
	next(after = 0): AskedStep | undefined {
		const { open } = this;
		const next = open.find(({ number }) => number > after) ?? open[0];
		const group = next && this.groups.find(({ steps }) => steps.includes(next));
		if (group && !this.isOpen(group)) this.toggle(group);
		if (next && this.#only && !this.#only.has(next.step.id)) this.filter(true);
		return next;
	}

	/** Steps that still wait for a word, or for a box. */
	get open(): readonly AskedStep[] {
		return this.asked.filter(({ draft }) => draft.progress !== 'ready');
	}
	/** Is something that can be approved in one press folded, and was never looked at? */
	get unseen(): boolean {
		return this.groups.some(
			(group) =>
				!this.wasOpen(group) && group.steps[0]?.draft && group.steps[0].step.effect !== 'irreversible'
		);
	}

	/** More time to decide. @returns was it given? */
	keepOpen(event: Event): boolean {
		return this.#decides(event, (by) => {
			const { review } = this;
			const report = review && this.agent?.get(review.run)?.keepOpen?.(review.id, by);
			this.refused = report?.refused;
			return report?.ok === true;
		});
	}
	get canKeepOpen(): boolean {
		const { review } = this;
		return review?.expiresAt !== undefined && this.agent?.get(review.run)?.keepOpen !== undefined;
	}

	/** Says what a step shall come to. A step that cannot be undone is approved only after its box. */
	choose(one: ReviewStep, verdict: StepVerdict, event: Event): boolean {
		const { draft, step } = one;
		return this.#decides(event, () => {
			if (verdict !== 'reject' && this.isGone(one)) return false;
			if (verdict === 'edit' && !draft?.fields.length) return false;
			if (!draft || (verdict === 'approve' && step.effect === 'irreversible' && !draft.sure)) return false;
			draft.verdict = verdict;
		});
	}

	/** The box of a step that cannot be undone. Unticked, its approval falls. */
	check({ draft }: ReviewStep, sure: boolean, event: Event): boolean {
		return this.#decides(event, () => {
			if (!draft) return false;
			draft.sure = sure;
			if (!sure && draft.verdict === 'approve') draft.verdict = undefined;
		});
	}

	/** A correction of one value. It belongs to `edit` and decides nothing. */
	type({ draft }: ReviewStep, path: string, text: string, event: Event): boolean {
		return this.#asPerson(event, () => draft?.type(path, text));
	}

	/** Why a step is rejected, or without one why everything is; the agent reads it. */
	giveReason(one: ReviewStep | undefined, reason: string, event: Event): boolean {
		return this.#asPerson(event, () => {
			if (one?.draft) one.draft.reason = reason;
			else this.#desk.rejectReason = reason;
		});
	}

	/** Asks why, before everything is rejected, or goes back from there. Decides nothing. */
	askWhy(open: boolean, event: Event): boolean {
		return this.#asPerson(event, () => {
			if (open && this.phase !== 'open') return false;
			this.#desk.rejecting = open ? this.review?.id : undefined;
		});
	}

	/** Opens the person's own values for the one step, or drops back to the proposal; what was typed is kept. */
	toggleEdit(one: AskedStep, event: Event): boolean {
		const { draft } = one;
		return this.#asPerson(event, () => {
			if (this.isGone(one) || draft.fields.length === 0) return false;
			draft.verdict = draft.verdict === 'edit' ? undefined : 'edit';
		});
	}

	/** Marks everything undecided that can be undone. Decides nothing yet. */
	approveUndoable(event: Event, among: readonly ReviewStep[] = this.asked): boolean {
		return this.#decides(event, () => {
			for (const one of among)
				if (one.draft && one.step.effect !== 'irreversible' && !this.isGone(one) && this.isSeen(one))
					one.draft.verdict ??= 'approve';
		});
	}

	/** Marks all these steps as rejected. Decides nothing yet. */
	rejectAmong(event: Event, among: readonly ReviewStep[]): boolean {
		return this.#decides(event, () => {
			for (const { draft } of among) if (draft) draft.verdict = 'reject';
		});
	}

	/** The main button: every step is named, or nothing is sent. */
	decide(event: Event): boolean {
		return this.#decides(event, (by) => {
			if (!this.canDecide) return false;
			const steps = Object.fromEntries(this.asked.map(({ step, draft }) => [step.id, verdictOf(draft)]));
			return this.#send({ steps }, by, event);
		});
	}

	/** The one step of a review by its own button. */
	decideSingle(verdict: 'approve' | 'reject', event: Event): boolean {
		const [one] = this.asked;
		if (!this.single || !one || this.phase !== 'open' || isSecondClick(event)) return false;
		const before = one.draft.verdict;
		// An open correction goes along: approving means what the card shows.
		const keeps = verdict === 'approve' && before === 'edit';
		if (!keeps && !this.choose(one, verdict, event)) return false;
		if (this.decide(event)) return true;
		one.draft.verdict = before;
		return false;
	}

	/** Rejects the whole review, with the reason that stands in {@link rejectReason}. */
	rejectAll(event: Event): boolean {
		return this.#decides(event, (by) =>
			this.#send({ verdict: 'reject', ...reasoned(this.rejectReason) }, by, event)
		);
	}

	/** Puts the review off. It stays open, nothing is decided, nothing typed is lost. */
	later(event: Event): boolean {
		return this.#asPerson(event, () => {
			if (this.phase !== 'open' && this.phase !== 'stale') return false;
			this.#desk.rejecting = undefined;
			this.#desk.deferred = this.review?.id;
		});
	}

	/** Comes back to a review that was put off, or looks at what has moved. */
	again(event: Event): boolean {
		return this.#asPerson(event, () => {
			if (this.phase === 'stale') this.#desk.acknowledged = this.review?.id;
			this.#desk.deferred = undefined;
		});
	}

	#send(said: Omit<Decision, 'review'>, by: Actor, event: Event): boolean {
		const { review } = this;
		// The second half of a double click was aimed at what stood here before. And the card is drawn a frame after the
		// engine knows; until then it was decided already.
		if (review?.status !== 'open' || isSecondClick(event) || this.#desk.sent?.review === review.id)
			return false;
		const report = this.agent?.get(review.run)?.decide({ review: review.id, ...said } as Decision, by);
		if (!report) return false;
		this.refused = report.refused;
		if (report.ok) {
			this.#desk.sent = { review: review.id, at: Date.now() };
			this.#shown = review.id;
			this.#desk.rejecting = undefined;
			this.#desk.rejectReason = '';
		} else for (const { step, draft } of this.asked) draft.issues = report.issues?.[step.id] ?? [];
		return report.ok;
	}

	/** Runs `fn` if a person is behind the event. @returns did it do what was asked? */
	#asPerson(event: Event, fn: (by: Actor) => boolean | void): boolean {
		return asHuman(
			event,
			() => {
				const by = currentCause();
				return by.kind === 'human' && fn(by) !== false;
			},
			this.#read().person
		);
	}

	/** The same for what leads to a decision, which takes a press: where no person made one, the card says so. */
	#decides(event: Event, fn: (by: Actor) => boolean | void): boolean {
		const by = personFrom(event, this.#read().person);
		if (by.kind !== 'human') {
			this.refused = notByHand('ReviewCard');
			return false;
		}
		this.refused = undefined;
		return actingAs(by, () => fn(by) !== false);
	}

	#recordOf(kind: string): JournalRecord | undefined {
		const { review } = this;
		return (
			review &&
			this.agent
				?.get(review.run)
				?.journal?.findLast(
					(record) => record.kind === kind && (record.data as { review?: unknown }).review === review.id
				)
		);
	}

	#draftOf(review: Review, step: Step): StepDraft {
		const known = this.#desk.drafts.get(step.id);
		if (known?.review === review.id) return known;
		return untrack(() => {
			const kept = known && isUnchanged(known.step, step, review) ? known : undefined;
			const draft = new StepDraft(step, review.id, kept);
			this.#desk.drafts.set(step.id, draft);
			return draft;
		});
	}
}

function verdictOf({ verdict, collected, reason }: StepDraft): Verdict {
	if (verdict === 'edit' && collected.ok) return { verdict, args: collected.args };
	return verdict === 'approve' ? { verdict } : { verdict: 'reject', ...reasoned(reason) };
}

const reasoned = (reason: string): { reason?: string } => (reason.trim() ? { reason: reason.trim() } : {});

/** What a record of a decision holds. */
interface Decided {
	review: string;
	steps: Readonly<Record<string, Verdict>>;
}

const isSecondClick = (event: Event): boolean => event.type === 'click' && (event as MouseEvent).detail > 1;
