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

/** How far a person has looked into one run. */
class Look {
	place = $state('');
	most = $state(PAGE);
	note = $state('');
}

/** What an agent did in one run, in words, for whoever wants to know. @since 0.1.0 */
export class TrailState {
	readonly #read: () => TrailContext;
	readonly #turn: TurnState;
	/** The run that was chosen here, where none is given. */
	chosen = $state<string>();
	/** What was pressed for about the run that is shown; about another one nothing was. */
	readonly #look = $derived.by(() => (void [this.#id, this.scope.agent], new Look()));
	readonly #trail = $derived.by(() => (void [this.#id, this.scope.agent], new Trail()));

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
	/** Id of the instance to which the lines are held; '' for all. */
	get place(): string {
		return this.#look.place;
	}
	set place(place: string) {
		this.#look.place = place;
	}
	/** What came of the last press. */
	get note(): string {
		return this.#look.note;
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

	// Its state is another with each record; what is kept for it is so as long as it is the same run.
	readonly #id = $derived(this.run?.id);
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
		for (const line of this.#chosenLines.slice(0, this.#look.most)) {
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
		return Math.max(0, Math.min(PAGE, this.#chosenLines.length - this.#look.most));
	}
	showMore(): void {
		this.#look.most += PAGE;
	}

	choose(run: string): void {
		this.chosen = run;
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
		const look = this.#look;
		if (run === undefined) return;
		await this.#turn.settle(this.scope.agent[way](run.id, by), { action: way, run: run.id });
		look.note = this.#turn.note;
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
		const look = this.#look;
		// Not every page has a clipboard: one that did not come safely has none.
		const { clipboard } = navigator as { clipboard?: Clipboard };
		look.note = await (clipboard?.writeText(text) ?? Promise.reject(new Error('no clipboard'))).then(
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
