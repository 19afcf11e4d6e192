export { digest } from './digest.js';
export { defineManifest } from './manifest.js';
export { done, escalate, labelled, refuse, retry, unknown } from './results.js';
export type { ActCall, ActResult, AgentAct, AgentManifest, AgentRead } from './manifest.js';
export type { Preview, QuestionSpec, UndoPart } from '../protocol/run-state.js';
export type { OutputOf, Schema } from '../protocol/schema.js';
export type { Effect, JSONValue, Label, Level, Origin, Reach, Reason, Touch } from '../protocol/words.js';
