// Who acts
export { actingAs, carry, currentCause } from './actor/index.js';
export type { Actor, ActorKind } from './actor/index.js';

// The agent of an app, and what lets it see components
export { ActiveAgent, defineActiveAgent } from './agent/active/index.js';
export { AgentRoot, capabilities, expose, registerManifest } from './mount/index.js';
export type { AgentRootProps, ExposedAct, ExposedRead, InstanceOptions } from './mount/index.js';

// Surfaces
export { Activity } from './canon/surfaces/activity/index.js';
export type { ActivityProps, ActState, ActValue, ActView } from './canon/surfaces/activity/index.js';
export { Announcer, setVerbosity } from './canon/surfaces/announcer/index.js';
export type { AnnouncerProps, Phrase, PhraseClass, Verbosity } from './canon/surfaces/announcer/index.js';
export { Aura, aura } from './canon/surfaces/aura/index.js';
export type {
	AuraOptions,
	AuraProps,
	Control,
	FrameState,
	Line,
	Need,
	TurnState
} from './canon/surfaces/aura/index.js';
export { CopilotPanel } from './canon/surfaces/panel/index.js';
export type { CopilotPanelProps, PanelState } from './canon/surfaces/panel/index.js';
export { QuestionCard } from './canon/surfaces/question/index.js';
export type { QuestionCardProps, QuestionField, QuestionState } from './canon/surfaces/question/index.js';
export { ReviewCard } from './canon/surfaces/review-card/index.js';
export type { ReviewCardProps, ReviewCardState } from './canon/surfaces/review-card/index.js';
export { RunTrail } from './canon/surfaces/run-trail/index.js';
export type { Fact, LineView, RunTrailProps, TrailState } from './canon/surfaces/run-trail/index.js';

// Words
export { describe, en, es, extend } from './langs/index.js';
export type { Language, Naming, PartialLanguage, Situation, SituationKind } from './langs/index.js';

// Who is behind an event
export { personFrom } from './uix/index.js';

// What components emit
export { agentHue } from './uix/eidos/index.js';
export type { Emission, EmissionListener } from './uix/index.js';

// Types of the art
export type { AgentOptions } from './agent/engine/options.js';
export type { ConsentRules, ConsentVerdict, ReadConsent } from './agent/capability/consent.js';
export type { Obligation, PolicyRule } from './agent/gate/policy.js';
export type {
	AnswerReport,
	Decision,
	DecisionReport,
	EffectEntry,
	Outcome,
	Pending,
	Preview,
	Question,
	Review,
	RunState,
	Step,
	UndoReport
} from './agent/protocol/run-state.js';
export type { JournalRecord } from './agent/protocol/records.js';
export type { Budget, JSONValue, Label, Level, Reason } from './agent/protocol/words.js';
