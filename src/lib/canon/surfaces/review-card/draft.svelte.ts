import type { Change, Issue, Review, Step } from '../../../agent/protocol/run-state.js';
import { argumentFields, collect, fieldFor, type ArgumentField, type Collected } from './argument-fields.js';

/** What a person may say about one step. */
export type StepVerdict = 'approve' | 'edit' | 'reject';

/** How far the person has come with one step. */
export type Progress = 'undecided' | 'ready' | 'unchecked' | 'invalid';

/** What a person has said about one step so far. Nothing of it counts before the whole review is decided. */
export class StepDraft {
	verdict = $state<StepVerdict>();
	/** The person's corrections by path; a path that is not here keeps the proposed value. */
	typed = $state<Record<string, string>>({});
	reason = $state('');
	/** The box of a step that cannot be undone is ticked. */
	sure = $state(false);
	/** What the schema said about the last correction. */
	issues = $state.raw<readonly Issue[]>([]);

	readonly fields: readonly ArgumentField[];
	get collected(): Collected {
		return collect(this.step.args, this.fields, this.typed);
	}
	get progress(): Progress {
		if (this.verdict === undefined) return 'undecided';
		if (this.verdict === 'reject') return 'ready';
		if (this.step.effect === 'irreversible' && !this.sure) return 'unchecked';
		return this.verdict === 'edit' && (!this.collected.ok || this.issues.length > 0) ? 'invalid' : 'ready';
	}

	constructor(
		readonly step: Step,
		/** Id of the review it was made in. */
		readonly review: string,
		earlier?: StepDraft
	) {
		this.fields = argumentFields(step.args);
		if (!earlier) return;
		// What was typed survives; a tick does not, it was given for what the card showed then.
		this.typed = { ...earlier.typed };
		this.reason = earlier.reason;
		if (step.effect !== 'irreversible' || earlier.verdict === 'reject') this.verdict = earlier.verdict;
	}

	/** A correction in one field. What the box was ticked for has changed, so it is open again. */
	type(path: string, text: string): void {
		this.typed[path] = text;
		this.issues = this.issues.filter((issue) => fieldFor(this.fields, issue)?.path !== path);
		this.sure = false;
	}

	/** Issues of one field, or with undefined those of no field. */
	issuesOf(field: ArgumentField | undefined): readonly Issue[] {
		return this.issues.filter((issue) => fieldFor(this.fields, issue)?.path === field?.path);
	}
}

/** Is this step, as a person saw it, the same in a later review? Then what was said about it may stay as a draft. */
export function isUnchanged(before: Step, now: Step, review: Review): boolean {
	return shownOf(before) === shownOf(now) && !hasDrifted(now, review);
}

function shownOf({ instance, act, args, effect, reach, label, preview }: Step): string {
	return JSON.stringify([
		instance,
		act,
		args,
		effect,
		reach,
		label.integrity,
		label.sources,
		preview ?? null
	]);
}

function hasDrifted(step: Step, review: Review): boolean {
	const moved = (review.changes ?? []).filter((change) => change.instance === step.instance);
	if (moved.length === 0) return false;
	const preview = step.preview;
	// A table of fields shows by itself which values the step is about; anything else may lean on what moved.
	return preview?.kind !== 'fields' || moved.some((change) => isAbout(preview.fields, change));
}

function isAbout(fields: readonly { path: string }[], { key }: Change): boolean {
	return key === undefined || fields.some(({ path }) => path === key || path.endsWith(`/${key}`));
}
