import type { Actor } from '../../../actor/index.js';
import type {
	DecisionReport,
	Pending,
	RunState,
	StopReport,
	UndoReport
} from '../../../agent/protocol/run-state.js';
import type { Budget, Reason } from '../../../agent/protocol/words.js';
import {
	actorOf,
	describe,
	en,
	isOver,
	isUndoable,
	situation,
	waitOf,
	type AuraWords,
	type Language,
	type Naming
} from '../../../langs/index.js';
import type { AgentScope } from '../../../mount/index.js';
import type { EventOf } from '../../../uix/index.js';
import type { turnLineVoice } from './turn-line.events.js';
import { isPaused, lineOf, type Line } from './line.js';
import { renewalOf } from './renewal.js';

/** What a control answers. */
export type ControlReport = DecisionReport | StopReport | UndoReport | void;

/** Something a person can press. @since 0.1.0 */
export interface Control {
	/** Stable while it means the same. */
	id: string;
	/** Its event in the contract, and its `data-action`. */
	action: EventOf<typeof turnLineVoice>;
	label: string;
	/** Id of the run it is about. */
	run: string;
	/** Does it, on behalf of `by`. */
	act(by: Actor): ControlReport | Promise<ControlReport>;
}

/** One thing that waits for the person, and the ways out of it. @since 0.1.0 */
export interface Need {
	key: string;
	text: string;
	controls: readonly Control[];
	/** The question to be answered in place. */
	question?: string;
}

/** What the turn line reads; every field may change. */
export interface TurnContext {
	scope: AgentScope;
	/** Leads to a surface of the page. */
	goTo(surface: 'review-card' | 'question-card'): void;
}

/** Who acts now, what waits for the person, and what the person can do about it. @since 0.1.0 */
export class TurnState {
	readonly #read: () => TurnContext;

	/** What came of the last thing that was pressed, in words; empty when there is nothing to say. */
	note = $state('');

	constructor(read: () => TurnContext) {
		this.#read = read;
	}

	readonly scope: AgentScope = $derived.by(() => this.#read().scope);
	readonly lang: Language = $derived.by(() => this.scope.lang ?? en);
	readonly run: RunState | undefined = $derived.by(() => this.scope.agent.current);
	/** Who has the other seat: the agent, or a rule or outside caller that acts through the same door. */
	readonly actor: { name: string; kind: Actor['kind'] } = $derived.by(() => {
		const { identity } = this.scope.agent.engine;
		return this.run === undefined ? { name: identity.name, kind: 'agent' } : actorOf(this.run, identity);
	});
	readonly agentName: string = $derived.by(() => this.actor.name);
	readonly line: Line = $derived.by(() => lineOf(this.run));
	/** Is it the person's turn? */
	readonly yours: boolean = $derived.by(() => this.run === undefined || isOver(this.run));

	/** One sentence beside the agent's name. */
	readonly status: string = $derived.by(() => {
		const { run, line } = this;
		const words = this.lang.aura;
		if (run === undefined) return '';
		if (line !== 'acting') return words.is[line];
		const step = run.plan?.steps.find(({ status }) => status === 'dispatched' || status === 'granted');
		if (step === undefined) return words.acting('');
		return words.acting(this.#kind(step.instance), this.naming.label(step.instance));
	});

	readonly counter: string = $derived.by(() => {
		const { run, line } = this;
		if (run === undefined) return '';
		const facts = situation(run, this.naming);
		const words = this.lang.aura;
		if (line === 'acting') return words.count(facts.at, facts.steps);
		if (line === 'waiting' && run.state === 'reviewing') return words.steps(facts.steps);
		if (!isOver(run)) return '';
		const parts = [
			facts.done > 0 ? words.done(facts.done) : '',
			facts.rejected > 0 ? words.rejected(facts.rejected) : ''
		];
		return parts.filter((part) => part !== '').join(', ');
	});

	/** The run in one sentence. */
	readonly sentence: string = $derived.by(() =>
		this.run === undefined ? this.lang.aura.yourTurn : describe(this.run, this.lang, this.naming)
	);

	readonly naming: Naming = $derived.by(() => ({
		agentName: this.agentName,
		label: (id) => this.scope.instances.find((one) => one.id === id)?.label ?? id
	}));

	/** What the person can always do about the present run. */
	readonly controls: readonly Control[] = $derived.by(() => {
		const { run } = this;
		if (run === undefined) return [];
		const words = this.lang.aura;
		if (isOver(run)) {
			const { agent } = this.scope;
			const controls: Control[] = [];
			if (isUndoable(run))
				controls.push(this.#control(run.id, 'undo', words.undo, (by) => agent.undo(run.id, by)));
			if (run.undone !== undefined)
				controls.push(this.#control(run.id, 'redo', words.redo, (by) => agent.redo(run.id, by)));
			return controls;
		}
		if (run.state === 'offered' && run.activity === 'waiting') return [];
		const held = isPaused(run)
			? this.#control(run.id, 'resume', words.resume, (by) => this.#run(run.id)?.resume(by))
			: this.#control(run.id, 'pause', words.pause, (by) => this.#run(run.id)?.pause(by));
		return [held, this.#stop(run.id, words)];
	});

	/** Everything that waits for the person, of every run. */
	readonly needs: readonly Need[] = $derived.by(() => {
		const { pending } = this.scope.agent;
		return pending.flatMap((one) => this.#need(one, pending) ?? []);
	});

	#kind(instance: string): string {
		return this.scope.instances.find((one) => one.id === instance)?.kind ?? '';
	}

	#run(id: string) {
		return this.scope.agent.get(id);
	}

	#state(id: string): RunState | undefined {
		return this.scope.agent.runs.find((run) => run.id === id);
	}

	#control(run: string, action: Control['action'], label: string, act: Control['act'], more = ''): Control {
		return { id: [run, action, more].join(' '), action, label, run, act };
	}

	#stop(run: string, words: AuraWords): Control {
		return this.#control(run, 'stop', words.stop(this.agentName), (by) =>
			this.#run(run)?.stop(undefined, by)
		);
	}

	#need(one: Pending, pending: readonly Pending[]): Need | undefined {
		switch (one.kind) {
			case 'review':
				return this.#reviewNeed(one.review.run);
			case 'question':
				return this.#questionNeed(one.question.id, one.question.run, one.question.text);
			case 'offer':
				return this.#offerNeed(one.run);
			case 'budget':
				return this.#budgetNeed(one.run);
			case 'unknown-effect':
				return this.#unknownNeed(one.run, one.operation);
			case 'escalation':
				return this.#escalationNeed(one.run, one.reason, pending);
		}
	}

	/** Where another run than the present one waits, its Stop stands beside what it waits for. */
	#orStop(run: string, controls: readonly Control[]): readonly Control[] {
		const other = run !== this.run?.id && this.#state(run) !== undefined;
		return other ? [...controls, this.#stop(run, this.lang.aura)] : controls;
	}

	#sentenceOf(run: string, code?: string): string {
		const found = this.#state(run);
		if (found === undefined) return '';
		const escalations = found.escalations.filter((reason) => code === undefined || waitOf(reason) === code);
		return `${describe({ ...found, escalations }, this.lang, this.naming)}.`;
	}

	#reviewNeed(run: string): Need {
		const { goTo } = this.#read();
		const controls = this.scope.queue.has('review')
			? [this.#control(run, 'review', this.lang.aura.review, () => goTo('review-card'))]
			: [];
		return { key: `review ${run}`, text: this.#sentenceOf(run), controls: this.#orStop(run, controls) };
	}

	#questionNeed(question: string, run: string, text: string): Need {
		const { goTo } = this.#read();
		const key = `question ${question}`;
		if (!this.scope.queue.has('question'))
			return { key, text: '', controls: this.#orStop(run, []), question };
		const answer = this.#control(run, 'answer', this.lang.aura.answer, () => goTo('question-card'), question);
		return { key, text, controls: this.#orStop(run, [answer]) };
	}

	#offerNeed(run: string): Need {
		const words = this.lang.aura;
		return {
			key: `offer ${run}`,
			text: `${this.#sentenceOf(run)} “${this.#state(run)?.goal ?? ''}”`,
			controls: [
				this.#control(run, 'accept', words.accept(this.agentName), (by) => this.#run(run)?.accept(by)),
				this.#control(run, 'decline', words.declineOffer, (by) => this.#run(run)?.stop(undefined, by))
			]
		};
	}

	#budgetNeed(run: string): Need {
		const words = this.lang.aura;
		const found = this.#state(run);
		const amounts = found === undefined ? {} : renewalOf(found);
		const said = Object.entries(amounts).map(([limit, n]) => words.amount[limit as keyof Budget](n));
		return {
			key: `budget ${run}`,
			text: this.#sentenceOf(run, 'budget'),
			controls: this.#orStop(run, [
				this.#control(run, 'renew', words.renew(words.list(said)), (by) => this.#run(run)?.renew(amounts, by))
			])
		};
	}

	#unknownNeed(run: string, operation: string): Need {
		const words = this.lang.aura;
		const entry = this.#state(run)?.effects.find((one) => one.operation === operation);
		const ways = [
			['done', words.happened],
			['not-done', words.notHappened],
			['abandon', words.leave]
		] as const;
		return {
			key: `unknown-effect ${operation}`,
			text: words.whatBecame(entry?.act ?? '', this.naming.label(entry?.instance ?? '')),
			controls: ways.map(([fact, label]) =>
				this.#control(
					run,
					'settle',
					label,
					(by) => this.#run(run)?.settle(operation, fact, by),
					`${operation} ${fact}`
				)
			)
		};
	}

	#escalationNeed(run: string, reason: Reason, pending: readonly Pending[]): Need | undefined {
		const code = waitOf(reason);
		// What stands in the list in a shape of its own, with better ways out, is not said twice.
		const own = pending.some(
			(one) =>
				(one.kind === code && 'run' in one && one.run === run) ||
				(one.kind === 'question' && one.question.run === run && one.question.reason === code)
		);
		if (own) return undefined;
		const words = this.lang.aura;
		const resume = (label: string) =>
			this.#control(run, 'resume', label, (by) => this.#run(run)?.resume(by), code);
		const key = `escalation ${run} ${code}`;
		if (code === 'paused') {
			// The pause of the present run is left by its own Resume.
			if (run === this.run?.id) return undefined;
			return {
				key,
				text: this.#sentenceOf(run, 'paused'),
				controls: this.#orStop(run, [resume(words.resume)])
			};
		}
		if (code === 'scope') {
			const label = this.naming.label(instanceOf(reason.data) ?? '');
			const text = label === '' ? this.#sentenceOf(run, 'scope') : words.mayAlso(this.agentName, label);
			return { key, text, controls: this.#orStop(run, [resume(words.allow(label))]) };
		}
		return {
			key,
			text: this.#sentenceOf(run, code),
			controls: this.#orStop(run, [resume(words.tryAgain)])
		};
	}

	/** Puts what came of a control into words. */
	async settle(report: ControlReport | Promise<ControlReport>, action: Control['action']): Promise<void> {
		this.note = '';
		const result = await report;
		if (result === undefined) return;
		if ('refused' in result && result.refused !== undefined) {
			this.note = this.lang.refusal(result.refused);
			return;
		}
		if ('parts' in result) this.note = this.#undoNote(result, action);
	}

	#undoNote({ parts }: UndoReport, action: Control['action']): string {
		const words = this.lang.aura;
		const all = Object.values(parts);
		const n = all.reduce((sum, part) => sum + part.undone, 0);
		const kept = all.flatMap((part) => part.kept).map(({ what, why }) => words.kept(what, why));
		return [action === 'redo' ? words.broughtBack(n) : words.tookBack(n), ...kept].join(' ');
	}
}

const instanceOf = (data: unknown): string | undefined => {
	const instance = (data as { instance?: unknown } | undefined)?.instance;
	return typeof instance === 'string' ? instance : undefined;
};
