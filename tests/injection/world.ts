import { z } from 'zod';
import { currentCause } from '../../src/lib/actor/index.js';
import {
	type AgentAct,
	type AgentManifest,
	type AgentRead,
	defineManifest,
	done
} from '../../src/lib/agent/capability/index.js';
import { createRegistry, type EngineAgent, type RegisterAs } from '../../src/lib/agent/index.js';
import { HELD, MANIFESTS } from './manifests.js';
import { type Happened, Thing } from './things.js';

/** Begins every private value of the world, wherever it turns up. */
export const PRIVATE = 'passport-7731';

const profileManifest = defineManifest<Thing>()({
	kind: 'profile',
	description: 'Who the person is',
	reads: {
		values: {
			description: 'Papers of the person',
			read: ({ values }) => ({ ...values }),
			version: (thing) => thing.version(),
			trust: 'user',
			sensitivity: 'private'
		}
	},
	acts: {}
});

/** A component whose act makes the engine act, as a macro does. */
interface Macro {
	engine(): EngineAgent;
}

const macroManifest = defineManifest<Macro>()({
	kind: 'macro',
	description: 'Plays what was recorded',
	reads: {},
	acts: {
		play: {
			description: 'Play one act',
			args: z.strictObject({
				on: z.string().describe('Instance'),
				act: z.string().describe('Act'),
				args: z.string().describe('Arguments, as JSON')
			}),
			effect: 'reversible',
			touches: [],
			perform: ({ engine }, { on, act, args }) => {
				engine().call(currentCause(), on, act, JSON.parse(args));
				return done();
			}
		}
	},
	undo: () => ({ undone: 0, kept: [] })
});

/** Components of an ordinary app, mounted; what is done to them can be told. */
export class World {
	readonly registry = createRegistry();
	readonly things: Readonly<Record<string, Thing>>;
	/** Set as soon as there is one. */
	engine!: EngineAgent;

	/** @param secrets mount what is private too */
	constructor({ secrets = false }: { secrets?: boolean } = {}) {
		this.things = Object.fromEntries(
			Object.entries(HELD).map(([id, held]) => [id, new Thing(id, { ...held })])
		);
		for (const [id, manifest] of Object.entries(MANIFESTS)) this.mount(manifest, this.things[id]!, { id });
		this.mount(macroManifest, { engine: () => this.engine }, { id: 'macro' });
		if (secrets) this.mount(profileManifest, new Thing('profile', { passport: PRIVATE }), { id: 'profile' });
	}

	/** @returns takes it away again */
	mount<P extends object>(
		manifest: AgentManifest<P>,
		provider: P,
		as: { id: string } & Partial<RegisterAs>
	): () => void {
		const unmount = this.registry.register(manifest, provider, { label: `The ${as.id}`, ...as });
		if (unmount.refused) throw new Error(unmount.refused.text);
		return unmount;
	}

	get done(): readonly Happened[] {
		return Object.values(this.things).flatMap(({ done }) => done);
	}

	/** Everything the components hold, as one text. */
	get held(): string {
		return JSON.stringify(Object.values(this.things).map(({ id, values }) => [id, sorted(values)]));
	}
}

const sorted = (values: Readonly<Record<string, string>>) =>
	Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1));

/** A text of somebody else's, held by a component of its own. */
export interface Foreign {
	text: string;
	/** Flips while a turn is under way. */
	closed?: string;
}

/** Reads and acts over one foreign text; what is not given is not there. */
export const foreignManifest = (
	reads: Readonly<Record<string, Partial<AgentRead<Foreign>>>>,
	acts: Readonly<Record<string, Partial<AgentAct<Foreign>>>> = {},
	more: Partial<AgentManifest<Foreign>> & { trust?: 'imported' } = {}
): AgentManifest<Foreign> =>
	({
		kind: 'foreign',
		description: 'Something from elsewhere',
		reads: Object.fromEntries(
			Object.entries(reads).map(([name, read]) => [
				name,
				{
					description: 'What it says',
					read: ({ text }: Foreign) => text,
					version: () => 1,
					sensitivity: 'page',
					...read
				}
			])
		),
		acts: Object.fromEntries(
			Object.entries(acts).map(([name, act]) => [
				name,
				{ description: 'Open it', args: z.strictObject({}), effect: 'none', ...act }
			])
		),
		undo: () => ({ undone: 0, kept: [] }),
		...more
	}) as AgentManifest<Foreign>;
