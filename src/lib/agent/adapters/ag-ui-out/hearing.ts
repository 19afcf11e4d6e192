import type { RunState } from '../../protocol/run-state.js';
import type { AgUiInput } from './input.js';

type Spoken = AgUiInput['spoken'];

/**
 * What each run was told by its client. A client may send what the user said again, with an answer for instance and without
 * what the agent said since: that is nothing new, and instructions that are none would void what a person approves.
 */
export class Hearing {
	readonly #told = new WeakMap<object, Set<string>>();

	/** @returns what is to steer the run; '' for nothing */
	take(run: { readonly state: RunState }, spoken: Spoken, isNew: boolean): string {
		// What an engine before this one was told, or this one by somebody else, is known by its words alone.
		const told = this.#told.get(run) ?? new Set(spoken.filter(by(run.state)).map(key));
		this.#told.set(run, told);
		const news = isNew ? [] : spoken.filter((one) => !told.has(key(one)));
		for (const one of spoken) told.add(key(one));
		return news.map(({ text }) => text).join('\n');
	}
}

/** A message is the same one while it says the same: what was edited is said anew. */
const key = ({ id, text }: Spoken[number]): string => JSON.stringify([id, text]);

/** Was it said to the run, alone or among other lines? */
const by =
	({ revisions }: RunState) =>
	({ text }: Spoken[number]): boolean =>
		revisions.some((one) => `\n${one.text}\n`.includes(`\n${text}\n`));
