import { parseArgs } from '../capability/projection.js';
import { fromToolName, type Named, renderInstanceArgs } from '../capability/addressing.js';
import type { Fold } from '../journal/fold.js';
import type { TurnMemory } from '../journal/memory.js';
import type { TurnCall } from '../journal/kinds.js';
import { find, type Found } from '../gate/look.js';
import { copyArgs } from '../journal/copy.js';
import { reason } from '../protocol/codes.js';
import type { Issue } from '../protocol/run-state.js';
import type { JSONValue, Reason } from '../protocol/words.js';
import type { Proposal } from './assess-plan.js';
import type { Core } from './core.js';
import { tooLarge } from './tools.js';

/** What a call of the model turned out to be. */
export type Sorted =
	/** No such tool: no step. */
	| { is: 'stray'; call: TurnCall; why: Reason; instance?: string; issues?: readonly Issue[] }
	| { is: 'control'; call: TurnCall; name: string; args: Record<string, JSONValue> }
	| { is: 'read'; call: TurnCall; found: Found; args: JSONValue }
	/** A mutating call; with `why` it is refused before it becomes more than a proposal. */
	| (Proposal & { is: 'step'; call: TurnCall; issues?: readonly Issue[] });

const CONTROLS = new Set(['pull', 'ask', 'finish']);

/** Reads one call: explicit end, strict parse, schema. Nothing is repaired. */
export function sort(core: Core, run: Fold, turn: TurnMemory, call: TurnCall): Sorted {
	const tool = turn.opened.tools.find(({ name }) => name === call.name);
	const parsed = parse(call);
	if (!tool) return { is: 'stray', call, ...toolless(core, run, turn, call.name, parsed) };
	if (CONTROLS.has(tool.name) && tool.act === undefined) {
		if ('why' in parsed) return { is: 'stray', call, why: parsed.why };
		return { is: 'control', call, name: tool.name, args: object(parsed.value) };
	}
	const act = tool.act!;
	const one = core.registry.entry(tool.instances?.[0] ?? '')?.acts.get(act);
	const refused = (instance: string, args: JSONValue, why: Reason, issues: readonly Issue[] = []): Sorted => {
		const mounted = core.registry.entry(instance)?.acts.get(act) ?? one;
		return mounted?.effect === 'none'
			? { is: 'stray', call, why, instance, issues }
			: { is: 'step', call, instance, act, args, why, issues };
	};
	if ('why' in parsed) return refused('', null, parsed.why);
	const { instance = '', args } = renderInstanceArgs(parsed.value);
	const entry = core.registry.entry(instance);
	if (entry && !run.covers(instance)) return refused(instance, args, reason('scope'));
	if (!tool.instances?.includes(instance)) return refused(instance, args, unnamed(core, tool, instance));
	if (!entry) return refused(instance, args, reason('instance-gone'));
	const found = find(core.registry, instance, act);
	if ('code' in found) return refused(instance, args, found);
	const valid = parseArgs(found.act.act.args, args);
	if (!valid.ok) return refused(instance, args, valid.reason, valid.issues);
	if (found.act.effect === 'none') return { is: 'read', call, found, args: valid.value };
	return { is: 'step', call, instance, act, args: valid.value, found };
}

/** Why there is no such tool: what it was to be used on is not mounted, or was not named. */
function toolless(
	core: Core,
	run: Fold,
	{ opened }: TurnMemory,
	name: string,
	parsed: ReturnType<typeof parse>
): { why: Reason; instance?: string } {
	const { instance } = 'value' in parsed ? renderInstanceArgs(parsed.value) : {};
	const { kind, act } = fromToolName(name) ?? { act: name };
	const of = kind === undefined ? '' : ` of kind ${kind}`;
	if (instance === undefined || !core.registry.entry(instance)) {
		const none = `There is no tool "${short(act)}"${of} here`;
		if (instance === undefined) return { why: reason('unknown-act', `${none}.`) };
		return { instance, why: reason('unknown-instance', `${none}: no "${short(instance)}" is mounted.`) };
	}
	if (!run.covers(instance)) return { instance, why: reason('scope') };
	const other = opened.tools.find((tool) => tool.act === act && tool.instances?.includes(instance));
	if (other) return { instance, why: reason('unknown-act', `That tool is called "${other.name}".`) };
	const now = find(core.registry, instance, act);
	return { instance, why: 'code' in now ? now : undisclosed(core, now) };
}

/** It could be called, had it been named. */
const undisclosed = (core: Core, { entry }: Found): Reason =>
	reason(
		'undisclosed',
		tooLarge(core, entry) ?? `"${entry.id}" had no room among the tools; the next turn names its acts.`
	);

/** Why an instance is none that a tool names: it has not the act, or not now, or there was no room for it. */
function unnamed(core: Core, { act, instances = [] }: Named, instance: string): Reason {
	const { registry } = core;
	if (registry.entry(instance)?.acts.has(act!)) {
		const now = find(registry, instance, act!);
		return 'code' in now ? now : undisclosed(core, now);
	}
	const few = instances.slice(0, FEW).join(', ');
	const more = instances.length > FEW ? ` and ${instances.length - FEW} more` : '';
	return reason('unknown-instance', `"${short(instance)}" is none of ${few}${more}.`);
}

/** What a model sent, as far as a refusal repeats it. */
const short = (text: string): string => text.slice(0, 128);

/** As many ids as help. */
const FEW = 20;

function parse(call: TurnCall): { value: JSONValue } | { why: Reason } {
	if (call.verdict === 'incomplete') return { why: reason('args-incomplete') };
	try {
		// A copy is no deeper than what can be recorded.
		const copy = copyArgs(call.verdict === 'complete' ? JSON.parse(call.raw || '{}') : undefined);
		if (!copy.ok) return { why: reason('args-invalid', copy.reason.text) };
		if (call.verdict === 'complete') return copy;
	} catch {
		// Said below, like what the wire found invalid.
	}
	return { why: reason('args-invalid', 'The arguments are no JSON.') };
}

const object = (value: JSONValue): Record<string, JSONValue> =>
	typeof value === 'object' && value !== null && !Array.isArray(value)
		? (value as Record<string, JSONValue>)
		: {};
