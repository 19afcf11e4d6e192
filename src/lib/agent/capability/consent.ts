import { readOf } from './reading.js';
import type { Entry } from './registry.js';

/** What of a page may leave it. Entries: `kind`, `kind.read`, `#instance`, `#instance.read`, `@category`. @since 0.1.0 */
export interface ConsentRules {
	readonly allow?: readonly string[];
	readonly ask?: readonly string[];
	readonly deny?: readonly string[];
}

/**
 * May this read go to a model? A denial beats a question, a question beats an allowance, in any order. Where no entry names
 * it, its sensitivity decides: private asks, page and public go. Secret never goes, whatever the entries say.
 * @since 0.1.0
 */
export function consentVerdict(rules: ConsentRules, entry: Entry, read: string): 'allow' | 'ask' | 'deny' {
	const declared = readOf(entry, read);
	if (!declared || declared.sensitivity === 'secret') return 'deny';
	const names = [entry.kind, `${entry.kind}.${read}`, `#${entry.id}`, `#${entry.id}.${read}`];
	if (declared.category !== undefined) names.push(`@${declared.category}`);
	for (const verdict of ['deny', 'ask', 'allow'] as const)
		if (rules[verdict]?.some((name) => names.includes(name))) return verdict;
	return declared.sensitivity === 'page' || declared.sensitivity === 'public' ? 'allow' : 'ask';
}
