import type { RunState } from '../../../agent/protocol/run-state.js';
import {
	describe,
	isOver,
	nameIn,
	oneLine,
	sayingIn,
	situation,
	waitOf,
	type Language,
	type Naming
} from '../../../langs/index.js';
import type { Phrase } from './phrase.js';

/** What is known of a run from the last look. */
interface Memory {
	/** Keys of what was said and still holds. */
	said: Set<string>;
	paused: boolean;
	undone: RunState['undone'];
	progress: string;
	over: boolean;
}

/** What changed for ears between two looks. */
export interface Narration {
	phrases: readonly Phrase[];
	/** Keys of what no longer needs the person. */
	retracted: readonly string[];
}

/** What a narrator puts into words. */
export interface NarratorContext {
	/** Human label of an instance. */
	label(instance: string): string;
	imported?: Naming['imported'];
	foreign?: Naming['foreign'];
	/** Who acts in a run. */
	nameOf(run: RunState): string;
	lang: Language;
	/** Key that leads to what needs the person; empty: none. */
	shortcut: string;
	/** Runs whose stop was asked for. */
	stopping: ReadonlySet<string>;
}

/** `who`: its agent, as it may stand in a phrase. */
type RunContext = NarratorContext & Naming & { who: string };

/**
 * Tells what happened to runs since the last look, each thing once. Works on states, so what came and went within one
 * frame is not told, and a thousand deltas are one sentence.
 * @since 0.1.0
 */
export class Narrator {
	readonly #memories = new Map<string, Memory>();
	#begun = false;

	/**
	 * The first look says only what needs the person: what happened before is history.
	 * @param before the runs as they stood when listening began, where the first look comes later than that
	 */
	look(runs: readonly RunState[], context: NarratorContext, before: readonly RunState[] = runs): Narration {
		if (this.#begun || before === runs) return this.#look(runs, context);
		const first = this.#look(before, context);
		const { phrases, retracted } = this.#look(runs, context);
		// What was settled meanwhile needs nobody any more.
		return {
			phrases: [...first.phrases.filter(({ key }) => !retracted.includes(key)), ...phrases],
			retracted
		};
	}

	#look(runs: readonly RunState[], context: NarratorContext): Narration {
		const phrases: Phrase[] = [];
		const retracted: string[] = [];
		for (const run of runs) {
			const agentName = context.nameOf(run);
			this.#tell(run, { ...context, agentName, who: nameIn(context.lang, agentName) }, phrases, retracted);
		}
		this.#begun = true;
		return { phrases, retracted };
	}

	#tell(run: RunState, context: RunContext, phrases: Phrase[], retracted: string[]): void {
		const fresh = !this.#memories.has(run.id);
		const memory = this.#memories.get(run.id) ?? {
			said: new Set<string>(),
			paused: false,
			undone: this.#begun ? undefined : run.undone,
			progress: '',
			over: false
		};
		this.#memories.set(run.id, memory);
		const silent = fresh && !this.#begun;

		const key = (name: string) => `${run.id}/${name}`;
		const say = (phrase: Omit<Phrase, 'topic' | 'key'> & { key: string }) => {
			if (memory.said.has(phrase.key)) return;
			memory.said.add(phrase.key);
			if (!silent || phrase.class === 'needs-you')
				phrases.push({ ...phrase, key: key(phrase.key), topic: run.id });
		};

		const needs = isOver(run) ? [] : needsOf(run, context);
		for (const said of [...memory.said]) {
			if (!said.startsWith('needs:') || needs.some((need) => need.key === said)) continue;
			memory.said.delete(said);
			retracted.push(key(said));
		}

		if (isOver(run)) this.#end(run, memory, context, say);
		else {
			this.#begin(run, context, say);
			for (const need of needs) say(need);
			this.#pause(run, memory, context, say);
			this.#progress(run, memory, context, (phrase) => {
				if (!silent) phrases.push({ ...phrase, key: key(phrase.key), topic: run.id });
			});
			if (context.stopping.has(run.id))
				say({ class: 'state', key: 'stopping', text: context.lang.announcer.stopping(context.who) });
		}
	}

	#begin(run: RunState, context: RunContext, say: Say): void {
		const words = context.lang.announcer;
		const started = run.state !== 'offered' || run.activity === 'thinking';
		if (started) say({ class: 'state', key: 'start', text: words.started(context.who, briefly(run.goal)) });
		if (run.plan !== undefined && run.plan.steps.length > 0)
			say({
				class: 'state',
				key: `plan:${run.plan.turn}`,
				text: words.planned(situation({ ...run, reviews: [] }, context, context.lang)),
				passing: true
			});
	}

	#pause(run: RunState, memory: Memory, context: RunContext, say: Say): void {
		const words = context.lang.announcer;
		const paused = run.activity === 'paused' || run.escalations.some((reason) => reason.code === 'paused');
		if (paused && !memory.paused) {
			memory.said.delete('resumed');
			say({ class: 'state', key: 'paused', text: words.paused(context.who) });
		}
		if (!paused && memory.paused) {
			memory.said.delete('paused');
			say({ class: 'state', key: 'resumed', text: words.resumed(context.who) });
		}
		memory.paused = paused;
	}

	#progress(run: RunState, memory: Memory, context: RunContext, push: Say): void {
		if (run.state !== 'acting' && run.state !== 'authorized') return;
		const text = context.lang.announcer.progress(situation(run, context, context.lang));
		if (text === memory.progress) return;
		memory.progress = text;
		push({ class: 'progress', key: 'progress', text });
	}

	#end(run: RunState, memory: Memory, context: RunContext, say: Say): void {
		const words = context.lang.announcer;
		const facts = situation({ ...run, undone: undefined }, context, context.lang);
		const text =
			facts.kind === 'completed'
				? words.returned(facts)
				: words.ended(describe({ ...run, undone: undefined }, context.lang, context), facts.undoable);
		say({ class: 'state', key: 'returned', text });
		if (run.undone !== memory.undone) {
			memory.said.delete('undone');
			say({
				class: 'state',
				key: 'undone',
				text:
					run.undone === undefined
						? words.redone(context.who)
						: words.sentence(describe(run, context.lang, context))
			});
		}
		memory.undone = run.undone;
	}
}

type Said = Omit<Phrase, 'topic'>;
type Say = (phrase: Said) => void;

/** Everything of a run that waits for a person now. A pause is the person's own and needs nobody. */
function needsOf(run: RunState, context: RunContext): readonly Said[] {
	const words = context.lang.announcer;
	const needs: Said[] = [];
	const need = (key: string, text: string) => needs.push({ class: 'needs-you', key: `needs:${key}`, text });

	// What waits where it is carried on waits there.
	if (run.elsewhere) {
		need('escalation:owner', words.sentence(describe(run, context.lang, context)));
		return needs;
	}
	if (run.state === 'offered' && run.activity === 'waiting')
		need('offer', words.offers(context.who, briefly(run.goal)));
	const review = run.reviews.findLast((one) => one.status === 'open');
	if (review !== undefined) {
		const facts = situation(run, context, context.lang);
		const again = (review.changes?.length ?? 0) > 0;
		need(
			`review:${review.id}`,
			again ? words.stale(facts, context.shortcut) : words.needsReview(facts, context.shortcut)
		);
	}
	const questions = run.questions.filter((one) => one.status === 'open');
	// Consent is asked as one thing, however many reads and questions it is about.
	for (const { id, reason, text } of questions)
		if (reason !== 'consent') need(`question:${id}`, words.asks(context.who, sayingIn(context.lang, text)));
	if (questions.some(({ reason }) => reason === 'consent'))
		need('consent', words.asks(context.who, context.lang.question.consent(context.who)));
	for (const reason of run.escalations) {
		// Where a question stands for the reason, the question has been said.
		if (reason.code === 'paused' || questions.some((one) => one.reason === waitOf(reason))) continue;
		const sentence = describe({ ...run, escalations: [reason] }, context.lang, context);
		need(`escalation:${reason.code}`, words.sentence(sentence));
	}
	return needs;
}

/** More characters of a goal than this are not read out. */
const BRIEF = 120;

/** A goal as a part of a sentence: without its own full stop, and not longer than an ear can keep. */
function briefly(goal: string): string {
	// It stands in quotation marks, and none of its own closes them.
	const text = oneLine(goal)
		.replace(/[.。]+$/, '')
		.replace(/[“”«»]/g, '’');
	return text.length > BRIEF ? `${text.slice(0, BRIEF).replace(/\s+\S*$/, '')}…` : text;
}
