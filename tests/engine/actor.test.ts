import { describe, expect, it } from 'vitest';
import { actingAs, APP, carry, currentCause, type Actor } from '../../src/lib/actor/index.js';

const ada: Actor = { kind: 'agent', id: 'ada', run: 'run-1', step: 'step-1' };
const rule: Actor = { kind: 'rule', id: 'tidy' };

describe('who acts', () => {
	it('S2-115 is the app where nobody said so, never a person', () => {
		expect(currentCause()).toBe(APP);
		expect(currentCause().kind).toBe('app');
	});

	it('S2-115 is the given actor during the call and nobody afterwards', () => {
		expect(actingAs(ada, () => currentCause())).toBe(ada);
		expect(currentCause()).toBe(APP);
	});

	it('gives the return value through', () => {
		expect(actingAs(ada, () => 42)).toBe(42);
	});

	it('nests and comes back to the outer actor', () => {
		const seen = actingAs(ada, () => [currentCause(), actingAs(rule, currentCause), currentCause()]);
		expect(seen).toEqual([ada, rule, ada]);
	});

	it('ends the scope when the call throws', () => {
		expect(() =>
			actingAs(ada, () => {
				throw new Error('broken');
			})
		).toThrow('broken');
		expect(currentCause()).toBe(APP);
	});

	it('S2-115 ends at the first await of an async function', async () => {
		const seen: string[] = [];
		await actingAs(ada, async () => {
			seen.push(currentCause().kind);
			await null;
			seen.push(currentCause().kind);
		});
		expect(seen).toEqual(['agent', 'app']);
	});

	it('S2-115 goes with a carried callback, arguments and result included', async () => {
		const add = actingAs(ada, () => carry((a: number, b: number) => ({ sum: a + b, by: currentCause() })));
		expect(currentCause()).toBe(APP);
		expect(add(1, 2)).toEqual({ sum: 3, by: ada });
		const later = actingAs(ada, () => carry(currentCause));
		expect(await Promise.resolve().then(later)).toBe(ada);
	});

	it('S2-115 a callback carried by nobody takes on no one, and sees whoever calls it', () => {
		const carried = carry(currentCause);
		expect(carried()).toBe(APP);
		expect(actingAs(rule, carried)).toBe(rule);
	});

	it('is one slot for the page even if the module is loaded twice', async () => {
		const twin = '../../src/lib/actor/actor.js?twin';
		const copy = (await import(/* @vite-ignore */ twin)) as typeof import('../../src/lib/actor/actor.js');
		expect(copy.actingAs).not.toBe(actingAs);
		expect(copy.actingAs(ada, currentCause)).toBe(ada);
	});

	it('cannot be changed in place', () => {
		expect(Object.isFrozen(APP)).toBe(true);
	});
});
