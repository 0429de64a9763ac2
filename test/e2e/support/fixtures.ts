import { _electron, test as base, expect, type Page } from '@playwright/test';
import process from 'node:process';
import { createClock } from '../../../src-main/adapters/clock.ts';
import {
  startTraining,
  type TrainingOptions,
  type TrainingServer,
} from '../../../src-main/training/index.ts';
import {
  electronBinary,
  removeFolder,
  serveConsole,
  temporaryFolder,
  writeDeployment,
  type RunningConsole,
} from './launch.ts';
import { Operator } from './operator.ts';

/** How one test wants its service; each test has a service of its own. */
export type ServiceOptions = Omit<TrainingOptions, 'clock'>;

export interface OpenedConsole extends RunningConsole {
  readonly page: Page;
  readonly operator: Operator;
}

interface Fixtures {
  serviceOptions: ServiceOptions;
  /** Further keys of the deployment file. */
  deployment: Readonly<Record<string, unknown>>;
  folder: string;
  /** The service a deployment file points at: quiet unless the test wants its script. */
  service: TrainingServer;
  /** Opens a console: on the service by default, on the embedded training with `[]`. */
  open: (args?: readonly string[]) => Promise<OpenedConsole>;
  /** A console on the service, at its sign-in page. */
  opened: OpenedConsole;
  /** A console signed in to the service, its incidents listed. */
  operator: Operator;
}

/** Everything a page complained about that must stay empty: policy violations and uncaught errors. */
async function watchComplaints(page: Page, complaints: string[]): Promise<void> {
  page.on('pageerror', (error) => complaints.push(`page error: ${error.message}`));
  page.on('console', (message) => {
    if (/content security policy|\[vue warn\]/i.test(message.text())) complaints.push(message.text());
  });
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      console.error(`Content Security Policy: ${event.violatedDirective} refused ${event.blockedURI}`);
    });
  });
}

export const test = base.extend<Fixtures>({
  serviceOptions: [{}, { option: true }],
  deployment: [{}, { option: true }],

  // Playwright reads a fixture's needs from its pattern: this one needs nothing.
  folder: async ({}, use) => {
    const folder = await temporaryFolder();
    await use(folder);
    await removeFolder(folder);
  },

  service: async ({ serviceOptions }, use) => {
    const service = await startTraining({
      clock: createClock(),
      seed: 7,
      ...serviceOptions,
      switches: { arrivals: false, integrationScript: false, ...serviceOptions.switches },
    });
    await use(service);
    await service.close();
  },

  open: async ({ service, folder, browser, deployment: further }, use, testInfo) => {
    const complaints: string[] = [];
    const closers: (() => Promise<unknown>)[] = [];
    const desktop = testInfo.project.metadata['host'] === 'desktop';
    const binary = desktop ? await electronBinary() : null;
    const noDisplay =
      process.platform === 'linux' && !process.env['DISPLAY'] && !process.env['WAYLAND_DISPLAY'];
    test.skip(desktop && binary === null, 'The desktop host needs the Electron binary, which is not here');
    test.skip(desktop && noDisplay, 'The desktop host needs a display, and there is none');

    await use(async (args) => {
      const deployment = await writeDeployment(folder, {
        id: 'station-1',
        name: 'Harbour station',
        infrastructureUrl: service.infrastructureUrl,
        coordinationUrl: service.coordinationUrl,
        timestampUnit: service.switches().timestampUnit,
        health: { aiAnalysis: 'ai_analysis', ipfsPinning: 'ipfs_pinning', ledger: 'ledger' },
        pollIntervals: { incidentsMs: 2_000, healthMs: 2_000 },
        sync: { requestsPerMinute: 3_000 },
        ...further,
      });
      const given = args ?? ['--deployment', deployment];
      const dataDir = `${folder}/data`;
      if (desktop && binary !== null) {
        const app = await _electron.launch({
          executablePath: binary,
          args: ['out/main/desktop.js', '--data-dir', dataDir, ...given],
        });
        const page = await app.firstWindow();
        await watchComplaints(page, complaints);
        const stop = async () => {
          await app.close();
          return 0;
        };
        closers.push(stop);
        const output = () => ({ stdout: '', stderr: '' });
        return { page, operator: new Operator(page), dataDir, pid: app.process().pid ?? -1, output, stop };
      }
      const running = await serveConsole(dataDir, given);
      closers.push(() => running.stop());
      const context = await browser.newContext({
        viewport: { width: 1440, height: 900 },
        locale: 'en-GB',
        timezoneId: 'UTC',
      });
      closers.push(() => context.close());
      const page = await context.newPage();
      await watchComplaints(page, complaints);
      await page.goto(running.url);
      return { ...running, page, operator: new Operator(page) };
    });

    for (const close of closers.reverse()) await close();
    expect(complaints, 'the page complained').toEqual([]);
  },

  opened: async ({ open }, use) => {
    await use(await open());
  },

  operator: async ({ opened, service }, use) => {
    await opened.operator.signIn(service.credentials);
    await use(opened.operator);
  },
});

export { expect };
