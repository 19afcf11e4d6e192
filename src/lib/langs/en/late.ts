/** What stands in the place of a body that did not come. @since 0.1.0 */
export const late = {
	failed: 'The rest could not be loaded, and nothing is decided.',
	again: 'Try again'
};
