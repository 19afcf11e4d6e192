import type { Actor } from '../../actor/actor.js';
import { subjectOf } from '../capability/consent.js';
import { readValue } from '../capability/reading.js';
import { effectiveLevel, isLower } from '../gate/level.js';
import { AFTERWARDS, GENESIS, seal } from '../journal/chain.js';
import { compact } from '../journal/compact.js';
import { Fold } from '../journal/fold.js';
import type { Closing, Kind, Kinds, ToldAt } from '../journal/kinds.js';
import type { QuestionMemory, StepMemory } from '../journal/memory.js';
import { reason } from '../protocol/codes.js';
import { CLEAN, join } from '../protocol/labels.js';
import type { JournalRecord } from '../protocol/records.js';
import type { Issue, Outcome, Preview, QuestionSpec } from '../protocol/run-state.js';
import type { Budget, JSONValue, Label, Reason } from '../protocol/words.js';
import { transition } from '../run/transition.js';
import { carryOut } from './act.js';
import { assessPlan, proposeCall } from './assess-plan.js';
import { type End, next, spentUp, type Task } from './conduct.js';
import { refusal } from './content.js';
import type { Core } from './core.js';
import { tellEnded } from './ended.js';
import { ending } from './ending.js';
import { freshState } from './fresh.js';
import { loadTurnSide, onDemand } from './on-demand.js';
import { type Paint, sweep } from './paints.js';
import type { Persist } from './persist.js';
import { asQuestion } from './question.js';
import { hiddenOf } from './redaction.js';
import { reasonLabel } from './said.js';
import { after } from './waiting.js';

/** What a conductor needs of its engine. */
export interface House {
	readonly core: Core;
	readonly persist: Persist | undefined;
	/** What is known of a run of this engine. */
	fold(id: string): Fold | undefined;
	/** Runs of a thread, in order. */
	thread(id: string): readonly Fold[];
	/** All runs, in order. */
	runs(): readonly Fold[];
	/** A run is over: the next may begin. */
	over(conductor: Conductor): void;
}

/** A value as the run may see it. */
interface Seen {
	value: JSONValue;
	version: string | number;
	label: Label;
	/** What a result that shows it has to say of it. */
	told: ToldAt;
}

/** Carries one run: asks its records what is next, does it, records what came of it. */
export class Conductor {
	readonly fold = new Fold((id) => this.house.fold(id));
	readonly journal: JournalRecord[] = [];
	readonly returned: Promise<Outcome>;
	readonly core: Core;
	/** Aborts the request under way. */
	turnAbort: AbortController | undefined;
	/** Aborts the act under way, and tells it how long to wait after a stop. */
	actAbort: AbortController | undefined;
	/** The engine was shut down. */
	isGone = false;
	/** Its first records are of an engine before this one. */
	adopted = false;
	/** What is painted now, by step. Paint is no fact: an engine after this one knows nothing of it. */
	readonly paints = new Map<string, Paint>();
	/** Instances in which something was painted. */
	readonly painted = new Set<string>();
	#resolve!: (outcome: Outcome) => void;
	#busy = false;
	#driving = false;
	#again = false;
	#timer: { until: number; abort: AbortController } | undefined;
	#silent = false;

	constructor(readonly house: House) {
		this.core = house.core;
		this.returned = new Promise((resolve) => (this.#resolve = resolve));
	}

	get id(): string {
		return this.fold.id;
	}

	/** Runs that acts of this one began. */
	get below(): readonly Fold[] {
		return this.fold.below;
	}

	get live(): boolean {
		return this.fold.started && !this.fold.over && !this.fold.opened.call;
	}

	/** Takes over records of an earlier engine. */
	load(journal: readonly JournalRecord[]): void {
		for (const record of journal) {
			this.journal.push(record);
			this.fold.apply(record);
		}
		this.adopted = true;
		if (this.fold.over) this.#resolve(this.fold.view().outcome!);
	}

	/**
	 * Appends a record. It stands in journal and state before anybody hears of it. An illegal move is refused, not made:
	 * nothing is recorded where the run is over or cannot move so.
	 */
	append<K extends Kind>(kind: K, data: Kinds[K], by: Actor = this.core.agent, run = this.id): void {
		const { fold, core, house, journal } = this;
		const verb = (data as { verb?: Parameters<typeof transition>[1] }).verb;
		if (this.#silent || (fold.over && !AFTERWARDS.has(kind))) return;
		if (verb && transition(fold.state, verb, fold) === 'illegal') return;
		const record = seal({
			run,
			seq: journal.length,
			at: core.clock.now(),
			kind,
			by: Object.isFrozen(by) ? by : { ...by },
			revision: (data as Partial<Kinds['revision.accepted']>).n ?? fold.revision,
			data: compact(data) as unknown as JSONValue,
			prev: journal.at(-1)?.hash ?? GENESIS
		});
		journal.push(record);
		fold.apply(record);
		house.persist?.append(record);
		core.tellRecord(record);
		sweep(this);
		if (!fold.over || !verb) return;
		tellEnded(this);
		this.#resolve(fold.view().outcome!);
		this.#timer?.abort.abort();
		house.over(this);
	}

	/** Control waits for something, or somebody. */
	escalate(key: string, why: Reason, by?: Actor): void {
		this.append('escalation.raised', { verb: 'escalate', key, reason: why }, by);
	}

	/** A limit leaves no room for what comes next. */
	overspent(limit: keyof Budget): void {
		this.escalate('budget', spentUp(this.fold, limit, this.core.clock.now()));
	}

	/** Puts a question to the person; what waits for the answer is named. */
	ask(spec: QuestionSpec, waits: Omit<QuestionMemory, 'question'> = {}, from = this.core.agent): void {
		const { id, questions } = this.fold;
		const question = asQuestion(spec, { id: `${id}-q${questions.size + 1}`, run: id, from });
		this.append('question.asked', { question, ...waits });
	}

	/** Asks for reads that may not leave yet. */
	askConsent(entries: readonly string[], call?: string): void {
		const what = call === undefined ? 'these' : 'this';
		this.ask(
			{
				text: `May ${this.core.identity.name} read ${what} in this run?`,
				schema: { type: 'array', items: { type: 'string', enum: entries }, uniqueItems: true },
				reason: 'consent'
			},
			{ call }
		);
	}

	/** Questions about reads that a switch has answered by now are no questions any more. */
	reconsent(by: Actor): void {
		const { core, fold } = this;
		for (const { question, step } of fold.openQuestions) {
			if (question.reason !== 'consent' || step !== undefined) continue;
			const { enum: names } = question.schema!.items as { enum: readonly string[] };
			const verdicts = names.map((name) => {
				const [, instance, read] = /^#([^.]*)\.(.*)$/s.exec(name)!;
				const entry = core.registry.entry(instance!);
				return entry ? core.consent(fold, entry, read!) : 'ask';
			});
			if (verdicts.includes('ask')) continue;
			const value = names.filter((_, i) => verdicts[i] === 'allow');
			const said =
				value.length > 0 ? { status: 'answered' as const, value } : { status: 'declined' as const };
			this.append('question.closed', { question: question.id, ...said }, by);
		}
		this.drive();
	}

	/** Tells the model what came of a call that is no step. */
	closeCall(
		call: string,
		content: JSONValue,
		performative: Closing['performative'] = 'refuse',
		more: Partial<Kinds['call.closed']> = {}
	): void {
		const status = performative === 'refuse' ? 'refused' : 'closed';
		this.append('call.closed', { call, status, content, performative, label: CLEAN, ...more });
	}

	/**
	 * Closes a step that did not run, and tells the model why; what was decided against comes with the fresh state it
	 * touched. With the last one of a review that is settled, the run leaves it.
	 */
	closeStep(
		memory: StepMemory,
		status: 'proposed' | 'refused' | 'rejected' | 'withdrawn',
		reasons: readonly Reason[],
		{
			issues,
			preview,
			theirs
		}: { issues?: readonly Issue[]; preview?: Preview; theirs?: true | 'refusal' } = {}
	): void {
		const { state, openReview, open } = this.fold;
		const { step, call, touches } = memory;
		const told = status === 'refused' || status === 'rejected' ? touches : [];
		const {
			fresh,
			label,
			told: versions
		} = freshState(this, step.instance, told, told.length > 0 ? hiddenOf(this, memory) : []);
		const last = state === 'reviewing' && !openReview && [...open].every((one) => one === memory);
		this.append('step.closed', {
			verb: last ? 'plan' : undefined,
			step: step.id,
			call,
			status,
			reasons,
			label: join(label, reasonLabel(this, memory, reasons[0], theirs)),
			preview,
			performative: status === 'withdrawn' ? 'cancel' : 'refuse',
			content: refusal(reasons, { fresh, issues }),
			told: versions
		});
	}

	/** The engine was shut down: nothing is driven any more, and nothing recorded where the page was closed (`silent`). */
	leave(silent = false): void {
		this.isGone = true;
		this.#silent = silent;
		this.#timer?.abort.abort();
		this.turnAbort?.abort();
		this.actAbort?.abort();
		sweep(this, true);
	}

	/** Does what is next, until something has to be waited for. */
	drive(): void {
		if (this.#busy || this.isGone) return;
		if (this.#driving) {
			this.#again = true;
			return;
		}
		this.#driving = true;
		try {
			let going = true;
			while (going && !this.isGone) {
				this.#again = false;
				const task = next(this.fold, this.core.clock.now(), this.core.patience);
				const before = this.journal.length;
				going = this.#do(task);
				// The same records would ask for the same again, for ever.
				if (going && this.journal.length === before) throw new Error(`Nothing came of "${task.do}".`);
				// What was called on the way into work under way is looked at when that ends: it is begun once.
				going ||= this.#again && !this.#busy;
			}
		} catch (error) {
			this.#failed(error);
		} finally {
			this.#driving = false;
		}
	}

	/** @returns whether to look again at once */
	#do(task: Task): boolean {
		let work: Promise<void> | undefined;
		switch (task.do) {
			case 'wait':
				this.#wake(task.until);
				return false;
			case 'end':
				this.end(task.end);
				return false;
			case 'record':
				this.append(task.entry.kind, task.entry.data);
				break;
			case 'close':
				this.closeStep(task.memory, task.status, task.reasons);
				break;
			case 'propose':
				proposeCall(this);
				break;
			case 'assess':
				assessPlan(this);
				break;
			case 'act':
				work = carryOut(this, task.memory);
				break;
			default:
				work = this.#turn(task);
		}
		if (work) this.#follow(work);
		return !work;
	}

	/** What a turn needs is loaded with the first one. */
	#turn(task: Extract<Task, { do: 'open' | 'request' | 'sort' }>): Promise<void> | undefined {
		const { turnSide } = onDemand;
		if (!turnSide) return loadTurnSide(this);
		if (task.do === 'open') return void turnSide.openTurn(this, task);
		return turnSide[task.do === 'sort' ? 'sortTurn' : 'requestTurn'](this, task.turn);
	}

	/** Goes on when `work` has ended. */
	#follow(work: Promise<void>): void {
		this.#busy = true;
		work.then(
			() => {
				this.#busy = false;
				this.drive();
			},
			(error: unknown) => {
				this.#busy = false;
				this.#failed(error);
			}
		);
	}

	/** A fault of ours must not leave a person waiting: control returns. */
	#failed(error: unknown): void {
		this.core.report(error);
		const why = reason('threw', error instanceof Error ? error.message : undefined);
		if (!this.isGone) this.end({ reason: why, broken: true });
	}

	#wake(until: number | undefined): void {
		if (this.#timer?.until === until) return;
		this.#timer?.abort.abort();
		this.#timer = undefined;
		if (until === undefined) return;
		const abort = new AbortController();
		this.#timer = { until, abort };
		const { clock } = this.core;
		after(clock, Math.max(0, until - clock.now()), abort.signal, () => {
			this.#timer = undefined;
			this.drive();
		});
	}

	/** The level of the settings as they are now: a lower one counts at once, a higher one (`raised`) from the next turn. */
	relevel(by: Actor, raised = false): void {
		const { core, fold } = this;
		const level = effectiveLevel(core.levelOf(fold.opened.most), fold.policy?.ceiling);
		if (isLower(level, fold.level) || (raised && level !== fold.level))
			this.append('level.set', { level, user: core.userLevel ?? level }, by);
	}

	/** Ends the run; control is the person's again. */
	end(end: End): void {
		this.append('run.ended', ending(this.fold, end));
	}

	/** Is a value of this read the run's to see? Then its label counts as shown. */
	readFor(instance: string, read: string, key?: string): Seen | Reason {
		const { core, fold } = this;
		const entry = core.registry.entry(instance);
		if (!entry) return reason('unknown-instance', `No instance "${instance}" is mounted.`);
		if (!fold.covers(instance)) return reason('scope');
		if (!Object.hasOwn(entry.manifest.reads, read))
			return reason('args-invalid', `"${instance}" has no read "${read}".`);
		const verdict = core.consent(fold, entry, read);
		if (verdict !== 'allow') return reason(verdict === 'ask' ? 'consent' : 'denied');
		const out = readValue(entry, read, key);
		if (!out.ok) return out.reason;
		const { value, version } = out;
		const { sensitivity, ...subject } = subjectOf(entry, read)!;
		const told = {
			...subject,
			key,
			version,
			...(sensitivity === 'private' ? {} : { sensitivity })
		} as ToldAt;
		return { value, version, label: core.labelOf(entry, read, out.label, key), told };
	}
}
