import { Fault } from '../wire/fault.js';

/** An event as it came; nothing of it is certain. @internal */
export type Wire = Readonly<Record<string, unknown>>;

/** Of what is streamed from a start over contents to an end. @internal */
export type Family = 'TEXT_MESSAGE' | 'REASONING_MESSAGE' | 'TOOL_CALL';

/** Ends the turn: what came is not what the protocol allows. @internal */
export function violated(what: string): never {
	throw new Fault('protocol', `AG-UI: ${what}.`);
}

/** A member that has to be a text. @internal */
export function need(event: Wire, key: string): string {
	const value = event[key];
	return typeof value === 'string'
		? value
		: violated(`${String(event.type)} came without "${key}" as a text`);
}

/** Whose work an event tells of: none stands for the agent itself. @internal */
export const ownerOf = (event: Wire): string | undefined =>
	event.subagentRunId === undefined ? undefined : need(event, 'subagentRunId');

/** Key under which a family names what it streams. @internal */
export const keyOf = (family: Family): string => (family === 'TOOL_CALL' ? 'toolCallId' : 'messageId');

/**
 * What was begun in a run and is not over: nothing begins twice, goes on or ends that did not begin, changes hands, or is open
 * when the run ends.
 * @internal
 */
export class Begun {
	readonly #open = new Map<string, string | undefined>();

	begin(what: string, owner?: string): void {
		if (this.#open.has(what)) violated(`${what} began twice`);
		this.#open.set(what, owner);
	}

	/** @returns whose it is */
	goOn(what: string, owner?: string): string | undefined {
		if (!this.#open.has(what)) violated(`${what} did not begin`);
		const first = this.#open.get(what);
		if (owner !== undefined && owner !== first)
			violated(`${what} of ${first ?? 'the agent'} was continued by ${owner}`);
		return first;
	}

	end(what: string, owner?: string): void {
		this.goOn(what, owner);
		this.#open.delete(what);
	}

	/** The run is over. */
	close(): void {
		const [open] = this.#open.keys();
		if (open !== undefined) violated(`the run ended and ${open} is open`);
	}
}

interface Lane {
	family: Family;
	id: string;
	owner: string | undefined;
	first: Wire;
}

/** What a chunk may say again, and what it means where the first one did not say it. */
const AGREED = { role: 'assistant', toolCallName: undefined, parentMessageId: undefined } as const;

/**
 * Makes starts, contents and ends of chunks. Each producer, the agent or one of its sub-agents, has at most one stream of
 * chunks at a time, because a chunk that names nothing goes on with "the same as before".
 * @internal
 */
export class Lanes {
	readonly #lanes = new Map<string | undefined, Lane>();
	readonly #take: (type: string, event: Wire) => void;

	/** @param take where the events go that chunks stand for */
	constructor(take: (type: string, event: Wire) => void) {
		this.#take = take;
	}

	chunk(family: Family, event: Wire): void {
		const { delta } = event;
		const lane = this.#find(family, event) ?? this.#start(family, event);
		for (const [key, otherwise] of Object.entries(AGREED)) {
			const said = event[key];
			if (said !== undefined && said !== (lane.first[key] ?? otherwise))
				violated(`${family} ${lane.id}: ${key} does not match`);
		}
		if (delta !== undefined)
			this.#take(`${family}_${family === 'TOOL_CALL' ? 'ARGS' : 'CONTENT'}`, {
				...event,
				[keyOf(family)]: lane.id
			});
	}

	/** What an owner has open is over; without one given, what anybody has. */
	close(owner?: { is: string | undefined }): void {
		for (const [key, { family, id }] of this.#lanes) {
			if (owner && owner.is !== key) continue;
			this.#lanes.delete(key);
			this.#take(`${family}_END`, { [keyOf(family)]: id });
		}
	}

	/** What it goes on with. */
	#find(family: Family, event: Wire): Lane | undefined {
		const id = event[keyOf(family)];
		const owner = ownerOf(event);
		const open = [...this.#lanes.values()].filter((lane) => lane.family === family);
		if (id !== undefined) return open.find((lane) => lane.id === id);
		const own = open.find((lane) => lane.owner === owner);
		if (own || owner !== undefined) return own;
		if (open.length > 1) violated(`a chunk of ${family} may go on with any of ${open.length}`);
		return open[0];
	}

	#start(family: Family, event: Wire): Lane {
		const owner = ownerOf(event);
		this.close({ is: owner });
		const lane = { family, id: need(event, keyOf(family)), owner, first: event };
		this.#lanes.set(owner, lane);
		this.#take(`${family}_START`, event);
		return lane;
	}
}
