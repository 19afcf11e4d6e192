import type { EarlyLanguage } from '../language.js';
import { aura } from './aura.js';
import { describe } from './describe.js';
import { late } from './late.js';
import { panel } from './panel.js';
import { refusal } from './refusal.js';
import { sources } from './sources.js';

/** The English a page loads first: what a surface says before its body is there. */
export const early: EarlyLanguage = {
	code: 'en',
	quote: (text) => `“${text}”`,
	describe,
	aura,
	late,
	refusal,
	sources,
	panel
};
