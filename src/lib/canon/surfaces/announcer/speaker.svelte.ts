import { Narrator } from './narrator.js';
import type { Phrase } from './phrase.js';

/** Least time in ms between two phrases of the same region, so that none is cut off. */
const GAP_MS = 1_000;
/** Least time in ms without any polite phrase before progress is told. */
const PROGRESS_MS = 3_000;
/** A person who wrote something within this time in ms is writing. */
const TYPING_MS = 1_500;

/** The platform's own way to speak, where it exists: it needs no region. */
interface Notifying {
	ariaNotify?(text: string, options?: { priority?: 'normal' | 'high' }): void;
}

/** A component with a pair of regions. */
export interface Host {
	element(): Element | undefined;
	/** The agent it is mounted for. */
	agent(): object;
}

interface Queued {
	phrase: Phrase;
	spoken: (phrase: Phrase) => void;
}

/**
 * The one voice of a document. Phrases that need the person interrupt, one at a time; states wait their turn, the newest of
 * a run replacing what was not said yet; progress is said at its latest, rarely, and never into somebody's typing.
 * @since 0.1.0
 */
export class Speaker {
	/** What the polite region holds. */
	polite = $state('');
	/** What the assertive region holds. */
	assertive = $state('');
	/** The component whose regions are used: the newest inside the open modal dialog, else the first. */
	host = $state.raw<Host>();

	readonly #document: Document;
	#hosts = $state.raw<readonly Host[]>([]);
	#narrators = new WeakMap<object, Narrator>();
	#urgent: Queued[] = [];
	#calm: Queued[] = [];
	#progress: Queued | undefined;
	#lastUrgent = -Infinity;
	#lastCalm = -Infinity;
	#lastTyped = -Infinity;
	#timer: ReturnType<typeof setTimeout> | undefined;

	constructor(document: Document) {
		this.#document = document;
	}

	/** Brings in a pair of regions; returns how to take them out. */
	add(host: Host): () => void {
		if (this.#hosts.length === 0) this.#document.addEventListener('input', this.#typed, true);
		this.#hosts = [...this.#hosts, host];
		this.#choose();
		return () => {
			this.#hosts = this.#hosts.filter((one) => one !== host);
			this.#choose();
			if (this.#hosts.length === 0) this.#fallSilent();
		};
	}

	/** Does this host tell of its agent? Of two announcers of one agent the older does, until it is gone. */
	tells(host: Host): boolean {
		return this.#hosts.find((one) => one.agent() === host.agent()) === host;
	}

	/** Who knows what was told of an agent, whichever host tells it. */
	narratorOf(agent: object): Narrator {
		let narrator = this.#narrators.get(agent);
		if (!narrator) this.#narrators.set(agent, (narrator = new Narrator()));
		return narrator;
	}

	/** Has a phrase said when it is its turn; `spoken` hears of it then. */
	say(phrase: Phrase, spoken: (phrase: Phrase) => void): void {
		const queued = { phrase, spoken };
		const other = ({ phrase: { topic } }: Queued) => topic !== phrase.topic;
		if (phrase.class === 'needs-you') {
			// What led to it is said before it, not after.
			const before = this.#calm.find((one) => !other(one) && one.phrase.passing);
			if (before) {
				this.#calm = this.#calm.filter((one) => one !== before);
				this.#lastCalm = Date.now();
				this.#speak(before);
			}
			this.#urgent.push(queued);
		} else if (phrase.class === 'state') {
			this.#calm = [...this.#calm.filter(other), queued];
			if (this.#progress && !other(this.#progress)) this.#progress = undefined;
		} else if (phrase.class === 'progress') {
			this.#calm = this.#calm.filter((one) => other(one) || !one.phrase.passing);
			this.#progress = queued;
		}
		this.#pump();
	}

	/** Takes back what was not said yet and need not be said any more. */
	retract(key: string): void {
		this.#urgent = this.#urgent.filter(({ phrase }) => phrase.key !== key);
	}

	/** Nobody listens any more: the next one to come hears nothing old. */
	#fallSilent(): void {
		this.#document.removeEventListener('input', this.#typed, true);
		clearTimeout(this.#timer);
		this.#timer = undefined;
		this.#urgent = this.#calm = [];
		this.#progress = undefined;
		this.#lastUrgent = this.#lastCalm = this.#lastTyped = -Infinity;
		this.polite = this.assertive = '';
		this.#narrators = new WeakMap();
	}

	// What an agent writes makes events too, but no trusted ones.
	readonly #typed = (event: Event): void => {
		if (event.isTrusted) this.#lastTyped = Date.now();
	};

	#pump(): void {
		const now = Date.now();
		if (this.#urgent[0] !== undefined && now - this.#lastUrgent >= GAP_MS) {
			this.#lastUrgent = now;
			this.#speak(this.#urgent.shift()!);
		}
		if (this.#calm[0] !== undefined && now - this.#lastCalm >= GAP_MS) {
			this.#lastCalm = now;
			this.#speak(this.#calm.shift()!);
		} else if (this.#progress !== undefined && this.#calm.length === 0 && now >= this.#progressDue()) {
			const progress = this.#progress;
			this.#progress = undefined;
			this.#lastCalm = now;
			this.#speak(progress);
		}
		this.#wait(now);
	}

	#progressDue(): number {
		return Math.max(this.#lastCalm + PROGRESS_MS, this.#lastTyped + TYPING_MS);
	}

	#wait(now: number): void {
		clearTimeout(this.#timer);
		this.#timer = undefined;
		const due = Math.min(
			this.#urgent.length > 0 ? this.#lastUrgent + GAP_MS : Infinity,
			this.#calm.length > 0 ? this.#lastCalm + GAP_MS : Infinity,
			this.#progress !== undefined && this.#calm.length === 0 ? this.#progressDue() : Infinity
		);
		if (due < Infinity) this.#timer = setTimeout(() => this.#pump(), Math.max(0, due - now));
	}

	#speak({ phrase, spoken }: Queued): void {
		const urgent = phrase.class === 'needs-you';
		if (!this.#notify(phrase.text, urgent ? 'high' : 'normal')) {
			this.#choose();
			if (urgent) this.assertive = differing(phrase.text, this.assertive);
			else this.polite = differing(phrase.text, this.polite);
		}
		spoken(phrase);
	}

	#notify(text: string, priority: 'normal' | 'high'): boolean {
		const document = this.#document as Document & Notifying;
		if (typeof document.ariaNotify !== 'function') return false;
		try {
			document.ariaNotify(text, { priority });
			return true;
		} catch {
			// Refused by a permissions policy: the regions are there for that.
			return false;
		}
	}

	/** Regions outside an open modal dialog are not heard. */
	#choose(): void {
		const inside = this.#hosts.findLast(({ element }) => element()?.closest('dialog[open]') != null);
		this.host = inside ?? this.#hosts[0];
	}
}

/** Browsers drop a text that equals the one before; a space that is not heard makes it another. */
const differing = (text: string, before: string): string => (text === before ? `${text}\u00a0` : text);

// One voice per document, whoever mounts an announcer. Only reached on mount, never on a server.
const speakers = new WeakMap<Document, Speaker>();

/** The voice of a document. @internal */
export function speakerOf(document: Document): Speaker {
	let speaker = speakers.get(document);
	if (!speaker) speakers.set(document, (speaker = new Speaker(document)));
	return speaker;
}
