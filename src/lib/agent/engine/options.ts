import type { Actor } from '../../actor/actor.js';
import type { CapabilityRegistry } from '../capability/registry.js';
import type { PolicyRule } from '../gate/policy.js';
import type { Clock, Ids, JournalStore, LockPort, Random } from '../protocol/ports.js';
import type { RunState, Update } from '../protocol/run-state.js';
import type { AgentTransport } from '../protocol/turn.js';
import type { Budget, Label, Level } from '../protocol/words.js';

/** Who the agent is; told to the model, shown to the person, kept with everything it does. @since 0.1.0 */
export interface AgentIdentity {
	id: string;
	name: string;
	description: string;
	version?: string;
}

/** What an engine is made of. Only identity and transport are needed. @since 0.1.0 */
export interface AgentOptions {
	identity: AgentIdentity;
	transport: AgentTransport;
	instructions?: string;
	policy?: {
		/** The most the app allows. @default 'review' */
		ceiling?: Level;
		/** The person's setting. @default the ceiling */
		user?: Level;
		rules?: readonly PolicyRule[];
		/** Bump it when the function of a rule changes. */
		version?: string;
	};
	/** Finite defaults for every limit, see {@link Budget}. */
	budget?: Partial<Budget>;
	context?: {
		/** What the page may take of a request, by `estimate`. @default 4,000 */
		tokens?: number;
		/** What the tools may take, descriptions, schemas and ids together; @default 8,000 */
		toolTokens?: number;
		/** Tokens of a text. @default a quarter of its characters */
		estimate?: (text: string) => number;
	};
	/** Entries: `kind`, `kind.read`, `#instance`, `#instance.read`, `@category`. A private read not named asks once a run. */
	consent?: { allow?: readonly string[]; ask?: readonly string[]; deny?: readonly string[] };
	/** How long things wait, in milliseconds. A review or escalation that runs out never approves. */
	patience?: {
		/** @default 24 h */
		reviewMs?: number;
		/** @default 24 h */
		escalationMs?: number;
		/** How long a stop waits for acts under way. @default 10 s */
		settleMs?: number;
		/** Silence of a transport. @default 60 s */
		turnMs?: number;
	};
	/**
	 * Says what an update means that fixed rules cannot tell: a model of the app's, a table of its own. What it cannot tell
	 * either is put to the person.
	 * @default the person is asked
	 */
	classify?: (text: string, run: RunState) => Update | undefined | Promise<Update | undefined>;
	registry?: CapabilityRegistry;
	store?: JournalStore;
	/** What to do with runs found open at start. @default 'return' */
	recovery?: 'return' | 'resume' | ((run: RunState) => 'return' | 'resume');
	/**
	 * How many runs that have ended a store gives back to a page that is loaded again, the latest; those that share a thread
	 * with an open run always. @default 20
	 */
	history?: number;
	/** Head of the chain, to keep elsewhere. */
	onhead?: (run: string, seq: number, hash: string) => void;
	/** Nothing runs: what the reactive wrapper sets on a server. @default false */
	inert?: boolean;
	clock?: Clock;
	ids?: Ids;
	random?: Random;
	locks?: LockPort;
}

/** What is to be delegated. Attachments are text of others unless their label says otherwise. @since 0.1.0 */
export interface Goal {
	text: string;
	attachments?: readonly { name: string; text: string; label?: Partial<Label> }[];
}

/** How one run differs from the engine's defaults; it can only be stricter. @since 0.1.0 */
export interface RunOptions {
	/** @default the app */
	by?: Actor;
	/** @default a new thread */
	thread?: string;
	successorOf?: string;
	/** Instances the run may read and act on. @default all */
	instances?: readonly string[];
	level?: Level;
	budget?: Partial<Budget>;
	/** What to do while another run is live. @default 'queue' */
	whenBusy?: 'queue' | 'supersede' | 'refuse';
}
