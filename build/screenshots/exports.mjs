import { button, signIn } from './desk.mjs';

/** So slow a line that a file is still being written while the picture is taken, bytes a second. */
const slowLine = 4_000;

/** One file is written already, another one is being written, the next one is being chosen. */
async function dialog({ page, operator }) {
  await operator.filter('Severity', 'high');
  await button(page, 'Export').click();
  const window = page.getByRole('dialog', { name: 'Export incidents' });
  await window.getByRole('radio', { name: /^CSV/ }).check();
  const saving = page.waitForEvent('download');
  await button(window, 'Export').click();
  await saving;
  await window.getByText(/^Saved: /).waitFor();
  const network = await page.context().newCDPSession(page);
  await network.send('Network.enable');
  await network.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: slowLine,
    uploadThroughput: -1,
  });
  await window.getByRole('radio', { name: /^GeoJSON/ }).check();
  await button(window, 'Export').click();
  await window.getByText(/ written\.$/).waitFor();
  await window.getByRole('radio', { name: /^PDF sheet/ }).check();
}

export const exports = {
  name: 'export',
  opens: signIn,
  pictures: { 'export-day-1280': dialog },
};
