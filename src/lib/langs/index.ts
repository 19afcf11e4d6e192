export { describe } from './describe.js';
export { en } from './en/index.js';
export { es } from './es/index.js';
export { extend } from './extend.js';
export type { PartialLanguage } from './extend.js';
export { markOf, nameIn, oneLine, quoted, refusalIn, sayingIn } from './name.js';
export type { NameOptions } from './name.js';
export { sourceNames, sourceOf, traceOf } from './source.js';
export type { Source, Trace } from './source.js';
export { actorOf, isOver, isSettled, isUndoable, pressing, situation, waitOf } from './situation.js';
export type {
	ActivityWords,
	RunTrailWords,
	AnnouncerWords,
	AuraWords,
	DescribeWords,
	EarlyLanguage,
	Language,
	LateWords,
	MarkdownWords,
	PanelWords,
	QuestionWords,
	RefusalWords,
	ReviewCardWords,
	SourceWords,
	TalkWords
} from './language.js';
export type { EscalationCode, Naming, Situation, SituationKind } from './situation.js';
