import { isObject } from '../journal/copy.js';
import type { AgentRead } from './manifest.js';
import { readOf } from './reading.js';
import type { Entry } from './registry.js';

/** What of a page may leave it. Entries: `kind`, `kind.read`, `#instance`, `#instance.read`, `@category`. @since 0.1.0 */
export interface ConsentRules {
	readonly allow?: readonly string[];
	readonly ask?: readonly string[];
	readonly deny?: readonly string[];
}

/** May a value go to a model? @since 0.1.0 */
export type ConsentVerdict = 'allow' | 'ask' | 'deny';

/** The rules of an engine. @internal */
export interface Consent extends Record<ConsentVerdict, string[]> {
	/** What the app said cannot be read, and where: then nothing leaves. */
	fault?: string;
}

/** Can this be an entry? The signs are those that kinds, ids and names of reads may be made of. */
const ENTRY = /^(@\S(.*\S)?|(#[^\s\p{Cc}.#@:]{1,128}|[^\s\p{Cc}.#@]{1,256})(\.[^\s\p{Cc}:]+)?)$/u;

/** @internal */
export const isEntry = (entry: unknown): entry is string => typeof entry === 'string' && ENTRY.test(entry);

/** What an app said of consent, as a copy. What cannot be read could deny anything, so it denies all. @internal */
export function takeConsent(given: unknown = {}): Consent {
	const consent: Consent = { allow: [], ask: [], deny: [] };
	try {
		if (!isObject(given)) return { ...consent, fault: 'the whole' };
		for (const [name, list] of Object.entries(given)) {
			if (list === undefined) continue;
			consent.fault = name;
			if (!VERDICTS.includes(name as ConsentVerdict) || !Array.isArray(list)) return consent;
			const entries = [...(list as unknown[])];
			const odd = entries.findIndex((entry) => !isEntry(entry));
			if (odd >= 0) return { ...consent, fault: `${name}[${odd}]` };
			consent[name as ConsentVerdict] = entries as string[];
			delete consent.fault;
		}
	} catch {
		consent.fault ??= 'the whole';
	}
	return consent;
}

/** A read, as far as consent goes by it. Without a kind, what is not mounted any more. @internal */
export interface Subject {
	instance: string;
	read: string;
	kind?: string;
	category?: string;
	sensitivity?: AgentRead<unknown>['sensitivity'];
}

/** What may leave of one read at this moment, and what decides it. @since 0.1.0 */
export interface ReadConsent extends Subject {
	kind: string;
	/** What people call the instance. */
	label: string;
	/** What the read is, as its manifest says. */
	description: string;
	sensitivity: NonNullable<Subject['sensitivity']>;
	/** `ask`: once a run, else it is left out. */
	verdict: ConsentVerdict;
	/**
	 * `secret`: never leaves, whatever the entries say. `unreadable`: neither does anything else, because the option `consent`
	 * cannot be read. `entry`: the one named beside it. `answer`: a person agreed for the run that is live. `declared`: no entry
	 * names it, so its sensitivity decides.
	 */
	why: 'secret' | 'unreadable' | 'entry' | 'answer' | 'declared';
	/** Which entry decides: switch this one. */
	entry?: string;
}

/** What consent goes by in a mounted read. @internal */
export function subjectOf(entry: Entry, read: string): Subject | undefined {
	const declared = readOf(entry, read);
	if (!declared) return undefined;
	const { category, sensitivity = 'private' } = declared;
	return {
		instance: entry.id,
		read,
		kind: entry.kind,
		sensitivity,
		...(category === undefined ? {} : { category })
	};
}

/** Every entry that covers a read, the narrowest first. @internal */
export const entriesOf = ({ instance, read, kind, category }: Subject): string[] => [
	`#${instance}.${read}`,
	`#${instance}`,
	...(kind === undefined ? [] : [`${kind}.${read}`, kind]),
	...(category === undefined ? [] : [`@${category}`])
];

/** What beats what, the strictest first. @internal */
export const VERDICTS: readonly ConsentVerdict[] = ['deny', 'ask', 'allow'];

/**
 * May this read go to a model, and what decides? A denial beats a question, a question beats an allowance, in any order.
 * @internal
 */
export function consentTo(
	rules: ConsentRules & Pick<Consent, 'fault'>,
	subject: Subject
): Pick<ReadConsent, 'verdict' | 'why' | 'entry'> {
	const { sensitivity } = subject;
	if (sensitivity === 'secret') return { verdict: 'deny', why: 'secret' };
	if (rules.fault !== undefined) return { verdict: 'deny', why: 'unreadable' };
	const names = entriesOf(subject);
	for (const verdict of VERDICTS) {
		const entry = names.find((name) => rules[verdict]?.includes(name));
		if (entry !== undefined) return { verdict, why: 'entry', entry };
	}
	const open = sensitivity === 'page' || sensitivity === 'public';
	return { verdict: open ? 'allow' : 'ask', why: 'declared' };
}

/**
 * May this read go to a model? A denial beats a question, a question beats an allowance, in any order. Where no entry names
 * it, its sensitivity decides: private asks, page and public go. Secret never goes, whatever the entries say.
 * @since 0.1.0
 */
export function consentVerdict(rules: ConsentRules, entry: Entry, read: string): ConsentVerdict {
	const subject = subjectOf(entry, read);
	return subject ? consentTo(rules, subject).verdict : 'deny';
}

/**
 * Everything that is mounted and what of it may leave.
 * @param agreed did a person agree to it for the run that is live?
 * @internal
 */
export function consentsOf(
	rules: ConsentRules,
	entries: readonly Entry[],
	agreed: (subject: Subject) => boolean
): readonly ReadConsent[] {
	return Object.freeze(
		entries.flatMap((entry) =>
			Object.entries(entry.manifest.reads as Record<string, AgentRead<unknown>>).map(
				([read, { description }]): ReadConsent => {
					const subject = subjectOf(entry, read)!;
					const now = consentTo(rules, subject);
					const lifted: Partial<ReadConsent> =
						now.verdict === 'ask' && agreed(subject)
							? { verdict: 'allow', why: 'answer', entry: `#${entry.id}.${read}` }
							: {};
					return Object.freeze({
						...(subject as Subject & { kind: string; sensitivity: 'private' }),
						label: entry.label,
						description,
						...now,
						...lifted
					});
				}
			)
		)
	);
}
