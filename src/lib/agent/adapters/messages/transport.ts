import type { AnthropicOptions } from '../anthropic.js';
import { Reading } from './reading.js';
import { bodyOf, NAME } from './request.js';
import type { Speaker } from '../wire/late.js';
import { Names } from '../wire/names.js';
import { parsed, transportOf } from '../wire/open.js';
import { Turn } from '../wire/turn.js';

/** @internal */
export function speaker(options: AnthropicOptions): Speaker {
	const headers = {
		'anthropic-version': '2023-06-01',
		...(options.browser && { 'anthropic-dangerous-direct-browser-access': 'true' })
	};
	return transportOf(
		{
			framing: 'events',
			headers,
			async begin(request) {
				const names = new Names(request.tools);
				const strict = options.strict ? (await import('../wire/strict.js')).strictOf : undefined;
				const body = bodyOf(request, names, options, strict);
				const turn = new Turn(request, names, NAME);
				const reading = new Reading(turn);
				return { body, turn, read: (frame) => reading.take(parsed(frame)) };
			}
		},
		options
	);
}
