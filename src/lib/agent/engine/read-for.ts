import { subjectOf } from '../capability/consent.js';
import { readValue } from '../capability/reading.js';
import type { ToldAt } from '../journal/kinds.js';
import { reason } from '../protocol/codes.js';
import type { JSONValue, Label, Reason } from '../protocol/words.js';
import type { Conductor } from './conductor.js';

/** A value as the run may see it. */
interface Seen {
	value: JSONValue;
	version: string | number;
	label: Label;
	/** What a result that shows it has to say of it. */
	told: ToldAt;
}

/** Is a value of this read the run's to see? Then its label counts as shown. */
export function readFor(
	{ core, fold }: Conductor,
	instance: string,
	read: string,
	key?: string
): Seen | Reason {
	const entry = core.registry.entry(instance);
	if (!entry) return reason('unknown-instance', `No instance "${instance}" is mounted.`);
	if (!fold.covers(instance)) return reason('scope');
	if (!Object.hasOwn(entry.manifest.reads, read))
		return reason('args-invalid', `"${instance}" has no read "${read}".`);
	const verdict = core.consent(fold, entry, read);
	if (verdict !== 'allow') return reason(verdict === 'ask' ? 'consent' : 'denied');
	const out = readValue(entry, read, key);
	if (!out.ok) return out.reason;
	const { value, version } = out;
	const { sensitivity, ...subject } = subjectOf(entry, read)!;
	const told = {
		...subject,
		key,
		version,
		...(sensitivity === 'private' ? {} : { sensitivity })
	} as ToldAt;
	return { value, version, label: core.labelOf(entry, read, out.label, key), told };
}
