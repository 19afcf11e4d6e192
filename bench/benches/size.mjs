import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { weigh } from '../weigh.mjs';

const lib = resolve(import.meta.dirname, '../../src/lib');
const { devDependencies: pinned } = JSON.parse(
	readFileSync(resolve(import.meta.dirname, '../package.json'), 'utf8')
);

const ENGINE = ['defineActiveAgent', 'AgentRoot', 'registerManifest', 'expose', 'capabilities'];
/** Surfaces of the everyday face; a later one is weighed as soon as it is exported. */
const SURFACES = ['Announcer', 'Aura', 'ReviewCard', 'QuestionCard', 'Activity', 'CopilotPanel', 'RunTrail'];

/**
 * What each peer needs for a run with tools, and what it adds for a chat a person can use.
 * `ui: ''` where the package has no view of its own.
 */
const PEERS = {
	'assistant-ui': {
		pin: '@assistant-ui/react',
		engine: `export { AssistantRuntimeProvider, useLocalRuntime, useAssistantTool, useAssistantInstructions } from '@assistant-ui/react';`,
		ui: `export { ThreadPrimitive, MessagePrimitive, ComposerPrimitive, ActionBarPrimitive } from '@assistant-ui/react';`
	},
	copilotkit: {
		pin: '@copilotkit/react-ui',
		engine: `export { CopilotKit, useCopilotAction, useCopilotReadable } from '@copilotkit/react-core';`,
		ui: `export { CopilotPopup } from '@copilotkit/react-ui';\nimport '@copilotkit/react-ui/styles.css';`
	},
	'ai-sdk': {
		pin: '@ai-sdk/svelte',
		engine: `export { Chat } from '@ai-sdk/svelte';\nexport { DefaultChatTransport } from 'ai';`,
		ui: ''
	},
	'copilotkit-core': {
		pin: '@copilotkit/core',
		engine: `export { CopilotKitCore } from '@copilotkit/core';`,
		ui: ''
	},
	hashbrown: {
		pin: '@hashbrownai/core',
		engine: `export { fryHashbrown } from '@hashbrownai/core';`,
		ui: ''
	},
	tanstack: {
		pin: '@tanstack/ai-client',
		engine: `export { ChatClient, fetchServerSentEvents } from '@tanstack/ai-client';`,
		ui: ''
	}
};

/** @param {number} value */
const kb = (value) => Math.round(value * 100) / 100;

/** @param {{ script: number, style: number }} weight */
const total = ({ script, style }) => script + style;

/** @param {string} name @param {(number | string)[]} cells */
const row = (name, ...cells) =>
	name.padEnd(34) +
	cells.map((cell) => (typeof cell === 'number' ? cell.toFixed(1) : cell).padStart(12)).join('');

async function ours() {
	const face = resolve(lib, 'index.ts');
	/** @param {readonly string[]} names */
	const from = (names) => `export { ${names.join(', ')} } from ${JSON.stringify(face)};\n`;
	const exported = readFileSync(face, 'utf8');
	const surfaces = SURFACES.filter((name) => new RegExp(`\\b${name}\\b`).test(exported));
	const style = `import ${JSON.stringify(resolve(lib, 'styles.css'))};\n`;
	const bare = await weigh(from(ENGINE));
	const engine = total(bare);
	const all = await weigh(from([...ENGINE, ...surfaces]) + style);
	const whole = total(all);
	// What a run with tools needs without a view: the engine, its runes and one wire.
	const wired = await weigh(
		`${from(['defineActiveAgent', 'ActiveAgent'])}export { openai } from ${JSON.stringify(resolve(lib, 'agent/adapters/openai.ts'))};`
	);
	/** @type {Record<string, number>} */
	const adapters = {};
	/** @type {Record<string, number>} */
	const adaptersLazy = {};
	for (const file of readdirSync(resolve(lib, 'agent/adapters')).sort()) {
		if (!file.endsWith('.ts')) continue;
		const weight = await weigh(`export * from ${JSON.stringify(resolve(lib, 'agent/adapters', file))};`);
		const name = file.replace(/\.ts$/, '');
		adapters[name] = kb(total(weight));
		adaptersLazy[name] = kb(weight.lazy);
	}
	const added = whole - engine;
	return { engine, wired, surfaces: added, lazy: all.lazy, adapters, adaptersLazy, named: surfaces };
}

/** Kilobytes of gzip: ours from the source, peers from their pinned packages, by one and the same build. */
export async function bench() {
	const own = await ours();
	const table = [row('KB gzip', 'engine', '+ surfaces', 'together', 'lazy')];
	table.push(row('@activeuix/agent', own.engine, own.surfaces, own.engine + own.surfaces, own.lazy));
	/** @type {Record<string, { engine: number, surfaces?: number }>} */
	const peers = {};
	/** @type {Record<string, number>} */
	const lazy = {};
	for (const [name, { pin, engine, ui }] of Object.entries(PEERS)) {
		const bare = await weigh(engine);
		const whole = ui ? await weigh(`${engine}\n${ui}`) : undefined;
		lazy[name] = bare.lazy;
		const added = whole ? total(whole) - total(bare) : undefined;
		peers[name] = { engine: kb(total(bare)), ...(added === undefined ? {} : { surfaces: kb(added) }) };
		table.push(
			row(
				`${pin} ${pinned[pin]}`,
				total(bare),
				added ?? 'none',
				whole ? total(whole) : 'none',
				(whole ?? bare).lazy
			)
		);
	}
	table.push(row('a run without a view', 'first', 'lazy'));
	table.push(row('  engine, ActiveAgent, openai', total(own.wired), own.wired.lazy));
	for (const [name, { engine }] of Object.entries(peers).sort(([, a], [, b]) => a.engine - b.engine))
		table.push(row(`  ${name}`, engine, lazy[name]));
	for (const [name, weight] of Object.entries(own.adapters))
		table.push(row(`  adapter ${name}`, weight, own.adaptersLazy[name]));
	const lightest = Math.min(
		...Object.values(peers)
			.filter((peer) => peer.surfaces !== undefined)
			.map((peer) => peer.engine + (peer.surfaces ?? 0))
	);
	return {
		figures: {
			engine: kb(own.engine),
			surfaces: kb(own.surfaces),
			lazy: kb(own.lazy),
			wired: kb(total(own.wired)),
			wiredLazy: kb(own.wired.lazy),
			adapters: own.adapters,
			adaptersLazy: own.adaptersLazy
		},
		peers,
		ratio: kb(lightest / (own.engine + own.surfaces)),
		table,
		notes: [
			'One production build with Vite for all, minified, gzip -9. React is external for React peers as Svelte is for ours.',
			`Surfaces here: ${own.named.join(', ')}, with the English sentences and the CSS.`,
			'lazy: what is loaded later, sheets included. Ours comes whole with the first run, call or undo of the page; bodies of surfaces also when the page rests.',
			'ratio: the lightest peer that has a user interface, engine and surfaces together, ÷ ours.',
			'A run without a view: what a page loads to run tools over one wire.',
			'An adapter is weighed alone, with all that the wires share; two of them share it. lazy: what its first request brings.',
			'assistant-ui ships unstyled primitives (its look is copied into the app, so it is not counted); AI SDK and TanStack have no interface.',
			'Weight is not scope: peers do things this package does not (generated interfaces, MCP apps, hosted threads).'
		]
	};
}
