import { createContext } from 'svelte';
import { texts, type Language, type Texts } from './texts.js';

export type Theme = 'system' | 'light' | 'dark';
const KEY = 'agent-site';

/** What a visitor chose for this site. Kept in the browser, read again before the first paint (see app.html). */
export class Prefs {
	language = $state<Language>('en');
	theme = $state<Theme>('system');

	get text(): Texts {
		return texts[this.language];
	}

	/** On the client only: the prerendered page is English under the system's theme. */
	load(): void {
		try {
			const kept = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Prefs>;
			if (kept.language === 'es') this.language = 'es';
			if (kept.theme === 'light' || kept.theme === 'dark') this.theme = kept.theme;
		} catch {
			// A closed storage leaves the defaults.
		}
	}

	setLanguage(language: Language): void {
		this.language = language;
		document.documentElement.lang = language;
		this.#keep();
	}

	setTheme(theme: Theme): void {
		this.theme = theme;
		document.documentElement.style.colorScheme = theme === 'system' ? '' : theme;
		this.#keep();
	}

	#keep(): void {
		try {
			localStorage.setItem(KEY, JSON.stringify({ language: this.language, theme: this.theme }));
		} catch {
			// The choice holds for this page then.
		}
	}
}

export const [getPrefs, setPrefs] = createContext<Prefs>();
