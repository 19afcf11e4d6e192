import { afterEach, describe, expect, test, vi } from 'vitest';
import { canonical, verify, type AgentEvent, type AgentTransport } from '../../src/lib/agent/index.js';
import { person } from '../../src/lib/testing/index.js';
import { bench } from '../fixtures/engine.js';
import { serveTurns, WIRES, type Turn, type Wire } from '../fixtures/one-scenario.js';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
	for (const close of closing.splice(0)) await close();
});

const writes = (args: object) => ({
	name: 'sheet__write',
	raw: JSON.stringify({ instance: 'sheet', ...args })
});

/** One call is approved, one rejected, one lacks an argument; then another turn, in which one is refused by the sheet. */
const STORY: readonly Turn[] = [
	{
		text: 'I change the amount 💶 and the date.',
		calls: [
			writes({ key: 'amount', value: '1300 € — "naïve" 😀' }),
			writes({ key: 'due', value: '2027-01-01' }),
			writes({ key: 'city' })
		],
		usage: { input: 420, cacheRead: 300, output: 61 }
	},
	{
		text: 'The date stays. I send it.',
		calls: [{ name: 'sheet__send', raw: '{"instance":"sheet","to":"nobody"}' }],
		usage: { input: 500, cacheRead: 420, output: 17 }
	},
	{ text: 'There is nobody to send it to.', calls: [], usage: { input: 550, cacheRead: 500, output: 9 } }
];

const more = (call: Turn['calls'][number]): readonly Turn[] => [
	{ ...STORY[0]!, calls: [...STORY[0]!.calls, call] },
	...STORY.slice(1)
];

async function through(transport: AgentTransport) {
	const made = bench(transport, { policy: { ceiling: 'review' } });
	const heard: AgentEvent[] = [];
	made.engine.on((event) => heard.push(event));
	const run = made.engine.run('Correct the sheet', { by: person });
	const reviewed = new Set<string>();
	await vi.waitFor(
		async () => {
			await made.settle();
			const open = run.state.reviews.find(({ status }) => status === 'open');
			if (open && !reviewed.has(open.id)) {
				reviewed.add(open.id);
				const verdict = (i: number) => ({ verdict: i === 1 ? ('reject' as const) : ('approve' as const) });
				const steps = Object.fromEntries(open.steps.map((id, i) => [id, verdict(i)]));
				expect(run.decide({ review: open.id, steps }, person)).toEqual({ ok: true });
			}
			expect(run.state.outcome).toBeDefined();
		},
		{ interval: 2, timeout: 5000 }
	);
	return { ...made, run, heard };
}

async function over(wire: Wire, turns: readonly Turn[]) {
	const { url, asked, close } = await serveTurns(wire, turns);
	closing.push(close);
	return { ...(await through(wire.open(url))), asked };
}

/** Nothing of ours but the port. */
const byHand = (turns: readonly Turn[]): AgentTransport => {
	let index = 0;
	return {
		name: 'by hand',
		async *open() {
			const turn = turns[index++]!;
			yield { type: 'text', delta: turn.text };
			for (const [i, { name, raw }] of turn.calls.entries()) {
				const id = `hand-${index}-${i}`;
				yield { type: 'call.start', id, name };
				yield { type: 'call.end', id, verdict: raw.includes('\\d') ? 'invalid' : 'complete', raw };
			}
			yield { type: 'usage', usage: turn.usage };
			yield { type: 'end', reason: turn.calls.length > 0 ? 'calls' : 'stop' };
		}
	};
};

describe('S2-97 one scenario over every wire', () => {
	test('S2-97 is the scenario it says it is', async () => {
		const { run, sheet } = await through(byHand(STORY));
		expect(verify(run.journal)).toEqual([]);
		expect(run.state.outcome).toMatchObject({ kind: 'partial', text: 'There is nobody to send it to.' });
		expect(run.state.steps.map(({ status, reasons }) => [status, reasons.at(-1)?.code])).toEqual([
			['confirmed', 'level'],
			['rejected', 'rejected'],
			['refused', 'args-invalid'],
			['failed', 'nobody']
		]);
		expect(sheet.cells).toEqual({ amount: '1300 € — "naïve" 😀', due: '2026-12-15', city: 'Bilbao' });
		expect(run.state.turns).toHaveLength(3);
	});

	for (const wire of WIRES)
		test(`S2-97 S2-98 ${wire.name}: the same journal, the same figures, painted on the way`, async () => {
			const expected = await through(byHand(STORY));
			const { run, heard, asked, sheet } = await over(wire, STORY);
			expect(asked).toHaveLength(3);
			expect(canonical(run.journal)).toBe(canonical(expected.run.journal));
			expect(sheet.cells).toEqual(expected.sheet.cells);
			expect(run.state.budget.spent).toEqual(expected.run.state.budget.spent);
			const [turn] = run.state.turns;
			const said = heard.filter((event) => event.turn === turn!.id);
			const deltas = said.flatMap((event) => (event.type === 'text' ? [event.delta] : []));
			expect(deltas.length).toBeGreaterThan(2);
			expect(deltas.join('')).toBe(turn!.text);
			for (const event of said)
				if (event.type === 'call.end') {
					const pieces = said.flatMap((one) =>
						one.type === 'call.args' && one.id === event.id ? [one.delta] : []
					);
					if (wire.asText) expect(pieces.length).toBeGreaterThan(5);
					expect(['', event.raw]).toContain(pieces.join(''));
				}
		});

	const broken = more({ name: 'sheet__write', raw: '{"instance":"sheet","key":"C:\\d"}' });
	for (const wire of WIRES.filter(({ asText }) => asText))
		test(`S2-97 S2-24 ${wire.name}: the same with arguments that are no JSON and never will be`, async () => {
			const expected = await through(byHand(broken));
			const { run } = await over(wire, broken);
			expect(run.state.steps.map(({ status }) => status)).toEqual([
				...['confirmed', 'rejected', 'refused', 'refused'],
				'failed'
			]);
			expect(run.state.turns[0]!.calls.length).toBe(4);
			expect(JSON.stringify(run.journal)).toContain('"verdict":"invalid"');
			expect(canonical(run.journal)).toBe(canonical(expected.run.journal));
		});

	const unknown = more({ name: 'no_such_tool', raw: '{}' });
	for (const wire of WIRES.filter(({ hasTools }) => !hasTools))
		test(`S2-97 ${wire.name}: the same with a tool that nobody offered`, async () => {
			const expected = await through(byHand(unknown));
			const { run } = await over(wire, unknown);
			expect(JSON.stringify(run.journal)).toContain('unknown-act');
			expect(canonical(run.journal)).toBe(canonical(expected.run.journal));
		});

	test('S2-97 what the model hears back is said on each wire in its own words', async () => {
		for (const wire of WIRES) {
			const { asked } = await over(wire, STORY);
			const second = JSON.stringify(asked[1]);
			for (const word of ['rejected', 'args-invalid', 'naïve']) expect(second, wire.name).toContain(word);
			const third = JSON.stringify(asked[2]);
			expect(third, wire.name).toContain('There is no such receiver.');
		}
	});

	test('S2-97 another story is another journal', async () => {
		const [first, ...rest] = STORY;
		const other = [{ ...first!, text: `${first!.text} ` }, ...rest];
		const wire = WIRES[2]!;
		const one = await over(wire, STORY);
		const two = await over(wire, other);
		expect(canonical(two.run.journal)).not.toBe(canonical(one.run.journal));
	});
});
