import { untrack } from 'svelte';
import { actingAs, type Actor } from '../../../actor/index.js';
import type { RunState } from '../../../agent/protocol/run-state.js';
import type { AgentEvent } from '../../../agent/protocol/turn.js';
import { early } from '../../../langs/en/early.js';
import type { EarlyLanguage, Language } from '../../../langs/language.js';
import { nameIn, refusalIn } from '../../../langs/name.js';
import { actorOf, isOver } from '../../../langs/situation.js';
import type { AgentScope } from '../../../mount/context.js';
import { personFrom } from '../../../uix/soma/trusted.js';
import type { EventOf, Runtime, Voice } from '../../../uix/index.js';
import { draftOf, type Draft } from './draft.svelte.js';
import type { panelVoice } from './panel.events.js';

/** What the panel reads; every field may change. */
export interface PanelContext {
	/** None where there is no agent. */
	scope: AgentScope | undefined;
	thread: string | undefined;
	lang: Language | undefined;
	/** Who the person is, for the journal. */
	person: Actor;
	runtime: Runtime<typeof panelVoice>;
	/** Says which conversation is shown from now on. */
	show(thread: string | undefined): void;
}

/** What comes late and has to do with what is written. */
interface Steering {
	/** Does what is written change the run that is live? */
	readonly steers: boolean;
	steer(text: string, event: Event): void;
}

/** A conversation with an agent: which one is shown, and what the person is about to say. @since 0.1.0 */
export class PanelState {
	readonly #read: () => PanelContext;
	/** Where nobody said which: the first that was there, until the person goes elsewhere. */
	#own: string | undefined = $state.raw();
	/** The last one that was shown by this, and not by whoever uses it. */
	#shown: string | undefined;
	/** The person wants a new one. */
	#fresh = $state(false);
	/** What came of the last press, where it has to be said. */
	note = $state('');
	/** Set by what comes late. */
	steering: Steering | undefined = $state.raw();
	/** What was to be painted before there was anything to paint it on. */
	readonly heard: AgentEvent[] = [];

	/** One draft for one panel: what the person writes stays before them, whichever conversation they look at. */
	readonly #home: string | undefined;

	constructor(read: () => PanelContext) {
		this.#read = read;
		this.#home = untrack(() => read().thread);
	}

	get scope(): AgentScope | undefined {
		return this.#read().scope;
	}
	get lang(): EarlyLanguage {
		return this.given ?? early;
	}
	/** The language somebody asked for. */
	get given(): Language | undefined {
		return this.#read().lang ?? this.scope?.lang;
	}
	/** Name of the agent, as it may stand in a sentence. */
	get agentName(): string {
		return nameIn(this.lang, this.scope?.agent.engine.identity.name ?? '');
	}
	get draft(): Draft {
		return draftOf(this.scope?.agent ?? this, this.#home);
	}

	/** The conversation that is shown; undefined while it is a new one. */
	get thread(): string | undefined {
		return this.#fresh ? undefined : (this.#read().thread ?? this.#own ?? this.#newest);
	}
	/** The runs of the conversation, in order. */
	readonly runs: readonly RunState[] = $derived.by(() => {
		const { thread, scope } = this;
		return scope === undefined || thread === undefined
			? []
			: scope.agent.runs.filter((run) => run.thread === thread && isTalk(run, scope));
	});
	/** What is under way, in this conversation or in another. */
	get live(): RunState | undefined {
		const run = this.scope?.agent.current;
		return run && !isOver(run) && !(run.state === 'offered' && run.activity === 'waiting') ? run : undefined;
	}
	get #newest(): string | undefined {
		const { scope } = this;
		return scope?.agent.runs.findLast((run) => isTalk(run, scope))?.thread;
	}

	/** Another agent: nothing of the one before is shown. What was written for that one stays with it. */
	leave(): void {
		this.#own = undefined;
		this.#fresh = false;
		this.note = '';
		this.heard.length = 0;
		if (this.#shown !== undefined && this.#read().thread === this.#shown) this.#show(undefined);
	}
	#show(thread: string | undefined): void {
		this.#shown = thread;
		this.#read().show(thread);
	}

	/** Stays with the conversation that is shown, whatever begins elsewhere. */
	stay(): void {
		this.#own ??= this.#newest;
	}

	/** Shows another conversation, or a new one. */
	open(thread: string | undefined): void {
		this.#fresh = thread === undefined;
		this.#own = thread;
		this.note = '';
		this.#show(thread);
	}

	/** Does something on behalf of whoever is behind an event. */
	press<T, V extends Voice>(
		runtime: Runtime<V>,
		name: EventOf<V>,
		event: Event,
		handler: (by: Actor) => T,
		run?: string
	): T {
		const by = personFrom(event, this.#read().person);
		return actingAs(by, () =>
			runtime.trigger(name, { ...(run !== undefined && { cause: { run } }), handler: () => handler(by) })
		);
	}

	/** Sends what is written: changes the run that is live, or begins one, at once or behind it. */
	send(event: Event): void {
		const { scope, draft, lang } = this;
		const text = draft.text.trim();
		if (scope === undefined) return;
		this.note = text === '' ? lang.panel.writeFirst : '';
		if (text === '') return;
		if (this.steering?.steers) return this.steering.steer(text, event);
		const attachments = draft.files.map(({ name, text }) => ({ name, text }));
		const begun = this.press(this.#read().runtime, 'send', event, (by) =>
			this.begin({ text, attachments }, by)
		);
		if (!begun) return;
		draft.text = '';
		draft.files = [];
	}

	/** Begins a run of this conversation. @returns was it taken? */
	begin(goal: Parameters<AgentScope['agent']['run']>[0], by: Actor, successorOf?: string): boolean {
		const { thread, live } = this;
		const { state } = this.scope!.agent.run(goal, {
			by,
			...(thread !== undefined && { thread }),
			...(successorOf !== undefined && { successorOf })
		});
		const { kind, reason } = state.outcome ?? {};
		const taken = kind !== 'refused';
		this.note = reason && !taken ? refusalIn(this.lang, reason) : live ? this.lang.panel.queued : '';
		if (taken) {
			this.draft.sent += 1;
			if (thread === undefined) {
				this.#fresh = false;
				this.#own = state.thread;
				this.#show(state.thread);
			}
		}
		return taken;
	}

	/** Stops what is under way. Anybody may: it only holds up. */
	stop(event: Event): void {
		const { live, scope } = this;
		const end = (by: Actor) => void scope!.agent.get(live!.id)?.stop(undefined, by);
		if (live) this.press(this.#read().runtime, 'stop', event, end, live.id);
	}
}

/** Is it part of a conversation? One act of a rule is none, nor is what another run began. */
export const isTalk = (run: RunState, { agent }: AgentScope): boolean =>
	run.parent === undefined && actorOf(run, agent.engine.identity).kind === 'agent';
