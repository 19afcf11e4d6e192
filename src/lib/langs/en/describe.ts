import type { DescribeWords } from '../language.js';
import type { Situation } from '../situation.js';
import { some, tally, within } from './words.js';

const also = ({ more }: Situation): string =>
	more === 0 ? '' : `, and ${some(more, 'other thing')} ${more === 1 ? 'waits' : 'wait'}`;
const because = ({ reason }: Situation): string =>
	reason === undefined ? '' : `: ${reason.replace(/\.$/, '')}`;

/** @since 0.1.0 */
export const describe: DescribeWords = {
	offer: (f) => `${f.agent} is offered the work and waits for you to accept it`,
	queued: (f) => `${f.agent} has not begun, other work comes first`,
	thinking: (f) => `${f.agent} is thinking${f.done > 0 ? `, ${f.done} done so far` : ''}`,
	planned: (f) => `${f.agent} planned ${some(f.steps, 'step')}${within(f)}`,
	reviewing: (f) => `${f.agent} is waiting for your review of ${some(f.steps, 'change')}${within(f)}`,
	'reviewing-again': (f) =>
		`${f.agent} is waiting for a new review of ${some(f.steps, 'change')}${within(f)}, because something changed meanwhile`,
	authorized: (f) => `${f.agent} is about to do step ${f.at} of ${f.steps}${within(f)}`,
	acting: (f) => `${f.agent} is acting${within(f)}, ${f.at} of ${f.steps}`,
	question: (f) => `${f.agent} is waiting for your answer to a question${also(f)}`,
	budget: (f) => `${f.agent} has used up the budget and is waiting for you to renew it${also(f)}`,
	scope: (f) => `${f.agent} is waiting for you to say whether it may go beyond what you allowed${also(f)}`,
	drift: (f) => `${f.agent} is waiting because what it works on keeps changing${also(f)}`,
	'unknown-effect': (f) => `${f.agent} is waiting for you to say whether a step has happened${also(f)}`,
	consent: (f) => `${f.agent} is waiting for your consent to read something private${also(f)}`,
	auth: (f) => `${f.agent} is waiting for you to sign in${also(f)}`,
	stall: (f) => `${f.agent} is getting nowhere and is waiting for you${also(f)}`,
	transport: (f) => `${f.agent} cannot reach its model and is waiting for you to try again${also(f)}`,
	desync: (f) => `${f.agent} lost track of the other side and is waiting for you to try again${also(f)}`,
	store: (f) => `${f.agent} cannot save what it does and is waiting for you${also(f)}`,
	owner: (f) => `${f.agent} is at work in another window and is waiting for you here${also(f)}`,
	paused: (f) => `${f.agent} is paused${also(f)}`,
	other: (f) => `${f.agent} is waiting for you${because(f)}${also(f)}`,
	answered: (f) => `${f.agent} answered and returned control to you`,
	completed: (f) => `${f.agent} returned control to you: ${tally(f)}`,
	partial: (f) => `${f.agent} returned control to you with part of the work: ${tally(f)}`,
	proposed: (f) => `${f.agent} proposed ${some(f.proposed, 'step')}${within(f)} and returned control to you`,
	refused: (f) => `${f.agent} returned control to you, the work was refused${because(f)}`,
	interrupted: (f) => `${f.agent} was stopped and returned control to you: ${tally(f)}`,
	exhausted: (f) => `${f.agent} returned control to you, the budget was used up before anything was done`,
	failed: (f) => `${f.agent} failed and returned control to you${because(f)}`,
	superseded: (f) => `${f.agent} returned control to you, newer work took its place: ${tally(f)}`,
	abstained: (f) => `${f.agent} has no comment and returned control to you`,
	cancelled: (f) => `${f.agent} was cancelled before it did anything, control is yours`,
	undone: (f) => `You undid what ${f.agent} had done`,
	'partly-undone': (f) => `You undid part of what ${f.agent} had done`
};
