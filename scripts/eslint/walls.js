// The walls of the house as lint rules. Each message names the wall and the cure.
import { fromRoot, refuses } from './rooms.js';

/** The one file whose one call reaches an act; see `walls/one-door`. */
const DOOR = 'src/lib/agent/engine/dispatch.ts';
/** `expose` hands a closure to the registry as the `perform` of an act: a wrapper the same door calls. */
const WRAPPER = 'src/lib/mount/expose.ts';

/** @param {string} description @returns {import('eslint').Rule.RuleMetaData} */
const meta = (description) => ({ type: 'problem', docs: { description }, schema: [] });

/** `perform` and `perform.call` alike. @param {any} node @returns {any} the member or name `perform` */
function performIn(node) {
	if (node.type === 'ChainExpression' || node.type === 'TSNonNullExpression')
		return performIn(node.expression);
	if (node.type === 'Identifier') return node.name === 'perform' ? node : undefined;
	if (node.type !== 'MemberExpression') return undefined;
	const name = node.computed ? node.property.value : node.property.name;
	if (name === 'perform') return node;
	return ['call', 'apply', 'bind'].includes(name) ? performIn(node.object) : undefined;
}

/** @type {import('eslint').Rule.RuleModule} */
const imports = {
	meta: meta('A room imports only what the table in rooms.js allows'),
	create(context) {
		/** @param {any} node @param {any} source @param {boolean} typeOnly */
		const check = (node, source, typeOnly) => {
			if (typeof source?.value !== 'string') return;
			const message = refuses(context.filename, source.value, typeOnly);
			if (message) context.report({ node, message });
		};
		/** @param {any} node @param {'importKind' | 'exportKind'} kind */
		const typeOnly = (node, kind) =>
			node[kind] === 'type' ||
			(node.specifiers?.length > 0 &&
				node.specifiers.every((/** @type {any} */ one) => one[kind] === 'type'));
		return {
			ImportDeclaration: (node) => check(node, node.source, typeOnly(node, 'importKind')),
			ExportNamedDeclaration: (node) => check(node, node.source, typeOnly(node, 'exportKind')),
			ExportAllDeclaration: (node) => check(node, node.source, typeOnly(node, 'exportKind')),
			ImportExpression: (node) => check(node, node.source, false),
			/** @param {any} node */
			TSImportType: (node) => check(node, node.source ?? node.argument?.literal, true)
		};
	}
};

/** @type {import('eslint').Rule.RuleModule} */
const oneDoor = {
	meta: meta('Only the dispatch of the engine calls `perform`, once'),
	create(context) {
		const file = fromRoot(context.filename);
		let calls = 0;
		return {
			CallExpression(node) {
				if (!performIn(node.callee)) return;
				calls += 1;
				const inPerform = context.sourceCode
					.getAncestors(node)
					.some((/** @type {any} */ one) => one.type === 'Property' && one.key.name === 'perform');
				if (calls === 1 && (file === DOOR || (file === WRAPPER && inPerform))) return;
				context.report({
					node,
					message:
						file === DOOR
							? 'Wall: one door. A second call of `perform` would be a second door: let it pass through the first.'
							: `Wall: one door. Only ${DOOR} calls \`perform\`, behind \`admit\`. Propose the act to the engine (run or call), or call the provider's own method.`
				});
			}
		};
	}
};

/** @type {import('eslint').Rule.RuleModule} */
const admitted = {
	meta: meta('The door is opened in the tick of the last look'),
	create(context) {
		/** @type {any[]} */
		const functions = [];
		let imported = '';
		const enter = () => functions.push({ looked: false });
		const leave = () => functions.pop();
		/** @param {any} node @param {string} why */
		const report = (node, why) =>
			context.report({
				node,
				message: `Wall: one door. ${why} Call \`admit\` (or \`admitRead\`) in the same function before \`dispatch\`, with no await and no record in between.`
			});
		return {
			/** @param {any} node */
			'ImportDeclaration[source.value=/dispatch.js$/] > ImportSpecifier'(node) {
				if (node.imported.name === 'dispatch') imported = node.local.name;
			},
			':function': enter,
			':function:exit': leave,
			'AwaitExpression:exit'() {
				const here = functions.at(-1);
				if (here) here.looked = false;
			},
			'CallExpression:exit'(node) {
				const { callee } = node;
				const here = functions.at(-1);
				// Whoever hears of a record may change what was looked at.
				if (
					here &&
					callee.type === 'MemberExpression' &&
					'name' in callee.property &&
					callee.property.name === 'append'
				)
					here.looked = false;
				if (callee.type !== 'Identifier' || !imported) return;
				if (/^admit(Read)?$/.test(callee.name) && here) here.looked = true;
				if (callee.name === imported && !here?.looked)
					report(node, 'This act was not admitted in this tick.');
			},
			'ExportNamedDeclaration[source.value=/dispatch.js$/]': (/** @type {any} */ node) =>
				report(node, 'The door is not handed on.')
		};
	}
};

/** @type {import('eslint').Rule.RuleModule} */
const noFlushSync = {
	meta: meta('No flushSync in the library'),
	create(context) {
		/** @param {import('estree').Node} node */
		const report = (node) =>
			context.report({
				node,
				message:
					'Wall: never flushSync. It would run effects inside the scope of an actor and lend them its name. Await tick() outside of the scope, or let the frame come.'
			});
		return {
			"ImportSpecifier[imported.name='flushSync']": report,
			"MemberExpression[property.name='flushSync']": report
		};
	}
};

/** @type {import('eslint').Rule.RuleModule} */
const noServerFolder = {
	meta: meta('No folder is called `server`'),
	create: (context) => ({
		Program(node) {
			if (fromRoot(context.filename).split('/').slice(0, -1).includes('server'))
				context.report({
					node,
					message:
						'Wall: no folder is called `server`. Kits keep such a folder from the browser: name it for what it does.'
				});
		}
	})
};

/** @type {import('eslint').Rule.RuleModule} */
const noDependencies = {
	meta: meta('The package has no runtime dependencies'),
	create: (context) => ({
		/** @param {any} node */
		"Program > ExpressionStatement > ObjectExpression > Property[key.value='dependencies']"(node) {
			if (node.value.properties?.length === 0) return;
			context.report({
				node,
				message:
					'Wall: runtime dependencies stay empty. Take a structural type or an optional peer; tools go to devDependencies.'
			});
		}
	})
};

/** Lets a JSON file be read as one JavaScript expression. @type {import('eslint').Linter.Processor} */
const json = {
	meta: { name: 'walls/json' },
	preprocess: (text) => [{ text: `(${text}\n)`, filename: 'manifest.js' }],
	postprocess: (messages) => messages.flat()
};

export const walls = {
	meta: { name: 'walls' },
	processors: { json },
	rules: {
		admitted,
		imports,
		'no-dependencies': noDependencies,
		'no-flush-sync': noFlushSync,
		'no-server-folder': noServerFolder,
		'one-door': oneDoor
	}
};
