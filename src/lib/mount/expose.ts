import {
	done,
	type ActCall,
	type ActResult,
	type AgentAct,
	type AgentManifest,
	type AgentRead
} from '../agent/capability/index.js';
import { isActResult } from '../agent/capability/results.js';
import type { Preview, UndoPart } from '../agent/protocol/run-state.js';
import type { OutputOf, Schema } from '../agent/protocol/schema.js';
import type { Touch } from '../agent/protocol/words.js';
import { digest } from './digest.js';
import { registerManifest } from './register-manifest.js';
import type { InstanceOptions } from './types.js';

/** A read over a closure. @since 0.1.0 */
export interface ExposedRead extends Omit<
	AgentRead<void>,
	'read' | 'version' | 'keys' | 'summary' | 'enabled'
> {
	read(key?: string): unknown;
	/** @default digest of the value */
	version?(key?: string): string | number;
	/** Keys whose values the whole value shows. @default the names of the value's own members */
	keys?(): readonly string[];
	summary?(): string;
	enabled?(): boolean;
}

/** An act over a closure. @since 0.1.0 */
export interface ExposedAct<S, R extends string> extends Omit<
	AgentAct<void, S, R>,
	'perform' | 'preview' | 'available' | 'touches'
> {
	touches?: readonly R[] | ((args: OutputOf<S>) => readonly Touch[]);
	/** May return anything, or a promise of it: a result maker's result counts as that, anything else as `done(value)`. */
	perform(args: OutputOf<S>, call: ActCall): unknown;
	available?(): true | string;
	preview?(args: OutputOf<S>): Preview | ActResult;
}

/**
 * Lets agents see what closures do: an anonymous manifest in one call, registered while the component is mounted. Call it
 * in component init.
 * @example
 * let count = $state(0)
 * expose({
 *   id: 'counter', label: 'Counter', description: 'A counter',
 *   reads: { count: { description: 'Present count', read: () => count, trust: 'app', sensitivity: 'page' } },
 *   acts: { add: { description: 'Add to the count', args: z.object({ by: z.number().describe('How much') }), perform: ({ by }) => (count += by) } }
 * })
 * @returns how to take it back before the unmount
 * @since 0.1.0
 */
export function expose<const R extends Record<string, unknown>, A extends Record<string, Schema>>(
	spec: InstanceOptions & {
		description: string;
		reads?: { readonly [K in keyof R]: ExposedRead };
		acts?: { readonly [K in keyof A]: ExposedAct<A[K], keyof R & string> };
		undo?(run: string): UndoPart;
		redo?(run: string): UndoPart;
		ended?(run: string): void;
	}
): () => void {
	const { undo, redo, ended } = spec;
	const manifest: AgentManifest<object, string> = {
		kind: `exposed:${spec.id}`,
		description: spec.description,
		// The call names and describes in one: what holds for the label holds for the rest.
		...(spec.trust === 'imported' ? { trust: spec.trust } : {}),
		reads: mapValues(spec.reads ?? {}, readOf),
		acts: mapValues(spec.acts ?? {}, actOf),
		...(undo === undefined ? {} : { undo: (_: object, run: string) => undo(run) }),
		...(redo === undefined ? {} : { redo: (_: object, run: string) => redo(run) }),
		...(ended === undefined ? {} : { ended: (_: object, run: string) => ended(run) })
	};
	// The closures hold the state; what stands for them is an object of its own, so that locks and labels stay apart.
	return registerManifest(manifest, {}, spec);
}

function readOf({ read, version, keys, summary, enabled, ...rest }: ExposedRead): AgentRead<object> {
	return {
		...rest,
		read: (_, key) => read(key),
		version: (_, key) => (version === undefined ? digest(read(key)) : version(key)),
		...(keys === undefined ? {} : { keys: () => keys() }),
		...(summary === undefined ? {} : { summary: () => summary() }),
		...(enabled === undefined ? {} : { enabled: () => enabled() })
	};
}

// The arguments' type of each act is its own; behind the registry they are checked by its schema.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type AnyAct = ExposedAct<any, string>;

// eslint-disable-next-line @typescript-eslint/no-explicit-any
function actOf({ perform, preview, available, touches, ...rest }: AnyAct): AgentAct<object, any, string> {
	return {
		// What is left names no provider but `void`, and is called with one it ignores.
		// eslint-disable-next-line @typescript-eslint/no-explicit-any
		...(rest as Omit<AgentAct<any, any, string>, 'perform'>),
		...(touches === undefined
			? {}
			: // eslint-disable-next-line @typescript-eslint/no-explicit-any
				{ touches: typeof touches === 'function' ? (_: object, args: any) => touches(args) : touches }),
		...(available === undefined ? {} : { available: () => available() }),
		// eslint-disable-next-line @typescript-eslint/no-explicit-any
		...(preview === undefined ? {} : { preview: (_: object, args: any) => preview(args) }),
		perform(_, args, call) {
			const value = perform(args, call);
			// A synchronous act stays synchronous: its versions are then read in the same tick.
			return value instanceof Promise ? value.then(resultOf) : resultOf(value);
		}
	};
}

const resultOf = (value: unknown): ActResult => (isActResult(value) ? value : done(value));

function mapValues<T, U>(values: Readonly<Record<string, T>>, map: (value: T) => U): Record<string, U> {
	return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, map(value)]));
}
