import { type Catalogue, catalogue, CONTROL, type Named, toolsAgain } from '../capability/addressing.js';
import { RANK, type Ranked } from '../capability/ranking.js';
import type { Entry } from '../capability/registry.js';
import { availability } from '../gate/look.js';
import type { Fold } from '../journal/fold.js';
import type { Tool } from '../protocol/turn.js';
import type { Core } from './core.js';

/** Most output tokens of a wrap-up, which calls nothing. */
export const WRAP_UP = 1000;

/** What may be called in a turn that is about to open: what is mounted and available now, and nothing else. */
export function disclose(core: Core, run: Fold, order: readonly Ranked[]): Catalogue {
	const named = new Set(run.turn?.opened.tools.flatMap(({ instances = [] }) => instances));
	// What the last turn named stays named unless something more important needs its place: a request whose tools are those of
	// the one before is served from a cache.
	const near: Entry[] = [];
	const kept: Entry[] = [];
	const rest: Entry[] = [];
	for (const { entry, rank } of order)
		(rank <= RANK.visible ? near : named.has(entry.id) ? kept : rest).push(entry);
	const entries = [...near, ...kept, ...rest];
	return catalogue(
		entries,
		(entry, act) => {
			const provider = entry.provider();
			return provider === undefined ? 'not ready' : availability(act, provider);
		},
		{
			tokens: core.toolTokens,
			estimate: core.estimate,
			order: entries
		}
	);
}

/** As it is recorded. */
export const recorded = ({ tools }: Catalogue): Named[] =>
	[...tools, ...CONTROL].map(({ name, kind, act, instances }) => ({ name, kind, act, instances }));

/** The tools of an open turn, as they were recorded. */
export const toolsOf = (core: Core, named: readonly Named[]): Tool[] =>
	toolsAgain(named, (id) => core.registry.entry(id));
