import type { Language } from '../language.js';
import { activity } from './activity.js';
import { announcer } from './announcer.js';
import { aura } from './aura.js';
import { describe } from './describe.js';
import { late } from './late.js';
import { markdown } from './markdown.js';
import { panel } from './panel.js';
import { question } from './question.js';
import { refusal } from './refusal.js';
import { reviewCard } from './review-card.js';
import { runTrail } from './run-trail.js';
import { sources } from './sources.js';
import { talk } from './talk.js';

/** Spanish. @since 0.1.0 */
export const es: Language = {
	code: 'es',
	quote: (text) => `«${text}»`,
	describe,
	aura,
	announcer,
	late,
	question,
	reviewCard,
	refusal,
	sources,
	panel,
	talk,
	activity,
	runTrail,
	markdown
};
