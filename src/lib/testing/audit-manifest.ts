import { createRegistry } from '../agent/capability/registry.js';
import type { AgentManifest, AgentRead } from '../agent/capability/manifest.js';
import { project, undescribedArgs } from '../agent/capability/projection.js';
import { copyJSON } from '../agent/journal/copy.js';
import type { Violation } from '../agent/protocol/records.js';

/**
 * Holds a manifest against what it must keep: everything described, reads that are plain JSON, free of side effects and
 * with versions that stand while the value stands. What its acts do in truth {@link auditActs} looks at.
 *
 * Laws, besides the codes of a registration: `description-missing`, `read-unstable`, `version-unstable`, `secret-version` (the
 * version of a secret read is its value, and versions are recorded), `threw`.
 * @returns one violation per finding, none for a sound manifest
 * @since 0.1.0
 */
export function auditManifest<P>(
	// eslint-disable-next-line @typescript-eslint/no-explicit-any
	manifest: AgentManifest<P, any>,
	provider: P
): readonly Violation[] {
	const found: Violation[] = [];
	const say = (law: string, text: string) => found.push({ law, text });
	const dispose = createRegistry().register(manifest, provider, { id: 'audit', label: 'Audit' });
	if (dispose.refused) say(dispose.refused.code, dispose.refused.text);
	for (const [name, act] of Object.entries(manifest.acts)) {
		const schema = project(act.args);
		if (!schema.ok) continue;
		for (const path of undescribedArgs(schema.json))
			say('description-missing', `Argument "${path}" of act "${name}" has no description.`);
	}
	for (const [name, read] of Object.entries(manifest.reads as Record<string, AgentRead<P>>)) {
		const take = () => {
			const copy = copyJSON(read.read(provider));
			return copy.ok ? JSON.stringify(copy.value) : undefined;
		};
		try {
			const before = read.version(provider);
			const first = take();
			const second = take();
			if (first !== second) say('read-unstable', `Read "${name}" gives another value each time.`);
			if (read.version(provider) !== before)
				say('version-unstable', `Version of read "${name}" changed while nothing did.`);
			if (read.sensitivity === 'secret' && tells(String(before), first))
				say('secret-version', `The version of read "${name}" is its value: make it a counter or a digest.`);
		} catch (error) {
			say('threw', `Read "${name}" threw: ${String(error)}`);
		}
	}
	return found;
}

/** Does a version hold a value, or a text of it? Short texts are found by chance. */
function tells(version: string, json: string | undefined): boolean {
	const texts = json?.match(/[^"\\{}[\],:]{3,}/g) ?? [];
	return json === version || texts.some((text) => version.includes(text));
}
