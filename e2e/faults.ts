import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/**
 * What axe finds on the page, one line a rule.
 * @param of `'contrast'` alone where only the theme is another than it was; `'structure'` in forced colours, which are the
 * person's own while axe reads the authored ones
 */
export async function faults(page: Page, of: 'all' | 'contrast' | 'structure' = 'all'): Promise<string[]> {
	// Our pages hold no frames, for which axe would open a page of its own each time.
	const axe = new AxeBuilder({ page }).setLegacyMode(true);
	if (of === 'contrast') axe.withRules(['color-contrast']);
	if (of === 'structure') axe.disableRules(['color-contrast']);
	const { violations } = await axe.analyze();
	return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}
