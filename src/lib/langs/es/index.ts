import type { Language } from '../language.js';
import { announcer } from './announcer.js';
import { aura } from './aura.js';
import { describe } from './describe.js';
import { question } from './question.js';
import { refusal } from './refusal.js';
import { reviewCard } from './review-card.js';

/** Spanish. @since 0.1.0 */
export const es: Language = {
	code: 'es',
	quote: (text) => `«${text}»`,
	describe,
	aura,
	announcer,
	question,
	reviewCard,
	refusal
};
