import { untrack } from 'svelte';
import type { Actor } from '../../../actor/index.js';
import type {
	DecisionReport,
	Pending,
	RunState,
	StopReport,
	UndoPart,
	UndoReport
} from '../../../agent/protocol/run-state.js';
import type { Budget, Reason } from '../../../agent/protocol/words.js';
import {
	actorOf,
	describe,
	en,
	isOver,
	isUndoable,
	nameIn,
	oneLine,
	quoted,
	refusalIn,
	sayingIn,
	situation,
	waitOf,
	type Language,
	type Naming
} from '../../../langs/index.js';
import type { AgentScope } from '../../../mount/index.js';
import type { EventOf } from '../../../uix/index.js';
import type { turnLineVoice } from './turn-line.events.js';
import { createNaming, whyNot } from '../review-card/naming.js';
import { nameOf } from '../names.js';
import { isRedoable } from '../take-back.js';
import { isPaused, lineOf, type Line } from './line.js';
import { renewalOf } from './renewal.js';

type Run = NonNullable<ReturnType<AgentScope['agent']['get']>>;

/** What gives an agent leave or more to spend, and so is a person's alone to press. All else holds it up, shows or takes back. */
export const GIVES: ReadonlySet<Control['action']> = new Set(['accept', 'resume', 'renew', 'settle']);

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

	#note = $state.raw<{ run: string | undefined; text: string }>();
	/** Id of the run that was asked to stop: nothing more is to be pressed about it. */
	stopping = $state<string>();
	/** Runs that could not be redone. */
	#final = $state.raw<readonly string[]>([]);

	constructor(read: () => TurnContext) {
		this.#read = read;
	}

	/** What came of the last thing that was pressed, in words, until another run begins. */
	get note(): string {
		return this.#note && this.#note.run === this.run?.id ? this.#note.text : '';
	}
	get scope(): AgentScope {
		return this.#read().scope;
	}
	get lang(): Language {
		return this.scope.lang ?? en;
	}
	get run(): RunState | undefined {
		return this.scope.agent.current;
	}
	/** Who has the other seat: the agent, or a rule or outside caller that acts through the same door. */
	get actor(): { name: string; kind: Actor['kind'] } {
		return actorOf(this.run, this.scope.agent.engine.identity);
	}
	/** Its name, as it may stand in a sentence. */
	get agentName(): string {
		return nameIn(this.lang, this.actor.name);
	}
	get line(): Line {
		return lineOf(this.run);
	}
	/** Is it the person's turn? */
	get yours(): boolean {
		return this.run === undefined || isOver(this.run);
	}
	get naming(): Naming {
		return {
			agentName: this.actor.name,
			label: (id) => this.scope.label(id),
			imported: (id) => this.scope.imported(id)
		};
	}
	/** An instance, as it may stand in a sentence. */
	label(instance: string): string {
		return nameOf(this.scope, this.lang, instance);
	}

	/** What is mounted under an id. */
	instance(id: string | undefined): { kind: string; label: string } | undefined {
		return this.scope.instances.find((one) => one.id === id);
	}

	/** One sentence beside the agent's name. */
	get status(): string {
		const { run, line } = this;
		const words = this.lang.aura;
		if (run === undefined) return '';
		if (run.elsewhere) return words.elsewhere;
		if (line !== 'acting') return words.is[line];
		const step = run.plan?.steps.find(({ status }) => status === 'dispatched' || status === 'granted');
		return words.acting(this.instance(step?.instance)?.kind ?? '', step && this.label(step.instance));
	}

	get counter(): string {
		const { run, line } = this;
		if (run === undefined || run.elsewhere) return '';
		const { at, steps, done, rejected } = situation(run, this.naming, this.lang);
		const words = this.lang.aura;
		if (line === 'acting') return words.count(at, steps);
		if (line === 'waiting' && run.state === 'reviewing') return words.steps(steps);
		if (!isOver(run)) return '';
		return [done && words.done(done), rejected && words.rejected(rejected)].filter(Boolean).join(', ');
	}

	/** What the agent said last, once control is back or while it waits; empty where a conversation shows it. */
	get said(): string {
		const { run, line } = this;
		if (run === undefined || this.scope.queue.has('panel') || !(isOver(run) || line === 'waiting')) return '';
		return (run.outcome?.text || run.turns.findLast(({ text }) => text.trim() !== '')?.text || '').trim();
	}

	/** Why something did not go: what became of steps and of the run, and the exact words where somebody else gave them. */
	get whys(): readonly { text: string; detail: string }[] {
		const { run, lang } = this;
		if (run === undefined) return [];
		const why = (reason: Reason, what = '') => {
			const said = refusalIn(lang, reason);
			const own = OWN_WORDS.test(reason.code) && lang.refusal(reason) !== reason.text;
			const detail = own ? nameIn(lang, reason.text, { most: 400 }) : '';
			return { text: what ? lang.aura.because(what, said) : said, detail };
		};
		if (!isOver(run))
			return run.escalations.filter(({ code }) => BROKEN.test(code)).map((reason) => why(reason));
		const naming = createNaming(lang, (id) => this.label(id), run.steps);
		const steps = run.steps
			.filter(({ status }) => /^(failed|refused|unknown)$/.test(status))
			.slice(0, 3)
			.map((step) => why(whyNot(step), naming.plain(step)));
		const { kind, reason } = run.outcome ?? {};
		const ended = reason && /^(failed|refused|partial|exhausted)$/.test(kind ?? '') ? [why(reason)] : [];
		return steps.length > 0 ? steps : ended;
	}

	/** The run in one sentence. */
	get sentence(): string {
		return this.run ? describe(this.run, this.lang, this.naming) : this.lang.aura.yourTurn;
	}

	/** What the person can always do about the present run. */
	get controls(): readonly Control[] {
		const { run } = this;
		if (run === undefined || (run.state === 'offered' && run.activity === 'waiting')) return [];
		const words = this.lang.aura;
		const { agent } = this.scope;
		if (isOver(run))
			return [
				...(isUndoable(run)
					? [this.#control(run.id, 'undo', words.undo, (_, by) => agent.undo(run.id, by))]
					: []),
				...(this.canRedo(run)
					? [this.#control(run.id, 'redo', words.redo, (_, by) => agent.redo(run.id, by))]
					: [])
			];
		if (run.elsewhere) return this.stopping === run.id ? [] : [this.#stop(run.id)];
		const held = isPaused(run)
			? this.#control(run.id, 'resume', words.resume, (live, by) => live.resume(by))
			: this.#control(run.id, 'pause', words.pause, (live, by) => live.pause(by));
		return this.stopping === run.id ? [] : [held, this.#stop(run.id)];
	}

	/** Was anything of a run taken back that its participants can bring back? What turned out to be final is not offered again. */
	canRedo(run: RunState): boolean {
		return !this.#final.includes(run.id) && isRedoable(run, this.scope.agent.get(run.id)?.journal ?? []);
	}

	/** Everything that waits for the person, of every run. */
	readonly needs: readonly Need[] = $derived.by(() =>
		this.scope.agent.pending.flatMap((one, _, pending) => {
			const id = runOf(one);
			const run = this.scope.agent.runs.find((run) => run.id === id);
			const need = this.#need(one, id, run, pending);
			if (need === undefined) return [];
			// Where another run than the present one waits, its Stop stands beside what it waits for.
			const elsewhere = run !== undefined && id !== this.run?.id && one.kind !== 'offer' && !isOver(run);
			return elsewhere ? { ...need, controls: [...need.controls, this.#stop(id)] } : need;
		})
	);

	#control(
		run: string,
		action: Control['action'],
		label: string,
		act: (live: Run, by: Actor) => ControlReport | Promise<ControlReport>,
		more = ''
	): Control {
		return {
			id: [run, action, more].join(' '),
			action,
			label,
			run,
			act: (by) => {
				const live = this.scope.agent.get(run);
				return live && act(live, by);
			}
		};
	}

	#stop(
		run: string,
		label = this.lang.aura.stop(this.agentName),
		action: Control['action'] = 'stop'
	): Control {
		return this.#control(run, action, label, (live, by) => live.stop(undefined, by));
	}

	#need(one: Pending, id: string, run: RunState | undefined, pending: readonly Pending[]): Need | undefined {
		const words = this.lang.aura;
		const { goTo } = this.#read();
		const has = (surface: 'review' | 'question') => this.scope.queue.has(surface);
		const sentence = (code?: string) =>
			run
				? this.lang.announcer.sentence(
						describe(
							{ ...run, escalations: run.escalations.filter((reason) => !code || waitOf(reason) === code) },
							this.lang,
							this.naming
						)
					)
				: '';
		const resume = (label: string, code: string) =>
			this.#control(id, 'resume', label, (live, by) => live.resume(by), code);
		const key = `${one.kind} ${id}`;

		switch (one.kind) {
			case 'review':
				return {
					key,
					text: sentence(),
					controls: has('review')
						? [this.#control(id, 'review', words.review, () => goTo('review-card'))]
						: []
				};
			case 'question': {
				const question = one.question.id;
				const text =
					one.question.reason === 'consent'
						? this.lang.question.consent(this.agentName)
						: sayingIn(this.lang, one.question.text);
				if (!has('question')) return { key: `${key} ${question}`, text, controls: [], question };
				return {
					key: `${key} ${question}`,
					text,
					controls: [this.#control(id, 'answer', words.answer, () => goTo('question-card'), question)]
				};
			}
			case 'offer':
				return {
					key,
					text: `${sentence()} ${quoted(this.lang, oneLine(run?.goal ?? ''))}`,
					controls: [
						this.#control(id, 'accept', words.accept(this.agentName), (live, by) => live.accept(by)),
						this.#stop(id, words.declineOffer, 'decline')
					]
				};
			case 'budget': {
				const more = run ? renewalOf(run) : {};
				const said = Object.entries(more).map(([limit, n]) => words.amount[limit as keyof Budget](n));
				return {
					key,
					text: sentence('budget'),
					controls: [
						this.#control(id, 'renew', words.renew(words.list(said)), (live, by) => live.renew(more, by))
					]
				};
			}
			case 'unknown-effect': {
				const { operation } = one;
				const entry = run?.effects.find((effect) => effect.operation === operation);
				const ways = { done: words.happened, 'not-done': words.notHappened, abandon: words.leave };
				return {
					key: `${key} ${operation}`,
					text: words.whatBecame(oneLine(entry?.act ?? '', 40), this.label(entry?.instance ?? '')),
					controls: Object.entries(ways).map(([fact, label]) =>
						this.#control(
							id,
							'settle',
							label,
							(live, by) => live.settle(operation, fact as keyof typeof ways, by),
							`${operation} ${fact}`
						)
					)
				};
			}
			case 'escalation': {
				const code = waitOf(one.reason);
				// What stands in the list in a shape of its own, with better ways out, is not said twice; and the pause of the
				// present run is left by its own Resume.
				const own = pending.some(
					(other) =>
						runOf(other) === id &&
						(other.kind === code || (other.kind === 'question' && other.question.reason === code))
				);
				if (own || (code === 'paused' && id === this.run?.id)) return undefined;
				const instance = (one.reason.data as { instance?: string } | undefined)?.instance;
				const label = code === 'scope' && instance ? this.label(instance) : '';
				return {
					key: `${key} ${code}`,
					text: label ? words.mayAlso(this.agentName, label) : sentence(code),
					controls: [resume(this.#wayOut(code, label), code)]
				};
			}
		}
	}

	/** What the button says by which a person leaves a reason. */
	#wayOut(code: string, label: string): string {
		const words = this.lang.aura;
		if (code === 'scope') return words.allow(label);
		if (code === 'owner') return words.bringHere;
		return code === 'paused' ? words.resume : words.tryAgain;
	}

	/** Puts what came of a control into words. */
	async settle(
		report: ControlReport | Promise<ControlReport>,
		{ action, run }: Pick<Control, 'action' | 'run'>
	): Promise<void> {
		this.#note = undefined;
		const result = await report;
		if (!result) return;
		const words = this.lang.aura;
		const say = (text: string) => (this.#note = { run: untrack(() => this.run?.id), text });
		if ('refused' in result && result.refused) {
			if (action === 'redo') this.#final = [...this.#final, run];
			say(refusalIn(this.lang, result.refused));
		} else if ('parts' in result) {
			const parts = Object.entries(result.parts);
			const n = parts.reduce((sum, [, { undone }]) => sum + undone, 0);
			const kept = parts.flatMap(([instance, part]) =>
				part.kept.map((one) => this.#kept(run, instance, one))
			);
			say([action === 'redo' ? words.broughtBack(n) : words.tookBack(n), ...kept].join(' '));
		}
	}

	/** What had to stay, by labels; the engine names it by what it knows. */
	#kept(run: string, instance: string, { what, why }: UndoPart['kept'][number]): string {
		const { lang } = this;
		const label = (id: string) => this.label(id);
		if (what === instance) return lang.aura.kept(label(instance), lang.aura.gone);
		const step = this.scope.agent.runs
			.find(({ id }) => id === run)
			?.steps.find(
				(one) => one.instance === instance && one.effect === 'irreversible' && what.endsWith(`: ${one.act}`)
			);
		if (step === undefined) return lang.aura.kept(nameIn(lang, what, { most: 80 }), sayingIn(lang, why));
		return lang.aura.kept(createNaming(lang, label, [step]).plain(step), lang.aura.final);
	}
}

/** Codes whose text is somebody else's: the transport's, the component's, the schema's. */
const OWN_WORDS =
	/^(args|http|network|transport|provider|protocol|content|truncated|threw|unavailable|denied|retry)/;
/** What breaks off a run that goes on once a person has looked. */
const BROKEN = /^(transport|stall|store|desync|auth|drift)/;

const runOf = (one: Pending): string =>
	one.kind === 'review' ? one.review.run : one.kind === 'question' ? one.question.run : one.run;
