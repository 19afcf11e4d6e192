/** The docs in reading order. Each is `docs/<slug>.md`. */
export const order = [
	'start',
	'options',
	'manifests',
	'run',
	'context',
	'gate',
	'safety',
	'form',
	'document',
	'surfaces',
	'parts',
	'theming',
	'languages',
	'accessibility',
	'sounds',
	'transports',
	'relay',
	'testing',
	'codes',
	'laws',
	'limits'
] as const;
