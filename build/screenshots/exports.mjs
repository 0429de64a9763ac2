import { createClock } from '../../src-main/adapters/clock.ts';
import { startTraining } from '../../src-main/training/index.ts';
import { syntheticIncidents } from '../../test/support/dataset.ts';
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

const many = 20_000;
/** So slow a line that a file is still being written while the picture is taken, bytes a second. */
const slowLine = 100_000;

const largeService = () =>
  startTraining({
    clock: createClock(),
    seed: 7,
    dataset: syntheticIncidents(many, 11),
    switches: { arrivals: false, integrationScript: false },
  });

async function running({ page, operator, service }) {
  await operator.signIn(service.credentials);
  await operator.incidents.getByText(/20,000 incidents/).waitFor();
  await button(page, 'Export').click();
  const window = page.getByRole('dialog', { name: 'Export incidents' });
  await window.getByRole('radio', { name: /^CSV/ }).check();
  const network = await page.context().newCDPSession(page);
  await network.send('Network.enable');
  await network.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: slowLine,
    uploadThroughput: -1,
  });
  await button(window, 'Export').click();
  await window.getByText(/ of 20,000 written\.$/).waitFor();
}

export const largeExport = {
  name: 'large-export',
  service: largeService,
  pictures: { 'export-running-night-1280': running },
};
