import type { Entry, CompiledAct, Registry } from '../capability/registry.js';
import { isEnabled, readVersion } from '../capability/reading.js';
import { faultText } from '../journal/copy.js';
import type { TouchAt } from '../journal/kinds.js';
import { reason } from '../protocol/codes.js';
import type { JSONValue, Level, Reason, Touch } from '../protocol/words.js';
import { veiled } from './touched.js';

export { valueOf, veiled, versionOf } from './touched.js';

/** A mounted act, found and available. @since 0.1.0 */
export interface Found {
	entry: Entry;
	act: CompiledAct;
	provider: unknown;
}

/** Finds an act that can be called right now, or says why there is none. @since 0.1.0 */
export function find(registry: Registry, instance: string, name: string): Found | Reason {
	const entry = registry.entry(instance);
	if (!entry) return reason('unknown-instance', `No instance "${instance}" is mounted.`);
	const act = entry.acts.get(name);
	if (!act) return reason('unknown-act', `"${instance}" has no act "${name}".`);
	const provider = entry.provider();
	if (provider === undefined) return reason('not-ready', `"${instance}" is not ready yet.`);
	const free = availability(act, provider);
	return free === true ? { entry, act, provider } : reason('unavailable', free);
}

/** Why a call that was possible when it was proposed is none any more. @since 0.1.0 */
export const gone = (why: Reason): Reason =>
	why.code === 'unknown-instance' ? reason('instance-gone') : why;

/** `true`, or why the act is not available. A predicate that throws counts as not. @since 0.1.0 */
export function availability(act: CompiledAct, provider: unknown): true | string {
	try {
		const free = act.act.available ? act.act.available(provider) : true;
		return free === true || typeof free === 'string' ? free : 'It is not available.';
	} catch (error) {
		return `It cannot be told whether it is available: ${faultText(error)}`;
	}
}

/** What one call depends on; undeclared, every read of the instance. @since 0.1.0 */
export function touchesOf({ entry, act, provider }: Found, args: JSONValue): readonly Touch[] | Reason {
	const { touches } = act.act;
	if (typeof touches === 'function') {
		try {
			const named = touches(provider, args) as readonly Touch[];
			const stray = named.find(
				({ read, key = '' }) => typeof key !== 'string' || !Object.hasOwn(entry.manifest.reads, read)
			);
			return stray
				? reason('touch-unknown', `Act "${act.name}" touches "${stray.read}": no such read or key.`)
				: named;
		} catch (error) {
			return reason('threw', faultText(error));
		}
	}
	const reads = (touches as readonly string[] | undefined) ?? Object.keys(entry.manifest.reads);
	return reads
		.filter((read) => touches !== undefined || isEnabled(entry.manifest.reads[read]!, provider))
		.map((read) => ({ read }));
}

/** The version a call expects, as its provider knows it. The last look has compared the two in this very tick. @since 0.1.0 */
export function unveiled(entry: Entry, { read, key }: Touch, version: string | number): string | number {
	const now = readVersion(entry, read, key);
	return now.ok && veiled(entry, read, now.version) === version ? now.version : version;
}

/** Present versions of touched keys. @since 0.1.0 */
export function versionsOf(entry: Entry, touches: readonly Touch[]): TouchAt[] | Reason {
	const out: TouchAt[] = [];
	for (const { read, key } of touches) {
		const now = readVersion(entry, read, key, true);
		if (!now.ok) return now.reason;
		out.push({ instance: entry.id, read, key, version: veiled(entry, read, now.version) });
	}
	return out;
}

/** The level an act demands of this call. A function that throws demands a review. @since 0.1.0 */
export function demanded({ act, provider }: Found, args: JSONValue): Level | undefined {
	const level: unknown = act.act.level;
	if (typeof level !== 'function') return level as Level | undefined;
	try {
		return (level as (provider: unknown, args: JSONValue) => Level | undefined)(provider, args);
	} catch {
		return 'review';
	}
}
