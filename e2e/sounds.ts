/** Something that was said, as the demo page lists it. */
export interface Heard {
	class: string;
	text: string;
}

/** What is said in one story, in one language. */
export interface Told {
	story: string;
	title: string;
	language: 'en' | 'es';
	phrases: readonly Heard[];
}

const CLASS: Record<string, string> = { 'needs-you': 'needs you', state: 'state', progress: 'progress' };
const NAMES = { en: 'English', es: 'Español' } as const;
const DONE: Record<string, string> = {
	fill: 'The person approves, and takes it back afterwards.',
	drift:
		'The amount is changed while the card is open; the person approves, sees the change, approves again, and takes it back.',
	send: 'The person rejects the sending, and takes the rest back.',
	budget: 'The person gives it more acts, and takes it all back.',
	rewrite: 'It runs by itself; the person takes it back.',
	both: 'It runs by itself; the person takes it back.',
	stale: 'It runs by itself; the person takes it back.',
	paste: 'The person rejects the sending, and takes the rest back.'
};

const escaped = (text: string): string =>
	text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/@/g, '&#64;');
const plain = (html: string): string =>
	html.replace(/&#64;/g, '@').replace(/&gt;/g, '>').replace(/&lt;/g, '<').replace(/&amp;/g, '&');

/** `docs/sounds.md`: every phrase of every story, as it was heard at a calm pace with everything announced. */
export function soundsPage(told: readonly Told[]): string {
	const stories = [...new Set(told.map(({ story }) => story))];
	const sections = stories.flatMap((story) => {
		const both = told.filter((one) => one.story === story);
		return [
			`## ${both[0]?.title ?? story}`,
			DONE[story] ?? '',
			...both.flatMap(({ language, phrases }) => [
				`**${NAMES[language]}**`,
				phrases
					.map(
						({ class: how, text }, at) =>
							`${at + 1}. ${CLASS[how] ?? how} <q lang="${language}">${escaped(text)}</q>`
					)
					.join('\n')
			])
		];
	});
	return (
		[
			'# How it sounds',
			'Every phrase of every story of the demo, in the order it is said, with its class: _needs you_ may interrupt, _state_ waits its turn, _progress_ is rare and said only with `verbosity="all"`. In words, not as sound: what a voice makes of them is the screen reader’s.',
			'The phrases were recorded from the demo itself, at the pace "calm" and with everything announced; `SOUNDS=write npx playwright test e2e/person.e2e.ts` records them anew, and the test of that name holds the demo to them. At a faster pace a state that was not said yet gives way to the newer one. What the classes mean: [Accessibility](./accessibility.md#how-it-sounds).',
			...sections
		].join('\n\n') + '\n'
	);
}

/** What the page says is said, by story and language. */
export function readSounds(markdown: string): Told[] {
	return markdown
		.split(/^## /m)
		.slice(1)
		.flatMap((section) => {
			const title = section.split('\n')[0] ?? '';
			return (['en', 'es'] as const).map((language) => ({
				story: '',
				title,
				language,
				phrases: [...section.matchAll(/^\d+\. ([\w ]+) <q lang="(\w\w)">(.*)<\/q>$/gm)]
					.filter(([, , spoken]) => spoken === language)
					.map(([, how = '', , text = '']) => ({
						class: Object.entries(CLASS).find(([, name]) => name === how)?.[0] ?? how,
						text: plain(text)
					}))
			}));
		});
}
