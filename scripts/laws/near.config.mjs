// The tests near the guards, as fast as they can be: plain node, one worker, nothing of Svelte.
import { defineConfig } from 'vitest/config';

export default defineConfig({
	test: {
		name: 'near',
		environment: 'node',
		include: ['tests/engine/**/*.test.ts'],
		expect: { requireAssertions: true },
		isolate: false,
		maxWorkers: 1
	}
});
