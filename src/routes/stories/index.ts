import type { TurnRequest } from '$agent/index.js';
import type { ScriptedTurn } from '$agent/adapters/scripted.js';
import type { Language } from '../site/texts.js';
import { both } from './both.js';
import { budget } from './budget.js';
import { drift } from './drift.js';
import { fill } from './fill.js';
import { paste } from './paste.js';
import { rewrite } from './rewrite.js';
import { send } from './send.js';
import { stale } from './stale.js';

export type StoryId = 'fill' | 'drift' | 'send' | 'budget' | 'rewrite' | 'both' | 'stale' | 'paste';

/** What the scripted model answers to one request. It knows nothing but what stands in the request. */
export type Story = (request: TurnRequest, language: Language) => ScriptedTurn;

export const stories: Record<StoryId, Story> = { fill, drift, send, budget, rewrite, both, stale, paste };
export const storyIds = Object.keys(stories) as readonly StoryId[];

/** The level at which a story is told, where it matters. */
export const storyLevels: Partial<Record<StoryId, 'auto'>> = { paste: 'auto' };

/** Acts a run of the story may do, where it is fewer than the default. */
export const storyActs: Partial<Record<StoryId, number>> = { budget: 3 };
