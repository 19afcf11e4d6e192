import { describe, expect, it } from 'vitest';
import type { AgentTransport, TurnEvent } from '../../src/lib/agent/index.js';
import { person } from '../../src/lib/testing/index.js';
import { bench } from './fixtures/document-bench.js';
import { editors } from './fixtures/document-editors.js';

/** A model whose every piece comes when the test says so. */
function slow() {
	let next: (() => void) | undefined;
	const waiting: (TurnEvent | 'cut')[] = [];
	const give = (...events: (TurnEvent | 'cut')[]) => {
		waiting.push(...events);
		next?.();
	};
	const names = Promise.withResolvers<string>();
	const transport: AgentTransport = {
		name: 'slow',
		async *open({ messages, tools }, signal) {
			names.resolve(tools.find(({ act }) => act === 'rewrite')?.name ?? '');
			if (messages.at(-1)?.role !== 'user') return yield { type: 'end', reason: 'stop' };
			for (;;) {
				while (waiting.length > 0) {
					const event = waiting.shift()!;
					if (event === 'cut') return;
					yield event;
					if (event.type === 'end') return;
				}
				if (signal.aborted) return;
				await new Promise<void>((resolve) => {
					next = resolve;
					signal.addEventListener('abort', () => resolve());
				});
			}
		}
	};
	return { transport, give, tool: names.promise };
}

const painted = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));

describe.each(Object.keys(editors))('painted streaming in %s', (name) => {
	/** A run that begins to rewrite a block. */
	function begun() {
		const { transport, give, tool } = slow();
		const b = bench(name, { transport });
		const { id } = b.block('Late');
		let raw = `{"instance":"letter","block":"${id}","text":"`;
		const run = b.agent.run('Rewrite it.', { by: person });
		return {
			...b,
			id,
			current: run,
			async start() {
				give({ type: 'call.start', id: 'c1', name: await tool }, { type: 'call.args', id: 'c1', delta: raw });
				await painted();
			},
			async more(text: string) {
				raw += text;
				give({ type: 'call.args', id: 'c1', delta: text });
				await painted();
			},
			async finish(ending = '"}') {
				raw += ending;
				give(
					{ type: 'call.args', id: 'c1', delta: ending },
					{ type: 'call.end', id: 'c1', verdict: 'complete', raw },
					{ type: 'end', reason: 'calls' }
				);
				await run.returned;
			},
			give
		};
	}
	const ghost = () => document.querySelector<HTMLElement>('[data-part="ghost"]');

	it('S2-66 grows beside the content, and changes places with it in one transaction', async () => {
		const { current, finish, id, more, start, document: doc, view, agent } = begun();
		const before = view.state.doc;
		await start();
		await more('Late payment costs');
		expect(ghost()?.textContent).toBe('Late payment costs');
		await more(' eight per cent.');
		expect(ghost()?.textContent).toBe('Late payment costs eight per cent.');
		expect(ghost()?.getAttribute('aria-hidden')).toBe('true');
		expect(view.state.doc).toBe(before);
		await finish();
		expect(current.state.outcome?.kind).toBe('completed');
		expect(ghost()).toBeNull();
		expect(doc.block(id)?.text).toBe('Late payment costs eight per cent.');
		await agent.undo(current.id, person);
		expect(view.state.doc.eq(before)).toBe(true);
	});

	it('S2-66 twenty tokens a frame make no content event, and none moves the caret', async () => {
		const { caret, finish, more, start, type, view } = begun();
		caret('Dear Nadia');
		await type('!');
		await start();
		await more('a');
		let events = 0;
		const { updateState } = view;
		view.updateState = (next) => {
			events++;
			updateState.call(view, next);
		};
		const { state } = view;
		const top = view.coordsAtPos(state.selection.head).top;
		for (let frame = 0; frame < 10; frame++) {
			for (let token = 0; token < 20; token++) void more(` w${token}`);
			await painted();
		}
		expect(ghost()?.textContent).toHaveLength(
			1 + 10 * Array.from({ length: 20 }, (_, i) => ` w${i}`).join('').length
		);
		expect(events).toBe(0);
		expect(view.state).toBe(state);
		expect(view.coordsAtPos(state.selection.head).top).toBe(top);
		await finish();
		expect(view.state.doc.textContent).toContain('Dear Nadia!');
	});

	it.each(['stopped', 'cut', 'invalid'] as const)('S2-66 %s, the document is the very same', async (how) => {
		const { agent, current, finish, give, more, start, view } = begun();
		const before = view.state.doc;
		await start();
		await more('Half a sent');
		expect(ghost()).not.toBeNull();
		if (how === 'stopped') await current.stop('Enough.', person);
		else if (how === 'invalid') await finish('\u0000 oops');
		else give('cut');
		if (how === 'cut') {
			// Retried, and there is nothing to come.
			await expect.poll(() => ghost()).toBeNull();
			await current.stop('Enough.', person);
		}
		await current.returned;
		await expect.poll(() => ghost()).toBeNull();
		expect(view.state.doc).toBe(before);
		expect(agent.get(current.id)?.state.effects).toEqual([]);
	});

	it('S2-70 the person types on while it grows, in another block and in this one', async () => {
		const { caret, finish, id, more, start, type, document: doc } = begun();
		caret('Kind');
		await start();
		await more('Late payment');
		await type('est');
		await more(' costs.');
		await type('!');
		expect(ghost()?.textContent).toBe('Late payment costs.');
		expect(doc.blocks().at(-1)?.text).toBe('Kindest! regards');
		await finish();
		expect(doc.block(id)?.text).toBe('Late payment costs.');
		await type('!');
		expect(doc.blocks().at(-1)?.text).toBe('Kindest!! regards');
	});

	it('S2-70 an editor destroyed under a growing text leaves nothing and throws nothing', async () => {
		const { current, destroy, finish, more, start } = begun();
		await start();
		await more('Late');
		destroy();
		await more(' payment');
		await finish();
		expect(ghost()).toBeNull();
		expect(current.state.effects.filter(({ status }) => status === 'confirmed')).toEqual([]);
	});
});
