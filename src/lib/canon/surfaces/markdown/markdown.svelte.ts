import type { MarkdownWords } from '../../../langs/language.js';
import { personFrom } from '../../../uix/index.js';
import { addressOf, isAllowed, type Address } from './address.js';
import { MarkdownReader, type Stretch } from './reader.js';

/** What a text is read with; every field may change. */
export interface MarkdownContext {
	text: string;
	streaming: boolean;
	tainted: boolean;
	links: readonly string[];
	images: 'ask' | 'never' | readonly string[];
	level: number;
	words: MarkdownWords;
}

/** Where something leads, as it is shown. */
export interface Lead {
	/** Host, or what is written where it is no address. */
	shown: string;
	/** Where a press leads; undefined where it leads nowhere. */
	href: string | undefined;
	/** What is shown is the host of an address. */
	host: boolean;
}

/** Characters of what is no address that are shown. */
const SHOWN = 80;

/** Blocks within blocks that are drawn as such; what lies deeper is shown as it is written. */
export const DEEPEST = 12;

/** A text an agent wrote, and what of it may be pressed. @since 0.1.0 */
export class MarkdownState {
	readonly #read: () => MarkdownContext;
	readonly #reader = new MarkdownReader();
	/** What is drawn: each stretch stands for itself. */
	readonly stretches: readonly Stretch[] = $derived.by(() => this.#reader.read(this.#read().text));
	readonly words: MarkdownWords = $derived.by(() => this.#read().words);
	/** Nothing in it can be pressed: the agent had read what a stranger wrote. */
	readonly inert: boolean = $derived.by(() => this.#read().tainted);
	// Each by itself: a text that goes on is no reason to look at every link in it again.
	readonly #links = $derived.by(() => this.#read().links);
	readonly #images = $derived.by(() => this.#read().images);
	readonly #level = $derived.by(() => this.#read().level);

	constructor(read: () => MarkdownContext) {
		this.#read = read;
	}

	get state(): 'streaming' | 'whole' | 'inert' {
		return this.inert ? 'inert' : this.#read().streaming ? 'streaming' : 'whole';
	}

	/** The element of a heading: the first level of the text is below the headings of the page. */
	heading(depth: number): string {
		return `h${Math.min(6, Math.max(1, this.#level) + depth - 1)}`;
	}

	/** Where a link leads. */
	link(written: string): Lead {
		const address = addressOf(written);
		const live = address && !this.inert && isAllowed(written, this.#links);
		return { ...shownOf(address, written), href: live ? address.href : undefined };
	}

	/** Where a picture would come from. */
	picture(written: string): Lead {
		const address = addressOf(written);
		const images = this.#images;
		const live =
			address &&
			!this.inert &&
			images !== 'never' &&
			!address.href.startsWith('mailto:') &&
			(images === 'ask' || isAllowed(written, images));
		return { ...shownOf(address, written), href: live ? address.href : undefined };
	}
}

const shownOf = (address: Address | undefined, written: string): { shown: string; host: boolean } =>
	address
		? { shown: address.host, host: true }
		: { shown: written.length > SHOWN ? `${written.slice(0, SHOWN)}…` : written, host: false };

/** One picture, which is not there before a person asks for it. */
export class PictureState {
	readonly #text: MarkdownState;
	/** The address a person asked for. */
	#wanted = $state<string>();
	note = $state('');

	constructor(text: MarkdownState) {
		this.#text = text;
	}

	/** Was it this address that was asked for? A text that is still arriving may come to name another. */
	isShown({ href }: Lead): boolean {
		return href !== undefined && href === this.#wanted;
	}

	load({ href }: Lead, event: Event): void {
		// What is fetched tells its host that somebody reads, and whatever the address carries.
		if (personFrom(event).kind !== 'human') this.note = this.#text.words.byHand;
		else {
			this.#wanted = href;
			this.note = '';
		}
	}

	failed({ shown }: Lead): void {
		this.#wanted = undefined;
		this.note = this.#text.words.notLoaded(shown);
	}
}
