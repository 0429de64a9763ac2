import { button, enter, panel } from './desk.ts';
import type { Stage, Topic } from './stage.ts';

/** The list of evidence once all of it is here. */
async function list(stage: Stage) {
  await enter(stage);
  const { page } = stage;
  const rows = await panel(page, 'Evidence');
  await button(rows, 'Keep all for offline').click();
  await button(page.getByRole('dialog'), 'Keep for offline').click();
  // All that training has is small.
  await rows.getByText(/still to load/).waitFor({ state: 'detached', timeout: 120_000 });
  await rows.getByRole('row').filter({ hasText: 'image/jpeg' }).first().click();
  await rows.locator('canvas').first().waitFor();
}

/** The item that is chosen, in the viewer. */
async function viewer({ page }: Stage) {
  await button(page.getByRole('region', { name: 'Evidence', exact: true }), 'Open viewer').click();
  await page.getByRole('dialog', { name: 'Evidence viewer' }).getByRole('img').waitFor();
}

export const evidence: Topic = {
  name: 'evidence',
  pictures: {
    'evidence-night-1440': list,
    'evidence-viewer-night-1440': viewer,
  },
};
