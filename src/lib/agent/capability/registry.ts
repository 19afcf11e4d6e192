import { faultText } from '../journal/copy.js';
import { reason } from '../protocol/codes.js';
import type { Level, Reason } from '../protocol/words.js';
import type { AnyManifest, CompiledAct } from './compile.js';
import { compileManifest } from './compile.js';
import type { AgentManifest, AgentRead } from './manifest.js';
import { isEnabled, readValue } from './reading.js';

export type { CompiledAct } from './compile.js';

/** Under which name an instance is known. @since 0.1.0 */
export interface RegisterAs {
	/** Stable over remounts; 1 to 128 characters, no spaces, none of `. # @ :`. */
	id: string;
	/** For people: "Invoice 12". */
	label: string;
	/** Id of the instance it stands in. */
	parent?: string;
	/** Demands at least this much control for every act of the instance. */
	level?: Level;
}

/** Takes the instance away; `refused` says why it never came in. @since 0.1.0 */
export type Disposer = (() => void) & { readonly refused?: Reason };

/** A registration that was refused. @since 0.1.0 */
export interface Problem {
	id: string;
	kind: string;
	reason: Reason;
}

/** A mounted instance as everybody may see it. `ready` is false while its getter gives nothing. @since 0.1.0 */
export interface Instance {
	id: string;
	kind: string;
	label: string;
	parent?: string;
	/** Counts registrations under this id, from 1. */
	epoch: number;
	ready: boolean;
	focused: boolean;
	visible: boolean;
}

/** What is mounted and may be read and acted on. Each engine has its own, unless it is given one. @since 0.1.0 */
export interface CapabilityRegistry {
	/**
	 * Brings an instance in. Never throws: a refused one changes nothing, is listed in `problems`, and its disposer says why.
	 * Same id and kind: the newest wins, the older disposer does nothing any more. Same id, other kind: `id-clash`.
	 */
	register<P>(
		// eslint-disable-next-line @typescript-eslint/no-explicit-any
		manifest: AgentManifest<P, any>,
		provider: P | (() => P | undefined),
		as: RegisterAs
	): Disposer;
	/** Registrations that were refused and not disposed of yet. */
	readonly problems: readonly Problem[];
	/** In order of registration. */
	readonly instances: readonly Instance[];
}

/** A mounted instance as the engine sees it. @internal */
export interface Entry {
	readonly id: string;
	readonly kind: string;
	readonly label: string;
	readonly parent?: string;
	readonly level?: Level;
	readonly epoch: number;
	readonly manifest: AnyManifest;
	readonly manifestHash: string;
	readonly acts: ReadonlyMap<string, CompiledAct>;
	/** Place among the instances; a replacement keeps the place of what it replaces. */
	readonly order: number;
	focused: boolean;
	visible: boolean;
	/** `undefined`: not ready. A getter that throws counts as that. */
	provider(): unknown | undefined;
}

/** A registry of its own, to be shared by engines or by a page. @since 0.1.0 */
export const createRegistry = (): CapabilityRegistry => new Registry();

/** @internal */
export class Registry implements CapabilityRegistry {
	readonly #entries = new Map<string, Entry>();
	readonly #epochs = new Map<string, number>();
	readonly #problems = new Map<string, { problem: Problem; holders: Set<object> }>();
	readonly #listeners = new Set<() => void>();
	#order = 0;

	register<P>(
		// eslint-disable-next-line @typescript-eslint/no-explicit-any
		manifest: AgentManifest<P, any>,
		provider: P | (() => P | undefined),
		as: RegisterAs
	): Disposer {
		try {
			const made = this.#make(manifest, provider, as);
			return 'code' in made ? this.#refuse(manifest, as, made) : this.#mount(made);
		} catch (error) {
			return this.#refuse(manifest, as, reason('args', `Registration failed: ${faultText(error)}`));
		}
	}

	get problems(): readonly Problem[] {
		return Object.freeze([...this.#problems.values()].map(({ problem }) => problem));
	}

	get instances(): readonly Instance[] {
		return Object.freeze(
			this.entries().map(({ id, kind, label, parent, epoch, focused, visible, provider }) =>
				Object.freeze({
					id,
					kind,
					label,
					...(parent === undefined ? {} : { parent }),
					epoch,
					ready: provider() !== undefined,
					focused,
					visible
				})
			)
		);
	}

	entry(id: string): Entry | undefined {
		return this.#entries.get(id);
	}

	entries(): readonly Entry[] {
		return [...this.#entries.values()];
	}

	/** Where the person is. Reports of an instance that was replaced or unmounted are dropped. */
	presence(id: string, epoch: number, what: { focused?: boolean; visible?: boolean }): void {
		const entry = this.#entries.get(id);
		if (!entry || entry.epoch !== epoch) return;
		const { focused = entry.focused, visible = entry.visible } = what;
		if (focused === entry.focused && visible === entry.visible) return;
		entry.focused = focused;
		entry.visible = visible;
		this.#changed();
	}

	/** Told after each change of what is mounted, refused or present. */
	subscribe(listener: () => void): () => void {
		// Wrapped, so that one function subscribed twice is two subscriptions.
		const told = () => listener();
		this.#listeners.add(told);
		return () => void this.#listeners.delete(told);
	}

	#make(manifest: AnyManifest, provider: unknown, as: RegisterAs): Entry | Reason {
		const compiled = compileManifest(manifest);
		if (!compiled.ok) return compiled.reason;
		const { id, label, parent, level } = as;
		if (typeof id !== 'string' || !/^[^\s\p{Cc}.#@:]{1,128}$/u.test(id))
			return reason(
				'args',
				`The id "${String(id)}" cannot be addressed: 1 to 128 characters, no spaces, no ". # @ :"`
			);
		if (typeof label !== 'string' || label.trim() === '')
			return reason('args', `Instance "${id}" needs a label, by which people know it`);
		if (level !== undefined && !['suggest', 'review', 'auto'].includes(level))
			return reason('args', `Instance "${id}" has the unknown level "${String(level)}"`);
		const mounted = this.#entries.get(id);
		if (mounted && mounted.kind !== manifest.kind)
			return reason(
				'id-clash',
				`"${id}" is mounted as ${mounted.kind}, so it cannot be a ${manifest.kind}: give it an id of its own`
			);
		const entry: Entry = {
			id,
			kind: manifest.kind,
			label,
			...(parent === undefined ? {} : { parent }),
			...(level === undefined ? {} : { level }),
			epoch: (this.#epochs.get(id) ?? 0) + 1,
			manifest,
			manifestHash: compiled.hash,
			acts: compiled.acts,
			order: mounted?.order ?? this.#order,
			focused: false,
			visible: false,
			provider:
				typeof provider === 'function' ? guarded(provider as () => unknown) : () => provider ?? undefined
		};
		return unreadable(entry) ?? entry;
	}

	#mount(entry: Entry): Disposer {
		if (entry.order === this.#order) this.#order++;
		this.#epochs.set(entry.id, entry.epoch);
		// A replaced key keeps its place in a Map: the order of a page does not jump at a hot reload.
		this.#entries.set(entry.id, entry);
		this.#changed();
		return () => {
			if (this.#entries.get(entry.id) !== entry) return;
			this.#entries.delete(entry.id);
			this.#changed();
		};
	}

	#refuse(manifest: AnyManifest, as: RegisterAs, why: Reason): Disposer {
		const id = String(as?.id);
		const kind = String(manifest?.kind);
		const key = JSON.stringify([id, kind, why.code]);
		const holder = {};
		const held = this.#problems.get(key);
		if (held) held.holders.add(holder);
		else
			this.#problems.set(key, {
				problem: Object.freeze({ id, kind, reason: Object.freeze(why) }),
				holders: new Set([holder])
			});
		this.#changed();
		const dispose = () => {
			const problem = this.#problems.get(key);
			if (!problem?.holders.delete(holder)) return;
			if (problem.holders.size === 0) this.#problems.delete(key);
			this.#changed();
		};
		return Object.assign(dispose, { refused: why });
	}

	#changed(): void {
		for (const listener of [...this.#listeners]) {
			try {
				listener();
			} catch {
				// A listener's fault is its own: it must not undo a mount.
			}
		}
	}
}

const guarded = (get: () => unknown) => (): unknown => {
	try {
		return get() ?? undefined;
	} catch {
		return undefined;
	}
};

/** The first read that gives no JSON, tried where the provider is there already. */
function unreadable(entry: Entry): Reason | undefined {
	const provider = entry.provider();
	if (provider === undefined) return undefined;
	for (const [name, read] of Object.entries(entry.manifest.reads as Record<string, AgentRead<unknown>>)) {
		if (read.sensitivity === 'secret' || !isEnabled(read, provider)) continue;
		const value = readValue(entry, name);
		if (!value.ok) return reason('not-json', value.reason.text);
	}
	return undefined;
}
