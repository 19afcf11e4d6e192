/**
 * Plain data without members that are `undefined`, as JSON would be, frozen through and through: so records can be written down
 * with their optional fields as they are. What is frozen already counts as done. What lacks nothing stays the object it is;
 * one that members were deleted from would be slow for as long as it lives.
 */
export function compact<T>(value: T): T {
	if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
	if (Array.isArray(value)) {
		for (let i = 0; i < value.length; i++) value[i] = compact(value[i] as unknown);
		return Object.freeze(value);
	}
	const holder = value as Record<string, unknown>;
	const keys = Object.keys(holder);
	let lacks = false;
	for (const key of keys) {
		const item = holder[key];
		if (item === undefined) lacks = true;
		else if (typeof item === 'object') {
			const kept = compact(item);
			if (kept !== item) holder[key] = kept;
		}
	}
	if (!lacks) return Object.freeze(value);
	const copy: Record<string, unknown> = {};
	for (const key of keys) if (holder[key] !== undefined) copy[key] = holder[key];
	return Object.freeze(copy) as T;
}
