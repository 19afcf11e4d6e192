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
	expired: 'The time to decide has run out. Nothing was done.',
	stale: 'Something changed meanwhile. Nothing was done.',
	'illegal-transition': 'This is not possible at the moment.'
};

/** Why a decision was not taken, in words; a code without words here is said in the text that came with it. @since 0.1.0 */
export const refusal = (reason: { code: string; text: string }): string => words[reason.code] ?? reason.text;
