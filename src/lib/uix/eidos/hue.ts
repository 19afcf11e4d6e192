/** Hues of agents, 30 or more apart and all between 140 and 330, where the fixed lightness keeps its contrast. */
const HUES = [278, 178, 308, 208, 248, 148] as const;

/**
 * The hue of an agent, in degrees: the same for the same id on every page. A colour is never the only sign, the name and
 * initial always stand beside it.
 * @param taken hues already on the page; a free one is chosen while there is one
 * @example style="--ax-agent-hue: {agentHue(identity.id)}"
 * @since 0.1.0
 */
export function agentHue(id: string, taken: readonly number[] = []): number {
	let sum = 0;
	for (const character of id) sum = (sum * 31 + character.codePointAt(0)!) % 65521;
	const start = sum % HUES.length;
	const order = HUES.map((_, index) => HUES[(start + index) % HUES.length]!);
	return order.find((hue) => !taken.includes(hue)) ?? order[0]!;
}
