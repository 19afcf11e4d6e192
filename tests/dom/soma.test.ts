import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { actingAs, APP, carry, currentCause, type Actor } from '../../src/lib/actor/index.js';
import { defineMorfo } from '../../src/lib/uix/morfo/index.js';
import type { Emission } from '../../src/lib/uix/sema/index.js';
import {
	asHuman,
	causeOf,
	createRuntime,
	isHuman,
	onTrusted,
	PERSON,
	personFrom,
	remember
} from '../../src/lib/uix/soma/index.js';

const ada: Actor = { kind: 'agent', id: 'ada', run: 'run-1', step: 'step-1' };
const rule: Actor = { kind: 'rule', id: 'tidy' };

const morfo = defineMorfo({
	name: 'lamp',
	parts: { root: { element: 'div' } },
	states: ['on', 'off'],
	events: {
		turn: { family: 'edit', verb: 'change', allowedFamilies: ['delegate'] },
		sell: { family: 'commit', verb: 'submit', intent: 'affirm', allowedFamilies: ['delegate'] },
		glow: { family: 'commit', verb: 'apply', intent: 'affirm' },
		review: { family: 'delegate', verb: 'review' }
	}
});

function lamp(options: { dev?: boolean; element?: Element; now?: () => number } = {}) {
	const heard: Emission[] = [];
	const { element, ...rest } = options;
	const runtime = createRuntime({
		morfo,
		onemit: (emission) => heard.push(emission),
		element: () => element,
		...rest
	});
	return { runtime, heard, last: () => heard.at(-1)! };
}

/** Stands for an event of a person. The mark of trust cannot be forged on a real one, so this is only its outline. */
const trusted = (type: string) => ({ type, isTrusted: true }) as Event;

let errors: ReturnType<typeof vi.spyOn>;
beforeEach(() => void (errors = vi.spyOn(console, 'error').mockImplementation(() => {})));
afterEach(() => vi.restoreAllMocks());

describe('the one path', () => {
	it.each([
		['the app', APP],
		['an agent', ada],
		['a rule', rule]
	])('S2-125 is prewrite, emission, handler, derivation when %s acts', (_, actor) => {
		const trace: string[] = [];
		const runtime = createRuntime({ morfo, onemit: ({ actor }) => trace.push(`emission ${actor.id}`) });
		const result = actingAs(actor, () =>
			runtime.trigger('turn', {
				prewrite: () => trace.push(`prewrite ${currentCause().id}`),
				handler: () => {
					trace.push(`handler ${currentCause().id}`);
					return 'lit';
				},
				derive: () => trace.push(`derive ${currentCause().id}`)
			})
		);
		expect(trace).toEqual(
			['prewrite', 'emission', 'handler', 'derive'].map((phase) => `${phase} ${actor.id}`)
		);
		expect(result).toBe('lit');
	});

	it('S2-125 derives also when the handler throws, and lets the error out', () => {
		const { runtime, heard } = lamp();
		const derive = vi.fn();
		const handler = () => {
			throw new Error('bulb');
		};
		expect(() => runtime.trigger('turn', { handler, derive })).toThrow('bulb');
		expect(derive).toHaveBeenCalledOnce();
		expect(heard).toHaveLength(1);
	});

	it('S2-72 tells everybody who listens, until they stop', () => {
		const { runtime, heard } = lamp();
		const other: string[] = [];
		const stop = runtime.subscribe((emission) => other.push(emission.verb));
		runtime.trigger('turn');
		stop();
		runtime.trigger('turn');
		expect(heard).toHaveLength(2);
		expect(other).toEqual(['change']);
	});

	it('throws for an event the contract does not have, and names the cure', () => {
		const { runtime } = lamp();
		expect(() => runtime.trigger('burst' as 'turn')).toThrow(/Declare it in the contract/);
		expect(() => runtime.trigger('toString' as 'turn')).toThrow(/no event/);
	});

	it('carries payload, component, time and the delegation it belongs to', () => {
		const { runtime, last } = lamp({ now: () => 7 });
		actingAs(ada, () => runtime.trigger('turn', { payload: { lux: 3 } }));
		expect(last()).toEqual({
			family: 'delegate',
			verb: 'act',
			event: 'turn',
			component: 'lamp',
			actor: ada,
			cause: { run: 'run-1', step: 'step-1' },
			payload: { lux: 3 },
			at: 7
		});
	});

	it('leaves out what there is not', () => {
		const { runtime, last } = lamp();
		runtime.trigger('turn');
		expect(Object.keys(last()).sort()).toEqual(['actor', 'component', 'event', 'family', 'payload', 'verb']);
	});
});

describe('what it is called depends on who acts', () => {
	it('S2-05 is delegate act for an agent, and the ordinary family for everybody else', () => {
		const { runtime, heard } = lamp();
		runtime.trigger('sell');
		actingAs(ada, () => runtime.trigger('sell'));
		runtime.trigger('sell', { trusted: trusted('click') });
		expect(heard.map(({ actor, family, verb }) => [actor.kind, family, verb])).toEqual([
			['app', 'commit', 'submit'],
			['agent', 'delegate', 'act'],
			['human', 'commit', 'submit']
		]);
	});

	it('S2-06 has no intent as delegate, and has it as result', () => {
		const { runtime, last } = lamp();
		actingAs(ada, () => runtime.trigger('sell'));
		expect(last()).not.toHaveProperty('intent');
		runtime.trigger('sell');
		expect(last().intent).toBe('affirm');
	});

	it('S2-05 is delegate act also for a rule or an outside caller that acts in a run, not for one without', () => {
		const { runtime, heard } = lamp();
		actingAs({ ...rule, run: 'run-2' }, () => runtime.trigger('turn'));
		actingAs({ kind: 'outside', id: 'browser', run: 'run-3' }, () => runtime.trigger('turn'));
		actingAs(rule, () => runtime.trigger('turn'));
		expect(heard.map(({ family }) => family)).toEqual(['delegate', 'delegate', 'edit']);
	});

	it('S2-124 keeps the ordinary family where the contract does not allow delegate, and says so once', () => {
		const { runtime, heard } = lamp({ dev: true });
		actingAs(ada, () => runtime.trigger('glow'));
		actingAs(ada, () => runtime.trigger('glow'));
		expect(heard.map(({ family, verb, intent }) => [family, verb, intent])).toEqual([
			['commit', 'apply', 'affirm'],
			['commit', 'apply', 'affirm']
		]);
		expect(errors).toHaveBeenCalledOnce();
		expect(errors.mock.calls[0]![0]).toMatch(/lamp\.glow .*allowedFamilies/);
	});

	it('S2-124 is silent in production, for people, and for events that are delegate themselves', () => {
		const production = lamp({ dev: false });
		actingAs(ada, () => production.runtime.trigger('glow'));
		const development = lamp({ dev: true });
		development.runtime.trigger('glow');
		actingAs(ada, () => development.runtime.trigger('review'));
		expect(development.last()).toMatchObject({ family: 'delegate', verb: 'review' });
		expect(production.last().family).toBe('commit');
		expect(errors).not.toHaveBeenCalled();
	});

	it('tells what a record says in the words of the surface, with the actor of the record', () => {
		const { runtime, last } = lamp({ dev: true });
		runtime.trigger('glow', { by: ada });
		expect(last()).toMatchObject({
			family: 'commit',
			verb: 'apply',
			intent: 'affirm',
			actor: ada,
			cause: { run: 'run-1' }
		});
		expect(errors).not.toHaveBeenCalled();
	});
});

describe('a person', () => {
	it('S2-115 acts only inside the dispatch of a trusted gesture', () => {
		expect(asHuman(trusted('click'), currentCause)).toBe(PERSON);
		expect(asHuman(new Event('click'), currentCause)).toBe(APP);
		expect(currentCause()).toBe(APP);
	});

	it.each(['click', 'keydown', 'input', 'change', 'paste', 'drop', 'pointerup', 'compositionend'])(
		'S2-115 acts by %s',
		(type) => expect(isHuman(trusted(type))).toBe(true)
	);

	it.each(['focus', 'submit', 'reset', 'scroll', 'toggle', 'close', 'load', 'message', 'animationend'])(
		'S2-115 is not taken from %s, which scripts cause as well',
		(type) => expect(isHuman(trusted(type))).toBe(false)
	);

	it('S2-115 is not whoever an agent makes the browser answer to', () => {
		const kinds = actingAs(ada, () => [
			asHuman(trusted('click'), currentCause),
			asHuman(trusted('input'), currentCause)
		]);
		expect(kinds).toEqual([ada, ada]);
	});

	it.each(['click', 'dblclick', 'keydown', 'keyup', 'pointerup', 'mousedown', 'touchend'])(
		'S2-115 decides by a trusted %s, and by none that a script makes',
		(type) => {
			const nadia: Actor = { kind: 'human', id: 'nadia' };
			expect([personFrom(trusted(type)), personFrom(trusted(type), nadia)]).toEqual([PERSON, nadia]);
			expect(personFrom(new Event(type), nadia)).toBe(APP);
		}
	);

	it.each([
		'change',
		'input',
		'submit',
		'reset',
		'focus',
		'toggle',
		'message',
		'animationend',
		'paste',
		'wheel'
	])('S2-115 decides nothing by %s, trusted as it may be, and just after a press', (type) => {
		vi.stubGlobal('navigator', { userActivation: { isActive: true } });
		expect(personFrom(trusted(type))).toBe(APP);
		vi.unstubAllGlobals();
	});

	it('S2-115 decides nothing where somebody else acts already', () => {
		expect(actingAs(ada, () => personFrom(trusted('click')))).toBe(ada);
	});

	it('has the identity the app gives', () => {
		const nadia: Actor = { kind: 'human', id: 'nadia' };
		const press = onTrusted(() => currentCause(), nadia);
		expect(press(trusted('click'))).toBe(nadia);
		expect(press(new Event('click'))).toBe(APP);
	});

	it('S2-115 stays the person for events that follow inside the same dispatch', () => {
		expect(asHuman(trusted('click'), () => asHuman(new Event('change'), currentCause))).toBe(PERSON);
		expect(asHuman(trusted('click'), () => actingAs(ada, currentCause))).toBe(ada);
	});
});

describe('causes', () => {
	it('S2-115 are kept beside the state that was written, the last writer counts', () => {
		const state = { lux: 0 };
		expect(causeOf(state, 'lux')).toBeUndefined();
		actingAs(ada, () => remember(state, 'lux'));
		expect(causeOf(state, 'lux')).toBe(ada);
		expect(causeOf(state, 'colour')).toBeUndefined();
		expect(causeOf({ lux: 0 }, 'lux')).toBeUndefined();
		remember(state, 'lux');
		expect(causeOf(state, 'lux')).toBe(APP);
	});

	it('S2-115 are stored by the trigger that writes, and taken up by the one that follows from it', async () => {
		const state = { lux: 0 };
		const { runtime, heard } = lamp();
		actingAs(ada, () =>
			runtime.trigger('turn', { writes: [[state, 'lux']], handler: () => (state.lux = 3) })
		);
		await Promise.resolve();
		let inside: Actor | undefined;
		runtime.trigger('sell', { because: [state, 'lux'], handler: () => void (inside = currentCause()) });
		runtime.trigger('sell');
		expect(heard.map(({ actor, family, cause }) => [actor.id, family, cause?.run])).toEqual([
			['ada', 'delegate', 'run-1'],
			['ada', 'delegate', 'run-1'],
			['app', 'commit', undefined]
		]);
		expect(inside).toBe(ada);
	});

	it('S2-115 that nobody stored are the app, also while somebody else acts', () => {
		const { runtime, last } = lamp();
		actingAs(rule, () => runtime.trigger('turn', { because: [{}, 'lux'] }));
		expect(last().actor).toBe(APP);
	});

	it('S2-115 keep the run through a cascade over a microtask and a timer, when carried', async () => {
		const { runtime, heard } = lamp();
		await actingAs(ada, () => {
			runtime.trigger('turn');
			return new Promise<void>((resolve) => {
				queueMicrotask(
					carry(() => {
						runtime.trigger('turn');
						setTimeout(
							carry(() => {
								runtime.trigger('sell');
								resolve();
							})
						);
					})
				);
			});
		});
		expect(heard.map(({ cause }) => cause)).toEqual(Array(3).fill({ run: 'run-1', step: 'step-1' }));
		expect(heard.every(({ family, verb }) => family === 'delegate' && verb === 'act')).toBe(true);
	});
});

describe('the element', () => {
	it('S2-126 is stamped with what happened, before the handler runs', () => {
		const element = document.createElement('div');
		const { runtime } = lamp({ element });
		let seen: string | null = null;
		actingAs(ada, () =>
			runtime.trigger('turn', { handler: () => void (seen = element.getAttribute('data-event-verb')) })
		);
		expect(seen).toBe('act');
		expect(element.getAttribute('data-event-actor')).toBe('agent');
	});
});
