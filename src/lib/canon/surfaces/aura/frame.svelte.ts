import { refusalIn } from '../../../langs/index.js';
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

	get line(): Line {
		return lineAt(this.turn.run, this.#read().instance);
	}
	get label(): string {
		return this.turn.label(this.#read().instance);
	}
	/** Accessible name: who acts, in which instance; an id is no name. */
	get name(): string {
		const { turn } = this;
		const { instance } = this.#read();
		const known = turn.scope.label(instance) !== instance || turn.instance(instance) !== undefined;
		return known ? `${turn.agentName}, ${this.label}` : turn.agentName;
	}

	get status(): string {
		const { line, turn } = this;
		const words = turn.lang.aura;
		const { instance } = this.#read();
		if (line === 'acting') return words.acting(turn.instance(instance)?.kind ?? '');
		if (line === 'returned') return words.yourTurnAgain;
		const last = turn.run?.steps.findLast((step) => step.instance === instance);
		const why = line === 'failed' || line === 'refused' ? last?.reasons.at(-1) : undefined;
		return why ? refusalIn(turn.lang, why) : words.is[line];
	}

	get counter(): string {
		const { line, turn } = this;
		const { run } = turn;
		if (run && line === 'acting') return turn.counter;
		if (run === undefined || line !== 'waiting') return '';
		const { instance } = this.#read();
		const here = run.steps.filter((step) => step.instance === instance && step.status === 'waiting').length;
		return here === 0 ? '' : turn.lang.aura.steps(here);
	}

	/** What can be done from here: the most pressing thing alone, the turn line has the rest. */
	get controls(): readonly Control[] {
		const { line, turn } = this;
		const wanted = { thinking: 'stop', acting: 'stop', paused: 'resume', waiting: 'review' }[line as string];
		const all = line === 'waiting' ? turn.needs.flatMap((need) => need.controls) : turn.controls;
		return all.filter((control) => control.action === wanted);
	}
}
