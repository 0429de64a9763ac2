import { button, enter, panel } from './desk.mjs';

/** What is fetched of evidence, and the viewer. */
async function list(stage) {
  await enter(stage);
  const { page } = stage;
  const rows = await panel(page, 'Evidence');
  await button(rows, 'Keep all for offline').click();
  // All that training has is small.
  await rows.getByText(/still to load/).waitFor({ state: 'detached', timeout: 120_000 });
  await rows.getByRole('row').filter({ hasText: 'image/jpeg' }).first().click();
  await rows.locator('canvas').first().waitFor();
}

async function viewer({ page }) {
  await button(page, 'Open viewer').click();
  await page.keyboard.press('c');
  await page.getByRole('dialog').getByRole('img').nth(1).waitFor();
}

export const evidence = {
  name: 'evidence',
  pictures: {
    'evidence-night-1440': list,
    'evidence-viewer-day-1440': viewer,
  },
};
