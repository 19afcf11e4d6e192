import { canonicalJSON } from '../protocol/canonical-json.js';
import { sha256 } from '../protocol/sha256.js';
import type { JSONValue } from '../protocol/words.js';

/**
 * SHA-256 of a value's canonical form, as lower-case hex: a `version` that is equal exactly while the value is. Costs in
 * proportion to the value, so a manifest remembers it.
 * @throws {TypeError} at anything that is no JSON
 * @since 0.1.0
 */
export const digest = (value: JSONValue): string => sha256(canonicalJSON(value));
