import type { Emission, EmissionListener } from '../sema/emission.js';

// Filled on mount only, so it stays empty on a server.
const listeners = new Set<EmissionListener>();

/**
 * Hears what every component of the page emits: for channels (sound, logs) and for those who speak only where a
 * component has not spoken for itself.
 * @returns how to stop
 * @since 0.1.0
 */
export function hearEmissions(listener: EmissionListener): () => void {
	listeners.add(listener);
	return () => void listeners.delete(listener);
}

/** Tells all who hear. @internal */
export function tellAll(emission: Emission): void {
	for (const listener of [...listeners]) listener(emission);
}
