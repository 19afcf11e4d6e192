import {
	createRegistry,
	type AgentOptions,
	type AgentTransport,
	type CapabilityRegistry,
	type EngineAgent,
	type JournalStore,
	type RunOptions
} from '$agent/index.js';
import { defineManifest, done, escalate, unknown } from '$agent/capability/index.js';
import { scripted, type ScriptedTurn } from '$agent/adapters/scripted.js';
import { memoryStore } from '$agent/stores/memory.js';
import { z } from 'zod';
import { Ticket } from './ticket.svelte.js';

/** Reasons a run waits for, in the order of the docs. */
export const reasons = [
	'question',
	'budget',
	'scope',
	'drift',
	'unknown-effect',
	'consent',
	'auth',
	'stall',
	'transport',
	'desync',
	'store',
	'owner',
	'paused'
] as const;
export type ReasonId = (typeof reasons)[number];

export interface Scenario {
	title: string;
	/** What a visitor has to do until the run waits, if anything. */
	first?: string;
	options?: Partial<AgentOptions>;
	run?: RunOptions;
	turns: readonly ScriptedTurn[];
	/** Things that happen around the run: hands of others, stores that fill up. */
	around?(agent: EngineAgent, ticket: Ticket): (() => void) | void;
	/** Leaves the private read to be asked for. */
	private?: true;
	/** Pause it at once. */
	pause?: true;
}

const ticketManifest = defineManifest<Ticket>()({
	kind: 'ticket',
	description: 'A ticket for a journey',
	reads: {
		title: {
			description: 'What the journey is called',
			read: (ticket) => ticket.title,
			version: (ticket) => ticket.title,
			trust: 'user',
			sensitivity: 'page'
		},
		passport: {
			description: 'Number of the passport',
			read: (ticket) => ticket.passport,
			version: (ticket) => ticket.passport,
			trust: 'user',
			sensitivity: 'private'
		}
	},
	acts: {
		rename: {
			description: 'Call the journey something else',
			args: z.strictObject({ title: z.string().describe('The new title') }),
			effect: 'reversible',
			touches: ['title'],
			preview: (ticket, { title }) => ({
				kind: 'fields',
				fields: [{ path: 'title', label: 'Title', before: ticket.title, after: title }]
			}),
			perform: (ticket, { title }, call) => {
				ticket.rename(title, call.run);
				return done();
			}
		},
		look: {
			description: 'Look up trains',
			args: z.strictObject({ to: z.string().describe('Where to') }),
			effect: 'none',
			touches: [],
			perform: () => done([])
		},
		book: {
			description: 'Book the journey',
			args: z.strictObject({}),
			effect: 'irreversible',
			touches: ['title'],
			preview: () => ({ kind: 'note', text: 'Books the journey. The railway answers later, or never.' }),
			perform: () => unknown('no-answer', 'The railway did not answer.')
		},
		discount: {
			description: 'Ask the railway for a discount',
			args: z.strictObject({}),
			effect: 'reversible',
			touches: ['title'],
			perform: (_, _args, call) =>
				call.answer === undefined
					? escalate({
							text: 'Sign in at the railway, then say so here.',
							schema: z.strictObject({ signedIn: z.boolean().describe('I am signed in') }),
							url: 'https://railway.example/sign-in',
							reason: 'auth'
						})
					: done()
		}
	},
	undo: (ticket, run) => ticket.undo(run)
});

const rename = (title: string) => ({ instance: 'ticket', act: 'rename', args: { title } });
const look = { instance: 'ticket', act: 'look', args: { to: 'Porto' } };
const auto = { policy: { ceiling: 'auto' as const } };
const over = { say: 'Done.' };

/** A transport whose first answer no longer fits what the other side holds. */
function outOfStep(turns: readonly ScriptedTurn[]): AgentTransport {
	const line = scripted(turns);
	let first = true;
	return {
		name: 'out-of-step',
		async *open(request, signal) {
			if (!first) return yield* line.open(request, signal);
			first = false;
			yield {
				type: 'error',
				reason: { code: 'desync', text: 'The state of the other side is three changes ahead.' },
				retryable: true
			};
		}
	};
}

/** A store whose writes can be made to fail. */
function failing(answer: 'throws' | 'fenced', after: number): JournalStore {
	const store = memoryStore();
	let writes = 0;
	let broken = true;
	return {
		append: async (...args) => {
			if (broken && ++writes > after) {
				// Whoever tries again finds it mended.
				if (writes > after + 1) broken = false;
				else if (answer === 'fenced') return 'fenced';
				else throw new Error('The disk is full.');
			}
			return store.append(...args);
		},
		read: (...args) => store.read(...args),
		blob: (...args) => store.blob(...args),
		claim: (...args) => store.claim(...args),
		release: (...args) => store.release(...args),
		listOpen: () => store.listOpen()
	};
}

export const scenarios: Record<ReasonId, Scenario> = {
	question: {
		title: 'It asks you something',
		turns: [
			{
				control: [
					{
						name: 'ask',
						args: {
							text: 'Which class shall I book?',
							schema: {
								type: 'object',
								properties: { class: { type: 'string', enum: ['first', 'second'], title: 'Class' } },
								required: ['class']
							}
						}
					}
				]
			},
			{ say: 'Thank you.' }
		]
	},
	budget: {
		title: 'Its budget is spent',
		options: auto,
		run: { budget: { acts: 1 } },
		turns: [
			{ calls: [rename('To Lisbon'), rename('To Porto')] },
			{ say: 'One title is set, one is not. With one more act I finish.' },
			over
		]
	},
	scope: {
		title: 'It wants to go where you did not let it',
		options: auto,
		run: { instances: ['ticket'] },
		turns: [
			{ calls: [{ instance: 'archive', act: 'rename', args: { title: 'Old' } }] },
			{ calls: [{ instance: 'archive', act: 'rename', args: { title: 'Old' } }] },
			{ calls: [{ instance: 'archive', act: 'rename', args: { title: 'Old' } }] },
			over
		]
	},
	drift: {
		title: 'What it works on will not stand still',
		first: 'Approve. Somebody else has moved the title meanwhile. Look again and approve, until it gives up.',
		turns: [
			{ calls: [rename('To Porto')] },
			{ calls: [rename('To Porto')] },
			{ calls: [rename('To Porto')] },
			{ calls: [rename('To Porto')] },
			over
		],
		around: (agent, ticket) => {
			const moved = new Set<string>();
			return agent.subscribe((record) => {
				const open = agent.get(record.run)?.state.reviews.find(({ status }) => status === 'open');
				if (!open || moved.has(open.id)) return;
				moved.add(open.id);
				setTimeout(() => ticket.touch());
			});
		}
	},
	'unknown-effect': {
		title: 'Nobody knows whether it happened',
		first: 'Tick the box, approve the booking, and the railway does not answer.',
		turns: [{ calls: [{ instance: 'ticket', act: 'book', args: {} }] }, over]
	},
	consent: {
		title: 'It needs something private',
		private: true,
		turns: [{ control: [{ name: 'pull', args: { instance: 'ticket', read: 'passport' } }] }, over]
	},
	auth: {
		title: 'Somebody has to sign in',
		options: auto,
		turns: [{ calls: [{ instance: 'ticket', act: 'discount', args: {} }] }, over]
	},
	stall: {
		title: 'It goes round in circles',
		options: auto,
		turns: [{ calls: [look] }, { calls: [look] }, { calls: [look] }, { calls: [look] }, over]
	},
	transport: {
		title: 'The model cannot be reached',
		turns: [
			{ fail: { text: 'The line is dead.', retryable: true } },
			{ fail: { text: 'The line is dead.', retryable: true } },
			{ fail: { text: 'The line is dead.', retryable: true } },
			over
		]
	},
	desync: {
		title: 'It lost track of the other side',
		options: { transport: outOfStep([over]) },
		turns: []
	},
	store: {
		title: 'What it does cannot be kept',
		options: { ...auto, store: failing('throws', 1) },
		turns: [{ calls: [rename('To Porto')] }, over]
	},
	owner: {
		title: 'Another window owns the run',
		options: { ...auto, store: failing('fenced', 1) },
		turns: [{ calls: [rename('To Porto')] }, over]
	},
	paused: {
		title: 'You paused it',
		options: auto,
		pause: true,
		turns: [{ say: 'I think for a while.', paceMs: 30, calls: [rename('To Porto')] }, over]
	}
};

/** Waits for retries shrink to a tenth, so that a visitor sees the end of them. */
const hasty = {
	now: () => Date.now(),
	sleep: (ms: number, signal?: AbortSignal) =>
		new Promise<void>((resolve, reject) => {
			if (signal?.aborted) return reject(signal.reason);
			const timer = setTimeout(resolve, ms <= 5_000 ? ms / 10 : ms);
			signal?.addEventListener('abort', () => {
				clearTimeout(timer);
				reject(signal.reason);
			});
		})
};

export function optionsOf(scenario: Scenario): AgentOptions {
	return {
		identity: { id: 'ada-demo', name: 'Ada', description: 'Books journeys' },
		transport: scripted(scenario.turns),
		clock: hasty,
		registry: createRegistry(),
		// The passport is nobody's business but where the story is about it.
		consent: scenario.private ? {} : { deny: ['ticket.passport'] },
		...scenario.options
	};
}

export function registerDesk(registry: CapabilityRegistry, ticket: Ticket, archive?: Ticket): void {
	registry.register(ticketManifest, ticket, { id: 'ticket', label: 'Ticket' });
	if (archive) registry.register(ticketManifest, archive, { id: 'archive', label: 'Archive' });
}
