/**
 * Drops members that are `undefined`, as JSON would, in everything that is not frozen yet. So records can be written down
 * with their optional fields as they are.
 */
export function compact<T>(value: T): T {
	if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
	for (const [key, item] of Object.entries(value)) {
		if (item === undefined && !Array.isArray(value)) delete (value as Record<string, unknown>)[key];
		else compact(item);
	}
	return value;
}
