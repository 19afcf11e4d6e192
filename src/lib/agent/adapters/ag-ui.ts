import type { AgentTransport } from '../protocol/turn.js';
import type { JSONValue } from '../protocol/words.js';
import { late } from './wire/late.js';
import type { WireOptions } from './wire/open.js';

export type { HeadersOf, WireOptions } from './wire/open.js';

/** Options of {@link agUi}. @since 0.1.0 */
export interface AgUiOptions extends WireOptions {
	/** Sent with each request as it is, for what your server wants besides the protocol. @default {} */
	forwardedProps?: JSONValue;
}

/**
 * An agent on a server that speaks AG-UI 1.0 and owns its own loop. It may call what is mounted on the page (those calls go
 * through the gate like any model's) and what it has itself, which is told and never carried out here. Its interrupts become
 * questions to the person; its state is kept beside the run as `RunState.shared` and given back to it alone.
 * @example agUi({ url: '/api/agent' })
 * @see AG-UI 1.0, https://docs.ag-ui.com
 * @since 0.1.0
 */
export function agUi(options: AgUiOptions): AgentTransport {
	return late(options.name ?? 'ag-ui', async () =>
		(await import('./ag-ui-in/transport.js')).speaker(options)
	);
}
