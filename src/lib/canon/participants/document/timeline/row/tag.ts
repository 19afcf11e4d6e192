import type { Stands } from './value.js';

/**
 * Why a token is out of the document, as a word, because equal reasons are compared on every keystroke:
 * - `r:<run>` the run took it out; holds while the run stands.
 * - `h:` the structure could not hold it when a run was turned last; the next turn drops the reason and judges anew.
 * - `p:<event>.<n>` the person's n-th deletion, in the event of their history with that number; holds always.
 * - `s:` never a reason to be out (see SCAFFOLD).
 * - `b:<event>.<n>` it was out already when the person's n-th deletion replaced the whole document; holds always.
 */
export type Reason = string;

export const NO_REASONS: readonly Reason[] = [];

export const byRun = (run: string): Reason => `r:${run}`;
export const HIDDEN: Reason = 'h:';
export const byPerson = (event: number, count: number): Reason => `p:${event}.${count}`;
/** The same deletion, seen from a token that was out already. */
export const buried = (deletion: Reason): Reason => `b${deletion.slice(1)}`;

export const isByPerson = (reason: Reason): boolean => reason.charCodeAt(0) === 112;
export const isBuried = (reason: Reason): boolean => reason.charCodeAt(0) === 98;

/** The number of the event in the person's history, or -1 where the reason is a run. */
export const eventOf = (reason: Reason): number =>
	isByPerson(reason) || isBuried(reason) ? Number(reason.slice(2, reason.indexOf('.'))) : -1;

/** The run of the reason, or undefined where it is the person. */
export const runOfReason = (reason: Reason): string | undefined =>
	reason.startsWith('r:') ? reason.slice(2) : undefined;

/** Does the reason hold now? */
export function holds(reason: Reason, stands: Stands): boolean {
	switch (reason.charCodeAt(0)) {
		case 114:
			return stands(reason.slice(2));
		case 115:
			return false;
		default:
			return true;
	}
}

/** On a tag that an undo made only to hold words which had no place: not a reason to be out, a reason to be dropped. */
export const SCAFFOLD: Reason = 's:';
export const isScaffold = (reason: Reason): boolean => reason === SCAFFOLD;
