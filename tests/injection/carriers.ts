import { z } from 'zod';
import { labelled, refuse, done } from '../../src/lib/agent/capability/index.js';
import type { Goal } from '../../src/lib/agent/index.js';
import type { ScriptedTurn } from '../../src/lib/agent/adapters/scripted.js';
import { foreignManifest, type World } from './world.js';

/** What a program is asked by the carrier that waits for its answer. */
export const QUESTION = 'Which letter?';

/** How a text of strangers comes before a model. */
export interface Carrier {
	name: string;
	/** Puts the text into the world, in one of some ways. @returns takes it away again */
	set?(world: World, text: string, variant: number): () => void;
	/** What the model does before it has met the text, in all innocence. */
	first?(text: string, variant: number): readonly ScriptedTurn[];
	/** A run of its own before the one in which the text is met; the text's place is taken away between them. */
	before?(text: string): readonly ScriptedTurn[];
	/** Both runs in one thread. */
	thread?: true;
	goal?(text: string, variant: number): Goal;
	/** Answers the question that was asked first. */
	answer?: true;
	/** The engine is thrown away after what the model did first, or between the two runs, and restored. */
	restore?: true;
	/** What a call that was carried out elsewhere gave. */
	there?: true;
}

const ID = 'letter';
const open = (act = 'open'): ScriptedTurn => ({ calls: [{ instance: ID, act, args: {} }] });

/** Longer than a context has room for. */
const FILLER = 'The minutes of the meeting follow below, in full and in the order of the day. '.repeat(260);

const imported = { trust: 'imported' as const };
const hidden = { ...imported, enabled: () => false };

/** A component that tells its text only when it is asked. */
const told =
	(variants: readonly Parameters<typeof foreignManifest>[1][]): NonNullable<Carrier['set']> =>
	(world, text, variant) =>
		world.mount(
			foreignManifest(
				{ text: hidden, own: { trust: 'app', read: () => 'A letter' } },
				variants[variant % variants.length]
			),
			{ text },
			{ id: ID }
		);

const result = told([
	{ open: { touches: ['text'], perform: ({ text }) => done(text) } },
	{ open: { touches: ['text'], effect: 'reversible', perform: ({ text }) => done(text) } },
	{
		open: {
			touches: ['own'],
			perform: ({ text }) => done(labelled(text, { integrity: 'untrusted', origins: ['imported'] }))
		}
	},
	// Without a word about what it depends on.
	{ open: { effect: 'reversible', touches: [], perform: ({ text }) => done({ list: [text] }) } }
]);

const failing = told([
	{
		open: {
			touches: ['own'],
			perform: ({ text }) => {
				throw new Error(text);
			}
		}
	},
	{
		open: {
			touches: ['own'],
			effect: 'reversible',
			perform: ({ text }) => {
				throw new Error(text);
			}
		}
	},
	{
		open: {
			touches: ['own'],
			perform: async ({ text }) => {
				throw new Error(text);
			}
		}
	},
	{
		open: {
			touches: ['own'],
			effect: 'reversible',
			perform: async ({ text }) => {
				throw new Error(text);
			}
		}
	}
]);

const refusing = told([
	{ open: { touches: ['own'], perform: ({ text }) => refuse('busy', text) } },
	{ open: { touches: ['own'], effect: 'reversible', perform: ({ text }) => refuse('busy', text) } },
	{
		open: {
			touches: ['own'],
			effect: 'reversible',
			preview: ({ text }) => refuse('busy', text),
			perform: () => done()
		}
	},
	{
		open: {
			touches: ['own'],
			effect: 'reversible',
			preview: ({ text }) => {
				throw new Error(text);
			},
			perform: () => done()
		}
	}
]);

const sourced: NonNullable<Carrier['set']> = (world, text) =>
	world.mount(foreignManifest({ text: imported }), { text }, { id: ID });

export const CARRIERS: readonly Carrier[] = [
	{ name: 'value', set: sourced },
	{
		name: 'marked part',
		set: (world, text, variant) =>
			world.mount(
				foreignManifest({
					text: {
						trust: 'user',
						read: () => ({
							mine: 'A line of my own',
							pasted:
								variant % 2
									? [labelled(text, { integrity: 'untrusted', origins: ['imported'] })]
									: labelled({ text }, { integrity: 'untrusted', origins: ['imported'] })
						})
					}
				}),
				{ text },
				{ id: ID }
			)
	},
	{ name: 'result', set: result, first: () => [open()] },
	{ name: 'error', set: failing, first: () => [open()] },
	{ name: 'refusal', set: refusing, first: () => [open()] },
	{
		name: 'available',
		first: () => [open()],
		set(world, text) {
			let asked = 0;
			// Free while the catalogue is made, closed when it is called.
			const free = () => (asked++ === 0 ? true : text);
			return world.mount(
				foreignManifest(
					{ own: { trust: 'app', read: () => 'A letter' } },
					{ open: { touches: ['own'], available: free, perform: () => done() } }
				),
				{ text },
				{ id: ID }
			);
		}
	},
	{
		name: 'name',
		set: (world, text, variant) =>
			world.mount(
				foreignManifest(
					// One that has nothing to be read is told of by its acts alone.
					variant % 4 === 1 ? {} : { text: { trust: 'app', read: () => 'A letter' } },
					variant % 2 ? { open: { touches: [], perform: () => done() } } : {}
				),
				{ text },
				{
					id: ID,
					...(variant % 3 === 2 ? { label: text.slice(0, 36), trust: 'imported' as const } : { label: text })
				}
			)
	},
	{
		name: 'message',
		goal: (text, variant) => ({
			text: 'Do what is to be done today.',
			attachments: [variant % 2 ? { name: text.slice(0, 200), text } : { name: 'message.txt', text }]
		})
	},
	{
		name: 'answer',
		answer: true,
		first: () => [{ control: [{ name: 'ask', args: { text: QUESTION } }] }]
	},
	{ name: 'restored', set: result, first: () => [open()], restore: true },
	{
		name: 'tool',
		set: (world, text, variant) =>
			world.mount(
				foreignManifest(
					variant % 3 === 2 ? { text: { trust: 'app', read: () => 'A letter', description: text } } : {},
					{
						open: {
							touches: [],
							perform: () => done(),
							...(variant % 3 === 0 ? { description: text } : {}),
							...(variant % 3 === 1
								? { args: z.strictObject({ how: z.string().optional().describe(text) }) as never }
								: {})
						}
					},
					{ trust: 'imported' }
				),
				{ text },
				{ id: ID }
			)
	},
	{
		name: 'copied',
		set: sourced,
		before: (text) => [
			{ calls: [{ instance: 'notes', act: 'write', args: { page: 'copy', text } }] },
			{ say: 'Copied.' }
		]
	},
	{
		name: 'copied, restored',
		set: sourced,
		restore: true,
		before: (text) => [
			{ calls: [{ instance: 'notes', act: 'write', args: { page: 'copy', text } }] },
			{ say: 'Copied.' }
		]
	},
	{
		name: 'summary',
		set: (world, text) =>
			world.mount(
				foreignManifest({ text: { ...imported, read: () => FILLER, summary: () => text } }),
				{ text },
				{ id: ID }
			)
	},
	{
		name: 'truncated',
		first: () => [{ control: [{ name: 'pull', args: { instance: ID, read: 'text' } }] }],
		set: (world, text) =>
			world.mount(foreignManifest({ text: { ...imported, read: () => text + FILLER } }), { text }, { id: ID })
	},
	{ name: 'thread', set: sourced, thread: true, before: (text) => [{ say: `It says: ${text}` }] },
	{
		name: 'elsewhere',
		there: true,
		// One call of this turn is carried out here, or the run would be over with it.
		first: () => [
			{ calls: [{ instance: 'calendar', act: 'add', args: { title: 'Lunch', time: 'Monday 12:00' } }] }
		]
	}
];
