import { expect, test } from 'vitest';
import { scripted } from '../../src/lib/agent/adapters/scripted.js';
import type { AgentTransport, Run } from '../../src/lib/agent/index.js';
import { laboratory, look, set } from '../fixtures/lab.js';

const ME = { kind: 'human', id: 'me' } as const;

const passing = async ({ clock }: { clock: { advance(ms: number): Promise<void> } }) => {
	for (let i = 0; i < 10; i++) await clock.advance(1000);
};
const kinds = ({ journal }: Run) => journal.map(({ kind }) => kind);

/** A wire on which something happens while a request is being opened. */
function wired(during: (nth: number) => void) {
	const inner = scripted(['one', 'two', 'three'].map((say) => ({ say })));
	const transport: AgentTransport = {
		name: 'wired',
		open(request, signal) {
			during((opened.count += 1));
			return inner.open(request, signal);
		}
	};
	const opened = { count: 0, transport };
	return opened;
}

test('S0-04 S2-90 a switch of consent while a request is being opened makes no second request', async () => {
	const wire = wired(() => made.engine.setConsent('#x', 'deny', ME));
	const made = laboratory(wire.transport as never);
	const run = made.engine.run('go', { by: ME });
	await passing(made);
	expect(wire.count).toBe(1);
	expect(run.state.outcome).toMatchObject({ kind: 'answered', text: 'one', spent: { turns: 1 } });
});

test('S0-04 S2-90 a correction while a request is being opened supersedes that turn once, and the next one answers', async () => {
	const wire = wired((nth) => nth === 1 && run.steer({ kind: 'correction', text: 'other' }, ME));
	const made = laboratory(wire.transport as never);
	const run = made.engine.run('go', { by: ME });
	await passing(made);
	expect(wire.count).toBe(2);
	expect(kinds(run).filter((kind) => kind === 'turn.closed')).toHaveLength(2);
	expect(run.state.outcome).toMatchObject({ kind: 'answered', text: 'two', spent: { turns: 2 } });
});

test('S0-04 a stop while a request is being opened ends the run, and nothing is asked again', async () => {
	const wire = wired(() => run.stop('enough', ME));
	const made = laboratory(wire.transport as never);
	const run = made.engine.run('go', { by: ME });
	await passing(made);
	expect(wire.count).toBe(1);
	expect(run.state.outcome?.kind).toBe('interrupted');
});

test('S2-90 I11 a look-up is performed once though a listener of its admission switches something', async () => {
	const made = laboratory([{ calls: [look('x')] }, { say: 'done' }]);
	made.engine.subscribe(({ kind }) => {
		if (kind === 'call.admitted') made.engine.setConsent('#x', 'deny', ME);
	});
	const run = made.engine.run('go', { by: ME });
	await passing(made);
	expect(made.lab.log).toHaveLength(1);
	expect(kinds(run).filter((kind) => kind === 'call.closed')).toHaveLength(1);
	expect(run.state.budget.spent.acts).toBe(1);
});

test('S2-90 I11 a look-up that switches something itself is performed once', async () => {
	const made = laboratory([{ calls: [look('x')] }, { say: 'done' }]);
	let performed = 0;
	made.lab.next = Array.from({ length: 100 }, () => () => {
		performed += 1;
		made.engine.setConsent('#x', 'deny', ME);
		return { kind: 'done', value: 1 };
	});
	const run = made.engine.run('go', { by: ME });
	await passing(made);
	expect(performed).toBe(1);
	expect(run.state.outcome?.kind).toBe('answered');
});

test('S2-90 I11 an act whose availability switches something runs once', async () => {
	let asked = 0;
	const made = laboratory([{ calls: [set('a', '5')] }, { say: 'done' }], {
		change: {
			set: {
				available: () => {
					if ((asked += 1) < 40 && under) made.engine.setConsent('#x', 'deny', ME);
					return true;
				}
			}
		}
	});
	let under = false;
	made.engine.subscribe(({ kind }) => {
		if (kind === 'grants.issued') under = true;
		if (kind === 'effect.settled') under = false;
	});
	const run = made.engine.run('go', { by: ME });
	await passing(made);
	expect(made.lab.log).toHaveLength(1);
	expect(run.state.effects.map(({ status }) => status)).toEqual(['confirmed']);
	expect(run.state.outcome?.kind).toBe('completed');
});

test('S0-04 a verb called where nothing is under way is looked at in the same tick', async () => {
	const made = laboratory([{ say: 'done' }]);
	made.engine.subscribe(({ kind }) => {
		if (kind === 'turn.opened') run.pause(ME);
	});
	const run = made.engine.run('go', { by: ME });
	await passing(made);
	expect(run.state.state).toBe('escalated');
	run.resume(ME);
	await passing(made);
	expect(run.state.outcome?.kind).toBe('answered');
});
