import { plus } from '../protocol/budget.js';
import { canonicalJSON } from '../protocol/canonical-json.js';
import { join, sound, strange } from '../protocol/labels.js';
import type { Usage } from '../protocol/turn.js';
import type { JSONValue } from '../protocol/words.js';
import type { Fold } from './fold.js';
import { at, tally, type Takers } from './memory.js';
import type { Closing } from './kinds.js';

/** Turns and their calls: what the model was shown, what it sent, what it was told. */
export const turns: Takers = {
	'turn.opened'(run, data, { revision }) {
		const { turn: id, tools, leftOut } = data;
		// Lists that were erased are empty.
		const opened = { ...data, tools: listed(tools), leftOut: listed(leftOut) };
		const turn = { id, opened, text: '', failures: 0, revision };
		run.turns.push(turn);
		run.openTurns.push(turn);
		run.reservedTokens = data.reserve;
		if (!data.continues) run.spent = plus(run.spent, { turns: 1 });
		if (data.wrapUp) {
			run.wrapped = true;
			run.reserve = { turns: 0, tokens: 0 };
			return;
		}
		run.label = join(run.label, sound(data.label));
		for (const [address, version] of run.told) run.known.set(address, version);
		run.told.clear();
		for (const shown of data.shown) {
			run.known.set(at(shown), shown.version);
			for (const [key, version] of Object.entries(shown.keys ?? {}))
				run.known.set(at({ ...shown, key }), version);
		}
	},
	'turn.failed'(run, { turn: id, reason, text, retryAt, usage }) {
		const turn = run.openTurns.find((one) => one.id === id)!;
		turn.failures += 1;
		Object.assign(turn, { failure: reason, text, retryAt });
		used(run, usage);
	},
	'turn.closed'(run, data) {
		const { calls, end, text, usage } = data;
		const turn = run.openTurns.find(({ id }) => id === data.turn)!;
		Object.assign(turn, { closed: data, text });
		run.openTurns.splice(run.openTurns.indexOf(turn), 1);
		used(run, usage);
		if (data.shared) run.shared = data.shared;
		// Over there it may have looked at more than it was shown.
		run.label = join(run.label, sound(data.label));
		// A pause that brings nothing new is a repetition like that of a call.
		if (end === 'pause' && calls.length === 0) repeated(run, `pause ${text}`);
		const elsewhere = new Set<string>();
		for (const { id, name, raw, there, result, failed } of calls) {
			repeated(run, `${name} ${plain(raw)}`);
			run.calls.set(id, { id, turn: data.turn, name, status: 'open' });
			if (!there) {
				run.loose.add(id);
				continue;
			}
			elsewhere.add(name);
			closeCall(run, id, { content: result ?? null, performative: failed ? 'failure' : 'inform' }, 'closed');
		}
		// What was carried out over there is nobody's word here.
		if (elsewhere.size > 0) run.label = join(run.label, { ...strange(), sources: [...elsewhere] });
	},
	'call.admitted'(run, { call, instance, cost, redact = [] }, { at: now }) {
		run.letIn.set(call, redact);
		if (cost) run.lent.set(call, cost);
		countAct(run, instance, now);
	},
	'call.closed'(run, data, { at: now }) {
		run.label = join(run.label, sound(data.label));
		closeCall(run, data.call, data, data.status);
		if (data.looked !== undefined) touch(run, data.looked);
		if (data.refused) turnedAway(run, data.refused.instance, data.refused.code, now);
	}
};

const listed = <T>(list: readonly T[]): readonly T[] => (Array.isArray(list) ? list : []);

/** Arguments by what they say, however they are written. */
function plain(raw: string): string {
	try {
		return canonicalJSON(JSON.parse(raw) as JSONValue);
	} catch {
		return raw;
	}
}

function repeated(run: Fold, call: string): void {
	run.repeat = { call, count: run.repeat.call === call ? run.repeat.count + 1 : 1 };
}

function used(run: Fold, { input, output, cost }: Usage): void {
	run.reservedTokens = 0;
	run.spent = plus(run.spent, { tokens: input + output, cost });
}

/** Counts one act against the limits. */
export function countAct(run: Fold, instance: string, now: number): void {
	const here = tally(run.perInstance, instance);
	const { actTimes, spent } = run;
	actTimes.push(now);
	run.actsFrom = actTimes.length - run.actsInMinute(now);
	// A list of all that ever ran would only be looked through.
	if (run.actsFrom > actTimes.length / 2) {
		actTimes.splice(0, run.actsFrom);
		run.actsFrom = 0;
	}
	run.spent = {
		...spent,
		acts: spent.acts + 1,
		actsPerInstance: Math.max(spent.actsPerInstance, here),
		actsPerMinute: run.actsInMinute(now)
	};
}

/** What was reserved and never ran is given back. */
export function refundAct(run: Fold, instance: string): void {
	run.perInstance.set(instance, run.perInstance.get(instance)! - 1);
	run.actTimes.pop();
	run.actsFrom = Math.min(run.actsFrom, run.actTimes.length);
	run.spent = {
		...run.spent,
		acts: run.spent.acts - 1,
		actsPerInstance: Math.max(0, ...run.perInstance.values())
	};
}

/** From now on the run has to do with the instance. */
function touch(run: Fold, instance: string): void {
	run.touched.delete(instance);
	run.touched.add(instance);
}

/** Calls out of scope are counted, and what does not fit its schema costs an act: nobody may try for ever. */
export function turnedAway(run: Fold, instance: string, code: string, now: number): void {
	if (code === 'scope') tally(run.outside, instance);
	// What the model means to act on is named in the next turn.
	else if (code === 'undisclosed') touch(run, instance);
	else if (code.startsWith('args-')) countAct(run, instance, now);
}

export function closeCall(
	run: Fold,
	id: string | undefined,
	{ content, performative, told = [], unsure }: Closing & { unsure?: true },
	status: 'closed' | 'refused'
): void {
	const call = run.calls.get(id!);
	if (!call) return;
	if (told.length > 0) run.shows.set(call.id, told);
	for (const touch of told) run.told.set(at(touch), touch.version);
	run.loose.delete(call.id);
	// What failed costs nothing; of what was cut off nobody knows.
	const cost = run.lent.get(call.id);
	run.lent.delete(call.id);
	if (cost && (unsure || performative === 'inform' || performative === 'cancel'))
		run.spent = plus(run.spent, { cost });
	run.closings.set(call.id, performative);
	run.calls.set(call.id, { ...call, status, result: content });
}
