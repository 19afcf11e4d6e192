import { type Assembly, assemble } from '../capability/context.js';
import { catalogue, CONTROL } from '../capability/addressing.js';
import type { Entry } from '../capability/registry.js';
import { shownKeys } from '../capability/reading.js';
import { availability, versionOf } from '../gate/look.js';
import type { Fold } from '../journal/fold.js';
import type { Kinds, ShownAt } from '../journal/kinds.js';
import type { Tool } from '../protocol/turn.js';
import type { Core } from './core.js';

/** Most output tokens of an ordinary turn and of a wrap-up. */
const OUTPUT = 4096;
export const WRAP_UP = 1000;

/** Object values with more keys are bound as a whole. */
const MOST_KEYS = 200;

const inScope = (core: Core, run: Fold): Entry[] =>
	core.registry.entries().filter(({ id }) => run.covers(id));

/** What the page looks like to the run now. */
export function look(core: Core, run: Fold): Assembly {
	const { attachments, nonce } = run.opened;
	return assemble({
		entries: inScope(core, run),
		tokens: core.contextTokens,
		estimate: core.estimate,
		touched: [...run.touched].reverse(),
		recent: [],
		consent: (entry, read) => core.consent(run, entry, read),
		labelOf: (entry, read, declared, key) => core.labelOf(entry, read, declared, key),
		attachments,
		nonce
	});
}

/** The tools of a turn: what is mounted and available now, and nothing else. */
export function toolsOf(core: Core, run: Fold): Tool[] {
	const tools = catalogue(inScope(core, run), (entry, act) => {
		const provider = entry.provider();
		return provider === undefined ? 'not ready' : availability(act, provider);
	});
	return [...tools, ...CONTROL];
}

/** A turn about to be opened. */
export function opening(
	core: Core,
	run: Fold,
	seen: Assembly,
	mode: { wrapUp?: true; continues?: true }
): Kinds['turn.opened'] {
	const { wrapUp, continues } = mode;
	const { limit, spent, turns, reserve } = run;
	const context = continues ? '' : seen.text;
	const left = limit.tokens - spent.tokens - reserve.tokens;
	const tools = (wrapUp ? [] : toolsOf(core, run)).map(({ name, kind, act, instances }) => ({
		name,
		kind,
		act,
		instances
	}));
	return {
		turn: `${run.id}-t${turns.length + 1}`,
		context,
		shown: continues ? [] : seen.shown.map((shown) => shownAt(core, shown)),
		leftOut: seen.leftOut,
		tools,
		changed: wrapUp ? undefined : difference(run.turn?.opened.tools, tools),
		label: seen.label,
		reserve: wrapUp ? WRAP_UP : Math.max(0, Math.min(OUTPUT + core.estimate(context), left)),
		...mode
	};
}

/** A read as it is recorded, with the versions of the single keys it shows: a step may depend on one of them alone. */
function shownAt(core: Core, shown: Assembly['shown'][number]): ShownAt {
	const { instance, read, key, version, label, form, digest, value } = shown;
	const entry = core.registry.entry(instance);
	const told = form === 'line' || !entry ? undefined : shownKeys(entry, read);
	const own = typeof value === 'object' && value && !Array.isArray(value) ? Object.keys(value) : [];
	const names = told ? (form === 'full' ? told : []) : own.length > MOST_KEYS ? [] : own;
	const keys =
		form === 'line' || names.length === 0
			? undefined
			: Object.fromEntries(
					names.flatMap((key) => {
						const now = versionOf(core.registry, { instance, read, key });
						return now === undefined ? [] : [[key, now]];
					})
				);
	return { instance, read, key, version, label, form, digest, keys };
}

/** Which acts of which instances came and went since the turn before. */
function difference(
	before: Kinds['turn.opened']['tools'] | undefined,
	now: Kinds['turn.opened']['tools']
): Kinds['turn.opened']['changed'] {
	if (!before) return undefined;
	const names = (tools: Kinds['turn.opened']['tools']) =>
		new Set(tools.flatMap(({ act, instances }) => (instances ?? []).map((id) => `${id}.${act}`)));
	const old = names(before);
	const present = names(now);
	const added = [...present].filter((name) => !old.has(name));
	const removed = [...old].filter((name) => !present.has(name));
	return added.length + removed.length > 0 ? { added, removed } : undefined;
}
