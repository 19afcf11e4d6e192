import { scripted, type ScriptedTurn } from '$agent/adapters/scripted.js';
import { EngineAgent, type AgentOptions, type RunOptions, type TurnRequest } from '$agent/index.js';
import { stories, storyActs, type StoryId } from '../stories/index.js';
import type { Language } from './texts.js';

interface Told {
	/** The story that is picked now. */
	story(): StoryId;
	/** Milliseconds between the pieces of an answer. */
	pace(): number;
	language: Language;
}

/** The demo's engine: a run keeps the story it was begun with, whoever began it and whatever is picked meanwhile. */
export class StoryEngine extends EngineAgent {
	readonly #stories: Map<string, StoryId>;
	readonly #told: Told;

	constructor(options: Omit<AgentOptions, 'transport'>, told: Told) {
		const runs = new Map<string, StoryId>();
		const turn = (request: TurnRequest): ScriptedTurn => ({
			paceMs: told.pace(),
			...stories[runs.get(request.run) ?? told.story()](request, told.language)
		});
		// There is nobody to delegate where there is no window.
		super({ inert: typeof window === 'undefined', ...options, transport: scripted(turn) });
		this.#stories = runs;
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
		return run;
	}
}
