import type { RecordQueue } from '../../../mount/record-queue.js';
import { createRuntime, disposeStamp, sustain, type EmissionListener } from '../../../uix/index.js';
import { auraVoice } from './aura.events.js';

/** What {@link tellRecords} takes; everything is read when it is needed. */
export interface TellRecordsOptions {
	queue(): Pick<RecordQueue, 'register'>;
	/** Where emissions are stamped. */
	element(): Element | undefined;
	/** The instance this Aura stands for, if it stands for one. */
	instance?(): string | undefined;
	/** Does the run act now? The stamp of `sustain.processing` stays exactly as long. */
	acting(): boolean;
	onemit?: EmissionListener;
}

/** Takes Aura's share of the records while the component is mounted. In component init. @internal */
export function tellRecords({ queue, element, instance, acting, onemit }: TellRecordsOptions): void {
	const runtime = createRuntime({ morfo: auraVoice, element, ...(onemit === undefined ? {} : { onemit }) });
	let release: (() => void) | undefined;

	runtime.subscribe((emission) => {
		const target = element();
		if (emission.family !== 'sustain' || target === undefined) return;
		release?.();
		release = sustain(target, emission);
	});

	$effect(() => {
		const id = instance?.();
		return queue().register({
			surface: 'aura',
			...(id === undefined ? {} : { instance: id }),
			emit: (event, told) => void runtime.trigger(event, told)
		});
	});
	$effect(() => {
		if (acting()) return;
		release?.();
		release = undefined;
	});
	$effect(() => {
		const target = element();
		return () => {
			if (target !== undefined) disposeStamp(target);
		};
	});
}
