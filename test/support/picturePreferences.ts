import type { Page } from '@playwright/test';
import type { Preferences } from '../../src-preload/contract/index.ts';

/**
 * Changes preferences through the page's own bridge, as its settings do: a picture of a state must not
 * leave that state for the settings and come back.
 */
export async function prefer(page: Page, change: Partial<Preferences>): Promise<void> {
  await page.evaluate(async (wanted) => {
    interface Mounted extends Element {
      readonly __vue_app__: { readonly _context: { readonly provides: Record<symbol, unknown> } };
    }
    interface PageBridge {
      readonly verbs: { setPreferences(change: unknown): Promise<{ readonly ok: boolean }> };
    }
    const { provides } = document.querySelector<Mounted>('#app')!.__vue_app__._context;
    const key = Object.getOwnPropertySymbols(provides).find(({ description }) => description === 'bridge');
    const { verbs } = provides[key!] as PageBridge;
    const { ok } = await verbs.setPreferences(wanted);
    if (!ok) throw new Error('The preferences were refused');
  }, change);
}
