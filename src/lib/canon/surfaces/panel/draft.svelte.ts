/** Text that goes along with what the person writes, as the words of somebody else. @since 0.1.0 */
export interface Attached {
	name: string;
	text: string;
	/** It came by pasting: the person may take it for their own words. */
	pasted?: true;
}

/** What the person is about to say. It outlives the panel: closed and opened again, nothing written is lost. @since 0.1.0 */
export class Draft {
	text = $state('');
	files: readonly Attached[] = $state.raw([]);
	/** While a run is live: change what it does, or wait for its end. */
	how: 'now' | 'after' = $state('now');
	/** How often something was sent: fresh words are to be followed. */
	sent = $state(0);
}

const drafts = new WeakMap<object, Map<string, Draft>>();

/** The draft of a conversation of an agent, as long as that agent lives. */
export function draftOf(agent: object, thread = ''): Draft {
	const own = drafts.get(agent) ?? new Map<string, Draft>();
	drafts.set(agent, own);
	const draft = own.get(thread) ?? new Draft();
	own.set(thread, draft);
	return draft;
}
