import type { Actor } from '../../../actor/index.js';
import type { RunState, SteerReport } from '../../../agent/protocol/run-state.js';
import type { Level } from '../../../agent/protocol/words.js';
import {
	describe,
	en,
	isOver,
	isUndoable,
	nameIn,
	oneLine,
	quoted,
	refusalIn,
	type Language
} from '../../../langs/index.js';
import type { AgentScope } from '../../../mount/index.js';
import type { EventOf, Runtime } from '../../../uix/index.js';
import { ELSEWHERE, Entries, type Entry } from '../activity/entries.js';
import { lineOf, type Line } from '../aura/line.js';
import { GIVES, TurnState, type Control, type Need } from '../aura/turn.svelte.js';
import { goTo } from '../go-to.js';
import { nameOf } from '../names.js';
import { notByHand } from '../not-by-hand.js';
import { isTalk, type PanelState } from './panel.svelte.js';
import { Streamed } from './streamed.svelte.js';
import type { talkVoice } from './talk.events.js';

/** Who said something. @since 0.1.0 */
export interface Author {
	kind: 'person' | 'agent' | 'outside' | 'rule';
	name: string;
}

/** One conversation of an agent. */
export interface Thread {
	id: string;
	/** What it was about, by its first goal. */
	title: string;
	/** Time it began, in ms since the epoch. */
	at: number;
	runs: number;
	line: Line;
	/** The last run of it in one sentence. */
	sentence: string;
}

/** A conversation once there is one: who said and did what, what waits, and the ways to go on. */
export class Talk {
	readonly panel: PanelState;
	readonly #scope: () => AgentScope;
	readonly #runtime: Runtime<typeof talkVoice>;
	/** What waits for the person, and what came of what was pressed. */
	readonly turn: TurnState;
	readonly streamed: Streamed;
	/** The list of conversations is open. */
	listing = $state(false);
	readonly #entries = new Map<string, Entries>();

	constructor(panel: PanelState, scope: () => AgentScope, runtime: Runtime<typeof talkVoice>) {
		this.panel = panel;
		this.#runtime = runtime;
		this.#scope = scope;
		this.turn = new TurnState(() => ({
			// Its own words, whatever the words around it are.
			scope: Object.create(scope(), { lang: { value: this.lang } }) as AgentScope,
			goTo: (surface) => void goTo(document, surface, scope().agent.engine.identity.id)
		}));
		const open =
			panel.heard.length > 0
				? []
				: panel.runs.flatMap((run) => (isOver(run) ? [] : run.turns.map(({ id }) => id)));
		this.streamed = new Streamed(open);
	}

	get scope(): AgentScope {
		return this.#scope();
	}
	get lang(): Language {
		return this.panel.given ?? en;
	}

	/** Hears what arrives, from what was kept for it on. @returns the end of it */
	listen(): () => void {
		const { agent } = this.scope;
		for (const event of this.panel.heard.splice(0)) this.streamed.hear(event);
		const off = [
			agent.on((event) => this.streamed.hear(event)),
			agent.subscribe((record) => this.streamed.take(record)),
			() => this.streamed.end()
		];
		return () => off.forEach((end) => end());
	}

	#press<T>(name: EventOf<typeof talkVoice>, event: Event, handler: (by: Actor) => T, run?: string): T {
		return this.panel.press(this.#runtime, name, event, handler, run);
	}

	// ── the transcript

	/** What happened in a run, in order. */
	entries(run: RunState): readonly Entry[] {
		const entries = this.#entries.get(run.id) ?? new Entries();
		this.#entries.set(run.id, entries);
		return entries.read(this.scope.agent.get(run.id)?.journal ?? []);
	}

	/** Which act a tool name of a run stands for; null where it shows itself in another way. */
	actOf(run: RunState, name: string): { act?: string } | null {
		if (ELSEWHERE.has(name)) return null;
		return this.#entries.get(run.id)?.tool(name) ?? {};
	}

	/** What the agent can do here, in one sentence. */
	get reach(): string {
		const words = this.lang.talk;
		const { agentName } = this.panel;
		const all = this.scope.instances.map(({ id }) => this.label(id));
		return all.length === 0
			? words.nothingHere(agentName)
			: words.canUse(agentName, all.slice(0, NAMED), all.length - NAMED);
	}

	label(instance: string): string {
		return nameOf(this.scope, this.lang, instance);
	}

	authorOf({ kind, id, name }: Actor): Author {
		const words = this.lang.talk.by;
		if (kind === 'human') return { kind: 'person', name: this.lang.aura.you };
		if (kind === 'agent') return { kind, name: this.panel.agentName };
		const named = name === undefined ? words[kind] : nameIn(this.lang, name, { foreign: kind === 'outside' });
		return { kind: kind === 'outside' ? kind : 'rule', name: named || id };
	}

	/** How a run ended or where it stands, in one sentence. */
	sentence(run: RunState): string {
		return describe(run, this.lang, this.turn.naming);
	}

	/** The last line of a run: what became of it, and that it can be undone. */
	outcome(run: RunState): string {
		if (!isOver(run)) return '';
		return this.lang.announcer.ended(this.sentence(run), isUndoable(run));
	}

	/** What the agent said at the end, unless it is what it had said anyway. */
	lastWords(run: RunState): string {
		const text = run.outcome?.text?.trim() ?? '';
		return run.turns.some((turn) => turn.text.trim() === text) ? '' : text;
	}

	lineOf(run: RunState): Line {
		return lineOf(run);
	}

	/** What waits for the person in a run. */
	needsOf(run: RunState): readonly Need[] {
		return this.turn.needs.filter(({ key }) => key.split(' ')[1] === run.id);
	}

	/** Does it wait for another run to end? */
	isQueued(run: RunState): boolean {
		return run.state === 'offered' && run.activity === 'idle';
	}

	/** Has it come to nothing for a reason that may be gone by now? */
	isAgain(run: RunState): boolean {
		const { kind, reason } = run.outcome ?? {};
		return kind === 'failed' || kind === 'exhausted' || (kind === 'refused' && reason?.code === 'run-live');
	}

	canUndo(run: RunState): boolean {
		return isUndoable(run);
	}

	canRedo(run: RunState): boolean {
		return this.turn.canRedo(run);
	}

	async takeBack(run: RunState, way: 'undo' | 'redo', event: Event): Promise<void> {
		const { agent } = this.scope;
		const report = this.#press(way, event, (by) => agent[way](run.id, by), run.id);
		await this.turn.settle(report, { action: way, run: run.id });
		this.panel.note = this.turn.note;
	}

	/** The same work again. */
	again(run: RunState, event: Event): void {
		this.#press('again', event, (by) => this.panel.begin(run.goal, by, run.id), run.id);
	}

	/** Takes back what has not begun. */
	withdraw(run: RunState, event: Event): void {
		this.#press('decline', event, (by) => void this.scope.agent.get(run.id)?.stop(undefined, by), run.id);
	}

	/** Presses one of the ways out of what waits. */
	press = (control: Control, event: Event): void => {
		const report = this.#press(
			control.action,
			event,
			(by): ReturnType<Control['act']> =>
				by.kind === 'human' || !GIVES.has(control.action)
					? control.act(by)
					: { ok: false, refused: notByHand('CopilotPanel') },
			control.run
		);
		void this.turn.settle(report, control).then(() => (this.panel.note = this.turn.note));
	};

	// ── what is written

	/** Can what is written change what is under way? What is attached can not. */
	get steerable(): boolean {
		const { live, thread, draft } = this.panel;
		const here = live !== undefined && !live.elsewhere && live.thread === thread;
		return here && draft.files.length === 0 && !this.isQueued(live);
	}
	get steers(): boolean {
		return this.steerable && this.panel.draft.how === 'now';
	}

	steer(text: string, event: Event): void {
		const { panel } = this;
		const { draft, live } = panel;
		const run = live && this.scope.agent.get(live.id);
		if (!run) return;
		draft.text = '';
		draft.sent += 1;
		const words = this.lang.talk.taken;
		void this.#press('steer', event, (by) => run.steer(text, by), run.id).then(
			({ kind, refused, successor }: SteerReport) => {
				// What the person has begun to write since comes first.
				if (refused) draft.text ||= text;
				panel.note = refused
					? refusalIn(this.lang, refused)
					: successor !== undefined
						? ''
						: kind === 'progress'
							? words.progress(this.sentence(run.state))
							: words[kind];
			}
		);
	}

	// ── level, conversations

	setLevel(level: Level, event: Event): void {
		const { refused } = this.#press('level', event, (by) => this.scope.agent.setLevel(level, by));
		const { live } = this.panel;
		const raised = live !== undefined && RANK.indexOf(level) > RANK.indexOf(live.level);
		// A box keeps what pressed it, also where that was not taken.
		if (refused) event.preventDefault();
		this.panel.note = refused ? refusalIn(this.lang, refused) : raised ? this.lang.talk.fromNextTurn : '';
	}

	/** Every conversation, the newest first. */
	get threads(): readonly Thread[] {
		const { scope } = this;
		const all = new Map<string, RunState[]>();
		for (const run of scope.agent.runs) {
			if (!isTalk(run, scope)) continue;
			const runs = all.get(run.thread);
			if (runs) runs.push(run);
			else all.set(run.thread, [run]);
		}
		return Array.from(all, ([id, runs]) => ({
			id,
			title: oneLine(runs[0]!.goal, 80),
			at: this.entries(runs[0]!)[0]?.at ?? 0,
			runs: runs.length,
			line: lineOf(runs.at(-1)),
			sentence: this.sentence(runs.at(-1)!)
		})).reverse();
	}

	/** How many there are, without looking into them. */
	get count(): number {
		const { scope } = this;
		return new Set(scope.agent.runs.flatMap((run) => (isTalk(run, scope) ? [run.thread] : []))).size;
	}

	show(thread: string | undefined, event: Event): void {
		this.#press('open', event, () => this.panel.open(thread));
		this.listing = false;
	}

	/** Somebody else's words, as such. */
	quote(text: string): string {
		return quoted(this.lang, oneLine(text));
	}
}

/** Instances that are named; the others are counted. */
const NAMED = 5;

const RANK: readonly Level[] = ['suggest', 'review', 'auto'];
