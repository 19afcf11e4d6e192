import { readOf, readValue, readVersion } from '../capability/reading.js';
import type { Entry, Registry } from '../capability/registry.js';
import type { JSONValue, Touch } from '../protocol/words.js';

/** A version as records and fingerprints hold it: that of a secret may be the secret. @since 0.1.0 */
export const veiled = (entry: Entry, read: string, version: string | number): string | number =>
	readOf(entry, read)?.sensitivity === 'secret' ? entry.veil(version) : version;

/** Present version of a touched key, wherever it is; none where it cannot be told. @since 0.1.0 */
export function versionOf(
	registry: Registry,
	{ instance, read, key }: Touch & { instance: string }
): string | number | undefined {
	const entry = registry.entry(instance);
	const now = entry && readVersion(entry, read, key);
	return now?.ok ? veiled(entry!, read, now.version) : undefined;
}

/** Value of a touched key as a card or a result may show it; secrets are not shown. @since 0.1.0 */
export function valueOf(registry: Registry, touch: Touch & { instance: string }): JSONValue | undefined {
	const entry = registry.entry(touch.instance);
	const read = entry && readValue(entry, touch.read, touch.key);
	return read?.ok ? read.value : undefined;
}
