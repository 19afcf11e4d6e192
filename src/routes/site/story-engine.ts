import { scripted, type ScriptedTurn } from '$agent/adapters/scripted.js';
import {
	EngineAgent,
	type AgentOptions,
	type AgentTransport,
	type RunOptions,
	type TurnRequest
} from '$agent/index.js';
import { stories, storyActs, type StoryId } from '../stories/index.js';
import type { Language } from './texts.js';

interface Told {
	/** The story that is picked now. */
	story(): StoryId;
	/** Milliseconds between the pieces of an answer. */
	pace(): number;
	language: Language;
	/** The model that answers now; none: the script does. */
	model(): AgentTransport | undefined;
}

/** The demo's engine: a run keeps the story and the model it was begun with, whoever began it and whatever is picked meanwhile. */
export class StoryEngine extends EngineAgent {
	readonly #stories: Map<string, StoryId>;
	readonly #models: Map<string, AgentTransport | undefined>;
	readonly #told: Told;

	constructor(options: Omit<AgentOptions, 'transport'>, told: Told) {
		const runs = new Map<string, StoryId>();
		const models = new Map<string, AgentTransport | undefined>();
		const turn = (request: TurnRequest): ScriptedTurn => ({
			paceMs: told.pace(),
			...stories[runs.get(request.run) ?? told.story()](request, told.language)
		});
		const script = scripted(turn);
		const transport: AgentTransport = {
			name: 'demo',
			open: (request, signal) => (models.get(request.run) ?? script).open(request, signal)
		};
		// There is nobody to delegate where there is no window.
		super({ inert: typeof window === 'undefined', ...options, transport });
		this.#stories = runs;
		this.#models = models;
		this.#told = told;
	}

	storyOf(run: string): StoryId {
		return this.#stories.get(run) ?? this.#told.story();
	}

	override run(
		goal: Parameters<EngineAgent['run']>[0],
		options?: RunOptions
	): ReturnType<EngineAgent['run']> {
		const story = this.#told.story();
		const acts = storyActs[story];
		const run = super.run(goal, { ...(acts !== undefined && { budget: { acts } }), ...options });
		// Its first turn is asked for after this.
		this.#stories.set(run.id, story);
		this.#models.set(run.id, this.#told.model());
		return run;
	}
}
