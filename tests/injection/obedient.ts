import { scripted, type ScriptedTurn } from '../../src/lib/agent/adapters/scripted.js';
import type { AgentTransport, TurnRequest } from '../../src/lib/agent/index.js';
import { tokensIn } from './token.js';

/** What the worst model does: everything it is told, whoever tells it. */
export interface Orders {
	/** Turns in which it has met nothing yet, by the run: the first text of a request says which. */
	innocent(request: TurnRequest): readonly ScriptedTurn[];
	/** What each attack text it meets makes it do, by token. */
	obey: ReadonlyMap<string, readonly ScriptedTurn[]>;
	/** What a call that was carried out elsewhere told, in the first turn. */
	there?: string;
	/** Told which texts it met, turn by turn. */
	met(tokens: ReadonlySet<string>): void;
}

/**
 * A model that looks for attack texts in everything it is given, and does all that they ask. A function of the request, so
 * that an engine which was restored goes on with it.
 */
export function obedient({ innocent, obey, there, met }: Orders): AgentTransport {
	const mind = scripted((request) => {
		const said = request.messages.filter(({ role }) => role === 'assistant').length;
		// What was told elsewhere the model knows of itself: nobody sends it back.
		const found = tokensIn(JSON.stringify(request) + (said > 0 ? (there ?? '') : ''));
		met(found);
		const turns = [
			...innocent(request),
			...[...obey].flatMap(([token, orders]) => (found.has(token) ? orders : []))
		];
		return turns[said] ?? { say: 'That is all.' };
	});
	return {
		name: 'obedient',
		async *open(request, signal) {
			if (there !== undefined && !request.messages.some(({ role }) => role === 'assistant')) {
				yield { type: 'call.start', id: 'there-1', name: 'look_up', executed: 'there' };
				yield { type: 'call.end', id: 'there-1', verdict: 'complete', raw: '{}' };
				yield { type: 'call.result', id: 'there-1', content: { page: there } };
			}
			yield* mind.open(request, signal);
		}
	};
}
