import type { OpenAIResponsesOptions } from '../openai-responses.js';
import { Reading } from './reading.js';
import { bodyOf } from './request.js';
import type { Speaker } from '../wire/late.js';
import { Names } from '../wire/names.js';
import { transportOf } from '../wire/open.js';
import { Turn } from '../wire/turn.js';

/** @internal */
export function speaker(options: OpenAIResponsesOptions): Speaker {
	// What one model sealed is nothing to another.
	const by = `openai-responses/${options.model}`;
	return transportOf(
		{
			framing: 'events',
			async begin(request) {
				const names = new Names(request.tools);
				const turn = new Turn(request, names, by);
				const reading = new Reading(turn);
				const body = await bodyOf(request, names, by, options);
				return { body, turn, read: (frame) => reading.read(frame) };
			}
		},
		options
	);
}
