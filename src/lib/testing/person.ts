import type { Actor } from '../actor/actor.js';
import type { Run } from '../agent/engine/run.js';

/** The person of a test. @since 0.1.0 */
export const person: Actor = Object.freeze({ kind: 'human', id: 'person', name: 'Person' });

/** The same run with `by: person` in every verb. @since 0.1.0 */
export function asPerson(run: Run): Run {
	return {
		get id() {
			return run.id;
		},
		get state() {
			return run.state;
		},
		get journal() {
			return run.journal;
		},
		get returned() {
			return run.returned;
		},
		accept: (by = person) => run.accept(by),
		decide: (decision, by = person) => run.decide(decision, by),
		answer: (question, value, by = person) => run.answer(question, value, by),
		decline: (question, reason, by = person) => run.decline(question, reason, by),
		steer: (update, by = person) => run.steer(update, by),
		pause: (by = person) => run.pause(by),
		resume: (by = person) => run.resume(by),
		keepOpen: (review, by = person) => run.keepOpen(review, by),
		renew: (budget, by = person) => run.renew(budget, by),
		settle: (operation, fact, by = person) => run.settle(operation, fact, by),
		stop: (reason, by = person) => run.stop(reason, by)
	};
}
