import type { Actor } from '../../actor/actor.js';
import { APP } from '../../actor/actor.js';
import { readLabel, readValue } from '../capability/reading.js';
import { AFTERWARDS, GENESIS, seal } from '../journal/chain.js';
import { compact } from '../journal/compact.js';
import { Fold } from '../journal/fold.js';
import { isClosed, isParked, type TurnMemory } from '../journal/memory.js';
import type { Kind, Kinds } from '../journal/kinds.js';
import { reason } from '../protocol/codes.js';
import { isLower } from '../gate/level.js';
import type { JournalRecord } from '../protocol/records.js';
import type { Outcome } from '../protocol/run-state.js';
import type { JSONValue, Label, Level, Reason } from '../protocol/words.js';
import { outcomeKind } from '../run/outcome.js';
import { transition } from '../run/transition.js';
import { carryOut } from './act.js';
import { assessPlan, proposeCall } from './assess-plan.js';
import { type End, lastWords, next, RETRIES, type Task } from './conduct.js';
import { refusal } from './content.js';
import type { Core } from './core.js';
import { freshState } from './fresh.js';
import { look, opening, requestFor } from './opening.js';
import type { Persist } from './persist.js';
import { sortTurn } from './sort-turn.js';
import { listen } from './stream.js';

/** What a conductor needs of its engine. */
export interface House {
	readonly core: Core;
	readonly persist: Persist | undefined;
	/** Runs of a thread, in order. */
	thread(id: string): readonly Fold[];
	/** A run is over: the next may begin. */
	over(conductor: Conductor): void;
}

/** Carries one run: asks its records what is next, does it, records what came of it. */
export class Conductor {
	readonly fold = new Fold();
	readonly journal: JournalRecord[] = [];
	readonly returned: Promise<Outcome>;
	/** Aborts the request under way. */
	turnAbort: AbortController | undefined;
	/** Aborts the act under way, and tells it how long to wait after a stop. */
	actAbort: AbortController | undefined;
	#resolve!: (outcome: Outcome) => void;
	#busy = false;
	#driving = false;
	#again = false;
	#timer: { until: number; abort: AbortController } | undefined;
	#gone = false;
	#silent = false;

	constructor(readonly house: House) {
		this.returned = new Promise((resolve) => (this.#resolve = resolve));
	}

	get core(): Core {
		return this.house.core;
	}

	get id(): string {
		return this.fold.id;
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
		this.remark();
		if (this.fold.over) this.#resolve(this.fold.view().outcome!);
	}

	/** Labels of writes hold wherever what was written stands again: after a restore, after a redo. */
	remark(): void {
		const labels = new Map<string, Label>();
		for (const { kind, data } of this.journal) {
			if (kind !== 'effect.settled' && kind !== 'effect.late') continue;
			const written = data as unknown as Kinds['effect.settled'] | Kinds['effect.late'];
			if ('written' in written) labels.set(written.operation, written.written);
			for (const touch of written.marked ?? []) this.core.mark(touch, labels.get(written.operation)!);
		}
	}

	/**
	 * Appends a record. It stands in journal and state before anybody hears of it. An illegal move is refused, not made.
	 * @returns the record, or nothing where the run is over or cannot move so
	 */
	append<K extends Kind>(
		kind: K,
		data: Kinds[K],
		by: Actor = this.core.agent,
		run = this.id
	): JournalRecord | undefined {
		const { fold } = this;
		const verb = (data as { verb?: Parameters<typeof transition>[1] }).verb;
		if (this.#silent || (fold.over && !AFTERWARDS.has(kind))) return undefined;
		if (verb && transition(fold.state, verb, fold) === 'illegal') return undefined;
		const record = seal({
			run,
			seq: this.journal.length,
			at: this.core.clock.now(),
			kind,
			by: Object.isFrozen(by) ? by : { ...by },
			revision: kind === 'revision.accepted' ? (data as Kinds['revision.accepted']).n : fold.revision,
			data: compact(data) as unknown as JSONValue,
			prev: this.journal.at(-1)?.hash ?? GENESIS
		});
		this.journal.push(record);
		fold.apply(record);
		this.house.persist?.append(record);
		this.core.tellRecord(record);
		if (fold.over && verb) {
			this.#resolve(fold.view().outcome!);
			this.#timer?.abort.abort();
			this.house.over(this);
		}
		return record;
	}

	/** The engine was shut down: nothing is driven any more, and nothing recorded where the page was closed (`silent`). */
	leave(silent = false): void {
		this.#gone = true;
		this.#silent = silent;
		this.#timer?.abort.abort();
		this.turnAbort?.abort();
		this.actAbort?.abort();
	}

	get isGone(): boolean {
		return this.#gone;
	}

	/** Does what is next, until something has to be waited for. */
	drive(): void {
		if (this.#busy || this.#gone) return;
		if (this.#driving) {
			this.#again = true;
			return;
		}
		this.#driving = true;
		try {
			let going = true;
			while (going && !this.#gone) {
				this.#again = false;
				const now = this.core.clock.now();
				const task = next(this.fold, now, this.core.patience);
				const before = this.journal.length;
				going = this.#do(task);
				// The same records would ask for the same again, for ever.
				if (going && this.journal.length === before) throw new Error(`Nothing came of "${task.do}".`);
				going ||= this.#again;
			}
		} catch (error) {
			this.#failed(error);
		} finally {
			this.#driving = false;
		}
	}

	/** @returns whether to look again at once */
	#do(task: Task): boolean {
		switch (task.do) {
			case 'wait':
				this.#wake(task.until);
				return false;
			case 'end':
				this.end(task.end);
				return false;
			case 'record':
				this.#record(task.entry.kind, task.entry.data);
				return true;
			case 'open':
				this.#open(task);
				return true;
			case 'propose':
				proposeCall(this);
				return true;
			case 'assess':
				assessPlan(this);
				return true;
			case 'sort': {
				const work = sortTurn(this, task.turn);
				if (work) this.#follow(work);
				return !work;
			}
			case 'request':
				this.#follow(this.#request(task.turn));
				return false;
			case 'act':
				this.#follow(carryOut(this, task.memory));
				return false;
		}
	}

	/** Goes on when `work` has ended. */
	#follow(work: Promise<void>): void {
		this.#busy = true;
		const on = () => {
			this.#busy = false;
			this.drive();
		};
		work.then(on, (error: unknown) => {
			this.#busy = false;
			this.#failed(error);
		});
	}

	/** A fault of ours must not leave a person waiting: control returns. */
	#failed(error: unknown): void {
		this.core.safely(() => {
			throw error;
		});
		if (!this.fold.over && !this.#gone)
			this.end({
				reason: reason('threw', error instanceof Error ? error.message : undefined),
				broken: true
			});
	}

	#wake(until: number | undefined): void {
		if (this.#timer?.until === until) return;
		this.#timer?.abort.abort();
		this.#timer = undefined;
		if (until === undefined) return;
		const abort = new AbortController();
		this.#timer = { until, abort };
		this.core.clock.sleep(Math.max(0, until - this.core.clock.now()), abort.signal).then(
			() => {
				this.#timer = undefined;
				this.drive();
			},
			() => undefined
		);
	}

	#record<K extends Kind>(kind: K, data: Kinds[K]): void {
		if (kind !== 'step.closed') {
			this.append(kind, data);
			return;
		}
		const closed = data as Kinds['step.closed'];
		const { step, touches } = this.fold.steps.get(closed.step)!;
		const told = closed.performative === 'cancel' ? [] : touches;
		const { fresh, label } = freshState(this, step.instance, told);
		this.close({ ...closed, content: refusal(closed.reasons, { fresh }), label });
	}

	/** Closes a step that did not run. With the last one of a review that is settled, the run leaves it. */
	close(data: Kinds['step.closed']): void {
		const { state, openReview, planSteps } = this.fold;
		const last =
			state === 'reviewing' &&
			!openReview &&
			planSteps.every(({ step }) => step.id === data.step || isClosed(step) || isParked(step));
		this.append('step.closed', { ...data, verb: last ? 'plan' : undefined });
	}

	#open(task: Extract<Task, { do: 'open' }>): void {
		const { core, fold } = this;
		this.#relevel();
		const seen = look(core, fold);
		if (!task.wrapUp && !task.continues) this.#askConsent(seen.consentNeeded);
		this.append(
			'turn.opened',
			opening(core, fold, seen, {
				wrapUp: task.wrapUp,
				continues: task.continues
			})
		);
	}

	/** A level that was raised counts from the next turn. */
	#relevel(): void {
		const { core, fold } = this;
		const level = core.levelOf(fold.opened.most);
		if (isLower(fold.level, level)) this.append('level.set', { level, user: core.userLevel ?? level }, APP);
	}

	/** A level that was lowered counts at once. */
	lower(by: Actor): void {
		const level = this.core.levelOf(this.fold.opened.most);
		if (isLower(level, this.fold.level))
			this.append('level.set', { level, user: this.core.userLevel ?? level }, by);
	}

	/** One question a run for all private reads the context would have shown; it does not stop the run. */
	#askConsent(entries: readonly string[]): void {
		const { fold, core } = this;
		const asked = [...fold.questions.values()].some(
			({ question, call }) => question.reason === 'consent' && call === undefined
		);
		if (asked || entries.length === 0) return;
		this.append('question.asked', {
			question: {
				id: this.questionId(),
				run: fold.id,
				from: core.agent,
				text: `May ${core.identity.name} read these in this run?`,
				schema: { type: 'array', items: { type: 'string', enum: [...entries] }, uniqueItems: true },
				reason: 'consent',
				status: 'open'
			}
		});
	}

	questionId(): string {
		return `${this.fold.id}-q${this.fold.questions.size + 1}`;
	}

	async #request(turn: TurnMemory): Promise<void> {
		const { core, fold } = this;
		const abort = new AbortController();
		this.turnAbort = abort;
		const wrapUp = turn.opened.wrapUp === true;
		const heard = await listen({
			transport: core.options.transport,
			request: requestFor(core, fold, turn, this.house.thread(fold.opened.thread)),
			abort,
			clock: core.clock,
			silenceMs: core.patience.turnMs,
			leftMs: wrapUp ? core.patience.turnMs : fold.limit.ms - fold.ran(core.clock.now()),
			fresh: (id) => this.#freshId(id, turn.id),
			tell: (event) => core.tellEvent({ run: fold.id, turn: turn.id, after: fold.lastSeq, ...event })
		});
		this.turnAbort = undefined;
		if (this.#gone || fold.over) return;
		const usage = heard.usage ?? {
			input: core.estimate(turn.opened.context),
			output: core.estimate(heard.text + heard.calls.map(({ raw }) => raw).join('')),
			estimated: true
		};
		const { error } = heard;
		if (error?.retryable && !wrapUp && !fold.stopping && turn.revision === fold.revision) {
			const wait = error.afterMs ?? RETRIES[turn.failures];
			this.append('turn.failed', {
				turn: turn.id,
				text: heard.text,
				reason: error.reason,
				usage,
				retryAt: wait === undefined || error.reason.code === 'desync' ? undefined : core.clock.now() + wait
			});
			return;
		}
		this.append('turn.closed', {
			turn: turn.id,
			text: heard.text,
			end: error ? 'error' : heard.end!,
			// What a broken turn asked for never runs and never comes up again.
			calls: error ? [] : heard.calls,
			usage,
			echo: error ? undefined : heard.echo,
			reason: turn.revision === fold.revision ? (error?.reason ?? heard.refusal) : reason('superseded'),
			interrupts: heard.interrupts.length > 0 ? heard.interrupts : undefined
		});
	}

	/** Providers may number their calls anew each turn; a run's calls have ids of their own. */
	#freshId(id: string, turn: string): string {
		const { calls } = this.fold;
		const known = calls.get(id);
		return known === undefined || known.turn === turn ? id : `${id}-${turn}`;
	}

	/** Ends the run; control is the person's again. */
	end(end: End): void {
		const { fold } = this;
		const { stopping } = fold;
		const effects = [...fold.effects.values()].map(({ entry }) => entry);
		const confirmed = effects.filter(({ status }) => status === 'confirmed').length;
		const steps = [...fold.steps.values()].map(({ step }) => step);
		const exhausted = end.exhausted === true;
		const expired = end.reason?.code === 'expired';
		const kind = outcomeKind({
			superseded: stopping?.superseded === true,
			interrupted: stopping !== undefined,
			broken: end.broken === true || (expired && confirmed > 0),
			exhausted,
			refused: end.refused === true || (expired && confirmed === 0 && !exhausted),
			proposed: fold.level === 'suggest' && steps.some(({ status }) => status === 'proposed'),
			steps: steps.length,
			admitted: fold.admitted,
			confirmed,
			faulty: effects.filter(({ status }) => status === 'failed' || status === 'unknown').length
		});
		const value = fold.opened.call ? steps[0]?.result : undefined;
		const text = end.text ?? (exhausted ? lastWords(fold).text : undefined) ?? fold.turn?.text;
		const data = {
			kind,
			reason: end.reason,
			text,
			value
		};
		// Nobody cancelled what a closed page left behind.
		const cancelled = !fold.admitted && !stopping?.superseded && stopping?.reason?.code !== 'recovery';
		const verb = stopping && cancelled ? 'cancel' : 'return';
		this.append('run.ended', { verb, ...data });
	}

	/** Is a value of this read the run's to see? Then its label counts as shown. */
	readFor(instance: string, read: string, key?: string): { value: JSONValue; label: Label } | Reason {
		const { core, fold } = this;
		const entry = core.registry.entry(instance);
		if (!entry) return reason('unknown-instance', `No instance "${instance}" is mounted.`);
		if (!fold.covers(instance)) return reason('scope');
		const declared = Object.hasOwn(entry.manifest.reads, read) ? entry.manifest.reads[read] : undefined;
		if (!declared) return reason('args-invalid', `"${instance}" has no read "${read}".`);
		const verdict = core.consent(fold, entry, read);
		if (verdict !== 'allow') return reason(verdict === 'ask' ? 'consent' : 'denied');
		const out = readValue(entry, read, key);
		if (!out.ok) return out.reason;
		return { value: out.value, label: core.labelOf(entry, read, out.label, key) };
	}

	/** The label a read declares, for results that carry no value of it. */
	declaredLabel(instance: string, read: string): Label | undefined {
		const entry = this.core.registry.entry(instance);
		const declared = entry?.manifest.reads[read];
		return declared && readLabel(declared, `${instance}.${read}`);
	}
}
