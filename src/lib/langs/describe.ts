import type { RunState } from '../agent/protocol/run-state.js';
import type { EarlyLanguage } from './language.js';
import { situation, type Naming } from './situation.js';

/**
 * A run in one sentence, for every state, reason and outcome: "Ada is waiting for your review of 3 changes in Invoice".
 * No full stop, so that it can stand in a status, a title or a list.
 * @since 0.1.0
 */
export function describe(run: RunState, lang: EarlyLanguage, naming: Naming): string {
	const facts = situation(run, naming, lang);
	return lang.describe[facts.kind](facts);
}
