import { type Actor, actingAs } from '../actor/actor.js';
import type { AgentAct, AgentManifest, AgentRead } from '../agent/capability/manifest.js';
import { isSchema, parseArgs } from '../agent/capability/projection.js';
import { isEnabled } from '../agent/capability/reading.js';
import { createRegistry, type Registry } from '../agent/capability/registry.js';
import { dispatch } from '../agent/engine/dispatch.js';
import { admitRead } from '../agent/gate/admit.js';
import { find, touchesOf } from '../agent/gate/look.js';
import { Fold } from '../agent/journal/fold.js';
import { copyJSON, faultText, isObject } from '../agent/journal/copy.js';
import { keyed } from '../agent/journal/memory.js';
import type { Violation } from '../agent/protocol/records.js';
import type { JSONValue, Touch } from '../agent/protocol/words.js';

/** What {@link auditActs} takes besides manifest, provider and samples. @since 0.1.0 */
export interface AuditActsOptions {
	/**
	 * Reads that follow from others, such as what is wrong with the values of a form, or that show more by their version than
	 * by their value: they may move with whatever an act touches, and their versions may move while they stand.
	 */
	derived?: readonly string[];
	/** How long one call may take, in milliseconds. @default the act's own timeout */
	timeoutMs?: number;
}

/** One place of a component: a read, or one key of it. */
interface Place extends Touch {
	value: string | undefined;
	version: string | number | undefined;
}
type Look = ReadonlyMap<string, Place>;

/** A value that is an object with more members is looked at as a whole. */
const MOST_KEYS = 200;

/**
 * Runs the acts of a manifest on a real provider and holds what is seen against what is declared. Each sample is one run: it is
 * previewed, performed as an agent and, where the act says it is reversible, taken back.
 *
 * Laws: `sample-missing` (an act without samples; give `[]` to leave one out knowingly), `sample-refused` (nothing was shown by
 * it), `look-changed` (`available`, `touches`, `locks` or `level` changed a read), `preview-changed`, `effect-changed` (an act
 * says it has no effect, and a read changed), `refuse-changed` (it says nothing happened), `touches-missed` (a read changed that
 * the act does not touch), `undo-incomplete` and `redo-incomplete` (the reads are not as they were), `version-stuck` (a value
 * changed, its version did not), `version-unstable` (the reverse), `versions-wrong` (a version the act reports is not there),
 * `versions-missing` (an asynchronous act changed what it touches and does not report it), `result-invalid`, `threw`, `timeout`.
 * @param provider or how to get one; asked anew for each sample, so that a fresh one may be given
 * @param samples arguments by act; each list is tried in order
 * @returns one violation per finding, none for a truthful manifest
 * @example expect(await auditActs(invoiceManifest, () => new Invoice(), { setAmount: [{ amount: 12 }], send: [] })).toEqual([])
 * @since 0.1.0
 */
export async function auditActs<P>(
	// eslint-disable-next-line @typescript-eslint/no-explicit-any
	manifest: AgentManifest<P, any>,
	provider: P | (() => P | Promise<P>),
	samples: Readonly<Record<string, readonly unknown[]>>,
	options: AuditActsOptions = {}
): Promise<readonly Violation[]> {
	const found: Violation[] = [];
	const say = (law: string, text: string) => void found.push({ law, text });
	for (const name of Object.keys(samples))
		if (!Object.hasOwn(manifest.acts, name)) say('sample-missing', `There is no act "${name}".`);
	for (const name of Object.keys(manifest.acts)) {
		const given = Object.hasOwn(samples, name) ? samples[name] : undefined;
		if (!given) say('sample-missing', `Act "${name}" has no sample.`);
		for (const [i, args] of (given ?? []).entries()) {
			const own = typeof provider === 'function' ? await (provider as () => P | Promise<P>)() : provider;
			const where = `Act "${name}", sample ${i + 1}`;
			try {
				await audit(manifest, own, name, args, options, (law, text) => say(law, `${where}: ${text}`));
			} catch (error) {
				say('threw', `${where}: ${faultText(error)}`);
			}
		}
	}
	return found;
}

let runs = 0;

async function audit<P>(
	manifest: AgentManifest<P>,
	provider: P,
	name: string,
	sample: unknown,
	{ derived = [], timeoutMs }: AuditActsOptions,
	say: (law: string, text: string) => void
): Promise<void> {
	const registry = createRegistry() as Registry;
	const { refused } = registry.register(manifest, provider, { id: 'audit', label: 'Audit' });
	if (refused) return say(refused.code, refused.text);
	const run = `audit-${(runs += 1)}`;
	const actor: Actor = { kind: 'agent', id: 'audit', run, step: `${run}-s1` };

	const before = lookAt(manifest, provider);
	const first = find(registry, 'audit', name);
	if ('code' in first) return say('sample-refused', first.text);
	const { act } = first;
	const parsed = parseArgs(act.act.args, sample as JSONValue);
	if (!parsed.ok) {
		const issues = parsed.issues.map(({ path, message }) => `${path} ${message}`.trim());
		return say('sample-refused', [parsed.reason.text, ...issues].join(' '));
	}
	const args = parsed.value;
	const touches = touchesOf(first, args);
	if ('code' in touches) return say('sample-refused', touches.text);
	act.act.locks?.(provider, args);
	if (typeof act.level === 'function') act.level(provider, args);
	const looked = lookAt(manifest, provider, touches);
	// What only the touches name was not looked at before.
	for (const place of changed(before, looked).filter((place) => before.has(place)))
		say('look-changed', `looking at it changed "${place}"`);

	const shown = act.act.preview?.(provider, args);
	const previewed = lookAt(manifest, provider, touches);
	for (const place of changed(looked, previewed)) say('preview-changed', `its preview changed "${place}"`);
	if (shown?.kind === 'refuse') return say('sample-refused', `${shown.reason.code}: ${shown.reason.text}`);

	// The same door as every act: a look at a component is no way around it.
	const admission = admitRead({ run: new Fold(), entry: first.entry, denied: [] });
	if (admission.verdict !== 'admitted') return say('sample-refused', admission.reasons[0]!.text);
	const answer = dispatch(
		act,
		provider,
		args,
		{
			actor,
			run,
			step: actor.step!,
			operation: `${run}-o1`,
			expect: Object.fromEntries(
				touches.map((touch) => [keyed(touch), previewed.get(keyed(touch))?.version ?? 0])
			),
			signal: new AbortController().signal
		},
		actor
	);
	const asynchronous = answer instanceof Promise;
	const out = await withinTime(answer, timeoutMs ?? act.timeoutMs);
	const after = lookAt(manifest, provider, touches);
	const moved = changed(previewed, after);
	versions(previewed, after, derived, say);

	if (!out) return say('timeout', 'no answer in time');
	if ('threw' in out) return say('threw', out.threw);
	const { result } = out;
	const told =
		result.kind === 'done' ? undefined : result.kind === 'escalate' ? result.question : result.reason;
	if (told) {
		for (const place of moved) say('refuse-changed', `it answered "${result.kind}" and changed "${place}"`);
		return say('sample-refused', `${result.kind}: ${told.text}`);
	}
	if (result.kind !== 'done') return;
	if (act.effect === 'none')
		for (const place of moved) say('effect-changed', `it declares no effect and changed "${place}"`);
	else
		for (const place of moved)
			if (
				!derived.includes(after.get(place)?.read ?? previewed.get(place)!.read) &&
				!covers(touches, place) &&
				!(made(previewed, place) && touches.some(({ read }) => place.startsWith(`${read}:`)))
			)
				say('touches-missed', `it changed "${place}", which it does not touch`);
	reported(result.versions ?? {}, asynchronous ? moved : [], touches, after, say);
	checkResult(act.act, result.value, say);

	if (act.effect !== 'reversible') return;
	const person: Actor = { kind: 'human', id: 'audit' };
	actingAs(actor, () => manifest.ended?.(provider, run));
	await actingAs(person, () => manifest.undo!(provider, run));
	const undone = lookAt(manifest, provider, touches);
	for (const place of changed(previewed, undone))
		say('undo-incomplete', `after its undo "${place}" is another`);
	versions(after, undone, derived, say);
	if (!manifest.redo) return;
	await actingAs(person, () => manifest.redo!(provider, run));
	const redone = lookAt(manifest, provider, touches);
	for (const place of changed(after, redone)) say('redo-incomplete', `after its redo "${place}" is another`);
	await actingAs(person, () => manifest.undo!(provider, run));
}

/** Everything a manifest shows of a provider, read by read and key by key. Of a secret only the version. */
function lookAt<P>(manifest: AgentManifest<P>, provider: P, touches: readonly Touch[] = []): Look {
	const places = new Map<string, Place>();
	for (const [read, declared] of Object.entries(manifest.reads as Record<string, AgentRead<P>>)) {
		if (!isEnabled(declared, provider)) continue;
		const at = (key?: string): JSONValue | undefined => {
			const secret = declared.sensitivity === 'secret';
			const copy = secret ? undefined : copyJSON(declared.read(provider, key));
			const value = copy?.ok ? copy.value : undefined;
			places.set(keyed({ read, key }), {
				read,
				...(key === undefined ? {} : { key }),
				value: value === undefined ? undefined : JSON.stringify(value),
				version: declared.version(provider, key)
			});
			return value;
		};
		const whole = at();
		const own = isObject(whole) ? Object.keys(whole) : [];
		const named = declared.keys?.(provider) ?? (own.length > MOST_KEYS ? [] : own);
		const touched = touches.flatMap((touch) => (touch.read === read ? (touch.key ?? []) : []));
		for (const key of new Set([...named, ...touched])) at(key);
	}
	return places;
}

/** Places whose value is another; of a whole that is looked at by keys, the keys alone. */
function changed(before: Look, after: Look): string[] {
	const names = new Set([...before.keys(), ...after.keys()]);
	const differ = [...names].filter((name) => {
		const [was, is] = [before.get(name), after.get(name)];
		// Of a secret its version tells.
		const secret = was?.value === undefined && is?.value === undefined;
		// What is not there reads as null.
		return secret ? was?.version !== is?.version : (was?.value ?? 'null') !== (is?.value ?? 'null');
	});
	const split = new Set(differ.filter((name) => (after.get(name) ?? before.get(name))!.key !== undefined));
	const reads = new Set([...split].map((name) => (after.get(name) ?? before.get(name))!.read));
	return differ.filter((name) => split.has(name) || !reads.has(name));
}

/** Was it not there before? Nobody could have named it, or depended on it. */
const made = (before: Look, place: string): boolean => (before.get(place)?.value ?? 'null') === 'null';

/** Is what changed among what the act touches? A key may name a part of a member, or a member a part of a key. */
function covers(touches: readonly Touch[], place: string): boolean {
	const within = (a: string, b: string) => a === b || a.startsWith(`${b}.`);
	return touches.some((touch) => {
		const [read, ...rest] = place.split(':');
		if (touch.read !== read) return false;
		if (touch.key === undefined || rest.length === 0) return true;
		const key = rest.join(':');
		return within(key, touch.key) || within(touch.key, key);
	});
}

/** A version moves with its value, and stands while it stands. */
function versions(
	before: Look,
	after: Look,
	derived: readonly string[],
	say: (law: string, text: string) => void
): void {
	for (const [name, was] of before) {
		const is = after.get(name);
		if (!is || was.value === undefined || is.value === undefined) continue;
		const moved = was.version !== is.version;
		if (was.value !== is.value && !moved) say('version-stuck', `"${name}" changed, its version did not`);
		if (was.value === is.value && moved && !derived.includes(was.read))
			say('version-unstable', `the version of "${name}" changed, its value did not`);
	}
}

/** Versions an act reports are those that are there; an asynchronous one reports what it moved. */
function reported(
	told: Readonly<Record<string, string | number>>,
	moved: readonly string[],
	touches: readonly Touch[],
	after: Look,
	say: (law: string, text: string) => void
): void {
	for (const [place, version] of Object.entries(told)) {
		const now = after.get(place)?.version;
		if (now !== undefined && now !== version)
			say('versions-wrong', `it reports version ${version} of "${place}", which has ${now}`);
	}
	for (const touch of touches) {
		const name = keyed(touch);
		if (moved.includes(name) && !Object.hasOwn(told, name))
			say('versions-missing', `it is asynchronous and does not report the version of "${name}"`);
	}
}

function checkResult(act: AgentAct<never>, value: unknown, say: (law: string, text: string) => void): void {
	if (value === undefined) return;
	const copy = copyJSON(value);
	const fits = copy.ok && isSchema(act.result) ? parseArgs(act.result, copy.value) : copy;
	if (!fits.ok) say('result-invalid', `its result does not fit: ${fits.reason.text}`);
}

/** What is answered before the time is up, else nothing. */
async function withinTime<T>(answer: T | Promise<T>, ms: number): Promise<T | undefined> {
	let timer: ReturnType<typeof setTimeout> | undefined;
	const late = new Promise<undefined>((resolve) => (timer = setTimeout(() => resolve(undefined), ms)));
	try {
		return await Promise.race([answer, late]);
	} finally {
		clearTimeout(timer);
	}
}
