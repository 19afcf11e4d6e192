import type { Verbosity } from './phrase.js';

/** Where the choice of a person is kept, in this browser. */
const KEY = 'ax-announcer';

/** How much the announcers of a document say where nobody else says. */
class Chosen {
	level = $state<Verbosity>(remembered());
}

/** Storage may be switched off, and what stands there may be anything. */
function remembered(): Verbosity {
	try {
		const kept = localStorage.getItem(KEY);
		return kept === 'off' || kept === 'all' ? kept : 'states';
	} catch {
		return 'states';
	}
}

// Beside the document, so that two roots on a page agree. Only reached on mount, never on a server.
const chosen = new WeakMap<Document, Chosen>();

/** What the person of a document chose. @internal */
export function chosenIn(document: Document): { level: Verbosity } {
	let one = chosen.get(document);
	if (!one) chosen.set(document, (one = new Chosen()));
	return one;
}

/**
 * How much the announcers of this page say, kept for this browser: for a settings page. An Announcer that has the prop
 * `verbosity` keeps to that. In the browser only.
 * @since 0.1.0
 */
export function setVerbosity(verbosity: Verbosity): void {
	chosenIn(document).level = verbosity;
	try {
		localStorage.setItem(KEY, verbosity);
	} catch {
		// It then holds until the page is left.
	}
}
