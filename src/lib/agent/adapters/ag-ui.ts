import type { AgentTransport } from '../protocol/turn.js';
import type { JSONValue } from '../protocol/words.js';
import { ECHO, inputOf } from './ag-ui-in/input.js';
import { Reading } from './ag-ui-in/reading.js';
import { Names } from './wire/names.js';
import { parsed, transportOf, type WireOptions } from './wire/open.js';
import { Turn } from './wire/turn.js';

export type { HeadersOf, WireOptions } from './wire/open.js';

/** Options of {@link agUi}. @since 0.1.0 */
export interface AgUiOptions extends WireOptions {
	/** Sent with each request as it is, for what your server wants besides the protocol. @default {} */
	forwardedProps?: JSONValue;
}

/**
 * An agent on a server that speaks AG-UI 1.0 and owns its own loop. It may call what is mounted on the page (those calls go
 * through the gate like any model's) and what it has itself, which is told and never carried out here. Its interrupts become
 * questions to the person; its state is kept beside the run as `RunState.shared` and given back to it alone.
 * @example agUi({ url: '/api/agent' })
 * @see AG-UI 1.0, https://docs.ag-ui.com
 * @since 0.1.0
 */
export function agUi(options: AgUiOptions): AgentTransport {
	const { forwardedProps = {} } = options;
	let asked = { turn: '', times: 0 };
	return transportOf(
		{
			name: 'ag-ui',
			framing: 'events',
			begin(request) {
				const names = new Names(request.tools);
				asked = { turn: request.turn, times: asked.turn === request.turn ? asked.times + 1 : 1 };
				// A turn that is asked for again is another run over there.
				const runId = asked.times > 1 ? `${asked.turn}-${asked.times}` : asked.turn;
				const input = inputOf(request, names, { runId, forwardedProps });
				const turn = new Turn(request, names, ECHO);
				const reading = new Reading(turn, names, input, new Set(input.messages.map(({ id }) => id)));
				return {
					body: input,
					turn,
					read(frame) {
						if (frame.data !== '[DONE]') reading.read(parsed(frame));
					}
				};
			}
		},
		options
	);
}
