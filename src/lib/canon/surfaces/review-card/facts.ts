import type { Step } from '../../../agent/protocol/run-state.js';
import type { Reason } from '../../../agent/protocol/words.js';
import type { ReviewCardWords } from '../../../langs/index.js';
import type { GlyphName } from '../glyph/glyphs.js';
import type { ReviewNaming } from './naming.js';

/** One thing worth knowing about a step before deciding on it. */
export interface Fact {
	kind: 'source' | 'taint' | 'undo' | 'scope' | 'weak' | 'policy';
	glyph?: GlyphName;
	text: string;
}

/** Why somebody is asked, in words. */
export function reasonText({ code, text }: Reason, words: ReviewCardWords): string {
	return code === 'rule' ? words.rule(text) : (words.why[code] ?? words.asked(text.replace(/\.$/, '')));
}

/** What there is to know about a step beside its values, most pressing first; without what holds for all steps. */
export function factsOf(
	step: Step,
	words: ReviewCardWords,
	naming: ReviewNaming,
	shared: readonly string[] = []
): readonly Fact[] {
	const facts: Fact[] = [];
	const sources = naming.sources(step.label);
	if (step.label.integrity === 'untrusted')
		facts.push({
			kind: 'taint',
			glyph: 'taint',
			text: sources.length > 0 ? words.comesFrom(sources) : words.untrusted
		});
	else if (sources.length > 0) facts.push({ kind: 'source', glyph: 'read', text: words.takenFrom(sources) });
	if (step.weak) facts.push({ kind: 'weak', glyph: 'clock', text: words.weak });
	if (step.effect !== 'irreversible') facts.push({ kind: 'undo', glyph: 'undo', text: words.canUndo });
	facts.push({
		kind: 'scope',
		text: step.reach === 'world' ? words.leavesApp : step.reach === 'app' ? words.inApp : words.onPage
	});
	if (step.asks === 'policy') facts.push({ kind: 'policy', text: words.byPolicy });
	else
		for (const reason of step.reasons) {
			const text = reasonText(reason, words);
			if (!shared.includes(text)) facts.push({ kind: 'policy', text });
		}
	return facts.filter((fact, index) => facts.findIndex(({ text }) => text === fact.text) === index);
}
