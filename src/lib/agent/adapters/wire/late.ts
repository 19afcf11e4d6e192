import type { AgentTransport, TurnEvent } from '../../protocol/turn.js';
import { Fault } from './fault.js';

/** What speaks a wire. What it is called, its shell says. @internal */
export type Speaker = Omit<AgentTransport, 'name'>;

/**
 * A transport whose code comes with its first request: a page on which nobody delegates does not load it. Where it does not
 * come, the model cannot be reached either, and the next request tries again.
 * @internal
 */
export function late(name: string, load: () => Promise<Speaker>): AgentTransport {
	let loaded: Promise<Speaker> | undefined;
	return {
		name,
		open(request, signal) {
			let events: AsyncIterator<TurnEvent> | undefined;
			let left = false;
			const open = async (): Promise<AsyncIterator<TurnEvent>> => {
				const speaker = await before(signal, (loaded ??= load()));
				return speaker.open(request, signal)[Symbol.asyncIterator]();
			};
			const iterator: AsyncIterator<TurnEvent> = {
				async next() {
					if (left) return { done: true, value: undefined };
					try {
						events ??= await open();
					} catch (error) {
						left = true;
						if (error instanceof Fault) return { done: false, value: error.event };
						loaded = undefined;
						const why = new Fault('network', `What speaks with the model did not load: ${String(error)}`);
						return { done: false, value: why.event };
					}
					return events.next();
				},
				async return() {
					left = true;
					await events?.return?.();
					return { done: true, value: undefined };
				}
			};
			return { [Symbol.asyncIterator]: () => iterator };
		}
	};
}

/** Waits, but not beyond the signal. */
async function before<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
	let leave = (): void => undefined;
	const gone = new Promise<never>((_, reject) => {
		leave = () => reject(new Fault('aborted', 'The request was aborted.'));
		if (signal.aborted) leave();
		else signal.addEventListener('abort', leave);
	});
	try {
		return await Promise.race([promise, gone]);
	} finally {
		signal.removeEventListener('abort', leave);
	}
}
