import type { Actor } from '../../actor/actor.js';
import { opaque, sanitise, sanitiseJSON, sanitiseLine, sanitiseRaw } from '../capability/sanitise.js';
import { compact } from '../journal/compact.js';
import { deepFreeze } from '../journal/copy.js';
import type { Fold } from '../journal/fold.js';
import type { ToldAt } from '../journal/kinds.js';
import type { TurnMemory } from '../journal/memory.js';
import type { JSONValue } from '../protocol/words.js';
import type { SanitisedMessage, Speaker } from './sanitised.js';

/** A result as it may be sent now. */
export type Veil = (content: JSONValue, told: readonly ToldAt[] | undefined) => JSONValue;

const PENDING: JSONValue = { code: 'withdrawn', text: 'Not carried out so far.' };

/**
 * The conversation of a thread as a model may see it. Closed by construction: every call has exactly one result, directly
 * behind it. Calls still open (only a wrap-up can meet them) carry `cancel`.
 *
 * Each run is sanitised with its own nonce first and with that of the run that asks now: nobody could have written the latter
 * into an earlier run, so what a provider was sent of that run before comes again unchanged, and can be cached.
 * @param epoch names what `veil` goes by: under the same name the same content comes out the same
 */
export function history(runs: readonly Fold[], nonce: string, veil: Veil, epoch: string): SanitisedMessage[] {
	const out: SanitisedMessage[] = [];
	for (const run of runs) {
		const own = run.opened.nonce;
		const nonces = own === nonce ? [nonce] : [own, nonce];
		ofRun(out, run, nonces, veil, [epoch, ...nonces].join());
	}
	return out;
}

// A turn whose calls have all had their result never changes: it is written down once for all requests that send it.
const written = new WeakMap<TurnMemory, { under: string; messages: readonly SanitisedMessage[] }>();

function ofTurn(run: Fold, turn: TurnMemory, nonces: readonly string[], veil: Veil, under: string) {
	const known = written.get(turn);
	if (known?.under === under) return known.messages;
	const { closed } = turn;
	const out: SanitisedMessage[] = [];
	// What was begun and never answered says nothing to a model.
	if (!closed || (closed.text === '' && closed.calls.length === 0 && closed.echo === undefined)) return out;
	const here = closed.calls.filter(({ there }) => !there);
	const named = here.map(({ id, name }) => ({
		id: sanitise(id, ...nonces),
		name: sanitiseLine(name, ...nonces)
	}));
	out.push({
		role: 'assistant',
		text: sanitise(closed.text, ...nonces),
		calls: here.map(({ raw }, i) => ({ ...named[i]!, args: sanitiseRaw(raw, ...nonces) })),
		echo: closed.echo === undefined ? undefined : opaque(closed.echo)
	});
	here.forEach(({ id }, i) => {
		const performative = run.closings.get(id) ?? 'cancel';
		const result = run.calls.get(id)!.result ?? PENDING;
		const content = sanitiseJSON(veil(result, run.shows.get(id)), ...nonces);
		out.push({ role: 'result', call: named[i]!.id, name: named[i]!.name, content, performative });
	});
	if (here.every(({ id }) => run.closings.has(id))) written.set(turn, { under, messages: deepFreeze(out) });
	return out;
}

function ofRun(
	out: SanitisedMessage[],
	run: Fold,
	nonces: readonly string[],
	veil: Veil,
	under: string
): void {
	const say = (from: Actor, text: string) =>
		out.push({ role: 'user', from: speaker(from, nonces), text: sanitise(text, ...nonces) });
	if (!run.opened.call) say(run.principal, run.opened.goal);
	let said = 0;
	const sayUpTo = (turns: number) => {
		for (; said < run.messages.length && run.messages[said]!.after <= turns; said++) {
			const { message } = run.messages[said]!;
			if (message.role === 'user') say(message.from, message.text);
		}
	};
	run.turns.forEach((turn, i) => {
		sayUpTo(i);
		if (!turn.opened.wrapUp) for (const message of ofTurn(run, turn, nonces, veil, under)) out.push(message);
	});
	sayUpTo(run.turns.length);
}

function speaker({ kind, id, name, version }: Actor, nonces: readonly string[]): Speaker {
	return compact({
		kind: /^(human|agent|rule|app)$/.test(kind) ? kind : ('outside' as const),
		id: sanitiseLine(id, ...nonces),
		name: name === undefined ? undefined : sanitiseLine(name, ...nonces),
		version: version === undefined ? undefined : sanitiseLine(version, ...nonces)
	});
}
