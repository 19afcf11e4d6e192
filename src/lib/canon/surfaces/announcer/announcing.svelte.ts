import { untrack } from 'svelte';
import type { RunState } from '../../../agent/protocol/run-state.js';
import { actorOf, en } from '../../../langs/index.js';
import type { AgentScope } from '../../../mount/index.js';
import { isHuman } from '../../../uix/index.js';
import { goTo } from '../go-to.js';
import { shownIn, tellingOf } from '../shown.js';
import type { Phrase, Verbosity } from './phrase.js';
import { speakerOf, type Host, type Speaker } from './speaker.svelte.js';

/** What {@link Announcing} takes; everything is read when it is needed. */
export interface AnnouncingOptions {
	scope(): AgentScope;
	/** Holds the regions. */
	element: Element;
	level(): Verbosity;
	shortcut(): string;
	/** The runs as they stood when the announcer was mounted: they are history. */
	before(): readonly RunState[];
	spoken(phrase: Phrase): void;
}

/** What one announcer does from the first run on. Made in an effect; it ends with it. @internal */
export class Announcing implements Host {
	readonly #options: AnnouncingOptions;
	readonly #speaker: Speaker;
	// Handed on by themselves.
	readonly element = (): Element => this.#options.element;
	readonly agent = (): object => this.#options.scope().agent;

	constructor(options: AnnouncingOptions) {
		this.#options = options;
		const { ownerDocument } = options.element;
		this.#speaker = speakerOf(ownerDocument);
		$effect(() => untrack(() => this.#speaker.add(this)));
		$effect(() => this.#listen());
		$effect(() => {
			ownerDocument.addEventListener('keydown', this.#pressed);
			return () => ownerDocument.removeEventListener('keydown', this.#pressed);
		});
	}

	/** What the polite region holds. */
	get polite(): string {
		return this.#speaker.host === this ? this.#speaker.polite : '';
	}
	/** What the assertive region holds. */
	get assertive(): string {
		return this.#speaker.host === this ? this.#speaker.assertive : '';
	}

	#listen(): (() => void) | undefined {
		const { agent } = this.#options.scope();
		if (!this.#speaker.tells(this)) return;
		const stopping = new Set<string>();
		// What was asked for before this came.
		for (const { id } of untrack(() => agent.runs))
			if (agent.get(id)?.journal.some(({ kind }) => kind === 'stop.requested')) stopping.add(id);
		const off = agent.subscribe(({ kind, run }) => {
			if (kind === 'stop.requested') stopping.add(run);
			if (kind === 'run.ended') stopping.delete(run);
		});
		$effect(() => {
			// Woken once a frame, it tells what is so now.
			const { runs } = agent;
			untrack(() => this.#narrate(agent, runs, stopping));
		});
		return off;
	}

	#narrate(agent: AgentScope['agent'], runs: readonly RunState[], stopping: ReadonlySet<string>): void {
		const { scope, shortcut, before, spoken } = this.#options;
		const { lang = en, label, imported } = scope();
		const { phrases, retracted } = this.#speaker.narratorOf(agent).look(
			runs,
			{
				lang,
				shortcut: shortcut(),
				stopping,
				nameOf: (run) => actorOf(run, agent.engine.identity).name,
				label,
				imported,
				foreign: (run, all) => tellingOf('tainted', all, shownIn(agent.get(run.id)?.journal))
			},
			before()
		);
		for (const key of retracted) this.#speaker.retract(key);
		for (const phrase of phrases) if (this.#isWanted(phrase)) this.#speaker.say(phrase, spoken);
	}

	#isWanted(phrase: Phrase): boolean {
		const level = this.#options.level();
		return level === 'all' || (level === 'states' && phrase.class !== 'progress');
	}

	readonly #pressed = (event: KeyboardEvent): void => {
		const shortcut = this.#options.shortcut();
		if (shortcut === '' || event.key !== shortcut || !isHuman(event)) return;
		const { ownerDocument } = this.#options.element;
		const { pending } = this.#options.scope().agent;
		const found = pending.some(({ kind }) => kind === 'review') && goTo(ownerDocument, 'review-card');
		if (found || goTo(ownerDocument, 'question-card') || goTo(ownerDocument, 'turn-line'))
			event.preventDefault();
	};
}
