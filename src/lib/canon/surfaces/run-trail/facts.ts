import type { EffectEntry, Step } from '../../../agent/protocol/run-state.js';
import type { JSONValue } from '../../../agent/protocol/words.js';
import { ranges } from '../../../langs/ranges.js';
import { nameIn, refusalIn, sourceNames } from '../../../langs/index.js';
import { localeOf } from '../../../langs/locale.js';
import { fieldName } from '../review-card/argument-fields.js';
import { isChange } from '../review-card/naming.js';
import { textIn, textValue } from '../review-card/values.js';
import { dataOf, type LineView } from './line-view.js';
import type { TrailNames } from './run-trail.svelte.js';

/** One thing that is known of a line. @since 0.1.0 */
export interface Fact {
	name: string;
	value: string;
	/** What stood there before. */
	before?: string;
	/** A value of a machine or of a component, to be shown letter by letter. */
	exact?: true;
	/** A digest: its beginning is shown, all of it can be copied. */
	digest?: true;
}

/** Everything a line stands on: who asked, who decided and how, what exactly was done, what it cost, which records say so. */
export function factsOf(view: LineView, names: TrailNames): readonly Fact[] {
	const { subject, records } = view.line;
	const words = names.lang.runTrail.facts;
	const step = subject.kind === 'act' ? names.steps.get(subject.step) : undefined;
	return [
		...(step ? ofStep(step, names) : ofRecords(view, names)),
		{ name: words.records, value: ranges(records.map(({ seq }) => seq)).join(', '), exact: true }
	];
}

function ofStep(step: Step, names: TrailNames): Fact[] {
	const { lang, run } = names;
	const words = lang.runTrail;
	const effect = run.effects.findLast((one) => one.step === step.id);
	const why = step.reasons.at(-1);
	const sources = sourceNames(step.label.sources, lang, names.label);
	return [
		{ name: words.facts.requester, value: names.author(step.by).name },
		{ name: words.facts.where, value: names.label(step.instance) },
		...values(step, names),
		...(step.proposed === undefined
			? []
			: [{ name: words.facts.edited, value: text(step.proposed, names), exact: true as const }]),
		...(effect ? ofEffect(effect, names) : []),
		...(step.result === undefined
			? []
			: [{ name: words.facts.result, value: text(step.result, names), exact: true as const }]),
		...(why && step.status !== 'confirmed'
			? [{ name: words.facts.reason, value: refusalIn(lang, why) || why.code }]
			: []),
		...(step.label.integrity === 'untrusted' && sources.length > 0
			? [{ name: words.facts.sources, value: lang.aura.list(sources) }]
			: [])
	];
}

function ofEffect(effect: EffectEntry, { lang, author }: TrailNames): Fact[] {
	const { facts, how, decidedBy } = lang.runTrail;
	return [
		{
			name: facts.decider,
			value: effect.how === 'policy' ? how.policy : decidedBy(author(effect.decidedBy).name, how[effect.how])
		},
		{ name: facts.permission, value: effect.fingerprint, exact: true, digest: true },
		{ name: facts.operation, value: effect.operation, exact: true },
		...(effect.cost ? [{ name: facts.cost, value: effect.cost.toLocaleString(localeOf(lang.code)) }] : [])
	];
}

/** What was written, as it stood in the preview, else the arguments letter by letter. */
function values(step: Step, names: TrailNames): Fact[] {
	const { preview, proposed, args } = step;
	if (preview?.kind === 'fields' && proposed === undefined)
		return preview.fields.filter(isChange).map(({ label, before, after }) => ({
			name: nameIn(names.lang, label),
			before: text(before, names),
			value: text(after, names),
			exact: true
		}));
	if (preview?.kind === 'text' && proposed === undefined)
		return [
			{ name: names.lang.reviewCard.textChange, before: preview.before, value: preview.after, exact: true }
		];
	const all = typeof args === 'object' && args !== null && !Array.isArray(args) ? args : { value: args };
	return Object.entries(all as Record<string, JSONValue>).map(([key, value]) => ({
		name: nameIn(names.lang, fieldName(key)),
		value: text(value, names),
		exact: true
	}));
}

const text = (value: JSONValue, { lang }: TrailNames): string =>
	value === null || value === ''
		? lang.reviewCard.empty
		: (textIn(value) ?? textValue(value, lang.reviewCard));

function ofRecords({ line: { subject, records } }: LineView, names: TrailNames): Fact[] {
	const { lang } = names;
	const { facts, versionOf, tokens } = lang.runTrail;
	const first = records[0]!;
	switch (first.kind) {
		case 'run.opened': {
			const { level, budget, attachments = [] } = first.data;
			return [
				{ name: facts.level, value: lang.talk.levels[level] },
				{
					name: facts.limits,
					value: lang.aura.list(
						(['acts', 'turns'] as const).map(
							(limit) => `${lang.talk.limits[limit]}: ${budget[limit].toLocaleString(localeOf(lang.code))}`
						)
					)
				},
				...attachments.map(({ name }) => ({
					name: facts.attached,
					value: nameIn(lang, name, { foreign: true })
				}))
			];
		}
		case 'turn.opened': {
			const usage = (dataOf(records, 'turn.closed') ?? dataOf(records, 'turn.failed'))?.usage;
			return usage ? [{ name: facts.tokens, value: tokens(usage.input, usage.output) }] : [];
		}
		case 'revision.accepted':
			return [{ name: facts.version, value: versionOf(first.data.n) }];
		case 'question.closed':
			return first.data.value === undefined
				? []
				: [{ name: facts.answer, value: text(first.data.value, names), exact: true }];
		case 'run.undone':
		case 'run.redone':
			return Object.entries(first.data.parts).flatMap(([instance, { kept }]) =>
				kept.map(({ what, why }) => ({
					name: facts.kept,
					value: lang.aura.kept(what === instance ? names.label(instance) : nameIn(lang, what), why)
				}))
			);
		default:
			return subject.kind === 'call' && subject.raw
				? [{ name: lang.reviewCard.exactJson, value: subject.raw, exact: true }]
				: [];
	}
}
