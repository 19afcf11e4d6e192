import type { Actor } from '../../actor/actor.js';
import { isSchema, project } from '../capability/projection.js';
import { copyJSON } from '../journal/copy.js';
import type { QuestionMemory } from '../journal/memory.js';
import type { Question, QuestionSpec } from '../protocol/run-state.js';
import type { Schema } from '../protocol/schema.js';
import { words } from './border.js';
import type { Conductor } from './conductor.js';

/** Puts a question to the person; what waits for the answer is named. */
export function askPerson(
	conductor: Conductor,
	spec: QuestionSpec,
	waits: Omit<QuestionMemory, 'question'> = {},
	from = conductor.core.agent
): void {
	const { id, questions } = conductor.fold;
	const question = asQuestion(spec, { id: `${id}-q${questions.size + 1}`, run: id, from });
	conductor.append('question.asked', { question, ...waits });
}

/** Asks for reads that may not leave yet. */
export function askConsent(conductor: Conductor, entries: readonly string[], call?: string): void {
	const what = call === undefined ? 'these' : 'this';
	askPerson(
		conductor,
		{
			text: `May ${conductor.core.identity.name} read ${what} in this run?`,
			schema: { type: 'array', items: { type: 'string', enum: entries }, uniqueItems: true },
			reason: 'consent'
		},
		{ call }
	);
}

/** A question as it is recorded: its schema is always the JSON Schema projection. */
function asQuestion(spec: QuestionSpec, as: { id: string; run: string; from: Actor }): Question {
	const { text, reason, url, expiresAt } = spec;
	return {
		...as,
		text,
		reason: words(reason) ?? 'question',
		status: 'open',
		schema: projection(spec.schema),
		url: words(url),
		expiresAt: Number.isFinite(expiresAt) ? expiresAt : undefined
	} as Question;
}

function projection(
	schema: Schema | Record<string, unknown> | undefined
): Record<string, unknown> | undefined {
	if (schema === undefined) return undefined;
	if (isSchema(schema)) {
		const out = project(schema);
		return out.ok ? out.json : undefined;
	}
	const copy = copyJSON(schema);
	if (!copy.ok || typeof copy.value !== 'object' || Array.isArray(copy.value)) return undefined;
	return (copy.value ?? undefined) as Record<string, unknown> | undefined;
}
