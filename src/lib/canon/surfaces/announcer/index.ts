export { default as Announcer } from './components/Announcer.svelte';
export type { AnnouncerProps } from './components/Announcer.svelte';
export { setVerbosity } from './verbosity.svelte.js';
export type { Phrase, PhraseClass, Verbosity } from './phrase.js';
