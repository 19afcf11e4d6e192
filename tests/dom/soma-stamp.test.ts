import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { disposeStamp, holdOf, stamp, sustain, type Emission } from '../../src/lib/uix/sema/index.js';

const act: Emission = {
	family: 'delegate',
	verb: 'act',
	event: 'turn',
	component: 'lamp',
	actor: { kind: 'agent', id: 'ada' },
	payload: undefined
};
const applied: Emission = { ...act, family: 'commit', verb: 'apply', intent: 'affirm' };
const processing: Emission = { ...act, family: 'sustain', verb: 'processing' };

const shown = (element: Element) =>
	['family', 'verb', 'intent', 'actor'].map((name) => element.getAttribute(`data-event-${name}`));
const NOTHING = [null, null, null, null];

let element: Element;
beforeEach(() => {
	vi.useFakeTimers();
	element = document.createElement('div');
});
afterEach(() => vi.useRealTimers());

describe('a stamp', () => {
	it('S2-126 stays for its hold and not longer', async () => {
		stamp(element, act);
		expect(shown(element)).toEqual(['delegate', 'act', null, 'agent']);
		await vi.advanceTimersByTimeAsync(holdOf('delegate', 'act') - 1);
		expect(shown(element)).toEqual(['delegate', 'act', null, 'agent']);
		await vi.advanceTimersByTimeAsync(1);
		expect(shown(element)).toEqual(NOTHING);
	});

	it('S2-105 takes a hold of its own', async () => {
		stamp(element, act, { holdMs: 50 });
		await vi.advanceTimersByTimeAsync(50);
		expect(shown(element)).toEqual(NOTHING);
	});

	it('S2-126 of ten acts inside one hold: the last is held in full, and nothing is left', async () => {
		for (let count = 0; count < 10; count++) {
			stamp(element, count % 2 ? applied : act);
			await vi.advanceTimersByTimeAsync(20);
		}
		expect(shown(element)).toEqual(['commit', 'apply', 'affirm', 'agent']);
		await vi.advanceTimersByTimeAsync(600 - 21);
		expect(shown(element)).toEqual(['commit', 'apply', 'affirm', 'agent']);
		await vi.advanceTimersByTimeAsync(1);
		expect(shown(element)).toEqual(NOTHING);
		expect(vi.getTimerCount()).toBe(0);
	});

	it('leaves no intent of the one before', () => {
		stamp(element, applied);
		stamp(element, act);
		expect(element.hasAttribute('data-event-intent')).toBe(false);
	});

	it('S2-126 of one element is nothing to another', () => {
		const other = document.createElement('div');
		stamp(element, act);
		stamp(other, applied);
		disposeStamp(other);
		expect(shown(element)).toEqual(['delegate', 'act', null, 'agent']);
		expect(shown(other)).toEqual(NOTHING);
	});

	it('S2-126 waits by the clock it is given', async () => {
		let wake = () => {};
		const clock = { sleep: () => new Promise<void>((resolve) => void (wake = resolve)) };
		stamp(element, act, { clock });
		await vi.advanceTimersByTimeAsync(10_000);
		expect(shown(element)[1]).toBe('act');
		wake();
		await vi.advanceTimersByTimeAsync(0);
		expect(shown(element)).toEqual(NOTHING);
	});
});

describe('unmount', () => {
	it('S2-126 takes the stamp off and stops its timer', () => {
		stamp(element, act);
		disposeStamp(element);
		expect(shown(element)).toEqual(NOTHING);
		expect(vi.getTimerCount()).toBe(0);
		expect(() => disposeStamp(element)).not.toThrow();
	});

	it('S2-126 by signal does the same, and nothing is stamped afterwards', () => {
		const mounted = new AbortController();
		stamp(element, act, { signal: mounted.signal });
		sustain(element, processing, { signal: mounted.signal });
		mounted.abort();
		expect(shown(element)).toEqual(NOTHING);
		expect(vi.getTimerCount()).toBe(0);
		stamp(element, act, { signal: mounted.signal });
		sustain(element, act, { signal: mounted.signal })();
		expect(shown(element)).toEqual(NOTHING);
	});
});

describe('what lasts', () => {
	it('S2-54 stays until released, past any hold', async () => {
		const release = sustain(element, processing);
		await vi.advanceTimersByTimeAsync(60_000);
		expect(shown(element)).toEqual(['sustain', 'processing', null, 'agent']);
		release();
		expect(shown(element)).toEqual(NOTHING);
		expect(release).not.toThrow();
	});

	it('S2-126 stays its hold also when released at once', async () => {
		sustain(element, processing)();
		await vi.advanceTimersByTimeAsync(599);
		expect(shown(element)[1]).toBe('processing');
		await vi.advanceTimersByTimeAsync(1);
		expect(shown(element)).toEqual(NOTHING);
	});

	it('S2-54 comes back after what passed over it', async () => {
		const release = sustain(element, processing);
		stamp(element, applied);
		expect(shown(element)[1]).toBe('apply');
		await vi.advanceTimersByTimeAsync(600);
		expect(shown(element)[1]).toBe('processing');
		release();
		expect(shown(element)).toEqual(NOTHING);
	});

	it('S2-54 released under something that passes over it does not come back', async () => {
		const release = sustain(element, processing);
		stamp(element, applied);
		release();
		expect(shown(element)[1]).toBe('apply');
		await vi.advanceTimersByTimeAsync(600);
		expect(shown(element)).toEqual(NOTHING);
	});
});
