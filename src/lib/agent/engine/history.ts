import type { Fold } from '../journal/fold.js';
import type { TurnMessage } from '../protocol/turn.js';

/**
 * The conversation of a thread as a model may see it. Closed by construction: every call has exactly one result, directly
 * behind it. Calls still open (only a wrap-up can meet them) carry `cancel`.
 */
export function history(runs: readonly Fold[]): TurnMessage[] {
	return runs.flatMap(ofRun);
}

function ofRun(run: Fold): TurnMessage[] {
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
			const content = run.calls.get(id)!.result ?? { code: 'withdrawn', text: 'Not carried out so far.' };
			out.push({ role: 'result', call: id, name, content, performative });
		}
	});
	sayUpTo(run.turns.length);
	return out;
}
