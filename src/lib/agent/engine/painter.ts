import { actingAs } from '../../actor/actor.js';
import type { CompiledAct } from '../capability/registry.js';
import { find, type Found } from '../gate/look.js';
import { judge } from '../gate/policy.js';
import { deepFreeze, isObject } from '../journal/copy.js';
import type { TurnMemory } from '../journal/memory.js';
import { PartialJSON } from '../protocol/partial-json.js';
import type { Tool, TurnEvent } from '../protocol/turn.js';
import type { JSONValue } from '../protocol/words.js';
import type { Conductor } from './conductor.js';
import type { Paint } from './paints.js';
import { policyOf } from './redaction.js';

type Args = Readonly<Record<string, JSONValue>>;
type Sent = Pick<Tool, 'name' | 'act' | 'instances'>;

/** The step that a call of a turn becomes: by its place among the calls, which is known as soon as it begins. */
export const stepId = (turn: string, place: number): string => `${turn}-s${place}`;

/** Lets participants paint the calls of one request while their arguments arrive. Nothing of it is recorded. */
export class Painter {
	readonly #brushes = new Map<string, Brush>();
	#calls = 0;

	constructor(
		private readonly conductor: Conductor,
		private readonly turn: TurnMemory
	) {}

	/** Takes in an event of the turn; calls by the ids that the run knows them by. */
	hear(event: TurnEvent): void {
		switch (event.type) {
			case 'call.start': {
				const place = (this.#calls += 1);
				const { id: call, name, executed } = event;
				const tool = this.turn.opened.tools.find((one) => one.name === name);
				if (!tool || executed === 'there' || !this.#paints(tool)) return;
				const step = stepId(this.turn.id, place);
				this.#brushes.set(call, new Brush(this.conductor, this.turn, tool, { call, step }));
				return;
			}
			case 'call.args':
				return this.#brushes.get(event.id)?.read(event.delta);
			case 'call.end':
				this.#brushes.get(event.id)?.end(event.verdict === 'complete' ? event.raw : undefined);
				this.#brushes.delete(event.id);
		}
	}

	/** Nothing more comes: what was not brought to its end is taken away. */
	leave(): void {
		for (const brush of this.#brushes.values()) brush.end(undefined);
	}

	#paints({ act, instances = [] }: Sent): boolean {
		const { registry } = this.conductor.core;
		return instances.some((id) => canPaint(registry.entry(id)?.acts.get(act!)));
	}
}

const canPaint = (act: CompiledAct | undefined): boolean =>
	act !== undefined &&
	act.effect !== 'none' &&
	act.act.stream !== undefined &&
	typeof act.act.paint === 'function';

/** Where a call is painted, and on which component; an instance alone where it may not be painted. */
interface Place {
	instance: string;
	found?: Found;
	epoch?: number;
}

/** One call as it is painted. */
class Brush implements Paint {
	readonly turn: string;
	readonly call: string;
	readonly failures: number;
	readonly #step: string;
	#reader = new PartialJSON();
	#raw = '';
	#on: Place | undefined;
	/** What was painted last. */
	#last: Args | undefined;
	#ended = false;

	constructor(
		private readonly conductor: Conductor,
		private readonly within: TurnMemory,
		private readonly tool: Sent,
		{ call, step }: { call: string; step: string }
	) {
		this.turn = within.id;
		this.failures = within.failures;
		this.call = call;
		this.#step = step;
	}

	/** More of the arguments. */
	read(delta: string): void {
		if (this.#ended) return;
		this.#raw += delta;
		if (this.#reader.push(delta) === 'invalid') this.#wipe();
		else this.#paint();
	}

	/** @param raw the whole text of the arguments, if they came to their end */
	end(raw: string | undefined): void {
		if (this.#ended) return;
		if (raw !== undefined && raw !== this.#raw) {
			// The whole text at the end wins over what came before it; some wires send nothing else.
			this.#reader = new PartialJSON();
			this.#reader.push(raw);
		}
		if (raw === undefined || this.#reader.end() !== 'complete') this.#wipe();
		else this.#paint();
		this.#ended = true;
	}

	takeAway(): void {
		this.#last = undefined;
		this.#ended = true;
		this.#call(undefined);
	}

	#wipe(): void {
		this.#ended = true;
		const { paints } = this.conductor;
		if (paints.get(this.#step) !== this) return;
		paints.delete(this.#step);
		this.takeAway();
	}

	#paint(): void {
		const { conductor, within } = this;
		const { fold, isGone, paints, painted } = conductor;
		const { value } = this.#reader;
		const dead = isGone || fold.over || fold.stopping || within.revision !== fold.revision;
		if (dead || (this.#last && !this.#isThere())) return this.#wipe();
		if (!isObject(value)) return;
		const { instance, ...args } = value as Args;
		const known = typeof instance === 'string' && this.#reader.growing !== 'instance' ? instance : undefined;
		// A key that comes again counts: it was not meant for that one.
		if (this.#last && known !== this.#on!.instance) return this.#wipe();
		if (known === undefined) return;
		const on = this.#on?.instance === known ? this.#on : (this.#on = this.#lookFor(known));
		const { found } = on;
		if (!found) return;
		const partial = this.#partial(found.act.act.stream!, args);
		if (!partial) return this.#last && this.#wipe();
		if (this.#last && equal(partial, this.#last)) return;
		if (!this.#last) {
			paints.set(this.#step, this);
			painted.add(known);
		}
		this.#last = partial;
		this.#call(partial);
	}

	/** What is whole, and the text that grows; nothing before that text has begun. */
	#partial(stream: string, args: Args): Args | undefined {
		const { growing } = this.#reader;
		if (!Object.hasOwn(args, stream) || typeof args[stream] !== 'string') return undefined;
		const shown = Object.entries(args).filter(([name]) => name === stream || name !== growing);
		// Not by assignment: any name stays a name.
		return deepFreeze(Object.fromEntries(shown));
	}

	/** May it be painted there? What depends on arguments is asked when they are whole. */
	#lookFor(instance: string): Place {
		const { core, fold } = this.conductor;
		const act = this.tool.act!;
		const found = find(core.registry, instance, act);
		if (!this.tool.instances?.includes(instance) || !fold.covers(instance)) return { instance };
		if ('code' in found || !canPaint(found.act)) return { instance };
		const { entry } = found;
		const { effect, reach } = found.act;
		const { verdict } = judge(
			policyOf(this.conductor).rules,
			{
				id: this.#step,
				instance,
				act,
				args: {},
				effect,
				reach,
				label: fold.label,
				by: core.agent,
				status: 'proposed',
				reasons: [],
				asks: 'policy'
			},
			entry.kind,
			() => fold.view(),
			core.clock.now(),
			true
		);
		return verdict === 'deny' ? { instance } : { instance, found, epoch: entry.epoch };
	}

	/** Is it still the same component? */
	#isThere(): boolean {
		const { instance, epoch } = this.#on!;
		const entry = this.conductor.core.registry.entry(instance);
		return entry?.provider() !== undefined && entry.epoch === epoch;
	}

	#call(partial: Args | undefined): void {
		const { core, fold } = this.conductor;
		const { act, provider } = this.#on!.found!;
		const run = fold.id;
		const step = this.#step;
		const actor = { ...core.agent, run, step };
		core.safely(() => actingAs(actor, () => act.act.paint!(provider, partial, { run, step })));
		core.tellEvent({
			run,
			turn: this.turn,
			after: fold.lastSeq,
			type: 'paint',
			step,
			partial: partial ?? null
		});
	}
}

const equal = (a: Args, b: Args): boolean => {
	const names = Object.keys(a);
	return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name]);
};
