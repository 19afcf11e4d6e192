import type { RunState } from '../../../agent/protocol/run-state.js';
import type { Language } from '../../../langs/index.js';

/** How far one limit is used up. */
export interface Meter {
	limit: 'acts' | 'ms' | 'tokens' | 'cost';
	name: string;
	at: number;
	of: number;
	/** From 0 to 1. */
	part: number;
	text: string;
	/** So far that it may stop the run soon. */
	nearly: boolean;
}

/** From here on it is said. */
const NEARLY = 0.85;

/** What a run has spent, with what was reserved and is not spent yet left out. */
export function meters(run: RunState, lang: Language): readonly Meter[] {
	const { limit, spent } = run.budget;
	const words = lang.talk;
	const limits = ['acts', 'ms', 'tokens', ...(spent.cost > 0 ? (['cost'] as const) : [])] as const;
	return limits.map((name) => {
		const [at, of] = [spent[name], limit[name]];
		const part = of > 0 ? Math.min(1, at / of) : 1;
		const text = name === 'ms' ? words.spent.ms(minutes(at), minutes(of)) : words.spent[name](at, of);
		return { limit: name, name: words.limits[name], at, of, part, text, nearly: part >= NEARLY };
	});
}

/** Minutes and seconds: 1:12. */
const minutes = (ms: number): string => {
	const seconds = Math.floor(ms / 1000);
	return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
};
