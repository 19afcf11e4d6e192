import type { AgUiOptions } from '../ag-ui.js';
import { ECHO, inputOf } from './input.js';
import { Reading } from './reading.js';
import type { Speaker } from '../wire/late.js';
import { Names } from '../wire/names.js';
import { parsed, transportOf } from '../wire/open.js';
import { Turn } from '../wire/turn.js';

/** @internal */
export function speaker(options: AgUiOptions): Speaker {
	const { forwardedProps = {} } = options;
	let asked = { turn: '', times: 0 };
	return transportOf(
		{
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
