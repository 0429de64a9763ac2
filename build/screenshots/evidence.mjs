import { button, enter, panel } from './desk.mjs';

/** The list of evidence once all of it is here. */
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

export const evidence = {
  name: 'evidence',
  pictures: {
    'evidence-night-1440': list,
  },
};
