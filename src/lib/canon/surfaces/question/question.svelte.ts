import { untrack } from 'svelte';
import type { Actor } from '../../../actor/index.js';
import type { Issue, Question } from '../../../agent/protocol/run-state.js';
import type { JSONValue, Reason } from '../../../agent/protocol/words.js';
import { en, nameIn, oneLine, quoted, refusalIn, sayingIn, type Language } from '../../../langs/index.js';
import type { AgentScope } from '../../../mount/index.js';
import { collect, startOf, type Entry } from './answer.js';
import { keyInWords } from '../field/field.js';
import { nameOf } from '../names.js';
import { notByHand } from '../not-by-hand.js';
import { questionDeskOf, type QuestionDesk } from './desk.svelte.js';
import { fieldsOf, type QuestionField } from './fields.js';
import { linkOf, type QuestionLink } from './link.js';

/** What {@link QuestionState} reads; every field may change. */
export interface QuestionContext {
	scope: AgentScope;
	/** Id of a question. @default the first that waits */
	question?: string;
	lang?: Language;
}

/** A registry that tells how reads are described. The engine's own does. */
interface Describing {
	entry?(
		id: string
	): { manifest: { reads: Readonly<Record<string, { description: string } | undefined>> } } | undefined;
}

/** A question of an agent as a form: its fields, what was entered so far, and what is wrong with it. @since 0.1.0 */
export class QuestionState {
	readonly #read: () => QuestionContext;
	/** What was found wrong with the last answer. */
	#fault = $state.raw<{ question: string; text?: string; issues: readonly Issue[] }>();

	constructor(read: () => QuestionContext) {
		this.#read = read;
	}

	get scope(): AgentScope {
		return this.#read().scope;
	}
	// What is made while something is drawn would not be followed by what draws it.
	readonly #desk: QuestionDesk = $derived.by(() => {
		const { agent } = this.scope;
		return untrack(() => questionDeskOf(agent));
	});
	get lang(): Language {
		return this.#read().lang ?? this.scope.lang ?? en;
	}
	/** All that wait, the oldest first. */
	readonly #waiting: readonly Question[] = $derived.by(() => {
		const wanted = this.#read().question;
		return this.scope.agent.pending.flatMap((one) =>
			one.kind === 'question' && (wanted === undefined || one.question.id === wanted) ? one.question : []
		);
	});
	get question(): Question | undefined {
		return this.#waiting[0];
	}
	/** How many questions wait after this one. */
	get more(): number {
		return Math.max(0, this.#waiting.length - 1);
	}
	/** The person has put this question off: it stays open, and out of the way. */
	get isLater(): boolean {
		return this.question !== undefined && this.#desk.later === this.question.id;
	}
	/** Puts the question off, or takes it up again. Neither answers nor declines it. */
	putOff(later: boolean): void {
		this.#desk.later = later ? this.question?.id : undefined;
	}
	/** The page the question leads to. */
	readonly link: QuestionLink | undefined = $derived(linkOf(this.question?.url));
	/** Who asks. */
	get who(): string {
		const { identity } = this.scope.agent.engine;
		const { from } = this.question ?? {};
		const another = from?.kind === 'agent' && from.id !== identity.id;
		return nameIn(this.lang, from?.name ?? (another ? from.id : identity.name));
	}
	/** Id of the agent that asks: its own, or that of one it works with. */
	get askerId(): string {
		const { from } = this.question ?? {};
		return from?.kind === 'agent' ? from.id : this.scope.agent.engine.identity.id;
	}
	/** Goal of the run it asks in, short and quoted; empty where that is the run everything else on the page is about. */
	get runName(): string {
		const { current, runs } = this.scope.agent;
		const run = runs.find(({ id }) => id === this.question?.run);
		if (run === undefined || (run.id === current?.id && run.parent === undefined)) return '';
		return this.lang.question.inRun(quoted(this.lang, oneLine(run.goal, 60)));
	}
	readonly fields: readonly QuestionField[] = $derived.by(() =>
		this.question === undefined || this.#isElsewhere
			? []
			: fieldsOf(this.question.schema, this.lang.question.yourAnswer).map((field) =>
					this.question?.reason !== 'consent'
						? field
						: { ...field, choices: field.choices.map(({ value }) => ({ value, label: this.#nameOf(value) })) }
				)
	);
	/** Done on another page: there is nothing to fill in here. */
	get #isElsewhere(): boolean {
		return this.question?.url !== undefined && this.question.schema === undefined;
	}
	/** What the button says that answers; none where it cannot be answered. */
	get answerLabel(): string | undefined {
		const { question: words } = this.lang;
		if (this.secrets.length > 0 || (this.#isElsewhere && this.link && 'fault' in this.link)) return undefined;
		return this.#isElsewhere ? words.finished : words.answer(this.who);
	}
	/** The question in words. That for consent is the house's own, whatever language the engine speaks. */
	get text(): string {
		const { question, lang, who } = this;
		return question?.reason === 'consent' ? lang.question.consent(who) : (question?.text ?? '');
	}
	/** Labels of what no agent may ask for. Such a question can only be declined. */
	get secrets(): readonly string[] {
		return this.fields.filter((field) => field.secret).map((field) => nameIn(this.lang, field.label));
	}
	/** What is wrong, with the question as a whole. */
	get fault(): string {
		const { text, issues = [] } = this.#present ?? {};
		const whole = issues.filter((issue) => this.#keyOf(issue) === undefined);
		if (text || whole.length > 0) return text ?? whole.map(({ message }) => message).join(' ');
		const faulty = this.fields.filter((field) => this.issue(field)).length;
		return faulty === 0 ? '' : this.lang.question.faults(faulty);
	}

	/** What was entered into a field. */
	entry(field: QuestionField): Entry {
		return this.#desk.entries(this.question?.id ?? '')[field.key] ?? startOf(field);
	}

	enter(field: QuestionField, entry: Entry): void {
		const id = this.question?.id;
		if (id !== undefined && !field.secret) this.#desk.enter(id, field.key, entry);
	}

	/** Keeps nothing of a question that waits no more. */
	tidy(): void {
		const desk = this.#desk;
		const { pending } = this.scope.agent;
		const open = pending.flatMap((one) => (one.kind === 'question' ? one.question.id : []));
		untrack(() => desk.keep(open));
	}

	/** What is wrong with a field. */
	issue(field: QuestionField): string {
		return (this.#present?.issues ?? [])
			.filter((issue) => this.#keyOf(issue) === field.key)
			.map((issue) => issue.message)
			.join(' ');
	}

	/** Gives the answer of a person. @returns key of the first field to look at, if it was not taken */
	answer(by: Actor): string | undefined {
		const { question } = this;
		if (question === undefined || this.answerLabel === undefined) return undefined;
		if (by.kind !== 'human') return this.#hear(question, { refused: notByHand('QuestionCard') });
		const collected = this.#isElsewhere
			? ({ ok: true, value: this.lang.question.finished } as const)
			: collect(this.fields, this.#desk.entries(question.id), this.lang);
		this.#hear(
			question,
			collected.ok ? this.#run(question)?.answer(question.id, collected.value, by) : collected
		);
		return this.fields.find((field) => this.issue(field))?.key;
	}

	decline(by: Actor): void {
		const { question } = this;
		if (!question) return;
		this.#hear(
			question,
			by.kind === 'human'
				? this.#run(question)?.decline(question.id, undefined, by)
				: { refused: notByHand('QuestionCard') }
		);
	}

	/** A private read in words: `#ticket.passport` → "Ticket: Passport of the traveller". */
	#nameOf(value: JSONValue): string {
		const [entry, instance = '', read = ''] = /^#([^.]+)\.(.+)$/.exec(String(value)) ?? [];
		if (entry === undefined) return String(value);
		const { registry } = this.scope;
		const known = (registry as Describing).entry?.(instance)?.manifest.reads[read]?.description;
		const what = sayingIn(this.lang, known ?? keyInWords(read));
		return this.lang.question.read(nameOf(this.scope, this.lang, instance), what);
	}

	#run({ run }: Question) {
		return this.scope.agent.get(run);
	}

	#hear({ id }: Question, report: { refused?: Reason; issues?: unknown } | undefined): undefined {
		const issues = Array.isArray(report?.issues) ? (report.issues as readonly Issue[]) : [];
		const refused = issues.length === 0 ? report?.refused : undefined;
		this.#fault = { question: id, issues, text: refused && refusalIn(this.lang, refused) };
	}

	get #present() {
		return this.#fault?.question === this.question?.id ? this.#fault : undefined;
	}

	/** The field an issue belongs to: by the first part of its path; the only field takes them all. */
	#keyOf({ path }: Issue): string | undefined {
		if (this.fields.length === 1 && this.fields[0]?.key === '') return '';
		const key = path.replace(/^\//, '').split('/')[0]?.replace(/~1/g, '/').replace(/~0/g, '~');
		return this.fields.find((field) => field.key === key)?.key;
	}
}
