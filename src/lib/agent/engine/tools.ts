import {
	type Catalogue,
	catalogue,
	CONTROL,
	costOfAll,
	type Named,
	toolsAgain
} from '../capability/addressing.js';
import { RANK, type Ranked } from '../capability/ranking.js';
import type { CompiledAct, Entry } from '../capability/registry.js';
import { availability } from '../gate/look.js';
import type { Fold } from '../journal/fold.js';
import { reason } from '../protocol/codes.js';
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
	// What was asked for last was promised a place.
	const asked = [...run.touched].at(-1);
	for (const { entry, rank } of order)
		if (entry.id === asked) near.unshift(entry);
		else (rank <= RANK.visible ? near : named.has(entry.id) ? kept : rest).push(entry);
	const entries = [...near, ...kept, ...rest];
	const { toolTokens: tokens, estimate } = core;
	const made = catalogue(entries, isFree, { tokens, estimate, order: entries });
	for (const [entry, need] of made.large)
		core.registry.note(entry, reason('undisclosed', `${largeText(core, entry, need)} ${CURE}`));
	return made;
}

const CURE = 'No model can call it: raise that, or shorten descriptions and schemas.';

const largeText = ({ toolTokens }: Core, { id }: Entry, need: number): string =>
	`The acts of "${id}" need ${need} tokens, and context.toolTokens are ${toolTokens}.`;

function isFree(entry: Entry, act: CompiledAct): true | string {
	const provider = entry.provider();
	return provider === undefined ? 'not ready' : availability(act, provider);
}

/** Why no turn will ever name the acts of an instance, where that is so. */
export function tooLarge(core: Core, entry: Entry): string | undefined {
	const acts = [...entry.acts.values()].filter((act) => isFree(entry, act) === true);
	const need = costOfAll(entry, acts, core.estimate);
	return need > core.toolTokens ? `${largeText(core, entry, need)} No turn names them.` : undefined;
}

/** As it is recorded. */
export const recorded = ({ tools }: Catalogue): Named[] =>
	[...tools, ...CONTROL].map(({ name, kind, act, instances }) => ({ name, kind, act, instances }));

/** The tools of an open turn, as they were recorded. */
export const toolsOf = (core: Core, named: readonly Named[]): Tool[] =>
	toolsAgain(named, (id) => core.registry.entry(id));
