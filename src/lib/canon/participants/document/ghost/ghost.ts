import type { EditorView } from 'prosemirror-view';

/** One text that is being written: one element with one text node, made once and kept through every redraw. */
export class Ghost {
	readonly dom: HTMLElement;
	readonly #text: Text;
	#next: string | undefined;

	constructor(page: Document, block: boolean, agent: string | undefined, hue: number | undefined) {
		this.dom = page.createElement(block ? 'div' : 'span');
		this.dom.dataset['part'] = 'ghost';
		this.dom.dataset['shape'] = block ? 'block' : 'inline';
		this.dom.dir = 'auto';
		// In a style of its own: editors bring unlayered rules for what cannot be written in, and layered ones lose to them.
		this.dom.style.whiteSpace = 'pre-wrap';
		// Nobody has decided on it yet; it is spoken when it has become text.
		this.dom.setAttribute('aria-hidden', 'true');
		if (agent !== undefined) this.dom.dataset['by'] = agent;
		if (hue !== undefined) this.dom.style.setProperty('--ax-agent-hue', String(hue));
		this.#text = page.createTextNode('');
		this.dom.append(this.#text);
	}

	/** What it will show with the next frame. */
	set text(text: string) {
		this.#next = text;
	}

	/** Writes what came since the last frame, in one go. */
	write(): void {
		const next = this.#next;
		this.#next = undefined;
		if (next !== undefined && next !== this.#text.data) this.#text.data = next;
	}
}

/** The ghosts of one view. They are DOM, so they belong to the view and not to its state. */
export class Ghosts {
	readonly #byKey = new Map<string, Ghost>();
	readonly #page: Document;
	#frame: number | undefined;

	constructor(view: EditorView) {
		this.#page = view.dom.ownerDocument;
	}

	/** The ghost with this key, made when it is not there yet. */
	of(key: string, block: boolean, agent?: string, hue?: number): Ghost {
		let ghost = this.#byKey.get(key);
		if (!ghost) this.#byKey.set(key, (ghost = new Ghost(this.#page, block, agent, hue)));
		return ghost;
	}

	/** Lets all of them write with the next frame. */
	soon(): void {
		if (this.#frame !== undefined || this.#byKey.size === 0) return;
		this.#frame = this.#page.defaultView?.requestAnimationFrame(() => {
			this.#frame = undefined;
			for (const ghost of this.#byKey.values()) ghost.write();
		});
	}

	/** Forgets those that are no longer shown. */
	keep(keys: ReadonlySet<string>): void {
		for (const key of this.#byKey.keys()) if (!keys.has(key)) this.#byKey.delete(key);
	}

	/** Writes nothing until it is asked again. */
	rest(): void {
		if (this.#frame !== undefined) this.#page.defaultView?.cancelAnimationFrame(this.#frame);
		this.#frame = undefined;
	}
}
