/** A small provider: a title that can be changed and changed back. Knows nothing of agents. */
export class Ticket {
	title = $state('');
	passport = 'X1234567';
	edits = 0;
	readonly #writes: { run: string; before: string; after: string }[] = [];

	constructor(
		readonly words: { untitled: string; name: string; moved(times: number): string; changed: string }
	) {
		this.title = words.untitled;
	}

	rename(title: string, run: string): void {
		this.#writes.push({ run, before: this.title, after: title });
		this.title = title;
	}

	/** Somebody else's hand. */
	touch(): void {
		this.edits += 1;
		this.title = this.words.moved(this.edits);
	}

	undo(run: string): { undone: number; kept: { what: string; why: string }[] } {
		const mine = this.#writes.filter((write) => write.run === run);
		const first = mine[0];
		const last = mine.at(-1);
		if (!first || !last) return { undone: 0, kept: [] };
		if (this.title !== last.after)
			return { undone: 0, kept: [{ what: this.words.name, why: this.words.changed }] };
		this.title = first.before;
		return { undone: mine.length, kept: [] };
	}
}
