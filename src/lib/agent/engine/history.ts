import type { Fold } from '../journal/fold.js';
import type { ToldAt } from '../journal/kinds.js';
import type { TurnMessage } from '../protocol/turn.js';
import type { JSONValue } from '../protocol/words.js';

/** A result as it may be sent now. */
export type Veil = (content: JSONValue, told: readonly ToldAt[] | undefined) => JSONValue;

/**
 * The conversation of a thread as a model may see it. Closed by construction: every call has exactly one result, directly
 * behind it. Calls still open (only a wrap-up can meet them) carry `cancel`.
 */
export function history(runs: readonly Fold[], veil: Veil): TurnMessage[] {
	return runs.flatMap((run) => ofRun(run, veil));
}

function ofRun(run: Fold, veil: Veil): TurnMessage[] {
	const out: TurnMessage[] = [];
	if (!run.opened.call) out.push({ role: 'user', from: run.principal, text: run.opened.goal });
	let said = 0;
	const sayUpTo = (turns: number) => {
		for (; said < run.messages.length && run.messages[said]!.after <= turns; said++)
			out.push(run.messages[said]!.message);
	};
	run.turns.forEach((turn, i) => {
		sayUpTo(i);
		const { closed } = turn;
		if (turn.opened.wrapUp || !closed) return;
		// What was begun and never answered says nothing to a model.
		if (closed.text === '' && closed.calls.length === 0 && closed.echo === undefined) return;
		const here = closed.calls.filter(({ there }) => !there);
		out.push({
			role: 'assistant',
			text: closed.text,
			calls: here.map(({ id, name, raw }) => ({ id, name, args: raw })),
			echo: closed.echo
		});
		for (const { id, name } of here) {
			const performative = run.closings.get(id) ?? 'cancel';
			const told = run.calls.get(id)!.result ?? { code: 'withdrawn', text: 'Not carried out so far.' };
			const content = veil(told, run.shows.get(id));
			out.push({ role: 'result', call: id, name, content, performative });
		}
	});
	sayUpTo(run.turns.length);
	return out;
}
