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
import type { StateWords } from './words.js';

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

/** Why a step asks a person, or may not happen at all, as a card and the turn line say it. */
export const gates = ['tainted', 'several', 'weak', 'rule', 'denied'] as const;

/** The states of a run, each held long enough to be looked at. */
export const phases = [
	'offered',
	'planned',
	'reviewing',
	'authorized',
	'acting',
	'escalated',
	'returned',
	'cancelled'
] as const;
export type PhaseId = (typeof phases)[number];
export type ReasonId = (typeof reasons)[number] | (typeof gates)[number] | PhaseId;

export interface Scenario {
	options?: Partial<AgentOptions>;
	run?: RunOptions;
	turns: readonly ScriptedTurn[];
	/** Things that happen around the run: hands of others, stores that fill up. */
	around?(agent: EngineAgent, ticket: Ticket): (() => void) | void;
	/** Leaves the private read to be asked for. */
	private?: true;
	/** Papers on the desk that somebody else wrote. */
	papers?: readonly PaperId[];
	/** What happens to it at once. */
	then?: 'pause' | 'stop';
	/** It is offered, and nobody has accepted. */
	offer?: true;
}

export type PaperId = 'letter' | 'notice' | 'chat';

/** A text of a stranger. */
export interface Paper {
	readonly text: string;
}

const paperManifest = defineManifest<Paper>()({
	kind: 'paper',
	description: 'A text somebody sent',
	reads: {
		text: {
			description: 'What it says',
			read: (paper) => paper.text,
			version: () => 1,
			trust: 'imported',
			sensitivity: 'page'
		}
	},
	acts: {}
});

/** Longer than anybody looks at one state, in ms. */
const LONG = 600_000;

const ticketManifest = (words: StateWords) =>
	defineManifest<Ticket>()({
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
					fields: [{ path: 'title', label: words.name, before: ticket.title, after: title }]
				}),
				perform: (ticket, { title }, call) => {
					ticket.rename(title, call.run);
					return done();
				}
			},
			share: {
				description: words.shares,
				args: z.strictObject({ to: z.string().describe('Address'), note: z.string().describe('A note') }),
				effect: 'irreversible',
				reach: 'world',
				touches: ['title'],
				perform: () => done()
			},
			hold: {
				description: words.holds,
				args: z.strictObject({ seat: z.string().describe('Seat') }),
				effect: 'reversible',
				reach: 'app',
				touches: [],
				perform: () => done()
			},
			print: {
				description: 'Print the ticket',
				args: z.strictObject({}),
				effect: 'reversible',
				touches: [],
				timeoutMs: LONG,
				// The printer takes its time.
				perform: () => new Promise<ReturnType<typeof done>>(() => {})
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
				preview: () => ({ kind: 'note', text: words.books }),
				perform: () => unknown('no-answer', words.unanswered)
			},
			discount: {
				description: 'Ask the railway for a discount',
				args: z.strictObject({}),
				effect: 'reversible',
				touches: ['title'],
				perform: (_, _args, call) =>
					call.answer === undefined
						? escalate({
								text: words.signIn,
								schema: z.strictObject({ signedIn: z.boolean().describe(words.signedIn) }),
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
const share = (words: StateWords) => ({
	instance: 'ticket',
	act: 'share',
	args: { to: 'seats@bahn-plaetze.example', note: words.goal }
});
const auto = { policy: { ceiling: 'auto' as const } };

/** Somebody else has the ticket in hand, and does not let go. */
const held: NonNullable<AgentOptions['locks']> = {
	acquire: (_, signal) =>
		new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
};

/** A transport whose first answer no longer fits what the other side holds, nor the one it is asked for anew at once. */
function outOfStep(turns: readonly ScriptedTurn[], ahead: string): AgentTransport {
	const line = scripted(turns);
	let misses = 2;
	return {
		name: 'out-of-step',
		async *open(request, signal) {
			if (misses === 0) return yield* line.open(request, signal);
			misses -= 1;
			yield {
				type: 'error',
				reason: { code: 'desync', text: ahead },
				retryable: true
			};
		}
	};
}

/** A store whose writes can be made to fail. */
function failing(answer: 'throws' | 'fenced', full: string): JournalStore {
	const store = memoryStore();
	const after = 1;
	let writes = 0;
	let broken = true;
	return {
		append: async (...args) => {
			if (broken && ++writes > after) {
				// Whoever tries again finds it mended.
				if (writes > after + 1) broken = false;
				else if (answer === 'fenced') return 'fenced';
				else throw new Error(full);
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

/** Every scenario, in the words of one language. */
export function scenariosIn(words: StateWords): Record<ReasonId, Scenario> {
	const over = { say: words.done };
	const print = { instance: 'ticket', act: 'print', args: {} };
	const slowly = { say: words.thinks, paceMs: LONG };
	return {
		offered: { offer: true, turns: [over] },
		planned: {
			options: {
				policy: { ceiling: 'auto', rules: [{ verdict: 'deny', act: 'book', reason: words.denyRule }] }
			},
			turns: [{ calls: [{ instance: 'ticket', act: 'book', args: {} }] }, slowly]
		},
		reviewing: { turns: [{ say: words.books, calls: [rename(words.porto), share(words)] }, over] },
		authorized: { options: { ...auto, locks: held }, turns: [{ calls: [rename(words.porto)] }, over] },
		acting: { options: auto, turns: [{ calls: [rename(words.porto), print] }, over] },
		escalated: {
			options: auto,
			run: { budget: { acts: 1 } },
			turns: [{ calls: [rename(words.lisbon), rename(words.porto)] }, { say: words.spent }, over]
		},
		returned: { options: auto, turns: [{ calls: [rename(words.porto)] }, over] },
		cancelled: { then: 'stop', turns: [slowly] },
		question: {
			turns: [
				{
					control: [
						{
							name: 'ask',
							args: {
								text: words.whichClass,
								schema: {
									type: 'object',
									properties: { class: { type: 'string', enum: [...words.classes], title: words.class } },
									required: ['class']
								}
							}
						}
					]
				},
				{ say: words.thanks }
			]
		},
		budget: {
			options: auto,
			run: { budget: { acts: 1 } },
			turns: [{ calls: [rename(words.lisbon), rename(words.porto)] }, { say: words.spent }, over]
		},
		scope: {
			options: auto,
			run: { instances: ['ticket'] },
			turns: [
				{ calls: [{ instance: 'archive', act: 'rename', args: { title: words.old } }] },
				{ calls: [{ instance: 'archive', act: 'rename', args: { title: words.old } }] },
				{ calls: [{ instance: 'archive', act: 'rename', args: { title: words.old } }] },
				over
			]
		},
		drift: {
			turns: [
				{ calls: [rename(words.porto)] },
				{ calls: [rename(words.porto)] },
				{ calls: [rename(words.porto)] },
				{ calls: [rename(words.porto)] },
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
			turns: [{ calls: [{ instance: 'ticket', act: 'book', args: {} }] }, over]
		},
		consent: {
			private: true,
			turns: [{ control: [{ name: 'pull', args: { instance: 'ticket', read: 'passport' } }] }, over]
		},
		auth: {
			options: auto,
			turns: [{ calls: [{ instance: 'ticket', act: 'discount', args: {} }] }, over]
		},
		stall: {
			options: auto,
			turns: [{ calls: [look] }, { calls: [look] }, { calls: [look] }, { calls: [look] }, over]
		},
		transport: {
			turns: [
				{ fail: { text: words.dead, retryable: true } },
				{ fail: { text: words.dead, retryable: true } },
				{ fail: { text: words.dead, retryable: true } },
				over
			]
		},
		desync: {
			options: { transport: outOfStep([over], words.ahead) },
			turns: []
		},
		store: {
			options: { ...auto, store: failing('throws', words.full) },
			turns: [{ calls: [rename(words.porto)] }, over]
		},
		owner: {
			options: { ...auto, store: failing('fenced', words.full) },
			turns: [{ calls: [rename(words.porto)] }, over]
		},
		tainted: {
			options: auto,
			papers: ['letter'],
			turns: [{ say: words.obeys, calls: [share(words)] }, over]
		},
		several: {
			options: auto,
			papers: ['letter', 'notice', 'chat'],
			turns: [{ say: words.obeys, calls: [share(words)] }, over]
		},
		weak: {
			options: auto,
			papers: ['letter'],
			turns: [{ calls: [{ instance: 'ticket', act: 'hold', args: { seat: '14A' } }] }, over]
		},
		rule: {
			options: {
				policy: {
					ceiling: 'auto',
					rules: [{ verdict: 'ask', act: 'rename', reason: words.askRule }]
				}
			},
			turns: [{ calls: [rename(words.porto)] }, over]
		},
		denied: {
			options: {
				policy: {
					ceiling: 'auto',
					rules: [{ verdict: 'deny', act: 'book', reason: words.denyRule }]
				}
			},
			turns: [{ calls: [{ instance: 'ticket', act: 'book', args: {} }] }, { say: words.notDone }]
		},
		paused: {
			options: auto,
			then: 'pause',
			turns: [{ say: words.thinks, paceMs: 30, calls: [rename(words.porto)] }, over]
		}
	};
}

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

export function registerDesk(
	registry: CapabilityRegistry,
	words: StateWords,
	ticket: Ticket,
	{ archive, papers = [] }: { archive?: Ticket | undefined; papers?: readonly PaperId[] | undefined } = {}
): void {
	const manifest = ticketManifest(words);
	registry.register(manifest, ticket, { id: 'ticket', label: words.ticket });
	for (const id of papers)
		registry.register(paperManifest, { text: words.papers[id].text }, { id, label: words.papers[id].label });
	if (archive) registry.register(manifest, archive, { id: 'archive', label: words.archive });
}
