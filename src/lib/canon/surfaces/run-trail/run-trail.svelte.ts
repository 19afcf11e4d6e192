import type { Actor } from '../../../actor/index.js';
import type { RunState, Step } from '../../../agent/protocol/run-state.js';
import { describe, en, isUndoable, nameIn, oneLine, type Language } from '../../../langs/index.js';
import type { AgentScope } from '../../../mount/index.js';
import { TurnState } from '../aura/turn.svelte.js';
import { nameOf } from '../names.js';
import { shownTime } from '../review-card/time.js';
import { factsOf } from './facts.js';
import { viewOf, type LineView } from './line-view.js';
import { Trail, type Line } from './trail.js';

export type { Fact } from './facts.js';
export type { LineView } from './line-view.js';

/** What a trail reads; every field may change. */
export interface TrailContext {
	scope: AgentScope;
	/** Id of a run. */
	run: string | undefined;
	lang: Language | undefined;
}

/** How lines become words. */
export interface TrailNames {
	lang: Language;
	run: RunState;
	/** Steps by their id. */
	steps: ReadonlyMap<string, Step>;
	agent: string;
	/** An instance, fit to stand in a sentence. */
	label(instance: string): string;
	author(by: Actor): { kind: LineView['who']['kind']; name: string };
}

/** The lines of one turn under their heading. */
export interface Part {
	key: number;
	heading: string;
	lines: readonly LineView[];
}

/** Lines that are shown at first, and with each press for more. */
const PAGE = 200;

/** What an agent did in one run, in words, for whoever wants to know. @since 0.1.0 */
export class TrailState {
	readonly #read: () => TrailContext;
	readonly #turn: TurnState;
	/** The run that was chosen here, where none is given. */
	chosen = $state<string>();
	/** Id of the instance to which the lines are held; '' for all. */
	place = $state('');
	#most = $state(PAGE);
	/** What came of the last press. */
	note = $state('');
	readonly #trail = $derived.by(() => (void this.run?.id, new Trail()));

	constructor(read: () => TrailContext) {
		this.#read = read;
		this.#turn = new TurnState(() => ({
			scope: Object.create(this.scope, { lang: { value: this.lang } }) as AgentScope,
			goTo: () => {}
		}));
	}

	get scope(): AgentScope {
		return this.#read().scope;
	}
	get lang(): Language {
		return this.#read().lang ?? this.scope.lang ?? en;
	}
	/** Name of the agent, fit to stand in a sentence. */
	get agentName(): string {
		return nameIn(this.lang, this.scope.agent.engine.identity.name);
	}

	/** Runs one can choose from; none where one is given. */
	readonly runs: readonly { id: string; text: string }[] = $derived.by(() => {
		if (this.#read().run !== undefined) return [];
		return this.scope.agent.runs
			.map(({ id, goal }) => {
				const at = this.scope.agent.get(id)?.journal[0]?.at;
				const time = at === undefined ? '' : `${shownTime(at, this.lang.code)} · `;
				return { id, text: `${time}${oneLine(goal, 60)}` };
			})
			.reverse();
	});

	/** The run that is shown: the one that is given or was chosen, else the latest. */
	readonly run: RunState | undefined = $derived.by(() => {
		const { runs, current } = this.scope.agent;
		const id = this.#read().run ?? this.chosen;
		return id === undefined ? current : runs.find((run) => run.id === id);
	});

	readonly #lines: readonly Line[] = $derived.by(() =>
		this.run ? this.#trail.read(this.scope.agent.get(this.run.id)?.journal ?? []) : []
	);

	get #names(): TrailNames | undefined {
		const { run, lang } = this;
		return (
			run && {
				lang,
				run,
				steps: this.#steps,
				agent: this.agentName,
				label: (instance) => nameOf(this.scope, lang, instance),
				author: (by) => this.#author(by)
			}
		);
	}
	readonly #steps: ReadonlyMap<string, Step> = $derived(
		new Map(this.run?.steps.map((step) => [step.id, step]))
	);

	readonly #views: readonly LineView[] = $derived.by(() => {
		const names = this.#names;
		return names ? this.#lines.map((line) => viewOf(line, names)) : [];
	});

	/** Instances in which something was done, by what people call them. */
	readonly places: readonly { id: string; text: string }[] = $derived.by(() =>
		[...new Set(this.#views.flatMap(({ instance }) => instance ?? []))].map((id) => ({
			id,
			text: nameOf(this.scope, this.lang, id)
		}))
	);

	readonly #chosenLines: readonly LineView[] = $derived(
		this.place === '' ? this.#views : this.#views.filter(({ instance }) => instance === this.place)
	);

	/** How the run stands, in one sentence. */
	get summary(): string {
		return this.run ? `${describe(this.run, this.lang, this.#turn.naming)}.` : '';
	}

	/** The lines to be shown, turn by turn. */
	readonly parts: readonly Part[] = $derived.by(() => {
		const words = this.lang.runTrail;
		const parts: (Part & { lines: LineView[] })[] = [];
		for (const line of this.#chosenLines.slice(0, this.#most)) {
			const last = parts.at(-1);
			if (last?.key === line.part) last.lines.push(line);
			else
				parts.push({
					key: line.part,
					heading: line.part === 0 ? words.task : line.part === -1 ? words.afterwards : words.turn(line.part),
					lines: [line]
				});
		}
		return parts;
	});

	/** How many lines the next press would show. */
	get more(): number {
		return Math.max(0, Math.min(PAGE, this.#chosenLines.length - this.#most));
	}
	showMore(): void {
		this.#most += PAGE;
	}

	choose(run: string): void {
		this.chosen = run;
		this.place = '';
		this.note = '';
		this.#most = PAGE;
	}

	/** What lies behind a line, by name. */
	facts(view: LineView): ReturnType<typeof factsOf> {
		const names = this.#names;
		return names ? factsOf(view, names) : [];
	}

	get undoable(): boolean {
		return this.run !== undefined && isUndoable(this.run);
	}
	get redoable(): boolean {
		return this.run !== undefined && this.#turn.canRedo(this.run);
	}

	async takeBack(way: 'undo' | 'redo', by: Actor): Promise<void> {
		const { run } = this;
		if (run === undefined) return;
		await this.#turn.settle(this.scope.agent[way](run.id, by), { action: way, run: run.id });
		this.note = this.#turn.note;
	}

	/** Copies the journal of the run as an export holds it: one record a line. */
	async copyJournal(): Promise<void> {
		const journal = (this.run && this.scope.agent.get(this.run.id)?.journal) ?? [];
		await this.copy(
			journal.map((record) => `${JSON.stringify(record)}\n`).join(''),
			this.lang.runTrail.copied(journal.length)
		);
	}

	/** @param told what is said once it is in the clipboard */
	async copy(text: string, told: string): Promise<void> {
		this.note = await navigator.clipboard.writeText(text).then(
			() => told,
			() => this.lang.runTrail.notCopied
		);
	}

	#author({ kind, id, name }: Actor): { kind: LineView['who']['kind']; name: string } {
		const { lang } = this;
		if (kind === 'human') return { kind: 'person', name: lang.aura.you };
		if (kind === 'agent') return { kind, name: this.agentName };
		const named =
			name === undefined ? lang.talk.by[kind] : nameIn(lang, name, { foreign: kind === 'outside' });
		return { kind: kind === 'outside' ? kind : 'rule', name: named || id };
	}
}
