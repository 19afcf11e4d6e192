import type { Attachment } from 'svelte/attachments';

/** Gives every block of code below the element its copy button. Without script there is none, so nothing is dead. */
export function copyButtons(copy: string, copied: string): Attachment<HTMLElement> {
	return (root) => {
		const made = [...root.querySelectorAll<HTMLElement>('[data-code]')].map((block) => {
			const button = document.createElement('button');
			button.type = 'button';
			button.className = 'btn';
			button.dataset.kind = 'quiet';
			button.textContent = copy;
			button.addEventListener('click', async () => {
				await navigator.clipboard.writeText(block.querySelector('code')?.textContent ?? '');
				button.textContent = copied;
			});
			block.append(button);
			return button;
		});
		return () => made.forEach((button) => button.remove());
	};
}
