/** Numbers in ascending order, runs of three and more joined: 1, 3, 4, 5 → "1", "3–5". */
export function ranges(numbers: readonly number[]): readonly string[] {
	const parts: string[] = [];
	for (let at = 0; at < numbers.length;) {
		let end = at;
		while (numbers[end + 1] === (numbers[end] ?? NaN) + 1) end++;
		if (end - at >= 2) parts.push(`${numbers[at]}–${numbers[end]}`);
		else for (let one = at; one <= end; one++) parts.push(String(numbers[one]));
		at = end + 1;
	}
	return parts;
}
