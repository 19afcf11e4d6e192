import { actingAs } from '../../../actor/index.js';
import {
	createRuntime,
	disposeStamp,
	personFrom,
	sustain,
	type EmissionListener
} from '../../../uix/index.js';
import { notByHand } from '../not-by-hand.js';
import { auraVoice } from './aura.events.js';
import { turnLineVoice } from './turn-line.events.js';
import type { Control, TurnState } from './turn.svelte.js';

/** What gives an agent leave or more to spend, and so is a person's alone to press. All else holds it up, shows or takes back. */
const GIVES: ReadonlySet<Control['action']> = new Set(['accept', 'resume', 'renew', 'settle']);

/** What {@link attend} takes; everything is read when it is needed. */
export interface AttendOptions {
	turn: TurnState;
	/** Where emissions are stamped. */
	element(): Element | undefined;
	/** The instance this Aura stands for, if it stands for one. */
	instance?(): string;
	onemit: EmissionListener;
}

/**
 * Takes Aura's share of the records while the component is mounted. In component init.
 * @returns how to press one of its controls
 * @internal
 */
export function attend({
	turn,
	element,
	instance,
	onemit
}: AttendOptions): (control: Control, event: Event) => void {
	const told = createRuntime({ morfo: auraVoice, element, onemit });
	const pressed = createRuntime({ morfo: turnLineVoice, element, onemit });
	let release: (() => void) | undefined;

	told.subscribe((emission) => {
		const target = element();
		if (emission.family !== 'sustain' || !target) return;
		release?.();
		release = sustain(target, emission);
	});

	$effect(() =>
		turn.scope.queue.register({
			surface: 'aura',
			instance: instance?.(),
			emit: (event, record) => void told.trigger(event, record)
		})
	);
	// The stamp of `sustain.processing` stays exactly as long as the run acts.
	$effect(() => {
		if (turn.run?.state !== 'acting') release?.();
	});
	$effect(() =>
		turn.scope.agent.subscribe(({ kind, run }) => {
			if (kind === 'stop.requested') turn.stopping = run;
		})
	);
	$effect(() => {
		const target = element();
		return () => target && disposeStamp(target);
	});

	return (control, event) => {
		const by = personFrom(event);
		const report = actingAs(by, () =>
			pressed.trigger(control.action, {
				cause: { run: control.run },
				handler: (): ReturnType<Control['act']> =>
					by.kind === 'human' || !GIVES.has(control.action)
						? control.act(by)
						: { ok: false, refused: notByHand('Aura') }
			})
		);
		void turn.settle(report, control);
	};
}
