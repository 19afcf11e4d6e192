/**
 * The closed vocabulary of meaning: what kind of thing happens (family), what exactly (verb), and with what colour of
 * result (intent). A contract may only use words from here, so every channel (stamp, sound, style) knows them all.
 *
 * `delegate` is the family of "who acts now?". It carries no intent: intent belongs to the result an act leaves behind.
 * @since 0.1.0
 */
export const VOCABULARY = {
	delegate: ['offer', 'plan', 'authorize', 'act', 'review', 'escalate', 'return'],
	commit: ['apply', 'submit', 'cancel'],
	edit: ['change', 'clear', 'insert', 'remove', 'undo', 'redo'],
	navigate: ['open', 'close', 'focus', 'select'],
	signal: ['inform', 'warn', 'fail'],
	sustain: ['processing', 'waiting']
} as const;

/** The intents a result may have: it went well, it is dangerous, it went wrong, it was taken back. @since 0.1.0 */
export const INTENTS = ['affirm', 'risk', 'failure', 'reverse'] as const;

/** A family of meaning. @since 0.1.0 */
export type Family = keyof typeof VOCABULARY;
/** The verbs of one family, or of all. @since 0.1.0 */
export type Verb<F extends Family = Family> = (typeof VOCABULARY)[F][number];
/** What colour a result has. @since 0.1.0 */
export type Intent = (typeof INTENTS)[number];
/** The seven verbs of delegation. @since 0.1.0 */
export type DelegateVerb = Verb<'delegate'>;

/** Is this word a family of the vocabulary? @since 0.1.0 */
export function isFamily(word: string): word is Family {
	return Object.hasOwn(VOCABULARY, word);
}

/** Is this word a verb of that family? @since 0.1.0 */
export function isVerb<F extends Family>(family: F, word: string): word is Verb<F> {
	return (VOCABULARY[family] as readonly string[]).includes(word);
}

/** Is this word one of the seven verbs of delegation? @since 0.1.0 */
export function isDelegateVerb(word: string): word is DelegateVerb {
	return isVerb('delegate', word);
}

/** Is this word an intent of the vocabulary? @since 0.1.0 */
export function isIntent(word: string): word is Intent {
	return (INTENTS as readonly string[]).includes(word);
}
