import { actingAs, currentCause, type Actor } from '../../../actor/index.js';
import type { EmissionListener } from '../../../uix/sema/index.js';
import { createRuntime, isHuman, PERSON, type Runtime } from '../../../uix/soma/index.js';
import { Book, type Standing } from './book.js';
import { Counter } from './counter.js';
import type {
	FormChange,
	FormErrors,
	FormField,
	FormRejection,
	FormReport,
	FormSource,
	FormUndo,
	FormValue,
	SourceChange,
	SubmitReport
} from './field.js';
import { formMorfo } from './form.morfo.js';
import { same } from './ledger.js';
import { adjustedIn, refusalOf, refusalsOf } from './refusals.js';

/** What {@link createFormProvider} takes. @since 0.1.0 */
export interface FormOptions {
	/** The description a field carries while another's value stands in it. @default `Written by <name or id>` */
	describe?: (actor: Actor) => string;
	/** Hears the form's semantic events. */
	onemit?: EmissionListener;
	/** Time in ms, for `written.at`. @default Date.now */
	now?: () => number;
}

const delegated = ({ kind, run }: Actor): boolean =>
	kind === 'agent' || ((kind === 'rule' || kind === 'outside') && run !== undefined);

const writtenBy = ({ name, id }: Actor): string => `Written by ${name ?? id}`;

/** Long enough for a framework to bring its bindings and what follows from them up to date, too short for a person's event. */
async function flushed(): Promise<void> {
	for (let turn = 0; turn < 5; turn++) await undefined;
}

/**
 * The life of a form, the same for the app and for whoever acts in it: reads, one-transaction writes, undo of a run, and
 * the knowledge of who wrote what. Knows nothing of agents; it asks who acts now.
 * @since 0.1.0
 */
export class FormProvider {
	readonly #source: FormSource;
	readonly #now: () => number;
	readonly #runtime: Runtime<typeof formMorfo>;
	readonly #book: Book;
	readonly #listeners = new Set<(change: FormChange) => void>();
	readonly #structure = new Counter();
	readonly #errors = new Counter();
	readonly #unwatch: () => void;
	#writing = false;

	constructor(source: FormSource, { describe = writtenBy, onemit, now = Date.now }: FormOptions = {}) {
		this.#source = source;
		this.#now = now;
		this.#book = new Book(source, ({ actor }) => describe(actor));
		this.#runtime = createRuntime({
			morfo: formMorfo,
			element: () => source.element(),
			...(onemit && { onemit })
		});
		this.#book.total();
		this.#unwatch = source.watch((change) => this.#heard(change));
		this.#busy(false);
	}

	/** Every field there is, in the order of the form. */
	fields(): readonly FormField[] {
		const focused = this.#source.focused();
		return this.#source.fields().map((facts) => {
			const { value, pasted, written } = this.#book.sync(facts.path)!;
			return {
				...facts,
				...(facts.closed?.secret ? {} : { value }),
				filled: !(value === null || value === '' || value === false || same(value, [])),
				disabled: facts.closed?.reason === 'disabled',
				touched: this.#book.touched.has(facts.path),
				focused: facts.path === focused,
				pasted,
				...(written && { written })
			};
		});
	}

	/** One field. */
	field(path: string): FormField | undefined {
		return this.fields().find((field) => field.path === path);
	}

	/** What the fields hold, by path. Secret ones are left out. */
	values(): Readonly<Record<string, FormValue>> {
		return Object.fromEntries(
			this.#source
				.fields()
				.flatMap(({ path, closed }) => (closed?.secret ? [] : [[path, this.#book.sync(path)!.value]]))
		);
	}

	/** What one field holds; `undefined` where there is none or it is secret. */
	value(path: string): FormValue | undefined {
		const facts = this.#source.fact(path);
		return facts && !facts.closed?.secret ? this.#book.sync(path)?.value : undefined;
	}

	/** Goes up with every change of the field's value, or without `path` of any value. Secret fields count too. */
	version(path?: string): number {
		return path === undefined ? this.#book.total() : this.#book.version(path);
	}

	/** Goes up when fields come, go or change but for their values. */
	structureVersion(): number {
		return this.#structure.of(this.#source.fields());
	}

	/** What stands against the values, in the words of the form, by path; `''` is the form as a whole. */
	errors(): FormErrors {
		return this.#source.errors();
	}

	/** Goes up when the errors change. */
	errorsVersion(): number {
		return this.#errors.of(this.#source.errors());
	}

	/** Judges the values as they stand. Shows nothing, submits nothing. */
	validate(): FormErrors | Promise<FormErrors> {
		return this.#source.validate();
	}

	/** The dry run of {@link fill}: why it would be refused. Empty if it would not. */
	check(values: Readonly<Record<string, FormValue>>): readonly FormRejection[] {
		return refusalsOf(this.#source, values);
	}

	/**
	 * Which of these paths want a person's eye whoever fills them: touched by the person, holding the focus, or opened by the
	 * app although closed by default.
	 */
	contested(paths: readonly string[]): readonly string[] {
		const focused = this.#source.focused();
		return paths.filter(
			(path) => this.#book.touched.has(path) || path === focused || this.#source.fact(path)?.opened === true
		);
	}

	/**
	 * Fills fields in, all or none: if one value is refused nothing is written. What is written is exactly what was given; a
	 * field that then holds something else (the app reformatted it) is listed in `rejected`, with what it holds.
	 */
	fill(values: Readonly<Record<string, FormValue>>): FormReport {
		return this.#put('fill', values, this.check(values));
	}

	/** What {@link clear} would write. */
	emptied(paths: readonly string[]): Readonly<Record<string, FormValue>> {
		return Object.fromEntries(paths.map((path) => [path, this.#source.empty(path)]));
	}

	/** Empties fields, all or none. Where the control has no empty value it takes the one the form started with. */
	clear(paths: readonly string[]): FormReport {
		const refused = this.closed(paths);
		return this.#put('clear', refused.length > 0 ? {} : this.emptied(paths), refused);
	}

	/** Why these paths are not open to a write now. Empty if they are. */
	closed(paths: readonly string[]): readonly FormRejection[] {
		return paths.flatMap((path) => refusalOf(this.#source, path) ?? []);
	}

	/** The report of a write once bindings, computed fields and asynchronous validation have followed. */
	async settled(values: Readonly<Record<string, FormValue>>): Promise<FormReport> {
		await flushed();
		// Versions are read before validation waits: what a person edits meanwhile is not part of the write.
		const { written } = this.#report(Object.keys(values), []);
		const errors = await this.#source.validate();
		return { ...this.#report([], adjustedIn(this.#source, values)), written, errors };
	}

	/** Hands the form over, if it is valid; the focus stays where it is. Rejects where the app's own `submit` does. */
	submit(signal?: AbortSignal): Promise<SubmitReport> {
		const by = currentCause();
		return this.#runtime.trigger('submit', {
			handler: async () => {
				this.#busy(true);
				try {
					const report = this.#source.submit(signal);
					this.#tell({ kind: 'submit', paths: [], by });
					return await report;
				} finally {
					this.#busy(false);
				}
			}
		});
	}

	/**
	 * Takes back what a run wrote, and only that: a field that holds something else by now is listed in `kept`. Taint and the
	 * mark of who wrote it go back with the value.
	 */
	undo(run: string): FormUndo {
		return this.#turn(run, true);
	}

	/** Puts back what {@link undo} took. */
	redo(run: string): FormUndo {
		return this.#turn(run, false);
	}

	/** The person takes the value for their own: the mark of who wrote it goes. @param path @default every field */
	accept(path?: string): void {
		const paths = this.#book.marked(path === undefined ? this.#book.paths() : [path]);
		for (const each of paths) this.#book.mark(each, undefined);
		if (paths.length > 0) this.#tell({ kind: 'accept', paths, by: currentCause() });
	}

	/** Hears every change; returns how to stop. */
	on(listener: (change: FormChange) => void): () => void {
		this.#listeners.add(listener);
		return () => void this.#listeners.delete(listener);
	}

	/** Stops listening and takes its marks off the page. The values stay. */
	destroy(): void {
		this.#unwatch();
		for (const path of this.#book.paths()) this.#source.paint(path);
		const root = this.#source.element();
		for (const name of ['data-participant', 'data-state']) root?.removeAttribute(name);
		this.#listeners.clear();
	}

	#put(
		kind: 'fill' | 'clear',
		values: Readonly<Record<string, FormValue>>,
		refused: readonly FormRejection[]
	): FormReport {
		if (refused.length > 0) return this.#report([], refused);
		const by = currentCause();
		const { run } = by;
		const paths = Object.keys(values);
		return this.#runtime.trigger(kind, {
			payload: { paths },
			handler: () => {
				const written = delegated(by)
					? { actor: by, ...(run !== undefined && { run }), at: this.#now() }
					: undefined;
				const before = new Map(paths.map((path) => [path, this.#book.before(path)]));
				this.#write(new Map(paths.map((path) => [path, { value: values[path]! }])));
				for (const path of paths) {
					const now = this.#source.read(path);
					if (now !== undefined) this.#book.wrote(path, now, before.get(path)!, run, written);
				}
				if (run !== undefined) void flushed().then(() => this.#book.settle(paths, run));
				this.#tell({ kind, paths, by });
				return this.#report(paths, adjustedIn(this.#source, values));
			}
		});
	}

	#report(paths: readonly string[], rejected: readonly FormRejection[]): FormReport {
		const written = Object.fromEntries(paths.map((path) => [path, this.#book.version(path)]));
		return { values: this.values(), errors: this.#source.errors(), rejected, written };
	}

	#turn(run: string, undone: boolean): FormUndo {
		const all = this.#book.of(run, !undone);
		if (all.length === 0) return { undone: 0, kept: [] };
		const by = currentCause();
		return this.#runtime.trigger(undone ? 'undo' : 'redo', {
			payload: { run, paths: all },
			handler: () => {
				const kept: { what: string; why: string }[] = [];
				const labels = new Map(all.map((path) => [path, this.#source.fact(path)?.label ?? path]));
				const keep = (path: string, why: string) => void kept.push({ what: labels.get(path)!, why });
				const moves = new Map<string, Standing>();
				for (const path of all) {
					if (this.#source.read(path) === undefined) keep(path, 'no longer in the form');
					else if (this.#source.composing() === path) keep(path, 'being written in');
					else {
						const shift = this.#book.turn(path, run, undone);
						if (shift.covered) keep(path, 'changed since');
						else moves.set(path, shift);
					}
				}
				this.#write(
					new Map(
						[...moves].map(
							([
								path,
								{
									value,
									beside: { tainted }
								}
							]) => [path, { value, ...(tainted !== undefined && { tainted }) }]
						)
					)
				);
				for (const [path, standing] of moves) {
					if (same(this.#source.read(path), standing.value)) this.#book.moved(path, standing);
					else {
						moves.delete(path);
						keep(path, 'the field does not take the value any more');
					}
				}
				this.#tell({ kind: undone ? 'undo' : 'redo', paths: [...moves.keys()], by });
				return { undone: moves.size, kept };
			}
		});
	}

	#write(values: ReadonlyMap<string, { value: FormValue; tainted?: boolean }>): void {
		const outer = this.#writing;
		this.#writing = true;
		try {
			if (values.size > 0) this.#source.write(values);
		} finally {
			this.#writing = outer;
		}
	}

	#heard({ kind, path, event, person, pasted = false }: SourceChange): void {
		if (kind === 'remount') return this.#book.repaint();
		if (kind === 'reset') {
			this.#book.touched.clear();
			this.#book.total();
			return this.#tell({ kind, paths: [], by: currentCause() });
		}
		if (this.#writing) return;
		const human = event !== undefined && isHuman(event);
		const paths = path === undefined ? this.#source.paths() : [path];
		const changed = paths.filter((each) => this.#book.edited(each, event && { pasted: human && pasted }));
		for (const each of changed)
			if (human || (person && this.#source.tainted?.(each) !== false)) this.#book.touched.add(each);
		const by = human && currentCause().kind !== 'human' ? PERSON : currentCause();
		if (changed.length > 0) actingAs(by, () => this.#tell({ kind: 'edit', paths: changed, by }));
	}

	#tell(change: FormChange): void {
		for (const listener of [...this.#listeners]) listener(change);
	}

	#busy(busy: boolean): void {
		const root = this.#source.element();
		root?.setAttribute('data-participant', 'form');
		root?.setAttribute('data-state', busy ? 'busy' : 'idle');
	}
}

/** Gives a form life. @see {@link nativeSource}, {@link superformsSource} @since 0.1.0 */
export function createFormProvider(source: FormSource, options?: FormOptions): FormProvider {
	return new FormProvider(source, options);
}
