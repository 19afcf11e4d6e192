import type { AgentTransport } from '../protocol/turn.js';
import type { JSONValue } from '../protocol/words.js';
import { late } from './wire/late.js';
import type { WireOptions } from './wire/open.js';

export type { HeadersOf, WireOptions } from './wire/open.js';

/** How a server of chat completions is spoken to. @since 0.1.0 */
export interface OpenAIOptions extends WireOptions {
	/** As the server names it. */
	model: string;
	/**
	 * Asks for arguments that keep to the schemas, where a schema can be said in the provider's strict subset. Optional arguments
	 * are then required and may be null; what comes back null is absent again. Arguments are checked here either way.
	 * @default false
	 */
	strict?: boolean;
	/** Who speaks the instructions. @default 'system' */
	systemRole?: 'system' | 'developer';
	/**
	 * The member that limits the answer; `false`: none is sent.
	 * @default 'max_completion_tokens' at OpenAI's own addresses and for its models, else 'max_tokens', which all others know
	 */
	limit?: 'max_completion_tokens' | 'max_tokens' | false;
	/** Asks for usage at the end of the stream; `false` for servers that refuse the question. @default true */
	includeUsage?: boolean;
	/** May the model call several tools at once? Left to the server where it is not given. */
	parallelToolCalls?: boolean;
	/**
	 * Gives reasoning back with the results of the calls it led to, in the fields in which it came: DeepSeek, OpenRouter and
	 * Gemini ask for that. OpenAI sends none.
	 * @default true
	 */
	echo?: boolean;
	/**
	 * Joins neighbouring messages of the user, the context included, for chat templates that insist on alternating roles (Mistral
	 * and Gemma in llama.cpp, LM Studio or vLLM).
	 * @default false
	 */
	alternate?: boolean;
	/** Further members of the request, as `temperature` or `reasoning_effort`; none of them takes the place of what is sent anyway. */
	body?: Readonly<Record<string, JSONValue>>;
}

/**
 * A model behind Chat Completions: OpenAI, and all that speak its form, as Ollama (`/v1/chat/completions`), LM Studio, vLLM,
 * llama.cpp, Groq, DeepSeek, Mistral, OpenRouter and LiteLLM. What they do differently is taken as meant where it can be told,
 * and never runs where it cannot.
 * @example openai({ url: '/api/model', model: 'gpt-5.2' }) // through the relay, which knows the key
 * @example openai({ url: 'http://localhost:11434/v1/chat/completions', model: 'qwen3' })
 * @see https://platform.openai.com/docs/api-reference/chat-streaming
 * @since 0.1.0
 */
export function openai(options: OpenAIOptions): AgentTransport {
	return late(options.name ?? 'openai', async () => (await import('./chat/transport.js')).speaker(options));
}
