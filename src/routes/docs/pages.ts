/** The docs in reading order. Each is `docs/<slug>.md`. */
export const order = [
	'start',
	'options',
	'manifests',
	'run',
	'gate',
	'form',
	'document',
	'surfaces',
	'accessibility',
	'transports',
	'testing',
	'codes',
	'laws',
	'limits'
] as const;
