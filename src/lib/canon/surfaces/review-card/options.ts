import type { Actor } from '../../../actor/index.js';
import type { JournalRecord } from '../../../agent/protocol/records.js';
import type { Decision, DecisionReport, Pending, RunState } from '../../../agent/protocol/run-state.js';
import type { Language } from '../../../langs/index.js';

/** What the card tells of an act as its manifest declares it. @since 0.1.0 */
export interface ActFacts {
	description: string;
	/** Name of the act that makes good for it. */
	compensate?: string;
	/** In the app's currency. */
	cost?: number;
}

/** What the card needs of an ActiveAgent. @since 0.1.0 */
export interface ReviewAgent {
	readonly pending: readonly Pending[];
	readonly runs: readonly RunState[];
	get(run: string):
		| {
				decide(decision: Decision, by?: Actor): DecisionReport;
				keepOpen?(review: string, by?: Actor): DecisionReport;
				readonly journal?: readonly JournalRecord[];
		  }
		| undefined;
	readonly engine: {
		readonly identity: { id: string; name: string };
		readonly registry: {
			readonly instances: readonly { id: string; kind: string; label: string }[];
			entry?(id: string):
				| {
						readonly trust?: string | undefined;
						readonly manifest: { readonly acts: Readonly<Record<string, ActFacts>> };
				  }
				| undefined;
		};
	};
}

/** What {@link ReviewCardState} reads; a getter, so that everything may change. @since 0.1.0 */
export interface ReviewCardOptions {
	agent: ReviewAgent | undefined;
	/** What is mounted, for its labels. @default what the agent's registry holds now */
	instances?: readonly { id: string; label: string }[];
	/** What people call an instance, or called it while it was mounted. @default by what is mounted */
	label?: (instance: string) => string;
	/** Do strangers name an instance? Then its label is quoted. @default what its registration says */
	imported?: (instance: string) => boolean;
	/** Id of a review. @default the first that waits */
	review?: string;
	lang: Language;
	/** Who the person is, for the journal. @default the person at the page */
	person?: Actor;
}
