/** The docs in reading order. Each is `docs/<slug>.md`; `codes` is generated from the package's own table. */
export const order = [
	'start',
	'manifests',
	'run',
	'gate',
	'form',
	'surfaces',
	'accessibility',
	'transports',
	'testing',
	'codes',
	'laws',
	'limits'
] as const;
