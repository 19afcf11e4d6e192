import { situation } from '../../../langs/index.js';
import { lineAt, type Line } from './line.js';
import { TurnState, type Control, type TurnContext } from './turn.svelte.js';

/** What of the present run concerns one instance. @since 0.1.0 */
export class FrameState {
	readonly #read: () => TurnContext & { instance: string };
	/** The run as a whole. */
	readonly turn: TurnState;

	constructor(read: () => TurnContext & { instance: string }) {
		this.#read = read;
		this.turn = new TurnState(read);
	}

	readonly line: Line = $derived.by(() => lineAt(this.turn.run, this.#read().instance));
	readonly label: string = $derived.by(() => this.turn.naming.label(this.#read().instance));
	/** Accessible name: who acts, in which instance. */
	readonly name: string = $derived.by(() => `${this.turn.agentName}, ${this.label}`);

	readonly status: string = $derived.by(() => {
		const { line, turn } = this;
		const words = turn.lang.aura;
		const { instance } = this.#read();
		if (line === 'acting')
			return words.acting(turn.scope.instances.find(({ id }) => id === instance)?.kind ?? '');
		if (line === 'returned') return words.yourTurnAgain;
		const last = turn.run?.steps.findLast((step) => step.instance === instance);
		if (line === 'failed' || line === 'refused') return last?.reasons.at(-1)?.text ?? words.is[line];
		return words.is[line];
	});

	readonly counter: string = $derived.by(() => {
		const { line, turn } = this;
		if (turn.run === undefined) return '';
		if (line === 'acting') {
			const { at, steps } = situation(turn.run, turn.naming);
			return turn.lang.aura.count(at, steps);
		}
		if (line !== 'waiting') return '';
		const { instance } = this.#read();
		const here = turn.run.steps.filter(
			(step) => step.instance === instance && step.status === 'waiting'
		).length;
		return here === 0 ? '' : turn.lang.aura.steps(here);
	});

	/** What can be done from here: the most pressing thing alone, the turn line has the rest. */
	readonly controls: readonly Control[] = $derived.by(() => {
		const { line, turn } = this;
		const pick = (action: Control['action']) => turn.controls.filter((control) => control.action === action);
		if (line === 'thinking' || line === 'acting') return pick('stop');
		if (line === 'paused') return pick('resume');
		if (line !== 'waiting') return [];
		return turn.needs.flatMap((need) => need.controls).filter((control) => control.action === 'review');
	});
}
