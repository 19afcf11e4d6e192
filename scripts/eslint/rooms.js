// Who may import whom. The table is the architecture; the lint rule `walls/imports` and its test read it.
// A name in `values` or `types` is a folder of src/lib or one file of it, without extension.
import { readFileSync } from 'node:fs';
import { dirname, posix, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * @typedef {object} Room
 * @property {string} name folder of src/lib, or a file of it without extension
 * @property {readonly string[]} values what it may import
 * @property {readonly string[]} [types] what it may import with `import type` alone
 * @property {'none' | 'svelte' | 'peers'} packages packages it may import
 * @property {readonly string[]} [only] beginnings of the names of those it may import, where not all
 * @property {string} wall the law, in one sentence
 * @property {string} cure what to do instead
 */

export const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

/** The rooms of the art from left to right; each imports only rooms to its left. */
const ART = ['protocol', 'run', 'journal', 'capability', 'effects', 'steer', 'gate', 'engine', 'active'];
const art = ART.map((room) => `agent/${room}`);
const MANIFEST_ENTRY = 'agent/capability/index';

/** @param {string} room @param {number} index @returns {Room} */
const artRoom = (room, index) => ({
	name: `agent/${room}`,
	values: ['actor', ...art.slice(0, index)],
	packages: room === 'active' ? 'svelte' : 'none',
	wall: `the art never imports surfaces, the DOM binding or Svelte, and its rooms read left to right: actor < ${ART.join(' < ')}`,
	cure: 'Move the shared part to a room further left, or take it as a port of EngineAgent.'
});

/** @type {readonly Room[]} */
const ROOMS = [
	{
		name: 'actor',
		values: [],
		packages: 'none',
		wall: 'actor imports nothing: both sides of the house stand on it',
		cure: 'Pass what it needs as an argument.'
	},
	...ART.map(artRoom),
	{
		name: 'agent/adapters',
		values: ['agent/protocol'],
		types: ['actor'],
		packages: 'none',
		wall: 'an adapter translates one wire and imports protocol only',
		cure: 'Yield TurnEvents; what the engine does with them is its own business.'
	},
	{
		name: 'agent/stores',
		values: ['agent/protocol', 'agent/journal'],
		types: ['actor'],
		packages: 'none',
		wall: 'a store imports journal and protocol only',
		cure: 'Keep lines and blobs; the engine decides what is written.'
	},
	{
		name: 'agent/index',
		values: ['actor', ...art.slice(0, -1)],
		packages: 'none',
		wall: 'the engine entry is pure: no Svelte, no adapter, no store',
		cure: 'Adapters and stores are entries of their own; ActiveAgent is exported by src/lib/index.ts.'
	},
	{
		name: 'uix',
		values: ['actor'],
		packages: 'svelte',
		wall: 'uix imports actor at most: it knows nothing of agents',
		cure: 'Bring agent facts in as an event or an attribute, from mount or a surface.'
	},
	{
		name: 'langs',
		values: [],
		types: ['actor', 'agent/protocol'],
		packages: 'none',
		wall: 'langs import types of protocol only',
		cure: 'Write `import type`, and compute the value where the sentence is asked for.'
	},
	{
		name: 'mount',
		values: [
			'actor',
			'agent/active',
			MANIFEST_ENTRY,
			'agent/capability/results',
			'uix/soma',
			'uix/morfo',
			'uix/development'
		],
		types: ['langs', ...art],
		packages: 'svelte',
		wall: 'mount binds ActiveAgent to Svelte and the DOM: agent/active, the manifest entry with its result makers, actor, soma and morfo; of the art and langs otherwise types, of canon nothing',
		cure: 'Reach the engine through ActiveAgent; a surface is mounted by the app, not by AgentRoot.'
	},
	...['@tiptap/core', '@prosekit/core'].map((library) => ({
		name: `canon/participants/document/${/\w+/.exec(library)?.[0]}`,
		values: ['actor', 'uix', 'canon/participants/document'],
		packages: /** @type {const} */ ('peers'),
		only: ['prosemirror-', library],
		wall: `the ${library} adapter of the document imports ProseMirror and ${library} only`,
		cure: 'Put what every editor needs into the document itself.'
	})),
	{
		name: 'canon/participants/document',
		values: ['actor', 'uix'],
		packages: 'peers',
		only: ['prosemirror-'],
		wall: 'the parts of the document know ProseMirror and nothing of agents, of Svelte or of one editor built on it',
		cure: 'Ask who acts through actor; what an agent may do stands in document.manifest.ts, what one editor needs in its adapter.'
	},
	{
		name: 'canon',
		values: ['actor', 'uix', 'langs', 'agent/active', MANIFEST_ENTRY, 'mount/context'],
		types: ['mount', ...art],
		packages: 'peers',
		wall: 'canon uses uix, actor, langs, the manifest entry, ActiveAgent by context, and types of the art',
		cure: 'Write `import type`, or read it from the ActiveAgent that mount/context gives.'
	},
	{
		name: 'blocks',
		values: ['actor', 'uix', 'langs', 'agent/active', MANIFEST_ENTRY, 'mount', 'canon'],
		types: art,
		packages: 'svelte',
		wall: 'a block composes canon',
		cure: 'Write `import type`, or compose a surface that already does it.'
	},
	{
		name: 'borders',
		values: ['actor', ...art],
		packages: 'peers',
		wall: 'a border lets outside callers through the same manifests and the same gate',
		cure: 'Call the engine; a border has no surface.'
	},
	{
		name: 'relay',
		values: ['actor', 'agent/protocol', 'agent/adapters'],
		packages: 'none',
		wall: 'relay is a request handler on somebody’s backend: protocol and adapters only',
		cure: 'Keep keys there, and nothing else.'
	},
	{
		name: 'testing',
		values: ['actor', 'agent'],
		types: ['langs', 'uix'],
		packages: 'none',
		wall: 'testing may import anything of the art, and no surface',
		cure: 'Take the rendered document as an argument.'
	},
	{
		name: 'index',
		values: ['actor', ...art, 'langs', 'mount', 'canon', 'blocks', 'uix'],
		packages: 'none',
		wall: 'the everyday face reaches no adapter, no store, no testing tool and no border',
		cure: 'Give it an entry of its own in the `exports` of package.json.'
	}
];

/** What the site may import: the entries of the package, by their path in src/lib. */
const PUBLIC = [
	/^index$/,
	/^agent\/index$/,
	/^agent\/capability\/index$/,
	/^testing\/index$/,
	/^relay\/index$/,
	/^agent\/(adapters|stores)\/[^/]+$/,
	/^canon\/participants\/[^/]+\/index$/,
	/^canon\/participants\/document\/(tiptap|prosekit)$/,
	/\.css$/
];

/** Packages an app brings along. Whatever else src/lib imported would have to be a dependency. */
const peers = Object.keys(
	JSON.parse(readFileSync(resolve(ROOT, 'package.json'), 'utf8')).peerDependencies ?? {}
);

/** @param {string} path absolute or from the root @returns {string} from the root, with slashes */
export const fromRoot = (path) => relative(ROOT, resolve(ROOT, path)).split(sep).join('/');

/** @param {string} path */
const bare = (path) => path.replace(/(\.svelte)?\.(ts|js|mjs)$/, '').replace(/\.svelte$/, '');

/** @param {string} path @param {readonly string[]} names */
const within = (path, names) => names.some((name) => path === name || path.startsWith(`${name}/`));

/** @param {string} path in src/lib, without extension @returns {Room | undefined} */
function roomOf(path) {
	const folder = posix.dirname(path);
	if (path.endsWith('.provider'))
		return {
			name: path,
			values: ['actor', 'uix', ...(folder === '.' ? [] : [folder])],
			packages: 'peers',
			wall: 'a provider knows nothing of agents, not even a type',
			cure: 'Give it plain methods; its manifest says which of them an agent may call.'
		};
	const part = /^(canon\/participants\/[^/]+)\/manifest$/.exec(folder)?.[1];
	if (part !== undefined || path.endsWith('.manifest'))
		return {
			name: path,
			values: [
				MANIFEST_ENTRY,
				'canon/participants/schema',
				part === undefined ? path.replace(/\.manifest$/, '.provider') : folder,
				`${part ?? folder}/manifest`
			],
			types: [part ?? folder, 'actor', ...art],
			packages: 'none',
			wall: 'a manifest imports agent/capability/index.js, canon/participants/schema.js, its own provider and the folder "manifest" beside it only',
			cure: 'Put the work into a public method of the provider; for shapes write `import type`.'
		};
	return ROOMS.find(({ name }) => within(path, [name]));
}

/**
 * The path in src/lib that a specifier leads to; undefined when it is a package or lies elsewhere.
 * @param {string} file importing file, from the root
 * @param {string} specifier
 */
function inLib(file, specifier) {
	if (specifier.startsWith('$lib/')) return bare(posix.normalize(specifier.slice(5)));
	if (specifier.startsWith('$agent/')) return bare(posix.normalize(`agent/${specifier.slice(7)}`));
	if (!specifier.startsWith('.')) return undefined;
	const target = posix.join(posix.dirname(file), specifier);
	return target.startsWith('src/lib/') ? bare(target.slice(8)) : undefined;
}

/**
 * The packages a file of the library may import.
 * @param {Room} room @param {string} specifier @param {boolean} typeOnly
 */
function refusesPackage(room, specifier, typeOnly) {
	if (/^\$(lib|agent)\b/.test(specifier))
		return 'Inside src/lib imports are relative: write `../…/x.js`, the alias is for the site.';
	const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
	if (room.only && !room.only.some((beginning) => name.startsWith(beginning)))
		return `Wall: ${room.wall}. ${room.name} may not import the package "${specifier}". ${room.cure}`;
	if (name === 'svelte' && (room.packages !== 'none' || (typeOnly && room.name === 'index')))
		return undefined;
	if (name !== 'svelte' && peers.includes(name) && (room.packages === 'peers' || typeOnly)) return undefined;
	const cure = peers.includes(name)
		? room.cure
		: 'The package has no dependencies: take a structural type, or declare an optional peer and import it in canon.';
	return `Wall: ${room.wall}. ${room.name} may not import the package "${specifier}". ${cure}`;
}

/**
 * Judges one import.
 * @param {string} path importing file, absolute or from the root
 * @param {string} specifier
 * @param {boolean} typeOnly
 * @returns {string | undefined} the message, when a wall stands in between
 */
export function refuses(path, specifier, typeOnly) {
	const file = fromRoot(path);
	const target = inLib(file, specifier);
	if (!file.startsWith('src/lib/')) {
		if (!file.startsWith('src/') || target === undefined) return undefined;
		if (PUBLIC.some((entry) => entry.test(target))) return undefined;
		return `Wall: the site uses public entries, as an app does. "${specifier}" is internal: import it from $lib/index.js, $lib/agent/index.js, $lib/testing/index.js, an adapter, a store or a participant's index.`;
	}
	const source = bare(file.slice(8));
	const room = roomOf(source);
	if (!room)
		return `Wall: ${file} lies in no room. Name the room and what it may import in scripts/eslint/rooms.js.`;
	if (target === undefined || !specifier.startsWith('.')) {
		if (!specifier.startsWith('.')) return refusesPackage(room, specifier, typeOnly);
		return `Wall: what is published lies in src/lib. "${specifier}" leaves it: move the file in, or pass the value.`;
	}
	const manifest = target.endsWith('.manifest') && source.endsWith('.provider');
	if (!manifest) {
		const own = room.name !== source && within(target, [room.name]);
		if (own || within(target, room.values) || (typeOnly && within(target, room.types ?? [])))
			return undefined;
	}
	return `Wall: ${room.wall}. ${source} may not import ${typeOnly ? 'even types of ' : ''}${target}. ${room.cure}`;
}
