import type { Opaque, SanitisedJSON, SanitisedText } from '../capability/sanitise.js';
import type { Actor } from '../../actor/actor.js';
import type { Tool, TurnMessage, TurnRequest } from '../protocol/turn.js';

/**
 * A request as the engine sends it: every text in it went through the one sanitiser. A transport sees a plain
 * {@link TurnRequest}; the compiler refuses a plain string on any road that leads into a prompt. Ids of run, turn, thread and
 * interrupt are addresses on the wire, and no part of a prompt.
 */
export interface SanitisedRequest extends TurnRequest {
	system: SanitisedText;
	messages: readonly SanitisedMessage[];
	context: SanitisedText;
	tools: readonly SanitisedTool[];
	resume?: readonly { interrupt: string; status: 'resolved' | 'cancelled'; payload?: SanitisedJSON }[];
	state?: Opaque;
}

export interface SanitisedTool extends Tool {
	name: SanitisedText;
	description: SanitisedText;
	schema: SanitisedJSON & Record<string, unknown>;
	kind?: SanitisedText;
	act?: SanitisedText;
	instances?: readonly SanitisedText[];
}

/** The one who speaks, as far as a model may know. */
export interface Speaker extends Actor {
	id: SanitisedText;
	name?: SanitisedText;
	version?: SanitisedText;
	run?: never;
	step?: never;
}

type Of<Role extends TurnMessage['role']> = Extract<TurnMessage, { role: Role }>;

export type SanitisedMessage =
	| (Of<'user'> & { from: Speaker; text: SanitisedText })
	| (Of<'assistant'> & {
			text: SanitisedText;
			calls: readonly { id: SanitisedText; name: SanitisedText; args: SanitisedText }[];
			echo?: Opaque;
	  })
	| (Of<'result'> & { call: SanitisedText; name: SanitisedText; content: SanitisedJSON });
