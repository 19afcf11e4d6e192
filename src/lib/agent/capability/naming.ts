import { CLEAN, from, join, strange } from '../protocol/labels.js';
import type { Label } from '../protocol/words.js';
import type { Entry } from './registry.js';

/**
 * What the words are worth by which a model knows an instance: its label, its id, its parent, and the descriptions of its
 * manifest. They enter a context like any value, so they are joined like any value.
 *
 * A label nobody vouched for counts as the app's own while it is short and of one line, else as text from anywhere. This
 * bounds what can be said through a name; it tells no good name from a bad one.
 * @internal
 */
export function nameLabel({ id, label, parent = '', trust, manifest }: Named): Label {
	const tame = label.length <= LONGEST && !/[\p{Cc}\u2028\u2029]/u.test(label);
	const plain = tame && id.length <= LONGEST_ID && parent.length <= LONGEST_ID;
	const name = trust === 'imported' || !(trust ?? plain) ? strange(`${id} (name)`) : from(trust ?? 'app');
	return join(name, manifest.trust === 'imported' ? strange(`${id} (description)`) : CLEAN);
}

type Named = Pick<Entry, 'id' | 'label' | 'parent' | 'trust'> & {
	manifest: Pick<Entry['manifest'], 'trust'>;
};

/** A label of more characters is a text, and texts come from anywhere. */
const LONGEST = 40;
/** Ids are longer: a UUID with what it is of. */
const LONGEST_ID = 64;
