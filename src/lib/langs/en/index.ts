import type { Language } from '../language.js';
import { activity } from './activity.js';
import { announcer } from './announcer.js';
import { early } from './early.js';
import { markdown } from './markdown.js';
import { question } from './question.js';
import { reviewCard } from './review-card.js';
import { runTrail } from './run-trail.js';
import { talk } from './talk.js';

/** English, the language of the kit where none is given. @since 0.1.0 */
export const en: Language = { ...early, announcer, question, reviewCard, talk, activity, runTrail, markdown };
