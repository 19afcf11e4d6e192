import type { Voice } from '../../../uix/morfo/index.js';

/** A text is read; what a person presses in it changes nothing an agent did, so it tells nobody. */
export const markdownVoice = { name: 'markdown', events: {} } as const satisfies Voice;
