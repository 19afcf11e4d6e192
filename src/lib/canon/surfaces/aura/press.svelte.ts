import { untrack } from 'svelte';
import { actingAs } from '../../../actor/index.js';
import { createRuntime, personFrom, type EmissionListener } from '../../../uix/index.js';
import { notByHand } from '../not-by-hand.js';
import { turnLineVoice } from './turn-line.events.js';
import { GIVES, type Control, type TurnState } from './turn.svelte.js';

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
