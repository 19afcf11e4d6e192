/**
 * How urgent a phrase is: `needs-you` may interrupt, `state` waits its turn, `progress` is said rarely and only at its
 * latest, `detail` is never said by itself.
 * @since 0.1.0
 */
export type PhraseClass = 'needs-you' | 'state' | 'progress' | 'detail';

/** Something to be said to ears. The actor comes first in its text. @since 0.1.0 */
export interface Phrase {
	class: PhraseClass;
	text: string;
	/** Id of the run it is about: a newer state of a run takes the place of one that was not said yet. */
	topic: string;
	/** Names what is said, for taking it back before it was said. */
	key: string;
	/** Not worth saying once the work has gone on. */
	passing?: true;
}

/** How much is said. `states` leaves out progress. @since 0.1.0 */
export type Verbosity = 'off' | 'states' | 'all';
