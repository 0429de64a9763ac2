import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import type { ThemeName } from '../../../src-preload/contract/index.ts';

/** Rules whose answer depends on the theme, and on nothing that the themes have in common. */
const contrastRules = ['color-contrast', 'link-in-text-block'];

async function run(builder: AxeBuilder): Promise<string[]> {
  // The other mode opens a page for each run; it is for frames of other origins, and there are none.
  const { violations: found } = await builder.setLegacyMode(true).analyze();
  return found.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.target.join(' ')} ${node.failureSummary}`),
  );
}

/** The violations that axe finds on the page as it stands, in a form that a failure can be read from. */
export const violations = (page: Page): Promise<string[]> => run(new AxeBuilder({ page }));

/** Those of contrast alone, which is all that another theme can break; AAA where the theme promises it. */
export const contrastViolations = (page: Page, theme: ThemeName): Promise<string[]> =>
  run(
    new AxeBuilder({ page }).withRules([
      ...contrastRules,
      ...(theme === 'sunlight' ? ['color-contrast-enhanced'] : []),
    ]),
  );
