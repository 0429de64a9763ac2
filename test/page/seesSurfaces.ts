import { expect, type Page } from '@playwright/test';
import { surfaces } from './surfaces.ts';

const selectors = new Map(surfaces().map(({ name, selector }) => [name, selector]));

/** Expects each of these surfaces on the page, by their names. */
export async function seesSurfaces(page: Page, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const own = page.locator(selectors.get(name) ?? '').filter({ visible: true });
    await expect(own.first(), name).toBeVisible();
  }
}
