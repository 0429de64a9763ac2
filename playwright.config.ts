import { defineConfig } from '@playwright/test';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { noDesktop } from './test/e2e/support/packed.ts';
import { chromiumLaunch, composedInSoftware, withoutWebgl } from './test/support/chromium.ts';
import { patience, repeats } from './test/support/patience.ts';

const { executablePath, args, label } = await chromiumLaunch();
const withoutDesktop = noDesktop();
process.env['FIELD_CONSOLE_BROWSER_LABEL'] = label;
// Consoles that tests start anchor their vaults there, and not beside those of whoever runs the tests.
process.env['FIELD_CONSOLE_STATE_DIR'] ??= join(tmpdir(), 'field-console-test-state');
if (withoutDesktop !== null) process.env['FIELD_CONSOLE_NO_DESKTOP'] = withoutDesktop;
/** The whole suite on the packed application, rather than the tests that were chosen for it. */
const wholePacked = process.env['FIELD_CONSOLE_PACKED'] === 'whole';
/** What looks at the map is tagged @map, and runs one at a time; the pages of the others have no WebGL. */
const withoutMap = {
  launchOptions: { executablePath, args: [...withoutWebgl(args), ...composedInSoftware] },
};

/**
 * What is walked through on the stand-in of Electron in every slow run (docs/adr/0031): what the desktop's own parts
 * carry. FIELD_CONSOLE_STAND_IN=whole walks through everything.
 */
const onStandIn = {
  metadata: { host: 'stand-in' },
  ...(process.env['FIELD_CONSOLE_STAND_IN'] === 'whole'
    ? {}
    : {
        testMatch: [
          'desktop',
          'deployments',
          'deploymentCheck',
          'diagnostics',
          'drones',
          'evidenceViewer',
          'exports',
          'handover',
          'kiosk',
          'largeFiles',
          'outbox',
          'secrets',
          'session',
          'signIn',
          'updates',
        ].map((name) => `${name}.spec.ts`),
      }),
};
/** The page's origin is an address of this computer, with a certificate that only tests know. */
const ownCertificate = '--ignore-certificate-errors';

export default defineConfig({
  testDir: 'test/e2e',
  outputDir: 'test-results/e2e',
  snapshotPathTemplate: 'test/e2e/pictures/{arg}{ext}',
  // Two cores hold two consoles, services and pages. A map that is drawn in software takes one of them whole.
  workers: 2,
  fullyParallel: true,
  timeout: patience.test,
  expect: { timeout: patience.step },
  // The specs of what must always hold are not repeated (they say so).
  retries: repeats,
  forbidOnly: process.env['CI'] !== undefined,
  reporter: [['list'], ['./test/support/playwrightReporter.ts'], ['./test/support/hostReporter.ts']],
  use: {
    viewport: { width: 1440, height: 900 },
    launchOptions: { executablePath, args: [...args, ...composedInSoftware] },
    locale: 'en-GB',
    timezoneId: 'UTC',
  },
  projects: [
    // Those that run one at a time first, so that the others run beside them from the beginning.
    {
      name: 'browser host, map drawn',
      metadata: { host: 'browser' },
      grep: /@map/,
      grepInvert: /@desktop/,
      workers: 1,
    },
    {
      name: 'browser host',
      metadata: { host: 'browser' },
      grepInvert: /@desktop|@map/,
      use: withoutMap,
    },
    {
      name: 'packed application, map drawn',
      metadata: { host: 'packed' },
      grep: wholePacked ? /@map/ : /(?=.*@smoke)(?=.*@map)/,
      grepInvert: /@desktop/,
      workers: 1,
    },
    {
      name: 'packed application',
      metadata: { host: 'packed' },
      ...(wholePacked ? {} : { grep: /@smoke/ }),
      grepInvert: /@desktop|@map/,
      use: withoutMap,
    },
    {
      name: 'desktop host on stand-in, map drawn',
      ...onStandIn,
      grep: /@map/,
      workers: 1,
      use: { launchOptions: { executablePath, args: [...args, ...composedInSoftware, ownCertificate] } },
    },
    {
      name: 'desktop host on stand-in',
      ...onStandIn,
      grepInvert: /@map/,
      use: {
        launchOptions: {
          executablePath,
          args: [...withoutWebgl(args), ...composedInSoftware, ownCertificate],
        },
      },
    },
    { name: 'desktop host', metadata: { host: 'desktop' } },
  ],
});
