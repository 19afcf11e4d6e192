import type { Fold } from '../journal/fold.js';
import type { Tool } from '../protocol/turn.js';
import type { Core } from './core.js';
import { systemFor } from './prompt.js';
import { CONTROL } from '../capability/addressing.js';

// What was said once is not counted again in every turn: the parts of a conversation are frozen, and stay the same objects.
const counted = new WeakMap<Core, WeakMap<object, number>>();

/** Turns of a run at its beginning whose calls have all had their result, and what they come to. */
const past = new WeakMap<Fold, { core: Core; turns: number; sum: number }>();

/** Estimate of all that one request sends: system, history, tools and context. */
export function inputTokens(
	core: Core,
	run: Fold,
	thread: readonly Fold[],
	context: string,
	tools: readonly Tool[]
): number {
	const known = counted.get(core) ?? new WeakMap<object, number>();
	counted.set(core, known);
	const count = (part: object, text: () => string): number => {
		let tokens = known.get(part);
		if (tokens === undefined) known.set(part, (tokens = core.estimate(text())));
		return tokens;
	};
	let sum =
		core.estimate(context) + count(run.opened, () => systemFor(core, run.opened.nonce) + run.opened.goal);
	for (const tool of tools.length > 0 ? [...tools, ...CONTROL] : [])
		sum += count(tool, () => JSON.stringify([tool.name, tool.description, tool.schema]));
	for (const one of thread) {
		if (one !== run) sum += count(one.opened, () => one.opened.goal);
		for (const { message } of one.messages) sum += count(message, () => JSON.stringify(message));
		let done = past.get(one);
		if (done?.core !== core) past.set(one, (done = { core, turns: 0, sum: 0 }));
		sum += done.sum;
		for (let i = done.turns; i < one.turns.length; i++) {
			const { closed, opened } = one.turns[i]!;
			let tokens = 0;
			let settled = closed !== undefined;
			if (closed && !opened.wrapUp) {
				tokens = count(closed, () => closed.text + closed.calls.map(({ raw }) => raw).join(''));
				for (const { id, there } of closed.calls) {
					const result = there ? undefined : one.calls.get(id)?.result;
					settled &&= there || one.closings.has(id);
					if (typeof result === 'object' && result !== null)
						tokens += count(result, () => JSON.stringify(result));
				}
			}
			sum += tokens;
			if (!settled || done.turns !== i) continue;
			done.turns = i + 1;
			done.sum += tokens;
		}
	}
	return sum;
}
