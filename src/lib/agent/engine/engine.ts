import { type Actor, APP, currentCause } from '../../actor/actor.js';
import { type ConsentVerdict, isEntry, type ReadConsent, VERDICTS } from '../capability/consent.js';
import type { CapabilityRegistry } from '../capability/registry.js';
import { room } from '../gate/budget.js';
import { effectiveLevel, isLower } from '../gate/level.js';
import { canonicalJSON } from '../protocol/canonical-json.js';
import { verify } from '../journal/chain.js';
import { copyArgs, copyJSON, isObject } from '../journal/copy.js';
import { sha256 } from '../protocol/sha256.js';
import { type Blobs, deflate, restore } from '../journal/stored.js';
import type { Fold } from '../journal/fold.js';
import type { Kinds } from '../journal/kinds.js';
import type { JournalStore } from '../protocol/ports.js';
import { capped, LIMITS } from '../protocol/budget.js';
import { type Code, reason } from '../protocol/codes.js';
import { CLEAN, from, join, over, strange, UNKNOWN } from '../protocol/labels.js';
import type { EngineSnapshot, JournalRecord } from '../protocol/records.js';
import type { DecisionReport, Pending, RecoveryReport, RunState, UndoReport } from '../protocol/run-state.js';
import type { AgentEvent } from '../protocol/turn.js';
import type { Budget, Label, Level, Reason } from '../protocol/words.js';
import { LEVELS, wanted, who, words } from './border.js';
import { artifacts, spentUp } from './conduct.js';
import { Conductor, type House } from './conductor.js';
import { Core } from './core.js';
import type { Keeper } from './keeper.js';
import type { AgentIdentity, AgentOptions, Goal, RunOptions } from './options.js';
import { loadKeeper, loadTurnSide, onDemand } from './on-demand.js';
import { pendingOf } from './pending.js';
import { needsTurnSide, recover } from './recover.js';
import { remark } from './remark.js';
import { no, OK, type Run, RunHandle } from './run.js';

/**
 * Conducts runs: one delegation each, from the offer to the return of control. Pure: no framework, no DOM; whatever it needs
 * of its surroundings is a port. Governance never throws and never rejects: refusals are values with a code.
 * @example
 * const engine = new EngineAgent({ identity: { id: 'ada', name: 'Ada', description: 'helps with invoices' }, transport })
 * const run = engine.run('Fill in the invoice from the letter')
 * const outcome = await run.returned
 * @since 0.1.0
 */
export class EngineAgent {
	readonly identity: AgentIdentity;
	readonly registry: CapabilityRegistry;
	/** Resolves when runs found open in the store have been dealt with. */
	readonly ready: Promise<RecoveryReport>;
	readonly #core: Core;
	readonly #house: House;
	readonly #runs = new Map<string, RunHandle>();
	#disposed = false;
	/** What a store holds is not known yet: until then nothing begins. */
	#loading: boolean;
	/** Ends the watch for components that can tell what became of an act. */
	#asking: (() => void) | undefined;
	/** Keeps the runs, where there is a store. */
	#keeper: Keeper | undefined;

	constructor(options: AgentOptions) {
		this.#core = new Core(options);
		this.identity = this.#core.identity;
		this.registry = this.#core.registry;
		const { store } = options;
		this.#loading = store !== undefined && !options.inert;
		const keeper = () => this.#keeper;
		this.#house = {
			core: this.#core,
			get keeper() {
				return keeper();
			},
			get persist() {
				return keeper()?.persist;
			},
			fold: (id) => this.#runs.get(id)?.conductor.fold,
			conductor: (id) => this.#runs.get(id)?.conductor,
			thread: (id) => this.#thread(id),
			runs: () => this.#all.map(({ fold }) => fold),
			over: () => this.#startNext()
		};
		this.ready = this.#loading ? this.#load(store!) : Promise.resolve(NOTHING_FOUND);
	}

	/**
	 * Delegates. Starts at once, or behind the live run (see `whenBusy`). Begun while an act performs, or with the actor of an
	 * act (`call.actor`) as `by`, it belongs to the run of that act, and never waits for it.
	 */
	run(goal: string | Goal, options: RunOptions = {}): Run {
		return this.#open(goal, options, false);
	}

	/** Proposes a delegation; nothing happens until somebody accepts it. */
	offer(goal: string | Goal, options: RunOptions = {}): Run {
		return this.#open(goal, options, true);
	}

	get runs(): readonly RunState[] {
		return Object.freeze(this.#all.map((conductor) => conductor.view()));
	}

	get(run: string): Run | undefined {
		return this.#runs.get(run);
	}

	/** Hears of which run it is another place than before where it is carried on. @internal */
	onmove(listener: (run: string) => void): () => void {
		return this.#core.onmove(listener);
	}

	/** Everything that waits for a person, over all runs. */
	get pending(): readonly Pending[] {
		return Object.freeze(this.#all.flatMap(pendingOf));
	}

	get #all(): Conductor[] {
		return [...this.#runs.values()].map(({ conductor }) => conductor);
	}

	/** Hears every record, after it stands in journal and state. @returns the end of the subscription */
	subscribe(listener: (record: JournalRecord) => void): () => void {
		return this.#core.subscribe(listener);
	}

	/** Hears what is happening while it happens: paint, nothing to decide on. @returns the end of the subscription */
	on(listener: (event: AgentEvent) => void): () => void {
		return this.#core.on(listener);
	}

	/** Takes back what a run did, in every participant it touched, as one; says what had to stay. */
	undo(run: string, by: Actor = APP): Promise<UndoReport> {
		return this.#turnBack(run, 'undo', who(by));
	}

	redo(run: string, by: Actor = APP): Promise<UndoReport> {
		return this.#turnBack(run, 'redo', who(by));
	}

	#turnBack(run: string, way: 'undo' | 'redo', by: Actor): Promise<UndoReport> {
		const conductor = this.#runs.get(run)?.conductor;
		const not = (refused?: Reason): UndoReport => ({ ok: false, refused, parts: {} });
		if (!conductor) return Promise.resolve(not(reason('run-over', 'There is no such run.')));
		const now = () => onDemand.turnSide?.takeBack(conductor, way, by);
		return now() ?? loadTurnSide(this.#core).then((refused) => now() ?? not(refused));
	}

	/** A lower level counts at once, a higher one from the next turn. Only a person may raise it. Codes: args, person-required. */
	setLevel(level: Level, by: Actor = APP): DecisionReport {
		if (!LEVELS.has(level)) return no('args', 'Say suggest, review or auto.');
		by = who(by);
		const core = this.#core;
		const before = effectiveLevel(core.userLevel ?? core.policy.ceiling);
		const next = effectiveLevel(level);
		if (by.kind !== 'human' && isLower(before, next)) return no('person-required');
		core.userLevel = next;
		core.userBy = by;
		for (const conductor of this.#all) if (!conductor.fold.over) conductor.relevel(by);
		core.tellSwitch();
		return OK;
	}

	/** The most the app allows, and what the person set; the lower of the two counts. For a switch and a word about it. */
	get levels(): Readonly<Record<'ceiling' | 'user', Level>> {
		const { ceiling, user } = this.#core.policy;
		return { ceiling: effectiveLevel(ceiling), user: effectiveLevel(user ?? ceiling) };
	}

	/** Hears that {@link levels} may have changed. @internal */
	onlevel(listener: () => void): () => void {
		return this.#core.onswitch(listener);
	}

	/**
	 * Switches live what reads may leave; a tighter verdict counts at once, also against what was answered in a run. Only a
	 * person may loosen. Codes: args, person-required.
	 */
	setConsent(entry: string, verdict: ConsentVerdict, by: Actor = APP): DecisionReport {
		by = who(by);
		if (!isEntry(entry) || !VERDICTS.includes(verdict))
			return no('args', 'Name an entry, and say allow, ask or deny.');
		if (by.kind !== 'human' && !this.#core.tightens(entry, verdict)) return no('person-required');
		this.#core.setConsent(entry, verdict);
		for (const conductor of this.#all) {
			if (!conductor.live) continue;
			conductor.append('consent.set', { entry, verdict }, by);
			conductor.reconsent(by);
		}
		return OK;
	}

	/**
	 * What may leave of all that is mounted, read by read, and what decides it: for switches and for a word about it.
	 * @see ReadConsent
	 */
	get consents(): readonly ReadConsent[] {
		return this.#core.consents(this.#all.find(({ live }) => live)?.fold);
	}

	/** Hears that {@link consents} may have changed. @internal */
	onconsent(listener: () => void): () => void {
		const off = [
			this.#core.registry.subscribe(listener),
			this.#core.onswitch(listener),
			this.subscribe(({ kind }) => /^(run|question)\./.test(kind) && listener())
		];
		return () => off.forEach((end) => end());
	}

	/**
	 * A caller without a model: a rule, a macro, a browser agent. One step, through the same door. Made while an act performs,
	 * it belongs to the run of that act, whoever `from` is.
	 */
	call(from: Actor, instance: string, act: string, args: unknown): Run {
		from = who(from);
		const copy = copyArgs(args ?? {});
		const named = words(instance) !== undefined && words(act) !== undefined;
		const call = named ? { instance, act, args: copy.ok ? copy.value : null } : NO_CALL;
		const run = this.#make(`${call.instance}.${call.act}`, { by: from }, { call });
		const { conductor } = run;
		if (this.#shut) return this.#refuse(run, this.#shut);
		if (!named) return this.#refuse(run, reason('args', 'Name an instance and an act.'));
		if (!copy.ok) return this.#refuse(run, copy.reason);
		conductor.append('run.started', { label: CLEAN }, from);
		queueMicrotask(() => conductor.drive());
		return run;
	}

	snapshot(): EngineSnapshot {
		const blobs: Blobs = {};
		const runs = this.#all.map(({ journal }) => deflate(journal, blobs));
		return { version: 1, runs, blobs };
	}

	/** An engine that goes on where a snapshot was taken; open runs are dealt with by `recovery`. */
	static restore(options: AgentOptions, snapshot: EngineSnapshot): EngineAgent {
		const engine = new EngineAgent({ ...options });
		const found = snapshot.runs.flatMap((run) => {
			const id = run[0]?.run;
			return id === undefined || engine.#runs.has(id)
				? []
				: (engine.#adopt(restore(run, snapshot.blobs)) ?? []);
		});
		engine.#recall(found.flatMap(({ journal }) => journal));
		(engine as { ready: Promise<RecoveryReport> }).ready = engine.ready.then(async (before) => {
			const report = await engine.#recover(found);
			const both = (part: keyof RecoveryReport) => [...before[part], ...report[part]];
			return { returned: both('returned'), resumed: both('resumed'), unknown: both('unknown') };
		});
		return engine;
	}

	/** Stops what is live and lets go of everything. */
	async dispose(): Promise<void> {
		if (this.#disposed) return;
		this.#disposed = true;
		const open = [...this.#runs.values()].filter(
			({ conductor: { fold, elsewhere } }) => !fold.over && !elsewhere
		);
		for (const run of open) run.halt(reason('disposed'), APP);
		await Promise.all(open.map(({ returned }) => returned));
		for (const conductor of this.#all) conductor.leave();
		this.#keeper?.leave();
		this.#asking?.();
		this.#core.leave();
	}

	/** Lets go without a word, as a closed page does. What was recorded stays; nothing is settled. @internal */
	abandon(): void {
		this.#disposed = true;
		for (const conductor of this.#all) conductor.leave(true);
		this.#keeper?.leave();
	}

	#open(goal: string | Goal, options: RunOptions, offer: boolean): Run {
		const asked = wanted(goal, options);
		const { text, attachments, options: more } = asked ?? NO_RUN;
		const run = this.#make(text, more, {
			attachments: attachments.map(({ name, text, label = {} }) => ({
				name,
				text,
				label: over({ ...UNKNOWN, sources: [`attachment:${name}`] }, label)
			})),
			offer: offer || undefined,
			replaces: more.whenBusy === 'supersede' || undefined
		});
		if (this.#shut) return this.#refuse(run, this.#shut);
		if (!asked) return this.#refuse(run, reason('args', 'The goal or an option of the run cannot be used.'));
		const { fold } = run.conductor;
		const short = this.#short(fold, more.budget);
		if (short) return this.#refuse(run, short);
		if (offer) return run;
		const busy = [...this.#runs.values()].filter(
			({ conductor }) => conductor.live && !isAbove(conductor.fold, fold)
		);
		if (busy.length > 0 && more.whenBusy === 'refuse') return this.#refuse(run, reason('run-live'));
		if (more.whenBusy === 'supersede')
			for (const other of busy) other.halt(reason('superseded'), fold.principal, true);
		this.#startNext();
		return run;
	}

	/** Why nothing can begin here. */
	get #shut(): Reason | undefined {
		if (this.#disposed) return reason('disposed');
		return this.#core.options.inert ? reason('server') : undefined;
	}

	/** Which limit of the runs above leaves less than was asked for, or nothing to begin with. */
	#short(run: Fold, asked: Partial<Budget> = {}): Reason | undefined {
		const { budget } = run.opened;
		const wanted = capped(this.#core.budget, asked);
		const limit =
			run.above &&
			(LIMITS.find((one) => Object.hasOwn(asked, one) && wanted[one] > budget[one]) ??
				BEGINNING.find((one) => budget[one] <= 0));
		return limit && spentUp(run, limit, this.#core.clock.now());
	}

	#refuse(run: RunHandle, why: Reason): Run {
		run.conductor.append('run.ended', { verb: 'return', kind: 'refused', reason: why });
		return run;
	}

	#make(
		goal: string,
		options: RunOptions,
		more: Pick<Kinds['run.opened'], 'attachments' | 'offer' | 'replaces' | 'call'>
	): RunHandle {
		const core = this.#core;
		const { by = APP, successorOf } = options;
		const { id: agent, name, version } = core.identity;
		const id = core.ids.next('run');
		// A run that an act of another run began draws on what that one and those above it have left, and may no more. Who is
		// said to begin it names that run, or it is seen: it does not matter whom the act names.
		const known = (run = '') => this.#runs.get(run)?.conductor.fold;
		const above = known(by.kind === 'outside' ? undefined : by.run) ?? known(currentCause().run);
		const before = successorOf === undefined ? undefined : known(successorOf);
		const most = above ? effectiveLevel(options.level, above.level) : options.level;
		const instances = scopeOf(options.instances, above);
		const level = core.levelOf(most);
		const root = above?.opened.root ?? id;
		const wanted = capped(core.budget, options.budget);
		const budget = above ? capped(wanted, room(above, core.clock.now())) : wanted;
		const policy = core.frozen(level);
		// All is made before anything is known of the run: what throws here leaves no trace.
		const opened: Kinds['run.opened'] = {
			thread: options.thread ?? core.ids.next('thread'),
			root,
			parent: above?.id,
			principal: by,
			agent: { id: agent, name, version },
			goal,
			level,
			budget,
			policy,
			contract: this.#contract(level, budget, policy),
			label: goalLabel(by, above),
			nonce: Math.floor(core.random.next() * 2 ** 48).toString(36),
			most,
			instances,
			successorOf,
			artifacts: before && artifacts(before),
			...more
		};
		const run = this.#register(new Conductor(this.#house), id);
		run.conductor.append('run.opened', opened, by, id);
		return run;
	}

	#register(conductor: Conductor, id: string): RunHandle {
		const run = new RunHandle(conductor, (text, by) => {
			const { thread } = conductor.fold.opened;
			return this.run(text, { by, thread, successorOf: id });
		});
		this.#runs.set(id, run);
		return run;
	}

	/** Hash of what a run is started under. */
	#contract(level: Level, budget: object, policy: object): string {
		const { identity, instructions = '' } = this.#core.options;
		const { version } = this.#core.policy;
		const declared = copyJSON({ identity, instructions, level, budget, policy, version });
		return sha256(canonicalJSON(declared.ok ? declared.value : null));
	}

	#thread(id: string): Fold[] {
		return this.#all
			.map(({ fold }) => fold)
			.filter((fold) => fold.opened?.thread === id && (fold.started || fold.turns.length > 0));
	}

	/** The live run is over, or one was accepted: the next in line begins. */
	#startNext(): void {
		if (this.#shut || this.#loading) return;
		const all = this.#all;
		const live = all.filter(({ live }) => live);
		// An act may wait for the run it began: behind those above it, that one would never begin.
		const waiting = all.filter(
			({ fold, elsewhere }) =>
				!fold.started &&
				!fold.over &&
				!elsewhere &&
				!fold.opened.call &&
				(!fold.opened.offer || fold.accepted) &&
				live.every((one) => isAbove(one.fold, fold))
		);
		// Who replaces the live run takes its place, before those that wait behind it.
		const next = waiting.find(({ fold }) => fold.opened.replaces) ?? waiting[0];
		if (!next) return;
		// Carried history brings its labels.
		const label = this.#thread(next.fold.opened.thread)
			.map((fold) => this.#worth(fold))
			.reduce(join, CLEAN);
		next.append('run.started', { label });
		queueMicrotask(() => next.drive());
	}

	/** The label of a run for those after it; what was altered in a store since may have said anything. */
	#worth({ id, label }: Fold): Label {
		const { adopted, journal } = this.#runs.get(id)!.conductor;
		return adopted && verify(journal).length > 0 ? join(label, UNKNOWN) : label;
	}

	/** Takes a run of another engine over, in the place of what is known of it. */
	#adopt(journal: readonly JournalRecord[]): Conductor | undefined {
		const id = journal[0]?.run;
		if (id === undefined) return undefined;
		const conductor = new Conductor(this.#house);
		const known = this.#runs.get(id);
		const before = known?.conductor.fold;
		try {
			conductor.load(journal);
		} catch (error) {
			// One that says what cannot be is left where it lies, and keeps no other from being dealt with.
			this.#core.report(error);
			return undefined;
		}
		if (before) conductor.fold.replaces(before);
		if (known) known.carry(conductor);
		else this.#register(conductor, id);
		return conductor;
	}

	/** What records of engines before this one say of settings, and of what stands on the page. */
	#recall(records: readonly JournalRecord[]): void {
		const whole = records.filter(({ data }) => isObject(data));
		this.#core.safely(() => this.#core.recall(whole));
		this.#core.safely(() => remark(this.#core, whole));
	}

	/** What keeps runs is loaded where there is a store, and is there before anything begins. */
	async #load(store: JournalStore): Promise<RecoveryReport> {
		let made: typeof import('./keeper.js') | undefined;
		while (!(made = onDemand.keeper ?? (await loadKeeper(this.#core))))
			if (this.#disposed) return NOTHING_FOUND;
		const keeper = new made.Keeper(store, {
			core: this.#core,
			all: () => this.#all,
			get: (id) => this.#runs.get(id)?.conductor,
			put: (journal) => this.#adopt(journal),
			recover: (found, how) => this.#recover(found, how),
			recall: (records) => this.#recall(records),
			moved: (id) => this.#core.tellMove(id)
		});
		this.#keeper = keeper;
		if (this.#disposed) keeper.leave();
		// What was asked for meanwhile has records already.
		for (const { journal, fold } of this.#all) {
			for (const record of journal) keeper.persist.append(record);
			if (fold.over) keeper.persist.end(fold.id);
		}
		return keeper.load();
	}

	/** Deals with runs that were found open; those begun here are nobody's leftovers. */
	async #recover(found: readonly Conductor[], how?: 'resume'): Promise<RecoveryReport> {
		const recovery = how ?? this.#core.options.recovery ?? 'return';
		for (const conductor of found) {
			const [violation] = conductor.fold.over ? [] : verify(conductor.journal);
			if (violation) conductor.append('stop.requested', { reason: reason(violation.law as Code) }, APP);
		}
		this.#loading = false;
		// What became of an act is never guessed: a page that cannot load what looks is not ready.
		while (!onDemand.turnSide && needsTurnSide(found, recovery)) {
			if (this.#disposed) return NOTHING_FOUND;
			await loadTurnSide(this.#core);
		}
		const report = recover(found, recovery);
		this.#startNext();
		for (const id of report.resumed) this.#runs.get(id)!.conductor.drive();
		this.#reconcile();
		return report;
	}

	/** What became of an act is asked where it can be told, as soon as what can tell is mounted. */
	#reconcile(): void {
		const ask = () => {
			const unsure = this.#all.filter(({ fold, elsewhere }) => fold.unsettled.size > 0 && !elsewhere);
			for (const conductor of unsure)
				void loadTurnSide(this.#core).then(() => onDemand.turnSide?.reconcile(conductor));
			return unsure.length > 0;
		};
		if (ask()) this.#asking ??= this.#core.registry.subscribe(ask);
	}
}

const NO_RUN: NonNullable<ReturnType<typeof wanted>> = { text: '', attachments: [], options: {} };

/** What no run can begin without. */
const BEGINNING = ['acts', 'turns', 'tokens', 'ms'] as const;

const NO_CALL = { instance: '', act: '', args: null };

const NOTHING_FOUND: RecoveryReport = Object.freeze({ returned: [], resumed: [], unknown: [] });

/** Instances a run may use: those it was given, as far as the run above it may use them. */
function scopeOf(
	given: readonly string[] | undefined,
	above: Fold | undefined
): readonly string[] | undefined {
	const { instances } = above?.opened ?? {};
	if (!instances) return given;
	const most = [...instances, ...above!.widened];
	return given ? given.filter((instance) => most.includes(instance)) : most;
}

/** Is `one` among the runs above `run`? */
function isAbove(one: Fold, run: Fold): boolean {
	for (let at = run.above; at; at = at.above) if (at === one) return true;
	return false;
}

/**
 * A goal is a person's or the app's own word; a stranger's is a stranger's, and an agent's, or what an act of its run asks
 * for in another name, is worth what that run has seen.
 */
function goalLabel({ kind }: Actor, above: Fold | undefined): Label {
	const unknown = kind === 'outside' || (kind === 'agent' && !above);
	const agents = kind === 'agent' || (above && !above.opened.call);
	const own = unknown
		? strange('goal')
		: from(agents ? 'agent' : kind === 'human' ? 'user' : 'app', 'public', ['goal']);
	return above ? join(above.label, own) : own;
}
