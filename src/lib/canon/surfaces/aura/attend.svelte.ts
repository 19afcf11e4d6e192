import type { AgentScope } from '../../../mount/index.js';
import {
	createRuntime,
	disposeStamp,
	sustain,
	type Emission,
	type EmissionListener
} from '../../../uix/index.js';
import { auraVoice } from './aura.events.js';

/** What {@link attend} takes; everything is read when it is needed. */
export interface AttendOptions {
	scope(): AgentScope;
	/** Where emissions are stamped. */
	element(): Element | undefined;
	/** The instance this Aura stands for, if it stands for one. */
	instance?(): string;
	onemit: EmissionListener;
}

/** Takes Aura's share of the records while the component is mounted. In component init. @internal */
export function attend({ scope, element, instance, onemit }: AttendOptions): void {
	let processing = $state.raw<Emission>();
	const told = createRuntime({ morfo: auraVoice, element, onemit });
	told.subscribe((emission) => {
		if (emission.family === 'sustain') processing = emission;
	});

	$effect(() =>
		scope().queue.register({
			surface: 'aura',
			instance: instance?.(),
			emit: (event, record) => void told.trigger(event, record)
		})
	);
	// The stamp of `sustain.processing` stays exactly as long as the run acts.
	const acting = $derived(scope().agent.current?.state === 'acting');
	$effect(() => {
		const target = element();
		if (target && processing && acting) return sustain(target, processing);
	});
	$effect(() => {
		const target = element();
		return () => target && disposeStamp(target);
	});
}
