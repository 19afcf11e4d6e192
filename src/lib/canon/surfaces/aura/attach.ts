import { mount, unmount } from 'svelte';
import { agentScope, scopeOf } from '../../../mount/context.js';
import type { ActiveAgent } from '../../../mount/types.js';
import type { EmissionListener } from '../../../uix/index.js';
import AuraFrame from './components/AuraFrame.svelte';

/** What {@link aura} takes. @since 0.1.0 */
export interface AuraOptions {
	/** @default the agent of the nearest AgentRoot; without one nothing is shown */
	agent?: ActiveAgent;
	/** A frame around a widget, or a bracket beside a block of text. @default 'frame' */
	shape?: 'frame' | 'block';
	onemit?: EmissionListener;
}

/**
 * An attachment: the line of `Aura` around an element of the app, which needs no wrapper and no change of its markup. It
 * follows the element while that stands, and leaves with it.
 * @param instance id of the instance to frame
 * @example <form {@attach capabilities(formManifest, form, as)} {@attach aura('invoice')}>
 * @since 0.1.0
 */
export function aura(instance: string, options: AuraOptions = {}): (element: Element) => () => void {
	const { agent, shape = 'frame', onemit } = options;
	const nearest = agentScope();
	const scope = agent === undefined || agent === nearest?.agent ? nearest : scopeOf(agent);
	return (element) => {
		if (scope === undefined) return () => {};
		// After the element, so that it comes after it for ears and for Tab.
		const frame = mount(AuraFrame, {
			target: element.parentElement ?? element.ownerDocument.body,
			...(element.nextSibling === null ? {} : { anchor: element.nextSibling }),
			props: { scope, instance, shape, around: element, ...(onemit ? { onemit } : {}) }
		});
		return () => void unmount(frame);
	};
}
