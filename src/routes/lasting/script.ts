import type { ScriptedTurn } from '$lib/agent/adapters/scripted.js';
import type { TurnRequest } from '$lib/agent/index.js';
import type { lastingWords } from './words.js';

type Words = (typeof lastingWords)['en'];

/** The name a person asks for in a change of course, if they do. */
const NAMED = /^(?:call it|ll[aá]malo|n[oó]mbralo)\s+(.+?)[.!]?$/iu;

/** What Ada does is told by what she was told and what came of it: a page that is loaded again goes on with the same. */
export function turnOf({ messages }: TurnRequest, words: Words): ScriptedTurn {
	const said = messages.flatMap((one) => (one.role === 'user' ? [one.text.trim()] : []));
	const asked = said.map((text) => NAMED.exec(text)?.[1]).findLast((name) => name !== undefined);
	const done = new Set(
		messages.flatMap((one) => (one.role === 'result' && one.performative === 'inform' ? [one.name] : []))
	);
	const since = messages.findLastIndex((one) => one.role === 'user');
	const renamed = messages
		.slice(since)
		.some((one) => one.role === 'result' && one.performative === 'inform' && one.name === 'order__name');
	if (!done.has('order__name') || (asked !== undefined && !renamed && !done.has('order__post')))
		return {
			say: words.names,
			calls: [{ instance: 'order', act: 'name', args: { name: asked ?? words.name } }]
		};
	if (!done.has('order__post'))
		return { say: words.posts, calls: [{ instance: 'order', act: 'post', args: {} }] };
	return { say: words.over };
}
