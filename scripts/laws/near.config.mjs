// The tests near the guards, as fast as they can be: plain node, one worker, nothing of Svelte.
import { defineConfig } from 'vitest/config';

export default defineConfig({
	test: {
		name: 'near',
		environment: 'node',
		include: ['tests/engine/**/*.test.ts'],
		exclude: ['**/*.mocked.test.ts'],
		setupFiles: ['tests/seed.ts'],
		expect: { requireAssertions: true },
		// A busy machine is no red test.
		testTimeout: 30_000,
		isolate: false,
		maxWorkers: 1
	}
});
