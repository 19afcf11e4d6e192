import { type Assembly, assemble } from '../capability/context.js';
import { type Catalogue, hiddenNote } from '../capability/addressing.js';
import { nameLabel } from '../capability/naming.js';
import { ranked } from '../capability/ranking.js';
import type { Entry } from '../capability/registry.js';
import { shownKeys } from '../capability/reading.js';
import { left, nearing } from '../gate/budget.js';
import { availability, versionOf } from '../gate/look.js';
import type { Fold } from '../journal/fold.js';
import type { Kinds, ShownAt } from '../journal/kinds.js';
import { join } from '../protocol/labels.js';
import type { Label } from '../protocol/words.js';
import type { Core } from './core.js';
import { inputTokens } from './input.js';
import { disclose, recorded, WRAP_UP } from './tools.js';

/** Most output tokens of an ordinary turn. */
const OUTPUT = 4096;

/** Object values with more keys are bound as a whole. */
const MOST_KEYS = 200;
/** Instances used longer ago count as never used. */
const MOST_RECENT = 50;

/** What a turn is about to show. */
export interface Seen extends Assembly {
	catalogue: Catalogue;
}

/** What the page looks like to the run now, and what can be done in it. */
export function look(core: Core, run: Fold, runs: readonly Fold[]): Seen {
	const { attachments, nonce } = run.opened;
	const entries = core.registry.entries().filter(({ id }) => run.covers(id));
	const touched = [...run.touched].reverse();
	const order = ranked(entries, { touched, recent: recent(core, run, runs) });
	const catalogue = disclose(core, run, order);
	const seen = assemble({
		entries,
		order,
		touched,
		recent: [],
		tokens: core.contextTokens,
		estimate: core.estimate,
		consent: (entry, read) => core.consent(run, entry, read),
		labelOf: (entry, read, declared, key) => core.labelOf(entry, read, declared, key),
		attachments,
		note: hiddenNote(catalogue),
		nonce
	});
	return { ...seen, catalogue, label: catalogue.entries.reduce(named, seen.label) };
}

/** A label with the worth of a name that stands among the tools. */
function named(label: Label, entry: Entry): Label {
	return join(label, nameLabel(entry));
}

/** Instances used lately by anybody, latest first: by the person, else by other runs of this engine. */
function recent(core: Core, run: Fold, runs: readonly Fold[]): readonly string[] {
	const out = new Set(core.registry.visited);
	for (let i = runs.length - 1; i >= 0 && out.size < MOST_RECENT; i--)
		if (runs[i] !== run) for (const id of [...runs[i]!.touched].reverse()) out.add(id);
	return [...out].slice(0, MOST_RECENT);
}

/** A turn about to be opened. */
export function opening(
	core: Core,
	run: Fold,
	seen: Seen,
	thread: readonly Fold[],
	mode: { wrapUp?: true; continues?: true }
): Kinds['turn.opened'] {
	const { wrapUp, continues } = mode;
	const now = core.clock.now();
	const context = continues ? '' : seen.text;
	const tools = wrapUp ? [] : recorded(seen.catalogue);
	const input = inputTokens(core, run, thread, context, wrapUp ? [] : seen.catalogue.tools);
	return {
		turn: `${run.id}-t${run.turns.length + 1}`,
		context,
		shown: continues ? [] : seen.shown.map((shown) => shownAt(core, shown)),
		leftOut: seen.leftOut,
		tools,
		changed: wrapUp ? undefined : difference(core, run.turn?.opened.tools, tools),
		label: seen.label,
		input,
		nearing: wrapUp ? undefined : nearing(run, now),
		reserve: wrapUp ? WRAP_UP : Math.max(0, Math.min(OUTPUT + input, left(run, 'tokens', now))),
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

/** Which acts of which instances came and went since the turn before; what only lost its place among the tools did not go. */
function difference(
	core: Core,
	before: Kinds['turn.opened']['tools'] | undefined,
	now: Kinds['turn.opened']['tools']
): Kinds['turn.opened']['changed'] {
	if (!before) return undefined;
	// A tool that names the same instances has the same list of them.
	const lists = (tools: Kinds['turn.opened']['tools']) => new Set(tools.map(({ instances }) => instances));
	const [were, are] = [lists(before), lists(now)];
	const names = (tools: Kinds['turn.opened']['tools']) =>
		new Map(
			tools
				.filter(({ instances }) => !(were.has(instances) && are.has(instances)))
				.flatMap(({ act, instances = [] }) => instances.map((id) => [`${id}.${act}`, { id, act: act! }]))
		);
	const old = names(before);
	const present = names(now);
	const added = [...present.keys()].filter((name) => !old.has(name));
	const removed = [...old].flatMap(([name, { id, act }]) =>
		present.has(name) || stands(core.registry.entry(id), act) ? [] : [name]
	);
	return added.length + removed.length > 0 ? { added, removed } : undefined;
}

function stands(entry: Entry | undefined, name: string): boolean {
	const act = entry?.acts.get(name);
	const provider = entry?.provider();
	return act !== undefined && provider !== undefined && availability(act, provider) === true;
}
