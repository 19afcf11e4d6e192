import { resolve } from 'node:path';
import { build, type Rollup } from 'vite';
import { describe, expect, it } from 'vitest';

const sheet = resolve(import.meta.dirname, '../../src/lib/styles.css');

/** The default look as the build of an app for these browsers ships it. */
async function built(cssTarget: string): Promise<string> {
	const result = (await build({
		configFile: false,
		logLevel: 'silent',
		build: { write: false, cssTarget, rolldownOptions: { input: sheet } }
	})) as Rollup.RollupOutput;
	const [asset] = result.output.filter(({ fileName }) => fileName.endsWith('.css'));
	return String((asset as Rollup.OutputAsset).source);
}

describe('the default look in an app that is built', { timeout: 60_000 }, () => {
	it('keeps light-dark() where the browsers know it', async () => {
		const css = await built('chrome130');
		expect(css).toContain('light-dark(');
		expect(css).not.toContain('@import');
	});

	it('is light, not colourless, in a build for older browsers where the app names no color-scheme', async () => {
		const css = await built('chrome111');
		expect(css).not.toContain('light-dark(');
		const used = new Set([...css.matchAll(/var\((--lightningcss-\w+)/g)].map((match) => match[1]));
		expect([...used].sort()).toEqual(['--lightningcss-dark', '--lightningcss-light']);
		expect(css).toMatch(/--lightningcss-light:\s*initial[;}]/);
		expect(css).toMatch(/--lightningcss-dark:\s*[;}]/);
	});
});
