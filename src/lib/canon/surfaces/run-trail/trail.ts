import type { Kinds, KnownRecord } from '../../../agent/journal/kinds.js';
import type { JournalRecord } from '../../../agent/protocol/records.js';

/** What a line of the trail is about; an act is looked up in the state of the run. */
export type Subject =
	| { kind: 'act'; step: string }
	| { kind: 'call'; call: string; name: string; raw: string }
	| { kind: 'turn'; turn: string }
	| { kind: 'review'; review: string }
	| { kind: 'question'; question: string }
	| { kind: 'record' };

/** One line of the trail: the record it began with, and all that say more about the same thing. */
export interface Line {
	key: string;
	subject: Subject;
	/** In order; the first gives its time and its author. */
	records: readonly KnownRecord[];
	/** Turn it belongs to, from 1; 0 before the first, -1 after the end of the run. */
	part: number;
}

/**
 * The trail of a run: every record of its journal stands in a line of it, so that what a person reads is what an auditor
 * reads. Only what is new since it was asked last is read.
 */
export class Trail {
	#lines: Line[] = [];
	#seen = 0;
	#part = 0;
	/** Where the line of a subject stands. */
	readonly #at = new Map<string, number>();
	readonly #names = new Map<string, { name: string; raw: string }>();

	/** A new list where there was a new record, else the same as before. */
	read(journal: readonly JournalRecord[]): readonly Line[] {
		if (journal.length === this.#seen) return this.#lines;
		this.#lines = [...this.#lines];
		for (; this.#seen < journal.length; this.#seen += 1)
			this.#take(journal[this.#seen] as unknown as KnownRecord);
		return this.#lines;
	}

	#take(record: KnownRecord): void {
		switch (record.kind) {
			case 'run.started':
				return this.#put(record, 'run');
			case 'run.opened':
				return this.#put(record, 'run', { kind: 'record' });
			case 'turn.opened':
				if (!this.#at.has(`turn ${record.data.turn}`)) this.#part += 1;
				return this.#put(record, `turn ${record.data.turn}`, { kind: 'turn', turn: record.data.turn });
			case 'turn.closed':
				for (const { id, name, raw } of record.data.calls) this.#names.set(id, { name, raw });
				return this.#put(record, `turn ${record.data.turn}`);
			case 'turn.failed':
				return this.#put(record, `turn ${record.data.turn}`);
			case 'call.admitted':
			case 'call.closed':
				return this.#call(record.data.call, record);
			case 'plan.proposed':
				this.#put(record, `plan ${record.seq}`, { kind: 'record' });
				for (const { id } of record.data.steps) this.#put(record, `step ${id}`, { kind: 'act', step: id });
				return;
			case 'step.closed':
			case 'effect.intended':
			case 'effect.withdrawn':
			case 'effect.dispatched':
			case 'effect.released':
			case 'effect.settled':
				return this.#put(record, `step ${record.data.step}`);
			case 'effect.late':
				return this.#put(record, `step ${this.#stepOf(record.data.operation)}`);
			case 'grants.issued':
				for (const { step } of record.data.grants) this.#put(record, `step ${step}`);
				return;
			case 'review.opened':
				return this.#put(record, `review ${record.data.review}`, {
					kind: 'review',
					review: record.data.review
				});
			case 'review.closed':
			case 'review.extended':
				return this.#put(record, `review ${record.data.review}`);
			case 'question.asked': {
				const { id } = record.data.question;
				return this.#put(record, `question ${id}`, { kind: 'question', question: id });
			}
			case 'run.ended':
				this.#put(record, `record ${record.seq}`, { kind: 'record' });
				this.#part = -1;
				return;
			default:
				return this.#put(record, `record ${(record as KnownRecord).seq}`, { kind: 'record' });
		}
	}

	#call(call: string, record: KnownRecord): void {
		const { name = '', raw = '' } = this.#names.get(call) ?? {};
		this.#put(record, `call ${call}`, { kind: 'call', call, name, raw });
	}

	/** Adds a record to the line of its subject, which begins with it where there is none yet. */
	#put(record: KnownRecord, key: string, subject: Subject = { kind: 'record' }): void {
		const at = this.#at.get(key);
		if (at === undefined) {
			this.#at.set(key, this.#lines.length);
			this.#lines.push({ key: `${record.run} ${key}`, subject, records: [record], part: this.#part });
		} else {
			const line = this.#lines[at]!;
			this.#lines[at] = { ...line, records: [...line.records, record] };
		}
	}

	/** The act an operation carries out. */
	#stepOf(operation: string): string {
		for (const { subject, records } of this.#lines)
			if (
				subject.kind === 'act' &&
				records.some(
					(one) =>
						one.kind === 'effect.intended' && (one.data as Kinds['effect.intended']).operation === operation
				)
			)
				return subject.step;
		return operation;
	}
}
