import { SvelteMap } from 'svelte/reactivity';
import type { Entry } from '../field/field.js';

/** What was entered into the fields of one question, by key; it has no prototype, for a key may be any word. */
export type Entries = Readonly<Record<string, Entry>>;

/**
 * What a person has entered so far in answer to the questions of one agent, and not yet sent. It outlives the form: whoever
 * goes elsewhere and comes back, or meets the question in another place, finds it as it was.
 */
export class QuestionDesk {
	/** By question, so that an entry never leaks into another one. */
	readonly #entries = new SvelteMap<string, Entries>();
	/** The question that was put off. */
	later = $state<string>();

	/** What was entered in answer to a question. */
	entries(question: string): Entries {
		return this.#entries.get(question) ?? NOTHING;
	}

	enter(question: string, key: string, entry: Entry): void {
		const entries = Object.assign(Object.create(null) as object, this.entries(question), { [key]: entry });
		this.#entries.set(question, entries);
	}

	/** Forgets what was entered in answer to all other questions: they are settled. */
	keep(questions: readonly string[]): void {
		for (const question of this.#entries.keys())
			if (!questions.includes(question)) this.#entries.delete(question);
	}
}

const NOTHING: Entries = Object.freeze(Object.create(null) as Entries);

// Weak, and only a client fills them: an agent that is gone takes its desk along.
const desks = new WeakMap<object, QuestionDesk>();

/** The desk of an agent, the same for all forms of its questions. */
export function questionDeskOf(agent: object): QuestionDesk {
	let desk = desks.get(agent);
	if (!desk) desks.set(agent, (desk = new QuestionDesk()));
	return desk;
}
