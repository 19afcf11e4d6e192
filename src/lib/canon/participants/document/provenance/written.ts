import type { Mark, Node } from 'prosemirror-model';
import { agentHue } from '../../../../uix/eidos/index.js';

/**
 * Who wrote something in a document, for which run, in which version, and when. It is part of the content: it is saved,
 * copied and exported with the words.
 * @since 0.1.0
 */
export interface Provenance {
	/** Id of the run. */
	readonly run: string;
	/** Id of the agent. */
	readonly agent: string;
	/** What people call the agent. Kept with the words, because they outlive the page that knew the agent. @default null */
	readonly name?: string | null;
	/** Version of the agent. @default null */
	readonly version?: string | null;
	/** Time in ms since 1970. */
	readonly at: number;
}

/** Every field is there: the shape that marks and block attributes hold. */
export type Written = Required<Provenance>;

/** Name of the mark on words. @since 0.1.0 */
export const MARK = 'agentText';
/** Name of the attribute on blocks. @since 0.1.0 */
export const ATTRIBUTE = 'agent';

/** The five fields and nothing else, in one order, so that equal provenance is equal content. */
export const written = ({ run, agent, name, version, at }: Provenance): Written => ({
	run,
	agent,
	name: name ?? null,
	version: version ?? null,
	at
});

/** Whether both say the same. */
export const sameWritten = (a: Provenance, b: Provenance): boolean =>
	a.run === b.run &&
	a.agent === b.agent &&
	(a.name ?? null) === (b.name ?? null) &&
	(a.version ?? null) === (b.version ?? null) &&
	a.at === b.at;

/** What a value loaded from JSON must look like to count. */
export function isWritten(value: unknown): value is Written {
	if (typeof value !== 'object' || value === null) return false;
	const { run, agent, name, version, at } = value as Record<string, unknown>;
	const text = (one: unknown) => one === null || one === undefined || typeof one === 'string';
	return (
		typeof run === 'string' &&
		typeof agent === 'string' &&
		text(name) &&
		text(version) &&
		typeof at === 'number'
	);
}

/** The mark of `node` that says an agent wrote it. */
export const markOf = ({ marks }: Node): Mark | undefined =>
	marks.length === 0 ? undefined : marks.find(({ type }) => type.name === MARK);

/** Who wrote the words of a text or inline node. */
export const textWrittenBy = (node: Node): Written | undefined => markOf(node)?.attrs as Written | undefined;

/** Who made a block. */
export function blockWrittenBy(node: Node): Written | undefined {
	const value: unknown = node.attrs[ATTRIBUTE];
	return isWritten(value) ? value : undefined;
}

/** How a hue is found for an agent. */
export type HueOf = (agent: string) => number;

/**
 * Attributes that carry a provenance in HTML; {@link readProvenance} reads them back.
 * @since 0.1.0
 */
export const provenanceAttributes = (by: Provenance): Record<string, string> => ({
	'data-agent': by.agent,
	'data-run': by.run,
	...(by.name != null && { 'data-name': by.name }),
	...(by.version != null && { 'data-version': by.version }),
	'data-at': String(by.at)
});

/** The attributes with the agent's hue beside them, as an editor paints them. */
export const paintedAttributes = (by: Provenance, hue: HueOf = agentHue): Record<string, string> => ({
	...provenanceAttributes(by),
	style: `--ax-agent-hue: ${hue(by.agent)}`
});

/**
 * Provenance an element carries, or null where its attributes are missing or make no sense.
 * @since 0.1.0
 */
export function readProvenance(element: Element): Written | null {
	const run = element.getAttribute('data-run');
	const agent = element.getAttribute('data-agent');
	const at = Number(element.getAttribute('data-at') ?? NaN);
	if (!run || !agent || !Number.isFinite(at)) return null;
	return {
		run,
		agent,
		name: element.getAttribute('data-name'),
		version: element.getAttribute('data-version'),
		at
	};
}

/** What people call who wrote it. */
export const nameOf = ({ name, agent }: Provenance): string => name || agent;
