import type { Actor } from '../../actor/actor.js';
import {
	type Consent,
	consentsOf,
	consentTo,
	type ConsentVerdict,
	entriesOf,
	type ReadConsent,
	type Subject,
	subjectOf,
	takeConsent
} from '../capability/consent.js';
import { estimateTokens } from '../capability/estimate.js';
import type { Entry } from '../capability/registry.js';
import { createRegistry, Registry } from '../capability/registry.js';
import { pageLocks } from '../effects/locks.js';
import { isStanding, raise, raisedLabel } from '../effects/raised.js';
import type { Policy } from '../gate/assess.js';
import { freeze } from '../gate/frozen.js';
import { effectiveLevel } from '../gate/level.js';
import { ruleFaults } from '../gate/rule.js';
import { valueOf, versionOf } from '../gate/touched.js';
import { compact } from '../journal/compact.js';
import { isObject } from '../journal/copy.js';
import type { Fold } from '../journal/fold.js';
import type { KnownRecord } from '../journal/kinds.js';
import { BUDGET, capped } from '../protocol/budget.js';
import type { FrozenPolicy } from '../protocol/policy.js';
import type { Clock, Ids, LockPort, Random } from '../protocol/ports.js';
import type { JournalRecord } from '../protocol/records.js';
import type { AgentEvent } from '../protocol/turn.js';
import type { Budget, JSONValue, Label, Level, Touch } from '../protocol/words.js';
import { LEVELS } from './border.js';
import type { AgentIdentity, AgentOptions } from './options.js';
import { createIds, systemClock, systemRandom } from './ports.js';

const DAY = 24 * 60 * 60 * 1000;

/** What all runs of one engine share: its options with every default filled in, and its listeners. */
export class Core {
	readonly identity: AgentIdentity;
	readonly registry: Registry;
	readonly clock: Clock;
	readonly ids: Ids;
	readonly random: Random;
	readonly locks: LockPort;
	readonly budget: Budget;
	readonly patience: { reviewMs: number; escalationMs: number; settleMs: number; turnMs: number };
	readonly contextTokens: number;
	readonly toolTokens: number;
	readonly estimate: (text: string) => number;
	/** The agent as the one who acts. */
	readonly agent: Actor;
	userLevel: Level | undefined;
	/** How often consent was switched. */
	switched = 0;
	/** Who set it, where the app did not. */
	userBy: Actor | undefined;
	readonly #consent: Consent;
	readonly #switches = new Set<(told: void) => void>();
	readonly #moves = new Set<(run: string) => void>();
	readonly #records = new Set<(record: JournalRecord) => void>();
	readonly #events = new Set<(event: AgentEvent) => void>();
	/** Labels of writes into what is not mounted yet. */
	readonly #owed = new Set<Parameters<Core['mark']>>();
	#unwatch: (() => void) | undefined;
	readonly #untold: JournalRecord[] = [];
	#reported = false;

	constructor(readonly options: AgentOptions) {
		const { identity, patience = {}, context = {}, consent } = options;
		this.identity = identity;
		// An own registry class is the only maker of registries.
		this.registry = (options.registry ?? createRegistry()) as Registry;
		if (!(this.registry instanceof Registry))
			throw new TypeError('The option "registry" was not made by createRegistry(): make it with that.');
		this.clock = options.clock ?? systemClock;
		this.random = options.random ?? systemRandom;
		this.registry.random ??= this.random;
		this.ids = options.ids ?? createIds(this.random);
		this.locks = options.locks ?? pageLocks;
		this.budget = capped({ ...BUDGET, ...onlyFinite(options.budget) }, {});
		const { reviewMs, escalationMs, settleMs, turnMs } = patience;
		this.patience = {
			reviewMs: span(reviewMs, DAY),
			escalationMs: span(escalationMs, DAY),
			settleMs: span(settleMs, 10_000),
			turnMs: span(turnMs, 60_000)
		};
		this.contextTokens = context.tokens ?? 4000;
		this.toolTokens = context.toolTokens ?? 8000;
		this.estimate = guarded(context.estimate);
		this.userLevel = options.policy?.user;
		this.#consent = takeConsent(consent);
		const { id, name, version } = identity;
		this.agent = Object.freeze(compact({ kind: 'agent' as const, id, name, version }));
		// They deny all the same; whoever wrote them should not have to find out from a run.
		for (const fault of ruleFaults(this.policy.rules)) console.error(fault);
		for (const option of unusable(options))
			console.error(`The option "${option}" cannot be used: see its default.`);
		const { fault } = this.#consent;
		if (fault !== undefined)
			console.error(`The option "consent" cannot be read (${fault}): nothing leaves until it is put right.`);
	}

	/** The policy at this moment: tightening counts at once. */
	get policy(): Policy {
		const { policy = {} } = this.options;
		return {
			ceiling: policy.ceiling ?? 'review',
			user: this.userLevel,
			rules: policy.rules ?? [],
			version: policy.version ?? '0'
		};
	}

	/** The policy at this moment, as it is recorded with a run of this level. */
	frozen(level: Level): FrozenPolicy {
		return freeze(this.policy, level, this.userBy);
	}

	/** The level of a run under the present settings. */
	levelOf(most: Level | undefined): Level {
		const { ceiling, user } = this.policy;
		return effectiveLevel(ceiling, user, most);
	}

	/** Would this verdict on an entry let less leave than before? */
	tightens(entry: string, verdict: ConsentVerdict): boolean {
		return verdict === 'deny' || (verdict === 'ask' && !this.#consent.deny.includes(entry));
	}

	setConsent(entry: string, verdict: ConsentVerdict): void {
		for (const list of ['allow', 'ask', 'deny'] as const)
			this.#consent[list] = this.#consent[list].filter((one) => one !== entry);
		this.#consent[verdict].push(entry);
		this.switched += 1;
		this.tellSwitch();
	}

	/** Something of the person's settings is another than before. */
	tellSwitch(): void {
		for (const listener of [...this.#switches]) this.safely(listener);
	}

	/** What people tightened under an earlier engine, by its records, holds under this one; it loosens nothing. */
	recall(found: readonly JournalRecord[]): void {
		let user: Level | undefined;
		let userBy: Actor | undefined;
		const consent = new Map<string, ConsentVerdict>();
		for (const { kind, data, by } of [...found].sort((a, b) => a.at - b.at) as unknown as KnownRecord[])
			if (kind === 'level.set') [user, userBy] = [data.user, by];
			else if (kind === 'consent.set') consent.set(data.entry, data.verdict);
		if (user !== undefined && user !== this.userLevel) {
			this.userLevel = effectiveLevel(this.userLevel, user);
			if (this.userLevel === user) this.userBy = userBy;
		}
		for (const [entry, verdict] of consent)
			if (this.tightens(entry, verdict)) this.setConsent(entry, verdict);
	}

	/** May a read leave, in this run? */
	consent(run: Fold, entry: Entry, read: string): ConsentVerdict {
		const subject = subjectOf(entry, read);
		return subject ? this.mayLeave(run, subject) : 'deny';
	}

	/** The same for a read that need not be mounted any more. An answer lifts only the question, never a denial. */
	mayLeave(run: Fold, subject: Subject): ConsentVerdict {
		const { verdict } = consentTo(this.#consent, subject);
		return verdict === 'ask' && agreed(run, subject) ? 'allow' : verdict;
	}

	/** What may leave of all that is mounted, in the run that is live. */
	consents(run: Fold | undefined): readonly ReadConsent[] {
		return consentsOf(this.#consent, this.registry.entries(), (read) => !!run && agreed(run, read));
	}

	/** Hears that something was switched. */
	onswitch(listener: () => void): () => void {
		return hear(this.#switches, listener);
	}

	/** The label that holds for a read: declared, joined with what agents wrote into it. */
	labelOf(entry: Entry, read: string, label: Label, key?: string): Label {
		const provider = entry.provider();
		return provider === undefined
			? label
			: raisedLabel(entry, provider, read, entry.manifest.reads[read]!, label, key);
	}

	/**
	 * Puts the label of an earlier write on what stands there now; on what is not mounted yet, once it is.
	 * @param was what that write left, where it is known: what people have replaced since is theirs
	 */
	mark(
		...write: [touch: Touch & { instance: string }, label: Label, unsure?: boolean, was?: JSONValue]
	): void {
		if (this.#marked(...write)) return;
		if (this.#owed.size === 0)
			this.#unwatch = this.registry.subscribe(() => {
				for (const owed of this.#owed) if (this.#marked(...owed)) this.#owed.delete(owed);
				if (this.#owed.size === 0) this.#unwatch?.();
			});
		this.#owed.add(write);
	}

	/** Nothing is owed any more. */
	leave(): void {
		this.#owed.clear();
		this.#unwatch?.();
	}

	#marked(...[touch, label, unsure, was]: Parameters<Core['mark']>): boolean {
		const { instance, read } = touch;
		const entry = this.registry.entry(instance);
		if (!entry || versionOf(this.registry, touch) === undefined) return false;
		const value = touch.key === undefined ? valueOf(this.registry, touch) : undefined;
		// A whole of several fields is marked field by field: who edits one makes no other their own.
		const keys = isObject(value) ? Object.keys(value) : [];
		for (const key of keys.length > 0 ? keys : [touch.key]) {
			const one = { instance, read, key };
			const now = unsure ? undefined : versionOf(this.registry, one);
			const present = valueOf(this.registry, one);
			const old = keys.length > 0 && isObject(was) ? (was[key!] as JSONValue | undefined) : was;
			const replaced = old !== undefined && present !== undefined && !isStanding(old, present);
			if (!replaced || entry.manifest.reads[read]!.trust !== 'user')
				raise(entry, read, key, label, now, present);
		}
		return true;
	}

	/** Hears of which run it is another place than before where it is carried on. */
	onmove(listener: (run: string) => void): () => void {
		return hear(this.#moves, listener);
	}

	tellMove(run: string): void {
		for (const listener of [...this.#moves]) this.safely(() => listener(run));
	}

	subscribe(listener: (record: JournalRecord) => void): () => void {
		return hear(this.#records, listener);
	}

	on(listener: (event: AgentEvent) => void): () => void {
		return hear(this.#events, listener);
	}

	/** A listener that decides something makes records while one is told: all hear all, in order. */
	tellRecord(record: JournalRecord): void {
		this.#untold.push(record);
		if (this.#untold.length > 1) return;
		const { onhead } = this.options;
		for (const told of this.#untold) {
			for (const listener of [...this.#records]) this.safely(() => listener(told));
			if (onhead) this.safely(() => onhead(told.run, told.seq, told.hash));
		}
		this.#untold.length = 0;
	}

	tellEvent(event: AgentEvent): void {
		for (const listener of [...this.#events]) this.safely(() => listener(event));
	}

	/** A fault of a listener is its own; it is reported once and never disturbs a run. */
	safely(call: () => unknown): void {
		try {
			const out = call();
			if (typeof out === 'object' && out !== null)
				Promise.resolve(out).catch((error: unknown) => this.report(error));
		} catch (error) {
			this.report(error);
		}
	}

	/** Says once that something of ours or of a listener failed. */
	report(error: unknown): void {
		if (!this.#reported) console.error('A listener of the agent threw; this is reported once.', error);
		this.#reported = true;
	}
}

/** Did a person agree to the read in this run, and was nothing that covers it tightened since? */
function agreed(run: Fold, subject: Subject): boolean {
	const since = run.consents.get(`#${subject.instance}.${subject.read}`);
	return since !== undefined && entriesOf(subject).every((entry) => !(run.tightened.get(entry)! > since));
}

/** A wait in milliseconds that can be written down: without end means a hundred years. */
const span = (ms: number | undefined, otherwise: number): number =>
	typeof ms === 'number' && ms >= 0 ? Math.min(ms, 36_500 * DAY) : otherwise;

/** An estimator of the app, as far as it gives figures that can be counted with. */
const guarded =
	(own?: (text: string) => number) =>
	(text: string): number => {
		try {
			const count = own?.(text);
			if (typeof count === 'number' && Number.isFinite(count) && count >= 0) return count;
		} catch {
			// Ours counts instead.
		}
		return estimateTokens(text);
	};

/** The same function may listen twice. @returns the end of the subscription */
function hear<T>(listeners: Set<(told: T) => void>, listener: (told: T) => void): () => void {
	const own = (told: T) => listener(told);
	listeners.add(own);
	return () => void listeners.delete(own);
}

/** Limits that are finite and not negative; the others keep their default. */
const onlyFinite = (budget: Partial<Budget> = {}): Partial<Budget> =>
	Object.fromEntries(
		Object.entries(budget).filter(([, value]) => Number.isFinite(value) && value >= 0)
	) as Partial<Budget>;

/** Limits and levels that were given and do not count. */
const unusable = ({ budget, policy = {} }: AgentOptions): string[] => [
	...Object.entries(budget ?? {})
		.filter(
			([limit, value]) =>
				value !== undefined && !(Number.isFinite(value) && value >= 0 && Object.hasOwn(BUDGET, limit))
		)
		.map(([limit]) => `budget.${limit}`),
	...(['ceiling', 'user'] as const)
		.filter((who) => policy[who] !== undefined && !LEVELS.has(policy[who]))
		.map((who) => `policy.${who}`)
];
