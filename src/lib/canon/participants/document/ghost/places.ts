import type { Node } from 'prosemirror-model';
import type { Mapping } from 'prosemirror-transform';

/** Where one ghost stands. */
export interface Place {
	readonly key: string;
	readonly pos: number;
	readonly block: boolean;
	readonly agent?: string;
	readonly hue?: number;
}

/** All ghosts of a state. */
export interface Places {
	readonly here: readonly Place[];
	/** Their place was deleted. They stay away until they are cleared, wherever the stream would like to paint. */
	readonly gone: readonly string[];
}

export const NOWHERE: Places = { here: [], gone: [] };

/** Whether a ghost can stand at `pos` of `doc`. */
export const fits = (doc: Node, pos: number): boolean =>
	Number.isInteger(pos) && pos >= 0 && pos <= doc.content.size;

export const has = ({ here, gone }: Places, key: string): boolean =>
	gone.includes(key) || here.some((place) => place.key === key);

export const add = (places: Places, place: Place): Places =>
	has(places, place.key) ? places : { ...places, here: [...places.here, place] };

export const clear = (places: Places, key: string): Places =>
	has(places, key)
		? {
				here: places.here.filter((place) => place.key !== key),
				gone: places.gone.filter((other) => other !== key)
			}
		: places;

/** The places after an edit: typed words come before a ghost, and it goes when both sides of its place are deleted. */
export function moved(places: Places, mapping: Mapping): Places {
	if (places.here.length === 0) return places;
	const here: Place[] = [];
	const gone = [...places.gone];
	for (const place of places.here) {
		const { pos, deletedAcross } = mapping.mapResult(place.pos, 1);
		if (deletedAcross) gone.push(place.key);
		else here.push({ ...place, pos });
	}
	return { here, gone };
}
