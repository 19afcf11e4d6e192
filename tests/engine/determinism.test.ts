import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'vite';
import { describe, expect, test } from 'vitest';
import { canonical, type AgentTransport, type TurnEvent } from '../../src/lib/agent/index.js';
import { person } from '../../src/lib/testing/index.js';
import { bench, send, write } from '../fixtures/engine.js';
import { calls, events } from '../fixtures/transports.js';
import { tell } from '../fixtures/tale.js';

const run = promisify(execFile);

describe('one script, told twice', () => {
	test('S2-19 gives byte-equal journals, also by two engines at once', async () => {
		const [a, b, c] = await Promise.all([tell(), tell(), tell()]);
		expect(a.length).toBeGreaterThan(5000);
		expect(b).toBe(a);
		expect(c).toBe(a);
		expect(await tell()).toBe(a);
	});

	test('S2-19 gives byte-equal journals in two processes', async () => {
		const root = fileURLToPath(new URL('../..', import.meta.url));
		const out = await mkdtemp(join(root, 'node_modules', '.tale-'));
		try {
			await build({
				configFile: false,
				logLevel: 'silent',
				build: {
					ssr: join(root, 'tests/fixtures/tale.ts'),
					outDir: out,
					emptyOutDir: false,
					rollupOptions: { output: { entryFileNames: 'tale.mjs' } }
				}
			});
			await writeFile(
				join(out, 'main.mjs'),
				"import { tell } from './tale.mjs';\nprocess.stdout.write(await tell());\n"
			);
			const told = await Promise.all([1, 2].map(() => run(process.execPath, [join(out, 'main.mjs')])));
			expect(told[0]!.stdout).toBe(await tell());
			expect(told[1]!.stdout).toBe(told[0]!.stdout);
		} finally {
			await rm(out, { recursive: true, force: true });
		}
	}, 60_000);

	test('S2-19 another seed gives another journal, and the same story', async () => {
		const text = await tell(2);
		expect(text).not.toBe(await tell(1));
	});
});

describe('canonical', () => {
	const story = (ids: readonly [string, string], more: readonly TurnEvent[]): AgentTransport =>
		events(
			[
				{ type: 'text', delta: 'Both.' },
				...more,
				...calls(ids[0], 'sheet__write', { instance: 'sheet', key: 'amount', value: '1' }),
				...calls(ids[1], 'sheet__write', { instance: 'sheet', key: 'due', value: '2' }),
				{ type: 'end', reason: 'calls' }
			],
			[{ type: 'text', delta: 'Done.' }, ...more, { type: 'end', reason: 'stop' }]
		);

	async function whole(transport: AgentTransport) {
		const made = bench(transport, { policy: { ceiling: 'auto' } });
		const one = made.engine.run('x', { by: person });
		await made.settle();
		expect(one.state.outcome?.kind).toBe('completed');
		return one.journal;
	}

	test('S2-97 is equal where only wire ids, usage and echo differ', async () => {
		const a = await whole(story(['call_1', 'call_2'], []));
		const b = await whole(
			story(
				['toolu_XYZ', 'toolu_ABC'],
				[
					{ type: 'usage', usage: { input: 900, output: 80, cost: 0.001 } },
					{ type: 'reasoning', delta: 'hm', echo: { signature: 'opaque' } }
				]
			)
		);
		expect(JSON.stringify(a)).not.toBe(JSON.stringify(b));
		expect(canonical(b)).toBe(canonical(a));
	});

	test('S2-97 is not equal where a value, an order or a decision differs', async () => {
		const tellings = [
			[{ calls: [write('amount', '1'), write('due', '2')] }, { say: 'x' }],
			[{ calls: [write('due', '2'), write('amount', '1')] }, { say: 'x' }],
			[{ calls: [write('amount', '1'), write('due', '3')] }, { say: 'x' }],
			[{ calls: [write('amount', '1'), send('nobody')] }, { say: 'x' }]
		];
		const texts = [];
		for (const turns of tellings) {
			const made = bench(turns, { policy: { ceiling: 'auto' } });
			const one = made.engine.run('x', { by: person });
			await made.settle();
			texts.push(canonical(one.journal));
		}
		expect(new Set(texts).size).toBe(4);
	});
});
