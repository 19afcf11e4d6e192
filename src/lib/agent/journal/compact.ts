/**
 * Drops members that are `undefined`, as JSON would, in everything that is not frozen yet. So records can be written down
 * with their optional fields as they are.
 */
export function compact<T>(value: T): T {
	if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
	if (Array.isArray(value)) {
		value.forEach(compact);
		return value;
	}
	for (const key of Object.keys(value)) {
		const item = (value as Record<string, unknown>)[key];
		if (item === undefined) delete (value as Record<string, unknown>)[key];
		else if (typeof item === 'object') compact(item);
	}
	return value;
}
