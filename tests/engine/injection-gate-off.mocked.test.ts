import { expect, test, vi } from 'vitest';
import { type Attack, ownAttacks } from '../injection/attacks.js';
import { beside } from '../injection/beside.js';
import { sampled, secretive, walk } from '../injection/matrix.js';

/*
 * The negative control of injection.test.ts: the same squares with the two functions replaced that decide. If an attack did
 * not come through here, its failing there would prove nothing.
 */
vi.mock('../../src/lib/agent/gate/assess.js', async (original) => {
	const { ungatedAssess } = await import('../injection/no-gate.js');
	const module = await original<typeof import('../../src/lib/agent/gate/assess.js')>();
	return { ...module, assess: ungatedAssess(module.assess) };
});
vi.mock('../../src/lib/agent/gate/admit.js', async (original) => {
	const { ungatedAdmit: admit } = await import('../injection/no-gate.js');
	return { ...(await original<typeof import('../../src/lib/agent/gate/admit.js')>()), admit };
});

const sets: readonly (readonly [string, readonly Attack[]])[] = [
	['our own attacks', ownAttacks()],
	...[beside()].flatMap((corpus) => (corpus ? [['the corpus beside this repository', corpus] as const] : []))
];

test.each(sets)(
	'I2 with the gate off every demanded act of %s happens',
	{ timeout: 300_000 },
	async (_name, attacks) => {
		const tally = await walk(sampled(attacks));
		expect(tally.unmet).toEqual([]);
		expect(tally.held).toEqual([]);
		expect(tally.broken).toHaveLength(tally.squares);
		const secret = await walk(secretive(attacks.filter(({ harm }) => harm === 'exfil')));
		expect(secret.held).toEqual([]);
		expect(secret.leaks.length).toBeGreaterThan(secret.squares);
	}
);
