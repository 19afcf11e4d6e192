import { APP } from '../../actor/actor.js';
import { left } from '../gate/budget.js';
import type { TurnMemory } from '../journal/memory.js';
import { reason } from '../protocol/codes.js';
import { join, strange } from '../protocol/labels.js';
import { askConsent } from './ask.js';
import { RETRIES } from './conduct.js';
import type { Conductor } from './conductor.js';
import { look, opening } from './opening.js';
import { Painter } from './painter.js';
import { requestFor, sharedWith } from './prompt.js';
import { listen } from './stream.js';
import { outworn } from './withheld.js';

/** Opens a turn on the page as it is now. */
export function openTurn(conductor: Conductor, mode: { wrapUp?: true; continues?: true }): void {
	const { core, fold } = conductor;
	const { wrapUp, continues } = mode;
	conductor.relevel(APP, true);
	const { house } = conductor;
	const seen = look(core, fold, house.runs());
	const opened = opening(core, fold, seen, house.thread(fold.opened.thread), { wrapUp, continues });
	// A request of which not even the question fits is not put.
	if (!wrapUp && opened.reserve <= opened.input!) return conductor.overspent('tokens');
	// One question a run for all private reads the context would have shown; it does not stop the run.
	const asked = [...fold.questions.values()].some(
		({ question, step }) => !step && question.reason === 'consent'
	);
	if (!wrapUp && !continues && !asked && seen.consentNeeded.length > 0)
		askConsent(conductor, seen.consentNeeded);
	conductor.append('turn.opened', opened);
}

/** As many pages as a reviewer can make something of. */
const MOST_SOURCES = 64;

/** Pages by name, each once; of a great number the rest is counted. */
function named(pages: readonly string[]): readonly string[] {
	const each = [...new Set(pages)];
	const more = each.length - MOST_SOURCES;
	return more > 0 ? [...each.slice(0, MOST_SOURCES), `${more} more`] : each;
}

/** Asks the model, listens, and records what it said. */
export async function requestTurn(conductor: Conductor, turn: TurnMemory): Promise<void> {
	const { core, fold } = conductor;
	const { id, opened } = turn;
	const { wrapUp } = opened;
	// What may not leave any more is not sent again: the turn is opened anew.
	if (outworn(conductor, turn)) {
		const usage = { input: 0, output: 0, estimated: true };
		const why = { end: 'error' as const, reason: reason('superseded') };
		conductor.append('turn.closed', {
			turn: id,
			text: turn.text,
			label: fold.label,
			calls: [],
			usage,
			...why
		});
		return;
	}
	const abort = (conductor.turnAbort = new AbortController());
	const painter = new Painter(conductor, turn);
	const { transport } = core.options;
	const thread = conductor.house.thread(fold.opened.thread);
	const { value: state, revision } = sharedWith(thread, transport.name) ?? { value: {} };
	const resync = turn.failure?.code === 'desync';
	const heard = await listen({
		transport,
		request: requestFor(core, fold, turn, thread),
		shared: resync ? undefined : { state, revision },
		abort,
		clock: core.clock,
		silenceMs: core.patience.turnMs,
		leftMs: wrapUp ? core.patience.turnMs : left(fold, 'ms', core.clock.now()),
		// Providers may number their calls anew each turn; a run's calls have ids of their own.
		fresh: (call) => ((fold.calls.get(call)?.turn ?? id) === id ? call : `${call}-${id}`),
		tell(event) {
			core.tellEvent({ run: fold.id, turn: id, after: fold.lastSeq, ...event });
			core.safely(() => painter.hear(event));
		}
	});
	painter.leave();
	conductor.turnAbort = undefined;
	if (conductor.isGone || fold.over) return;
	const { error, text, calls, interrupts, sources, shared } = heard;
	if (shared) sources.push(transport.name);
	const usage = heard.usage ?? {
		input: opened.input ?? core.estimate(opened.context),
		output: core.estimate(text + calls.map(({ raw }) => raw).join('')),
		estimated: true
	};
	const current = turn.revision === fold.revision;
	if (error?.retryable && !wrapUp && !fold.stopping && current) {
		const lost = error.reason.code === 'desync';
		const wait = lost ? 0 : (error.afterMs ?? RETRIES[turn.failures]);
		conductor.append('turn.failed', {
			turn: id,
			text,
			label: fold.label,
			reason: error.reason,
			usage,
			retryAt: wait === undefined ? undefined : core.clock.now() + wait
		});
		return;
	}
	conductor.append('turn.closed', {
		turn: id,
		text,
		// What it was shown over there was nobody's word here.
		label: sources.length > 0 ? join(fold.label, strange(...named(sources))) : fold.label,
		end: error ? 'error' : heard.end!,
		// What a broken turn asked for never runs and never comes up again.
		calls: error ? [] : calls,
		usage,
		echo: error ? undefined : heard.echo,
		shared: shared && { by: transport.name, value: shared.state, revision: shared.revision },
		reason: current ? (error?.reason ?? heard.refusal) : reason('superseded'),
		interrupts: interrupts.length > 0 ? interrupts : undefined
	});
}
