import type { Situation } from '../situation.js';

/** "1 paso", "3 pasos". */
export const some = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`;

/** "Factura, Pedido 118 y Bandeja"; "e" before an i-sound. */
export const list = (names: readonly string[]): string => {
	const last = names[names.length - 1] ?? '';
	const and = /^[^\p{L}\p{N}]*h?[ií](?![aeouáéóú])/iu.test(last) ? 'e' : 'y';
	return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} ${and} ${last}`;
};

/** " en Factura", or nothing where nothing was touched. */
export const within = ({ where }: Pick<Situation, 'where'>): string =>
	where.length === 0 ? '' : ` en ${list(where)}`;

/** "3 hechos, 1 rechazado": what became of the steps, only what there is. */
export const tally = (facts: Situation): string => {
	const parts: readonly (readonly [number, string, string])[] = [
		[facts.done, 'hecho', 'hechos'],
		[facts.rejected, 'rechazado', 'rechazados'],
		[facts.refused, 'denegado', 'denegados'],
		[facts.failed, 'fallido', 'fallidos'],
		[facts.unknown, 'de resultado desconocido', 'de resultado desconocido'],
		[facts.skipped, 'sin hacer', 'sin hacer']
	];
	return (
		parts
			.filter(([n]) => n > 0)
			.map(([n, one, many]) => some(n, one, many))
			.join(', ') || 'no se ha cambiado nada'
	);
};
