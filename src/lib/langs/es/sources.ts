import type { SourceWords } from '../language.js';
import { list } from './words.js';

/** @since 0.1.0 */
export const sources: SourceWords = {
	source: (label, parts) => `${label} (${list(parts)})`,
	attachment: (name) => `el adjunto ${name}`,
	knownBy: { name: 'nombre', description: 'descripción' }
};
