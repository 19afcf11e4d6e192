import type { Actor } from '../../../actor/index.js';
import type { Question } from '../../../agent/protocol/run-state.js';
import { en, type Language } from '../../../langs/index.js';
import type { AgentScope } from '../../../mount/index.js';
import { collect, startOf, type Entry } from './answer.js';
import { fieldsOf, type QuestionField } from './fields.js';

/** What {@link QuestionState} reads; every field may change. */
export interface QuestionContext {
	scope: AgentScope;
	/** Id of a question. @default the first that waits */
	question?: string;
	lang?: Language;
}

/** A question of an agent as a form: its fields, what was entered so far, and what is wrong with it. @since 0.1.0 */
export class QuestionState {
	readonly #read: () => QuestionContext;
	/** By question, so that an entry outlives a change of the list and never leaks into another question. */
	readonly #entries = $state<Record<string, Record<string, Entry>>>({});
	#issues = $state.raw<{ question: string; list: readonly { path: string; message: string }[] }>();
	#refused = $state.raw<{ question: string; text: string }>();

	constructor(read: () => QuestionContext) {
		this.#read = read;
	}

	readonly scope: AgentScope = $derived.by(() => this.#read().scope);
	readonly lang: Language = $derived.by(() => this.#read().lang ?? this.scope.lang ?? en);

	readonly question: Question | undefined = $derived.by(() => {
		const wanted = this.#read().question;
		for (const one of this.scope.agent.pending)
			if (one.kind === 'question' && (wanted === undefined || one.question.id === wanted))
				return one.question;
		return undefined;
	});
	/** Who asks. */
	readonly who: string = $derived.by(() => {
		const { identity } = this.scope.agent.engine;
		const from = this.question?.from;
		return from === undefined || from.id === identity.id || from.kind !== 'agent'
			? (from?.name ?? identity.name)
			: (from.name ?? from.id);
	});
	readonly fields: readonly QuestionField[] = $derived.by(() =>
		this.question === undefined ? [] : fieldsOf(this.question.schema, this.lang.question.yourAnswer)
	);
	/** Labels of what no agent may ask for. Such a question can only be declined. */
	readonly secrets: readonly string[] = $derived.by(() =>
		this.fields.filter((field) => field.secret).map((field) => field.label)
	);
	/** What is wrong, with the question as a whole. */
	readonly fault: string = $derived.by(() => {
		const id = this.question?.id;
		if (this.#refused?.question === id && this.#refused !== undefined) return this.#refused.text;
		const list = this.#issues?.question === id ? (this.#issues?.list ?? []) : [];
		const keys = new Set(list.map((issue) => this.#keyOf(issue.path)));
		if (list.length === 0) return '';
		const whole = list.filter((issue) => this.#keyOf(issue.path) === undefined).map((issue) => issue.message);
		return [...whole, ...(whole.length === 0 ? [this.lang.question.faults(keys.size)] : [])].join(' ');
	});

	/** What was entered into a field. */
	entry(field: QuestionField): Entry {
		return this.#entries[this.question?.id ?? '']?.[field.key] ?? startOf(field);
	}

	enter(field: QuestionField, entry: Entry): void {
		const id = this.question?.id;
		if (id === undefined) return;
		this.#entries[id] = { ...this.#entries[id], [field.key]: entry };
	}

	/** What is wrong with a field. */
	issue(field: QuestionField): string {
		if (this.#issues === undefined || this.#issues.question !== this.question?.id) return '';
		return this.#issues.list
			.filter((issue) => this.#keyOf(issue.path) === field.key)
			.map((issue) => issue.message)
			.join(' ');
	}

	/** Gives the answer. @returns key of the first field to look at, if it was not taken */
	answer(by: Actor): string | undefined {
		const { question } = this;
		if (question === undefined || this.secrets.length > 0) return undefined;
		this.#refused = undefined;
		const collected = collect(this.fields, this.#entries[question.id] ?? {}, this.lang.question);
		if (!collected.ok) return this.#fail(question.id, collected.issues);
		const report = this.scope.agent.get(question.run)?.answer(question.id, collected.value, by);
		if (report === undefined || report.ok) {
			this.#issues = undefined;
			return undefined;
		}
		if (report.issues !== undefined && report.issues.length > 0)
			return this.#fail(question.id, report.issues);
		if (report.refused !== undefined)
			this.#refused = { question: question.id, text: this.lang.refusal(report.refused) };
		return undefined;
	}

	decline(by: Actor): void {
		const { question } = this;
		if (question === undefined) return;
		const report = this.scope.agent.get(question.run)?.decline(question.id, undefined, by);
		this.#refused =
			report?.refused === undefined
				? undefined
				: { question: question.id, text: this.lang.refusal(report.refused) };
	}

	#fail(question: string, list: readonly { path: string; message: string }[]): string | undefined {
		this.#issues = { question, list };
		return this.fields.find((field) => this.issue(field) !== '')?.key;
	}

	/** The field an issue belongs to: by the first part of its path; the only field takes them all. */
	#keyOf(path: string): string | undefined {
		const only = this.fields.length === 1 ? this.fields[0] : undefined;
		if (only?.key === '') return '';
		const key = path.replace(/^\//, '').split('/')[0]?.replace(/~1/g, '/').replace(/~0/g, '~');
		return this.fields.find((field) => field.key === key)?.key;
	}
}
