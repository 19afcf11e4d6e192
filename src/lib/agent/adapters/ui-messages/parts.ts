import type { JSONValue } from '../../protocol/words.js';

/** A part of a UI message, as the wire has it. @internal */
export interface Part {
	type: string;
	providerMetadata?: JSONValue;
	[more: string]: JSONValue | undefined;
}

/** A part that is a call. @internal */
export interface ToolPart extends Part {
	toolCallId: string;
	toolName?: string;
	state?: string;
	input?: JSONValue;
	approval?: { [key: string]: JSONValue };
}

/** What is kept of an answer: its parts, and which of its calls are carried out here, in order. @internal */
export interface UIEcho {
	parts: readonly Part[];
	here: readonly string[];
}

/** How a person answers an approval that the server asks for. @internal */
export const APPROVAL = {
	type: 'object',
	properties: { approved: { type: 'boolean' }, reason: { type: 'string' } },
	required: ['approved']
};

/** @internal */
export const isCall = (part: Part): part is ToolPart => typeof part.toolCallId === 'string';
