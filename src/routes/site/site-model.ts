import { asset } from '$app/paths';
import type { AgentTransport, TurnRequest } from '$agent/index.js';

/** The model behind this page, as the server that serves it tells. A static host has none. */
export interface SiteModel {
	model: string;
	format: 'openai' | 'anthropic';
	url: string;
}

/** Asks the server. On a static host the answer is a file that says there is none. */
export async function findModel(): Promise<SiteModel | undefined> {
	try {
		const told = (await (await fetch(asset('/model.json'))).json()) as { model: string | null };
		return told.model === null ? undefined : (told as SiteModel);
	} catch {
		return undefined;
	}
}

async function adapterOf({ model, format, url }: SiteModel): Promise<AgentTransport> {
	if (format === 'anthropic') return (await import('$agent/adapters/anthropic.js')).anthropic({ url, model });
	return (await import('$agent/adapters/openai.js')).openai({ url, model });
}

/** Speaks with the model through the relay; the adapter comes with the first question. */
export function modelTransport(site: SiteModel): AgentTransport {
	let adapter: Promise<AgentTransport> | undefined;
	return {
		name: site.format,
		async *open(request: TurnRequest, signal: AbortSignal) {
			adapter ??= adapterOf(site);
			yield* (await adapter).open(request, signal);
		}
	};
}
