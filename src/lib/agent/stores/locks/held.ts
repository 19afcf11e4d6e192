/** A run that is held: by whom, under which fencing token, and how it is let go. */
interface Hold {
	owner: string;
	epoch?: number;
	letGo: () => void;
}

/**
 * The runs one tab holds, by the browser's locks: exclusive, and let go when the tab dies.
 * @param space keeps the runs of one database apart from those of another
 */
export class Held {
	readonly #holds = new Map<string, Hold>();

	constructor(
		private readonly locks: LockManager,
		private readonly space: string
	) {}

	/** The token under which an owner holds a run; none where it does not, or was robbed of it. */
	epoch(run: string, owner: string): number | undefined {
		const hold = this.#holds.get(run);
		return hold?.owner === owner ? hold.epoch : undefined;
	}

	/** Takes the lock of a run, from whoever has it where it is to be stolen. @returns whether it is held now */
	take(run: string, owner: string, steal: boolean): Promise<boolean> {
		return new Promise((resolve, reject) => {
			let mine: Hold | undefined;
			this.locks
				.request(this.#name(run), steal ? { steal } : { ifAvailable: true }, (lock) => {
					if (!lock) return resolve(false);
					const until = new Promise<void>((letGo) => this.#holds.set(run, (mine = { owner, letGo })));
					resolve(true);
					return until;
				})
				.catch((error: unknown) => {
					// Stolen: what is appended from here on is fenced.
					if (mine && this.#holds.get(run) === mine) this.#holds.delete(run);
					reject(error as Error);
				});
		});
	}

	/** Notes under which token a run is held. @returns the token; none where the run was lost meanwhile */
	keep(run: string, owner: string, epoch: number): number | undefined {
		const hold = this.#holds.get(run);
		if (hold?.owner !== owner) return undefined;
		return (hold.epoch = epoch);
	}

	drop(run: string, owner: string): void {
		const hold = this.#holds.get(run);
		if (hold?.owner !== owner) return;
		this.#holds.delete(run);
		hold.letGo();
	}

	/** Resolves once nobody holds the run. */
	async free(run: string, signal: AbortSignal): Promise<void> {
		await this.locks.request(this.#name(run), { signal }, () => undefined);
	}

	close(): void {
		for (const [run, { owner }] of [...this.#holds]) this.drop(run, owner);
	}

	#name(run: string): string {
		return `${this.space} ${run}`;
	}
}
