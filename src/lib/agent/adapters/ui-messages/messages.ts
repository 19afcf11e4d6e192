import type { TurnMessage, TurnRequest } from '../../protocol/turn.js';
import type { JSONValue } from '../../protocol/words.js';
import { argsOf, echoOf, isContinued, isObject, speech, toldOf } from '../wire/history.js';
import type { Names } from '../wire/names.js';
import { isCall, type Part, type ToolPart, type UIEcho } from './parts.js';

type Assistant = Extract<TurnMessage, { role: 'assistant' }>;
type Result = Extract<TurnMessage, { role: 'result' }>;

interface UIMessage {
	id: string;
	role: 'user' | 'assistant';
	parts: Part[];
}

/** Under which name what is kept of an answer is written. @internal */
export const ECHO = 'ai-sdk';

/**
 * The history as UI messages: neighbouring answers are one message, as on the server; a call that came up again stands where
 * it first stood, in its last state; answered approvals carry their answer.
 * @internal
 */
export function uiMessages(request: TurnRequest, names: Names): UIMessage[] {
	const { messages, context, resume = [] } = request;
	const results = new Map(
		messages.flatMap((one) => (one.role === 'result' ? [[one.call, one] as const] : []))
	);
	const say = speech(messages);
	const out: UIMessage[] = [];
	const add = (role: UIMessage['role'], parts: readonly Part[]): void => {
		if (parts.length === 0) return;
		let last = out.at(-1);
		if (last?.role !== role) out.push((last = { id: `${request.thread}-${out.length}`, role, parts: [] }));
		for (const part of parts) {
			const at = isCall(part)
				? last.parts.findIndex((one) => isCall(one) && one.toolCallId === part.toolCallId)
				: -1;
			if (at < 0) last.parts.push(part);
			else last.parts[at] = part;
		}
	};
	for (const message of messages)
		if (message.role === 'user') add('user', [text(say(message))]);
		else if (message.role === 'assistant') add('assistant', answerOf(message, results, names));
	for (const { parts } of out)
		for (const [i, part] of parts.entries()) if (isCall(part)) parts[i] = answered(part, resume);
	if (context === '' || isContinued(request)) return out;
	// The server looks for answered approvals in the last message.
	if (resume.length > 0) out.findLast(({ role }) => role === 'user')?.parts.push(text(context));
	else add('user', [text(context)]);
	return out;
}

/** The calls that stand in the history, by their id on the wire. @internal */
export const callsOf = (messages: readonly UIMessage[]): Map<string, ToolPart> =>
	new Map(
		messages.flatMap(({ parts }) => parts.filter(isCall).map((part) => [part.toolCallId, part] as const))
	);

const text = (said: string): Part => ({ type: 'text', text: said });

function answerOf(message: Assistant, results: ReadonlyMap<string, Result>, names: Names): Part[] {
	const { parts, here } = echoed(message) ?? { parts: message.text ? [text(message.text)] : [], here: [] };
	const left = [...message.calls];
	const filled = parts.flatMap((part): Part[] => {
		if (!isCall(part) || !here.includes(part.toolCallId)) return [part];
		const call = left.shift();
		// An approval that is waited for says more than that nothing was done here.
		return !call || part.state === 'approval-requested' ? [part] : [done(call, results.get(call.id), part)];
	});
	return [
		...filled,
		...left.map((call) => done(call, results.get(call.id), { type: `tool-${names.out(call.name)}` }))
	];
}

/** A call that was carried out here, or was not. */
function done({ id, args }: Assistant['calls'][number], result: Result | undefined, part: Part): ToolPart {
	const base = { ...part, toolCallId: id, input: argsOf(args) as JSONValue };
	return result?.performative === 'inform'
		? { ...base, state: 'output-available', output: result.content }
		: { ...base, state: 'output-error', errorText: result ? toldOf(result) : 'cancel' };
}

function answered(part: ToolPart, resume: NonNullable<TurnRequest['resume']>): ToolPart {
	const { approval, state } = part;
	const answer = resume.find(({ interrupt }) => interrupt === approval?.id);
	if (!answer || state !== 'approval-requested') return part;
	const { payload, status } = answer;
	const { approved, reason } = isObject(payload) ? payload : {};
	return {
		...part,
		state: 'approval-responded',
		approval: {
			...approval,
			approved: status === 'resolved' && approved === true,
			...(typeof reason === 'string' && { reason })
		}
	};
}

function echoed(message: Assistant): UIEcho | undefined {
	const echo = echoOf(message, ECHO);
	return isObject(echo) && Array.isArray(echo.parts) && Array.isArray(echo.here)
		? (echo as unknown as UIEcho)
		: undefined;
}
