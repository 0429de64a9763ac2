import { button, signIn } from './desk.mjs';

/** One file is written already, the next one is being chosen. */
async function dialog({ page, operator }) {
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

export const exports = {
  name: 'export',
  opens: signIn,
  pictures: { 'export-day-1280': dialog },
};
