import type { RelayWire } from './wire.js';

/** Where a relay asks, and what it shows there. @since 0.1.0 */
export interface RelayTarget {
	/** The whole endpoint; nothing is appended. */
	url: string;
	/** Headers of the request to it, credentials included. Asked for each time, so that a key may change or be fetched. */
	headers?(): Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>;
	/** What a page may send. @default any JSON object: for a backend of your own that checks itself */
	wire?: RelayWire;
}

/** An account at a provider. @since 0.1.0 */
export interface RelayAccount {
	/** The provider's address as its own clients take it. Empty or left out: the provider's own. */
	baseUrl?: string;
	/** The key. A server on your own machine may need none. */
	key?: string;
	/** More headers, for a gateway or a beta. They win. */
	headers?: Readonly<Record<string, string>>;
}

/** The address of an endpoint below a base. */
const below = (base: string | undefined, otherwise: string, path: string): string =>
	`${(base || otherwise).replace(/\/+$/, '')}${path}`;

const bearer =
	({ key, headers }: RelayAccount) =>
	() => ({ ...(key ? { authorization: `Bearer ${key}` } : {}), ...headers });

/** `n`, `store`, `service_tier`, `web_search_options` and the like cost or keep more than an answer does. */
const CHAT: RelayWire = {
	fields: [
		...['model', 'messages', 'tools', 'tool_choice', 'parallel_tool_calls', 'stream', 'stream_options'],
		...['max_completion_tokens', 'max_tokens', 'temperature', 'top_p', 'top_k', 'min_p', 'stop', 'seed'],
		...['frequency_penalty', 'presence_penalty', 'repetition_penalty', 'response_format'],
		...['reasoning_effort', 'reasoning', 'thinking', 'verbosity', 'chat_template_kwargs']
	],
	model: 'model',
	output: ['max_completion_tokens', 'max_tokens'],
	tools: ['function'],
	messages: 'messages'
};

/**
 * Chat Completions of OpenAI and of everything that speaks like it: Ollama, LM Studio, vLLM, Groq, OpenRouter, …
 * @param account `baseUrl` as in `OPENAI_BASE_URL`, with its `/v1`. @default https://api.openai.com/v1
 * @example relay(toOpenAI({ key: process.env.OPENAI_API_KEY }), { model: 'gpt-5-mini' })
 * @since 0.1.0
 */
export function toOpenAI(account: RelayAccount = {}): RelayTarget {
	const url = below(account.baseUrl, 'https://api.openai.com/v1', '/chat/completions');
	// Elsewhere the older name is the one that everybody knows.
	const own = /^https:\/\/[^/]*\.(openai|azure)\.com\//.test(url);
	const wire = own ? CHAT : { ...CHAT, output: ['max_tokens', 'max_completion_tokens'] };
	return { url, headers: bearer(account), wire };
}

const RESPONSES: RelayWire = {
	fields: [
		...['model', 'input', 'instructions', 'tools', 'tool_choice', 'parallel_tool_calls', 'stream'],
		...['stream_options', 'max_output_tokens', 'temperature', 'top_p', 'reasoning', 'text', 'include'],
		...['truncation', 'store']
	],
	// What is stored under the key could be read by whoever uses the relay next.
	set: { store: false },
	model: 'model',
	output: ['max_output_tokens'],
	tools: ['function'],
	messages: 'input'
};

/**
 * The Responses API of OpenAI. Nothing is stored there (`store: false`), whatever the page says.
 * @param account `baseUrl` as in `OPENAI_BASE_URL`, with its `/v1`. @default https://api.openai.com/v1
 * @since 0.1.0
 */
export const toOpenAIResponses = (account: RelayAccount = {}): RelayTarget => ({
	url: below(account.baseUrl, 'https://api.openai.com/v1', '/responses'),
	headers: bearer(account),
	wire: RESPONSES
});

const MESSAGES: RelayWire = {
	fields: [
		...['model', 'messages', 'system', 'tools', 'tool_choice', 'stream', 'max_tokens', 'temperature'],
		...['top_p', 'top_k', 'stop_sequences', 'thinking', 'cache_control', 'output_config']
	],
	model: 'model',
	output: ['max_tokens'],
	tools: [undefined, 'custom'],
	messages: 'messages'
};

/**
 * The Messages API of Anthropic, under the version its format has had since 2023.
 * @param account `baseUrl` as in `ANTHROPIC_BASE_URL`, without `/v1`. @default https://api.anthropic.com
 * @since 0.1.0
 */
export const toAnthropic = (account: RelayAccount = {}): RelayTarget => ({
	url: below(account.baseUrl, 'https://api.anthropic.com', '/v1/messages'),
	headers: () => ({
		'anthropic-version': '2023-06-01',
		...(account.key ? { 'x-api-key': account.key } : {}),
		...account.headers
	}),
	wire: MESSAGES
});
