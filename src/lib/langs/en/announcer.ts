import type { Situation } from '../situation.js';
import { list, some, tally, within } from './words.js';

const there = (key: string): string => (key === '' ? '' : ` Press ${key} to go there.`);
/** Why it is not like any other. */
const led = ({ tainted, sources }: Situation): string => {
	if (tainted === 0) return '';
	const named = sources.length > 3 ? [sources[0]!, `${sources.length - 1} other places`] : sources;
	const where = named.length === 0 ? '' : `: ${list(named)}`;
	return ` Text that is not trusted may have led to ${tainted === 1 ? 'it' : `${tainted} of them`}${where}.`;
};
const undo = (undoable: boolean): string => (undoable ? ' Undo is available.' : '');

/** What is announced. The actor comes first in every phrase. @since 0.1.0 */
export const announcer = {
	started: (agent: string, goal: string): string => `${agent}: started on “${goal}”.`,
	planned: (f: Situation): string => `${f.agent}: planned ${some(f.steps, 'step')}${within(f)}.`,
	progress: (f: Situation): string => `${f.agent}: ${f.at} of ${f.steps}${within(f)}.`,
	needsReview: (f: Situation, shortcut: string): string =>
		`${f.agent} needs your review: ${some(f.steps, 'step')}${
			f.final === 0 ? '' : `, ${f.final} cannot be undone`
		}.${led(f)}${there(shortcut)}`,
	stale: (f: Situation, shortcut: string): string =>
		`${f.agent} needs a new review: something changed, your approval is void and ${
			f.done === 0
				? 'nothing was done'
				: `${some(f.done, 'step')} before it ${f.done === 1 ? 'is' : 'are'} done`
		}.${there(shortcut)}`,
	asks: (agent: string, text: string): string => `${agent} asks you: ${text}`,
	offers: (agent: string, goal: string): string => `${agent} waits for your go-ahead: “${goal}”.`,
	/** Takes the run's sentence and makes it a phrase. */
	sentence: (sentence: string): string => `${sentence}.`,
	paused: (agent: string): string => `${agent}: paused.`,
	resumed: (agent: string): string => `${agent}: resumed.`,
	stopping: (agent: string): string => `${agent}: stopped. You have control.`,
	returned: (f: Situation): string =>
		`${f.agent}: returned control to you. ${tally(f).replace(/^./, (first) => first.toUpperCase())}.${undo(f.undoable)}`,
	/** After `returned`, for outcomes that are no success. */
	ended: (sentence: string, undoable: boolean): string => `${sentence}.${undo(undoable)}`,
	redone: (agent: string): string => `${agent}: what was undone stands again.`
};
