import type { JSONValue } from '../../protocol/words.js';

/** Under this key lies whatever AG-UI has no word for: in `metadata`, in the state, before the names of CUSTOM events. */
export const OURS = 'activeuix';
/** In the metadata of a state: its number within the wire run, from 1. */
export const REVISION = `${OURS}:revision`;

/** A message of an AG-UI conversation, as far as it is given here. @since 0.1.0 */
export interface AgUiMessage {
	readonly id: string;
	readonly role: string;
	readonly content?: JSONValue;
	readonly toolCalls?: readonly AgUiToolCall[];
	readonly toolCallId?: string;
	readonly metadata?: { readonly [key: string]: JSONValue };
}

/** One call in a message of the assistant. @since 0.1.0 */
export interface AgUiToolCall {
	readonly id: string;
	readonly type: 'function';
	/** `arguments` is the text as the model wrote it. */
	readonly function: { readonly name: string; readonly arguments: string };
	readonly metadata?: { readonly [key: string]: JSONValue };
}

/** Something a person is to decide before the run goes on. @since 0.1.0 */
export interface AgUiInterrupt {
	id: string;
	/** `tool_call` for a step under review, `input_required` for a question, else what the run waits for. */
	reason: string;
	message?: string;
	toolCallId?: string;
	responseSchema?: Record<string, unknown>;
	/** ISO 8601. */
	expiresAt?: string;
	metadata: Readonly<Record<typeof OURS, unknown>>;
}

/** Tokens as AG-UI counts them. @since 0.1.0 */
export interface AgUiUsage {
	inputTokens: number;
	outputTokens: number;
	reasoningTokens?: number;
	cachedInputTokens?: number;
	cacheWriteInputTokens?: number;
}

/** One operation of a JSON Patch (RFC 6902). @since 0.1.0 */
export type AgUiPatch =
	{ op: 'add' | 'replace'; path: string; value: JSONValue } | { op: 'remove'; path: string };

interface Base {
	metadata?: Readonly<Record<string, unknown>>;
}

/**
 * The events of AG-UI 1.0 that are sent. Of its 31 types six are left out: chunks and ACTIVITY_DELTA are other spellings of
 * these, RAW and REASONING_ENCRYPTED_VALUE would tell what a provider told the engine alone.
 * @since 0.1.0
 */
export type AgUiEvent = Base &
	(
		| { type: 'RUN_STARTED'; threadId: string; runId: string; protocolVersion: '1.0'; parentRunId?: string }
		| {
				type: 'RUN_FINISHED';
				threadId: string;
				runId: string;
				result?: unknown;
				outcome:
					{ type: 'success' | 'cancelled' } | { type: 'interrupt'; interrupts: readonly AgUiInterrupt[] };
				usage?: readonly AgUiUsage[];
		  }
		| { type: 'RUN_ERROR'; message: string; code?: string; usage?: readonly AgUiUsage[] }
		| { type: 'STEP_STARTED' | 'STEP_FINISHED'; stepName: string }
		| { type: 'TEXT_MESSAGE_START'; messageId: string; role: 'assistant' }
		| { type: 'TEXT_MESSAGE_CONTENT' | 'REASONING_MESSAGE_CONTENT'; messageId: string; delta: string }
		| {
				type: 'TEXT_MESSAGE_END' | 'REASONING_START' | 'REASONING_MESSAGE_END' | 'REASONING_END';
				messageId: string;
		  }
		| { type: 'REASONING_MESSAGE_START'; messageId: string; role: 'reasoning' }
		| { type: 'TOOL_CALL_START'; toolCallId: string; toolCallName: string; parentMessageId: string }
		| { type: 'TOOL_CALL_ARGS'; toolCallId: string; delta: string }
		| { type: 'TOOL_CALL_END'; toolCallId: string }
		| { type: 'TOOL_CALL_RESULT'; messageId: string; toolCallId: string; content: string; role: 'tool' }
		| { type: 'STATE_SNAPSHOT'; snapshot: unknown }
		| { type: 'STATE_DELTA'; delta: readonly AgUiPatch[] }
		| { type: 'MESSAGES_SNAPSHOT'; messages: readonly AgUiMessage[] }
		| { type: 'ACTIVITY_SNAPSHOT'; messageId: string; activityType: string; content: object }
		| { type: 'SUBAGENT_STARTED'; subagentRunId: string; name: string; parentSubagentRunId?: string }
		| {
				type: 'SUBAGENT_FINISHED';
				subagentRunId: string;
				outcome: { type: 'success' } | { type: 'suspended'; interruptIds: readonly string[] };
		  }
		| { type: 'SUBAGENT_ERROR'; subagentRunId: string; message: string; code?: string }
		| { type: 'CUSTOM'; name: string; value: JSONValue }
	);
