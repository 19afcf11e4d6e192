/** What stands around a text that an agent wrote in Markdown. @since 0.1.0 */
export const markdown = {
	table: 'Table',
	code: (language: string): string => (language === '' ? 'Code' : `Code, ${language}`),
	copy: 'Copy',
	copied: 'Copied.',
	notCopied: 'The browser did not allow copying.',
	picture: (alt: string): string => (alt === '' ? 'A picture' : `A picture: ${alt}`),
	load: (host: string): string => `Load it from ${host}`,
	notLoaded: (host: string): string => `Nothing could be loaded from ${host}.`,
	byHand: 'A picture is loaded when a person presses.',
	newTab: 'opens in a new tab',
	done: 'Done:',
	open: 'To do:'
};
