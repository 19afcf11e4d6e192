import { z } from 'zod';
import { defineManifest, done } from '$lib/agent/capability/index.js';
import type { Order } from './order.svelte.js';

/** Names by run, so that a run can be taken back. */
const before = new WeakMap<Order, Map<string, { was: string; is: string }>>();

function turn(order: Order, run: string, to: 'was' | 'is') {
	const edit = before.get(order)?.get(run);
	if (edit === undefined) return { undone: 0, kept: [] };
	if (order.name !== edit[to === 'was' ? 'is' : 'was'])
		return { undone: 0, kept: [{ what: 'name', why: 'It was changed since.' }] };
	order.rename(edit[to]);
	return { undone: 1, kept: [] };
}

export const orderManifest = defineManifest<Order>()({
	kind: 'order',
	description: 'An order with a name, which can be posted',
	reads: {
		order: {
			description: 'Name of the order, and how often it was posted',
			read: ({ name, posted }) => ({ name, posted: posted.length }),
			version: ({ name, posted }) => `${posted.length} ${name}`,
			trust: 'user',
			sensitivity: 'page'
		}
	},
	acts: {
		name: {
			description: 'Gives the order a name',
			args: z.strictObject({ name: z.string().describe('The new name') }),
			effect: 'reversible',
			preview: (order, { name }) => ({
				kind: 'fields',
				fields: [{ path: 'name', label: 'Name', before: order.name, after: name }]
			}),
			perform(order, { name }, { run }) {
				const edits = before.get(order) ?? new Map<string, { was: string; is: string }>();
				before.set(order, edits);
				edits.set(run, { was: edits.get(run)?.was ?? order.name, is: name });
				order.rename(name);
				return done({ name });
			}
		},
		post: {
			description: 'Posts the order; it cannot be called back',
			args: z.strictObject({}),
			effect: 'irreversible',
			reach: 'world',
			perform(order, _args, { operation }) {
				order.post(operation);
				return done({ posted: order.name });
			},
			probe: async ({ posted }, operation) =>
				posted.some((one) => one.operation === operation) ? 'done' : 'not-done'
		}
	},
	undo: (order, run) => turn(order, run, 'was'),
	redo: (order, run) => turn(order, run, 'is')
});
