import { flushSync } from 'svelte';
import { describe, expect, it, vi } from 'vitest';
import { defineActiveAgent } from '../../src/lib/agent/active/index.js';
import { scripted } from '../../src/lib/agent/adapters/scripted.js';
import type { ConsentVerdict } from '../../src/lib/agent/index.js';
import type { TurnRequest } from '../../src/lib/agent/protocol/turn.js';
import { PERSON } from '../../src/lib/uix/index.js';
import { diaryManifest, Lab, labManifest, set } from '../fixtures/lab.js';

/** An agent that writes a cell a turn, each after a person agreed, and a panel of switches beside it. */
function desk() {
	const requests: TurnRequest[] = [];
	const agent = defineActiveAgent({
		identity: { id: 'ada', name: 'Ada', description: 'helps' },
		transport: scripted((request, index) => {
			requests.push(request);
			return { calls: [set('a', `${index}`)] };
		})
	});
	const { registry } = agent.engine;
	registry.register(labManifest(), new Lab(), { id: 'lab', label: 'Lab' });
	const leave = registry.register(diaryManifest, new Lab(), { id: 'diary', label: 'Diary' });
	/** What each look at the panel shows: one line a read. */
	const seen: string[][] = [];
	const stop = $effect.root(() => {
		$effect(() => {
			seen.push(agent.consents.map(({ instance, read, verdict }) => `${instance}.${read} ${verdict}`));
		});
	});
	flushSync();
	const shows = async (line: string, stands = true) =>
		vi.waitFor(() => {
			flushSync();
			expect(seen.at(-1)!.includes(line)).toBe(stands);
		});
	return { agent, requests, leave, seen, stop, shows };
}

/** Lets the run make its next request. */
async function nextTurn({ agent, requests }: ReturnType<typeof desk>): Promise<string> {
	const before = requests.length;
	await vi.waitFor(() => expect(agent.pending.some(({ kind }) => kind === 'review')).toBe(true));
	const { id, reviews } = agent.runs[0]!;
	agent.get(id)!.decide({ review: reviews.at(-1)!.id, verdict: 'approve' }, PERSON);
	await vi.waitFor(() => expect(requests.length).toBeGreaterThan(before));
	return JSON.stringify(requests.at(-1));
}

describe('S2-78 S2-35 switches over a real agent', () => {
	it('S2-78 a person switches a participant and a category while a run is under way', async () => {
		const made = desk();
		const { agent, shows } = made;
		const run = agent.run('go', { by: PERSON });
		await shows('diary.mood ask');
		await vi.waitFor(() => expect(agent.pending.some(({ kind }) => kind === 'question')).toBe(true));
		const panel: [string, ConsentVerdict, string, boolean, boolean][] = [
			['#diary', 'allow', 'diary.page allow', true, true],
			['@soft', 'deny', 'diary.mood deny', true, false],
			['@soft', 'allow', 'diary.mood allow', true, true],
			['#diary', 'deny', 'diary.page deny', false, false],
			['#lab', 'deny', 'lab.cells deny', false, false]
		];
		for (const [entry, verdict, line, page, mood] of panel) {
			agent.setConsent(entry, verdict, PERSON);
			await shows(line);
			const request = await nextTurn(made);
			expect(
				[request.includes('my pin'), request.includes('fine'), request.includes('1234')],
				`${entry} ${verdict}`
			).toEqual([page, mood, false]);
		}
		// No switch, no question: both are answered by now.
		expect(agent.pending.filter(({ kind }) => kind === 'question')).toEqual([]);
		await agent.get(run.id)!.stop('enough', PERSON);
		made.stop();
	});

	it('S2-78 the panel follows what is mounted, what is answered and how the run ends', async () => {
		const made = desk();
		const { agent, shows, leave } = made;
		agent.run('go', { by: PERSON });
		await vi.waitFor(() => expect(agent.pending.some(({ kind }) => kind === 'question')).toBe(true));
		const [question] = agent.runs[0]!.questions;
		agent.get(agent.runs[0]!.id)!.answer(question!.id, ['#diary.page'], PERSON);
		await shows('diary.page allow');
		await agent.get(agent.runs[0]!.id)!.stop('enough', PERSON);
		await shows('diary.page ask');
		leave();
		await shows('diary.page ask', false);
		made.stop();
		const { length } = made.seen;
		agent.setConsent('#lab', 'deny', PERSON);
		await Promise.resolve();
		flushSync();
		expect(made.seen).toHaveLength(length);
	});

	it('S2-78 a program can only switch off', () => {
		const { agent, stop } = desk();
		const verdict = () => agent.consents.find(({ read }) => read === 'cells')!.verdict;
		agent.setConsent('#lab', 'deny');
		expect(verdict()).toBe('deny');
		agent.setConsent('#lab', 'allow');
		expect(verdict()).toBe('deny');
		agent.setConsent('#lab', 'allow', PERSON);
		expect(verdict()).toBe('allow');
		stop();
	});
});
