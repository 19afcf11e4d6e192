import type { activity } from './en/activity.js';
import type { announcer } from './en/announcer.js';
import type { aura } from './en/aura.js';
import type { late } from './en/late.js';
import type { markdown } from './en/markdown.js';
import type { panel } from './en/panel.js';
import type { question } from './en/question.js';
import type { refusal } from './en/refusal.js';
import type { reviewCard } from './en/review-card.js';
import type { runTrail } from './en/run-trail.js';
import type { talk } from './en/talk.js';
import type { sources } from './en/sources.js';
import type { Situation, SituationKind } from './situation.js';

/**
 * The words a page needs before an agent runs. Of English these alone are loaded first; the rest comes with the bodies of
 * the surfaces.
 * @since 0.1.0
 */
export interface EarlyLanguage {
	/** BCP 47, for `lang` attributes, numbers, dates and lists. */
	code: string;
	/** Sets somebody else's words in the quotation marks of the language. */
	quote(text: string): string;
	/** One sentence for every situation of a run, the actor first, without a full stop. */
	describe: DescribeWords;
	aura: AuraWords;
	late: LateWords;
	refusal: RefusalWords;
	sources: SourceWords;
	panel: PanelWords;
}

/**
 * All words of the surfaces in one language. English is the measure: a language that lacks a key, or takes other
 * arguments, does not compile. To add one, write `export const fr: Language = { … }` and hand it to `AgentRoot`.
 * @since 0.1.0
 */
export interface Language extends EarlyLanguage {
	announcer: AnnouncerWords;
	question: QuestionWords;
	reviewCard: ReviewCardWords;
	talk: TalkWords;
	activity: ActivityWords;
	runTrail: RunTrailWords;
	markdown: MarkdownWords;
}

/** @since 0.1.0 */
export type DescribeWords = Readonly<Record<SituationKind, (facts: Situation) => string>>;
/** @since 0.1.0 */
export type AuraWords = typeof aura;
/** @since 0.1.0 */
export type AnnouncerWords = typeof announcer;
/** @since 0.1.0 */
export type LateWords = typeof late;
/** @since 0.1.0 */
export type QuestionWords = typeof question;
/** @since 0.1.0 */
export type ReviewCardWords = typeof reviewCard;
/** @since 0.1.0 */
export type RefusalWords = typeof refusal;
/** @since 0.1.0 */
export type SourceWords = typeof sources;
/** @since 0.1.0 */
export type PanelWords = typeof panel;
/** @since 0.1.0 */
export type TalkWords = typeof talk;
/** @since 0.1.0 */
export type ActivityWords = typeof activity;
/** @since 0.1.0 */
export type MarkdownWords = typeof markdown;
/** @since 0.1.0 */
export type RunTrailWords = typeof runTrail;
