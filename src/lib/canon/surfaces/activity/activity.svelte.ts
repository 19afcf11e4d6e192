import { en, type Language } from '../../../langs/index.js';
import type { AgentScope } from '../../../mount/index.js';
import { nameOf } from '../names.js';
import { viewOfCall, viewOfStep, type ActView } from './act-view.js';
import { Entries } from './entries.js';

/** What one act is looked up by; every field may change. */
export interface ActivityContext {
	scope: AgentScope;
	/** Id of its run. */
	run: string;
	/** Id of the step, or of the call that became none. */
	step: string;
	lang: Language | undefined;
}

/** One act of a run, looked up by its id. @since 0.1.0 */
export class ActivityState {
	readonly #read: () => ActivityContext;
	readonly #entries = $derived.by(() => (void [this.#read().run, this.#read().scope.agent], new Entries()));

	constructor(read: () => ActivityContext) {
		this.#read = read;
	}

	get lang(): Language {
		const { lang, scope } = this.#read();
		return lang ?? scope.lang ?? en;
	}

	/** As it stands; undefined where there is no such act. */
	readonly act: ActView | undefined = $derived.by(() => {
		const { scope, run: id, step } = this.#read();
		const run = scope.agent.runs.find((one) => one.id === id);
		if (run === undefined) return undefined;
		const names = { lang: this.lang, label: (instance: string) => nameOf(scope, this.lang, instance) };
		const found = run.steps.find((one) => one.id === step);
		if (found) return viewOfStep(found, run, names);
		const entry = this.#entries
			.read(scope.agent.get(id)?.journal ?? [])
			.find((one) => one.kind === 'act' && one.call?.id === step);
		return entry?.kind === 'act' && entry.call ? viewOfCall(entry.call, names) : undefined;
	});
}
