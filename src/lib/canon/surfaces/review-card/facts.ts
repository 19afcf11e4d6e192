import type { Step } from '../../../agent/protocol/run-state.js';
import type { JSONValue, Reason } from '../../../agent/protocol/words.js';
import { nameIn, sayingIn, traceOf, type Language } from '../../../langs/index.js';
import { localeOf } from '../../../langs/locale.js';
import type { GlyphName } from '../glyph/glyphs.js';
import { fieldName } from './argument-fields.js';
import type { ReviewNaming } from './naming.js';
import type { ActFacts } from './options.js';

/** One thing worth knowing about a step before deciding on it. */
export interface Fact {
	kind: 'source' | 'taint' | 'undo' | 'amends' | 'scope' | 'cost' | 'weak' | 'why' | 'policy';
	glyph?: GlyphName;
	text: string;
}

/** Why somebody is asked, in words, and where it comes from. */
export function reasonText(reason: Reason, lang: Language, naming: ReviewNaming): string {
	const words = lang.reviewCard;
	const { code } = reason;
	const text = sayingIn(lang, reason.text);
	if (code === 'rule') return words.rule(text);
	const sources = naming.telling(code, traceOf(reason).sources);
	if (sources.length > 0 && code === 'tainted') return words.led(sources);
	if (sources.length > 0 && code === 'protected') return words.carries(sources);
	return words.why[code] ?? words.asked(text.replace(/\.$/, ''));
}

const SIGNS: Readonly<Record<string, GlyphName>> = {
	irreversible: 'risk',
	tainted: 'taint',
	protected: 'return',
	drift: 'clock'
};

/** What there is to know about a step beside its values, most pressing first; without what holds for all steps. */
export function factsOf(
	step: Step,
	lang: Language,
	naming: ReviewNaming,
	shared: readonly string[] = [],
	{ compensate, cost = 0 }: Partial<ActFacts> = {}
): readonly Fact[] {
	const words = lang.reviewCard;
	const facts: Fact[] = [];
	const asks = step.asks === 'policy' ? [] : step.reasons;
	for (const reason of asks) {
		const text = reasonText(reason, lang, naming);
		const { code } = reason;
		if (!shared.includes(text))
			facts.push({ kind: code === 'tainted' ? 'taint' : 'why', glyph: SIGNS[code] ?? 'ask', text });
	}
	const sources = naming.sources(step.label.sources);
	// Where it is why somebody is asked, it has been said.
	if (step.label.integrity !== 'untrusted') {
		if (sources.length > 0) facts.push({ kind: 'source', glyph: 'read', text: words.takenFrom(sources) });
	} else if (!asks.some(({ code }) => code === 'tainted'))
		facts.push({
			kind: 'taint',
			glyph: 'taint',
			text: sources.length > 0 ? words.comesFrom(sources) : words.untrusted
		});
	if (step.weak) facts.push({ kind: 'weak', glyph: 'clock', text: words.weak });
	if (step.effect !== 'irreversible') facts.push({ kind: 'undo', glyph: 'undo', text: words.canUndo });
	if (compensate !== undefined)
		facts.push({ kind: 'amends', glyph: 'undo', text: words.amends(nameIn(lang, fieldName(compensate))) });
	const receivers = step.reach === 'world' ? recipientsOf(step.args).map((one) => nameIn(lang, one)) : [];
	facts.push({
		kind: 'scope',
		text:
			step.reach === 'world' ? words.leavesApp(receivers) : step.reach === 'app' ? words.inApp : words.onPage
	});
	if (cost > 0)
		facts.push({ kind: 'cost', text: words.costs(new Intl.NumberFormat(localeOf(lang.code)).format(cost)) });
	if (step.asks === 'policy') facts.push({ kind: 'policy', text: words.byPolicy });
	return facts.filter((fact, index) => facts.findIndex(({ text }) => text === fact.text) === index);
}

const MAIL = /^[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+$/;

/** Whom a step reaches: mail addresses and hosts among its values, each once, as they are. */
export function recipientsOf(args: JSONValue): readonly string[] {
	if (typeof args === 'string') {
		if (MAIL.test(args)) return [args];
		return /^https?:\/\//.test(args) && URL.canParse(args) ? [new URL(args).host] : [];
	}
	if (typeof args !== 'object' || args === null) return [];
	return [...new Set(Object.values(args).flatMap(recipientsOf))];
}

const ORIGINS = /^(user|app|participant|imported|agent)$/;

/** Where the value of one argument comes from, where the gate could tell. */
export function originOf(
	{ reasons }: Step,
	path: string,
	{ reviewCard: words }: Language,
	naming: ReviewNaming
): Fact | undefined {
	for (const reason of reasons) {
		const { args } = traceOf(reason);
		// The gate names arguments, a table may name what is in one of them.
		const name = [path, path.split('/')[0]!].find((one) => Object.hasOwn(args, one));
		if (name === undefined) continue;
		// Without an address it is known by who wrote it.
		const of = args[name]!.filter((one) => !ORIGINS.test(one));
		if (of.length === 0 && args[name]!.includes('user')) return { kind: 'source', text: words.yourWords };
		const sources = naming.telling(reason.code, of);
		if (sources.length === 0) continue;
		return reason.code === 'tainted'
			? { kind: 'taint', glyph: 'taint', text: words.mayComeFrom(sources) }
			: { kind: 'source', glyph: 'read', text: words.takenFrom(sources) };
	}
	return undefined;
}
