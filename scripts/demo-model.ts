import { loadEnv, type Connect, type Plugin } from 'vite';
import {
	relay,
	toAnthropic,
	toNode,
	toOpenAI,
	type RelayHandler,
	type RelayTarget
} from '../src/lib/relay/index.js';

/** What the page is told of the model behind it. */
export interface DemoModel {
	model: string;
	/** Which adapter speaks with it. */
	format: 'openai' | 'anthropic';
	/** Where the relay answers. */
	url: string;
}

/** Variables of the environment, or of `.env`. */
export type Env = Readonly<Record<string, string | undefined>>;

const URL_ = '/api/agent';

/** The account that the environment names, OpenAI's form first, for that is what local servers speak. */
export function accountOf(
	env: Env
): { target: RelayTarget; format: DemoModel['format']; model?: string; list?: string } | undefined {
	const { OPENAI_BASE_URL, OPENAI_API_KEY, ANTHROPIC_BASE_URL, ANTHROPIC_API_KEY } = env;
	if (OPENAI_BASE_URL || OPENAI_API_KEY)
		return {
			target: toOpenAI({ baseUrl: OPENAI_BASE_URL, key: OPENAI_API_KEY }),
			format: 'openai',
			model: env.OPENAI_MODEL || (OPENAI_BASE_URL ? undefined : 'gpt-5.4-mini'),
			list: `${OPENAI_BASE_URL?.replace(/\/+$/, '')}/models`
		};
	if (ANTHROPIC_API_KEY)
		return {
			target: toAnthropic({ baseUrl: ANTHROPIC_BASE_URL, key: ANTHROPIC_API_KEY }),
			format: 'anthropic',
			model: env.ANTHROPIC_MODEL || 'claude-haiku-5-5'
		};
	return undefined;
}

/** The first model a local server has. */
async function firstOf(list: string, { headers }: RelayTarget): Promise<string> {
	const response = await fetch(list, { headers: await headers?.(), signal: AbortSignal.timeout(5_000) });
	const { data } = (await response.json()) as { data: { id: string }[] };
	const [first] = data;
	if (!first) throw new Error('It lists none.');
	return first.id;
}

type Behind = { told: DemoModel; answer: RelayHandler };

async function behind(env: Env): Promise<Behind | undefined> {
	const account = accountOf(env);
	if (!account) return undefined;
	const { target, format, list } = account;
	const model = account.model ?? (await firstOf(list ?? '', target));
	const report = ({
		status,
		code,
		text,
		cause
	}: {
		status: number;
		code: string;
		text: string;
		cause?: string;
	}) => console.error(`relay: ${status} ${code}: ${text}${cause === undefined ? '' : ` (${cause})`}`);
	return {
		told: { model, format, url: URL_ },
		answer: relay(target, { model, maxOutputTokens: 4_096, report })
	};
}

/**
 * Lends the key of the environment to the demo: the server that serves the page is the backend, no other is needed. Without a
 * key the page is served as any static host serves it.
 */
export function demoModel(): Plugin {
	let mode = 'production';
	function mount(middlewares: Connect.Server): void {
		const env = loadEnv(mode, process.cwd(), ['OPENAI_', 'ANTHROPIC_']);
		if (!accountOf(env)) return;
		let asked: Promise<Behind | undefined> | undefined;
		const settled = () =>
			(asked ??= behind(env).catch((error: unknown) => {
				// The server may be started later.
				asked = undefined;
				console.error(`No model yet: set OPENAI_MODEL, or start the server. ${String(error)}`);
				return undefined;
			}));
		middlewares.use('/model.json', (_request, response) => {
			void settled().then((model) => {
				response.setHeader('content-type', 'application/json');
				response.setHeader('cache-control', 'no-store');
				response.end(JSON.stringify(model?.told ?? { model: null }));
			});
		});
		middlewares.use(
			URL_,
			toNode(async (request) => (await settled())?.answer(request) ?? new Response(null, { status: 503 }))
		);
	}
	return {
		name: 'demo-model',
		configResolved: (config) => void (mode = config.mode),
		configureServer: ({ middlewares }) => mount(middlewares),
		configurePreviewServer: ({ middlewares }) => mount(middlewares)
	};
}
