import type { Actor } from '../../actor/actor.js';
import { effectiveLevel, isLower } from '../gate/level.js';
import { AFTERWARDS, GENESIS, seal } from '../journal/chain.js';
import { compact } from '../journal/compact.js';
import { Fold } from '../journal/fold.js';
import type { Closing, Kind, Kinds } from '../journal/kinds.js';
import { reason } from '../protocol/codes.js';
import { CLEAN } from '../protocol/labels.js';
import type { JournalRecord } from '../protocol/records.js';
import type { Outcome, RunState } from '../protocol/run-state.js';
import type { Budget, JSONValue, Reason } from '../protocol/words.js';
import { transition } from '../run/transition.js';
import { type End, next, spentUp, type Task } from './conduct.js';
import type { Core } from './core.js';
import { tellEnded } from './ended.js';
import { ending } from './ending.js';
import type { Keeper } from './keeper.js';
import { loadTurnSide, onDemand, type TurnSide } from './on-demand.js';
import { type Paint, sweep } from './paints.js';
import { apply, heed } from './steer.js';
import { after, within } from './waiting.js';

/** What a conductor needs of its engine. */
export interface House {
	readonly core: Core;
	/** Keeps the runs, where there is a store and it is known what that holds. */
	readonly keeper: Keeper | undefined;
	readonly persist: Keeper['persist'] | undefined;
	/** What is known of a run of this engine. */
	fold(id: string): Fold | undefined;
	/** Who carries a run of this engine. */
	conductor(id: string): Conductor | undefined;
	/** Runs of a thread, in order. */
	thread(id: string): readonly Fold[];
	/** All runs, in order. */
	runs(): readonly Fold[];
	/** A run is over: the next may begin. */
	over(conductor: Conductor): void;
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
	/** Instructions that are known to outlast a crash. */
	keptRevision = 1;
	/** Why the run is only followed here: another engine carries it on. */
	elsewhere: Reason | undefined;
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
	#view: { of: RunState; is: RunState } | undefined;

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
		const { fold, elsewhere } = this;
		return fold.started && !fold.over && !fold.opened.call && !elsewhere;
	}

	/** The public picture of the run, the same object until something changes; it says where it is only followed. */
	view(): RunState {
		const of = this.fold.view();
		if (!this.elsewhere) return of;
		if (this.#view?.of !== of) this.#view = { of, is: Object.freeze({ ...of, elsewhere: true as const }) };
		return this.#view.is;
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

	/** Takes in what the engine that carries the run on has recorded since. */
	learn(records: readonly JournalRecord[]): void {
		const before = this.fold.over;
		for (const record of records) {
			this.load([record]);
			this.core.tellRecord(record);
		}
		if (!this.fold.over || before) return;
		this.elsewhere = undefined;
		this.house.over(this);
	}

	/**
	 * Appends a record. It stands in journal and state before anybody hears of it. An illegal move is refused, not made:
	 * nothing is recorded where the run is over or cannot move so.
	 */
	append<K extends Kind>(kind: K, data: Kinds[K], by: Actor = this.core.agent, run = this.id): void {
		const { fold, core, house, journal } = this;
		const verb = (data as { verb?: Parameters<typeof transition>[1] }).verb;
		if (this.#silent || this.elsewhere || (fold.over && !AFTERWARDS.has(kind))) return;
		if (verb && transition(fold.state, verb, fold) === 'illegal') return;
		const record = seal({
			run,
			seq: journal.length,
			at: core.clock.now(),
			kind,
			by: Object.isFrozen(by) ? by : Object.freeze({ ...by }),
			revision: (data as Partial<Kinds['revision.accepted']>).n ?? fold.revision,
			data: compact(data) as unknown as JSONValue,
			prev: journal.at(-1)?.hash ?? GENESIS,
			hash: ''
		});
		journal.push(record);
		fold.apply(record);
		const { persist } = house;
		persist?.append(record);
		core.tellRecord(record);
		sweep(this);
		if (!fold.over || !verb) return;
		tellEnded(this);
		this.#timer?.abort.abort();
		house.over(this);
		const told = () => this.#resolve(fold.view().outcome!);
		if (!persist) return told();
		// Control is back when that is kept; a store that cannot say so is not waited for longer than an act.
		const { signal } = new AbortController();
		void within(core.clock, persist.barrier(run), { ms: core.patience.settleMs, signal }).then(told);
		persist.end(run);
	}

	/** Control waits for something, or somebody. */
	escalate(key: string, why: Reason, by?: Actor): void {
		this.append('escalation.raised', { verb: 'escalate', key, reason: why }, by);
	}

	/** A limit leaves no room for what comes next. */
	overspent(limit: keyof Budget): void {
		this.escalate('budget', spentUp(this.fold, limit, this.core.clock.now()));
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
		if (this.#busy || this.isGone || this.elsewhere) return;
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
		let work: Promise<void> | void = undefined;
		switch (task.do) {
			case 'wait':
				this.#wake(task.until);
				return false;
			case 'end':
				this.end(task.end);
				return false;
			case 'steer':
				if (task.meant.question === undefined) heed(this, task.meant);
				else apply(this, task.meant, task.meant.by, 'person');
				break;
			case 'record':
				this.append(task.entry.kind, task.entry.data);
				break;
			default:
				work = this.#walk(task);
		}
		if (work) this.#follow(work);
		return !work;
	}

	/** What turns and steps need is loaded with the first of them. */
	#walk(task: Extract<Task, { do: keyof TurnSide['walk'] }>): Promise<void> | void {
		const { turnSide } = onDemand;
		// Each task is done by the entry of its name.
		return turnSide ? turnSide.walk[task.do](this, task as never) : this.#load();
	}

	async #load(): Promise<void> {
		const { signal } = (this.turnAbort = new AbortController());
		const why = await loadTurnSide(this.core, signal);
		// A stop waits for nobody: what is under way is settled as soon as that can be done.
		if (why && !this.fold.stopping) this.escalate('transport', why);
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
}
