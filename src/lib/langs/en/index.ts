import type { Language } from '../language.js';
import { announcer } from './announcer.js';
import { aura } from './aura.js';
import { describe } from './describe.js';
import { question } from './question.js';
import { refusal } from './refusal.js';
import { reviewCard } from './review-card.js';

/** English, the language of the kit where none is given. @since 0.1.0 */
export const en: Language = {
	code: 'en',
	quote: (text) => `“${text}”`,
	describe,
	aura,
	announcer,
	question,
	reviewCard,
	refusal
};
