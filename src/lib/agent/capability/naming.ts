import { from, UNKNOWN } from '../protocol/labels.js';
import type { Label } from '../protocol/words.js';
import type { Entry } from './registry.js';

/**
 * What the words are worth by which a model knows an instance: its label and the descriptions of its manifest. They enter a
 * context like any value, so they are joined like any value.
 * @internal
 */
export const nameLabel = ({ id, label }: Pick<Entry, 'id' | 'label'>): Label =>
	label.length <= LONGEST ? from('app') : { ...UNKNOWN, confidentiality: 'public', sources: [`${id} (name)`] };

/** A name of more characters is a text, and texts come from anywhere. */
const LONGEST = 40;
