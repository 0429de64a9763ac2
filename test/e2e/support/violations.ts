import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import type { ThemeName } from '../../../src-preload/contract/index.ts';

/** Rules whose answer depends on the theme, and on nothing that the themes have in common. */
const contrastRules = ['color-contrast', 'link-in-text-block'];
/** The rule of AAA, in the theme that promises it. */
const enhanced = 'color-contrast-enhanced';

/** What `axe.run` is given: these rules alone, or all of them with those switched on. */
interface Asked {
  readonly runOnly?: { readonly type: 'rule'; readonly values: readonly string[] };
  readonly rules?: Readonly<Record<string, { readonly enabled: boolean }>>;
}

/** axe as it stands in the page: what of it is called, and of its answer read. */
interface AxeInPage {
  run(options: object): Promise<{
    readonly violations: readonly {
      readonly id: string;
      readonly nodes: readonly { readonly target: readonly unknown[]; readonly failureSummary?: string }[];
    }[];
  }>;
}

async function run(page: Page, asked: Asked): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) {
    // Each analysis by the builder reads axe into the page anew, which takes longer than most analyses.
    // The other mode opens a page for each run; it is for frames of other origins, and there are none.
    await new AxeBuilder({ page }).setLegacyMode(true).withRules('document-title').analyze();
  }
  return page.evaluate(async (options) => {
    const { axe } = window as unknown as { readonly axe: AxeInPage };
    const { violations: found } = await axe.run({ ...options, resultTypes: ['violations'] });
    return found.flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${node.target.join(' ')} ${node.failureSummary ?? ''}`),
    );
  }, asked);
}

/**
 * The violations that axe finds on the page as it stands, in a form that a failure can be read from; with
 * AAA of contrast where `theme` promises it.
 */
export const violations = (page: Page, theme?: ThemeName): Promise<string[]> =>
  run(page, theme === 'sunlight' ? { rules: { [enhanced]: { enabled: true } } } : {});

/** Those of contrast alone, which is all that another theme can break; AAA where the theme promises it. */
export const contrastViolations = (page: Page, theme: ThemeName): Promise<string[]> =>
  run(page, {
    runOnly: { type: 'rule', values: [...contrastRules, ...(theme === 'sunlight' ? [enhanced] : [])] },
  });
