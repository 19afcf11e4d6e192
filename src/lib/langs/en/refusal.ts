const words: Readonly<Record<string, string>> = {
	'run-over': 'This run has ended already.',
	'run-live': 'This run is still under way.',
	'person-required': 'Only a person may decide this.',
	'decision-incomplete': 'Every step needs a decision.',
	'review-settled': 'This review has been decided already.',
	'review-unknown': 'This review is not there any more.',
	'question-settled': 'This question has been settled already.',
	'question-unknown': 'This question is not there any more.',
	'answer-invalid': 'The answer does not fit the question.',
	expired: 'The time to decide has run out.',
	stale: 'Something changed meanwhile.',
	drift: 'Something changed meanwhile.',
	transport: 'The model could not be reached.',
	network: 'The model fell silent.',
	truncated: 'The answer broke off.',
	http: 'The model could not be reached.',
	provider: 'The model could not answer.',
	protocol: 'The model could not be understood.',
	'args-invalid': 'The values do not fit.',
	'suggest-only': 'It was to be proposed only.',
	rejected: 'You rejected it.',
	threw: 'The component failed.',
	unavailable: 'This is not possible there now.',
	unknown: 'Nobody knows whether it happened.',
	'illegal-transition': 'This is not possible at the moment.'
};

/** Why something was not taken or not done, in words; a code without words here is said in the text that came with it. @since 0.1.0 */
export const refusal = (reason: { code: string; text: string }): string => words[reason.code] ?? reason.text;
