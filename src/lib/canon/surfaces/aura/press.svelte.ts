import { untrack } from 'svelte';
import { actingAs } from '../../../actor/index.js';
import { createRuntime, personFrom, type EmissionListener } from '../../../uix/index.js';
import { notByHand } from '../not-by-hand.js';
import { turnLineVoice } from './turn-line.events.js';
import type { Control, TurnState } from './turn.svelte.js';

/** What gives an agent leave or more to spend, and so is a person's alone to press. All else holds it up, shows or takes back. */
const GIVES: ReadonlySet<Control['action']> = new Set(['accept', 'resume', 'renew', 'settle']);

/**
 * How to press one of the controls of a turn. In component init.
 * @internal
 */
export function pressing(
	turn: TurnState,
	element: () => Element | undefined,
	onemit: EmissionListener
): (control: Control, event: Event) => void {
	const pressed = createRuntime({ morfo: turnLineVoice, element, onemit });
	$effect(() => {
		const { agent } = turn.scope;
		untrack(() => {
			// What was asked for before this came.
			const id = agent.current?.id;
			if (id && agent.get(id)?.journal.some(({ kind }) => kind === 'stop.requested')) turn.stopping = id;
		});
		return agent.subscribe(({ kind, run }) => {
			if (kind === 'stop.requested') turn.stopping = run;
		});
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
