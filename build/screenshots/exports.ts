import { button, signIn } from './desk.ts';
import type { Stage, Topic } from './stage.ts';

/** One file is written already, the next one is being chosen. */
async function dialog({ page, operator }: Stage) {
  await operator.filter('Severity', 'high');
  await button(page, 'Export').click();
  const window = page.getByRole('dialog', { name: 'Export incidents' });
  await window.getByRole('radio', { name: /^CSV/ }).check();
  const saving = page.waitForEvent('download');
  await button(window, 'Export').click();
  await saving;
  await window.getByText(/^Saved: /).waitFor();
  await window.getByRole('radio', { name: /^Print/ }).check();
}

export const exports: Topic = {
  name: 'export',
  opens: signIn,
  pictures: { 'export-day-1280': dialog },
};
