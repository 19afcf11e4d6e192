/** A key in words: `dueDate`, `due_date` → "Due date". */
export function keyInWords(key: string): string {
	const words = key
		.replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2')
		.replace(/[_-]+/g, ' ')
		.trim()
		.toLowerCase();
	return words.charAt(0).toUpperCase() + words.slice(1);
}
