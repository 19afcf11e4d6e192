import { deepFreeze, faultText } from '../journal/copy.js';
import { canonicalJSON } from '../protocol/canonical-json.js';
import { reason } from '../protocol/codes.js';
import type { Random } from '../protocol/ports.js';
import { sha256 } from '../protocol/sha256.js';
import type { Level, Reason } from '../protocol/words.js';
import {
	type AnyManifest,
	cannot,
	type CompiledAct,
	compileManifest,
	isSaid,
	isWord,
	unfit
} from './compile.js';
import { inexact } from './exact.js';
import type { AgentManifest } from './manifest.js';
import { circles } from './circles.js';
import { readValue } from './reading.js';

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
	/**
	 * Who writes the label: say `user` or `app` to vouch for a long one, `imported` where strangers name things (a file, a
	 * contact, a subject line).
	 * @default app up to 40 characters on one line, else untrusted
	 */
	trust?: 'user' | 'app' | 'imported';
}

/** Takes the instance away; `refused` says why it never came in. @since 0.1.0 */
export type Disposer = (() => void) & { readonly refused?: Reason };

/** A registration that was refused, or an instance that was mounted in spite of something. @since 0.1.0 */
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
	/** Counts the components under this id, from 1: registrations, and providers that its getter changed to. */
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
	/**
	 * Registrations that were refused and not disposed of yet, instances that stand in themselves (`parent-cycle`), and those
	 * whose acts a turn found too large for `context.toolTokens` (`undisclosed`).
	 */
	readonly problems: readonly Problem[];
	/** In order of registration. */
	readonly instances: readonly Instance[];
}

/** A mounted instance as the engine sees it. @internal */
export interface Entry {
	readonly id: string;
	readonly kind: string;
	readonly label: string;
	readonly parent: string | undefined;
	readonly level: Level | undefined;
	/** Who writes the label. */
	readonly trust: RegisterAs['trust'];
	/** Another one as soon as the getter gives another provider: what was decided on one component counts for no other. */
	readonly epoch: number;
	/** The epoch it was registered with. */
	readonly since: number;
	readonly manifest: AnyManifest;
	readonly manifestHash: string;
	readonly acts: ReadonlyMap<string, CompiledAct>;
	/** Place among the instances; a replacement keeps the place of what it replaces. */
	readonly order: number;
	focused: boolean;
	visible: boolean;
	/** `undefined`: not ready. A getter that throws counts as that. */
	provider(): unknown | undefined;
	/** What stands for the provider: itself, or where the getter wraps it anew each time, the registration. */
	identity(): object | undefined;
	/** Another word for a version that must not be written down; equal for equal ones while the page lives. */
	veil(version: string | number): string;
	/** Stands for the id, whatever is mounted under it in the course of time. */
	readonly place: object;
}

/** Where the person was before that is forgotten. */
const VISITED = 50;

/** A registry of its own, to be shared by engines or by a page. @since 0.1.0 */
export const createRegistry = (): CapabilityRegistry => new Registry();

/** @internal */
export class Registry implements CapabilityRegistry {
	readonly #entries = new Map<string, Entry>();
	readonly #epochs = new Map<string, number>();
	readonly #places = new Map<string, object>();
	readonly #refused = new Set<Problem>();
	readonly #noted = new Map<Entry, Problem>();
	readonly #listeners = new Set<() => void>();
	readonly #focused = new Set<string>();
	/** Where the salt comes from; that of the first engine. */
	random: Random | undefined;
	#salt: string | undefined;
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
			return this.#refuse(manifest, as, reason('args', faultText(error)));
		}
	}

	get problems(): readonly Problem[] {
		const round = circles(this.entries()).map(({ id, kind }): Problem =>
			deepFreeze({ id, kind, reason: reason('parent-cycle', `"${id}" stands in itself.`) })
		);
		// One line for those that say the same: an each block mounts thirty of a kind.
		const said = [...this.#refused, ...round, ...this.#noted.values()].map(
			(problem) => [JSON.stringify([problem.id, problem.kind, problem.reason.code]), problem] as const
		);
		return Object.freeze([...new Map(said).values()]);
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

	/** Ids of instances the person was in, latest first; of some that are gone by now too. */
	get visited(): readonly string[] {
		return [...this.#focused].reverse();
	}

	/** Where the person is. Reports of an instance that was replaced or unmounted are dropped. */
	presence(id: string, epoch: number, what: { focused?: boolean; visible?: boolean }): void {
		const entry = this.#entries.get(id);
		if (!entry || epoch < entry.since) return;
		const { focused = entry.focused, visible = entry.visible } = what;
		if (focused === entry.focused && visible === entry.visible) return;
		if (focused && !entry.focused) {
			this.#focused.delete(id);
			this.#focused.add(id);
			if (this.#focused.size > VISITED) this.#focused.delete([...this.#focused][0]!);
		}
		entry.focused = focused;
		entry.visible = visible;
		this.#changed();
	}

	/** What is wrong with a mounted instance, until it is gone. */
	note(entry: Entry, why: Reason): void {
		const { id, kind } = entry;
		if (this.#noted.has(entry) || this.#entries.get(id) !== entry) return;
		this.#noted.set(entry, deepFreeze({ id, kind, reason: why }));
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
		if ('code' in compiled) return compiled;
		const { id, label, parent, level, trust } = as;
		if (typeof id !== 'string' || !/^[^\s\p{Cc}.#@:]{1,128}$/u.test(id))
			return cannot('The id', id, '1 to 128 characters, no spaces, none of . # @ :');
		const [odd] = [
			...inexact('The id', [id]),
			...unfit(id, as, 'label', isSaid),
			...unfit(id, as, 'level trust', isWord)
		];
		if (odd) return odd;
		const { kind } = manifest;
		const mounted = this.#entries.get(id);
		if (mounted && mounted.kind !== kind) return reason('id-clash', `"${id}" is a ${mounted.kind} already`);
		const epochs = this.#epochs;
		const since = (epochs.get(id) ?? 0) + 1;
		const place = this.#places.get(id) ?? {};
		let epoch = since;
		let seen: object | undefined;
		const entry: Entry = {
			veil: (version) => this.#veil(version),
			id,
			kind,
			label,
			parent,
			level,
			trust,
			since,
			place,
			get epoch() {
				const now = entry.identity();
				if (seen && now && seen !== now) epochs.set(id, (epoch = epochs.get(id)! + 1));
				seen = now ?? seen;
				return epoch;
			},
			manifest,
			manifestHash: compiled.hash,
			acts: compiled.acts,
			order: mounted?.order ?? this.#order,
			focused: false,
			visible: false,
			provider() {
				try {
					return (typeof provider === 'function' ? provider() : provider) ?? undefined;
				} catch {
					return undefined;
				}
			},
			identity() {
				const now = entry.provider();
				if (now === undefined) return undefined;
				return typeof now === 'object' && now === entry.provider() ? now! : entry;
			}
		};
		// Where the provider is there already, its reads are tried; what is secret or switched off is not.
		for (const name of Object.keys(manifest.reads)) {
			const out = readValue(entry, name);
			if (out.ok) continue;
			const { code, text } = out.reason;
			if (code === 'read-async' || code === 'version-unstable') return out.reason;
			if (/threw|not-json/.test(code)) return reason('not-json', text);
		}
		return entry;
	}

	/** Salted with what no record holds: a short secret would be found by trying all. */
	#veil(version: string | number): string {
		this.#salt ??= `${this.random?.next()} ${this.random?.next()}`;
		return sha256(canonicalJSON([this.#salt, version])).slice(0, 16);
	}

	#mount(entry: Entry): Disposer {
		if (entry.order === this.#order) this.#order++;
		this.#epochs.set(entry.id, entry.epoch);
		this.#places.set(entry.id, entry.place);
		this.#noted.delete(this.#entries.get(entry.id)!);
		// A replaced key keeps its place in a Map: the order of a page does not jump at a hot reload.
		this.#entries.set(entry.id, entry);
		this.#changed();
		return () => {
			if (this.#entries.get(entry.id) !== entry) return;
			this.#entries.delete(entry.id);
			this.#noted.delete(entry);
			this.#changed();
		};
	}

	#refuse(manifest: AnyManifest, as: RegisterAs, refused: Reason): Disposer {
		const problem: Problem = { id: String(as?.id), kind: String(manifest?.kind), reason: refused };
		this.#refused.add(deepFreeze(problem));
		this.#changed();
		const dispose = () => {
			if (this.#refused.delete(problem)) this.#changed();
		};
		return Object.assign(dispose, { refused });
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
