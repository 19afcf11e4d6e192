import { carryOut } from './act.js';
import { assessPlan, proposeCall } from './assess-plan.js';
import { closeStep } from './close-step.js';
import type { Task } from './conduct.js';
import type { Conductor } from './conductor.js';
import { sortTurn } from './sort-turn.js';
import { openTurn, requestTurn } from './turn.js';

type Doing<K> = (conductor: Conductor, task: Extract<Task, { do: K }>) => Promise<void> | void;

/**
 * What only a run under way needs: opening a turn on the page, asking the model, reading what it says, painting, sorting its
 * calls, and walking its steps through the gate. Loaded when the first turn or call begins, so that an app in which nobody
 * delegates does not pay for it.
 */
export const walk: {
	readonly [K in 'open' | 'request' | 'sort' | 'propose' | 'assess' | 'close' | 'act']: Doing<K>;
} = {
	open(conductor, task) {
		const { fold, house } = conductor;
		const { revision } = fold;
		// A change of course is kept before anybody acts on it.
		if (!house.persist || revision === 1 || conductor.keptRevision === revision)
			return openTurn(conductor, task);
		return house.persist.barrier(fold.id).then((kept) => void (kept && (conductor.keptRevision = revision)));
	},
	request: (conductor, { turn }) => requestTurn(conductor, turn),
	sort: (conductor, { turn }) => sortTurn(conductor, turn),
	propose: proposeCall,
	assess: assessPlan,
	close: (conductor, { memory, status, reasons }) => closeStep(conductor, memory, status, reasons),
	act: (conductor, { memory }) => carryOut(conductor, memory)
};

export { edited } from './edit.js';
export { checkAnswer } from './question.js';
export { reconcile } from './probe.js';
export { giveUp, unmoved } from './settle.js';
export { takeBack } from './undo.js';
