import type { Attachment } from 'svelte/attachments';

/** How long it says that it has copied. */
const SAID_MS = 2000;

/** Gives every block of code below the element its copy button. Without script there is none, so nothing is dead. */
export function copyButtons(copy: string, copied: string): Attachment<HTMLElement> {
	return (root) => {
		const said = document.createElement('p');
		said.className = 'vh';
		said.setAttribute('role', 'status');
		root.append(said);
		const made = [...root.querySelectorAll<HTMLElement>('[data-code]')].map((block, at) => {
			const button = document.createElement('button');
			button.type = 'button';
			button.className = 'btn';
			button.dataset.kind = 'quiet';
			// Told apart by ear, where many stand on one page.
			const name = document.createElement('span');
			name.className = 'vh';
			name.textContent = ` ${block.dataset.lang ?? ''} ${at + 1}`;
			const show = (word: string) => button.replaceChildren(word, name);
			show(copy);
			let timer: ReturnType<typeof setTimeout>;
			button.addEventListener('click', async () => {
				await navigator.clipboard.writeText(block.querySelector('code')?.textContent ?? '');
				show(copied);
				said.textContent = copied;
				clearTimeout(timer);
				timer = setTimeout(() => {
					show(copy);
					said.textContent = '';
				}, SAID_MS);
			});
			block.append(button);
			return button;
		});
		return () => [said, ...made].forEach((element) => element.remove());
	};
}
