import { _electron, test as base, expect, type BrowserContextOptions, type Page } from '@playwright/test';
import { basename } from 'node:path';
import process from 'node:process';
import { proofKey } from '../../../src-preload/contract/index.ts';
import { createClock } from '../../../src-main/adapters/clock.ts';
import { patience } from '../../support/patience.ts';
import { startTraining, type TrainingOptions, type TrainingServer } from '../../support/training/index.ts';
import {
  givePreferences,
  removeFolder,
  serveConsole,
  temporaryFolder,
  writeDeployment,
  type RunningConsole,
} from './launch.ts';
import { processorSeconds } from '../../support/testCost.ts';
import { reasonNotToRun } from './notOnHosts.ts';
import { Operator } from './operator.ts';
import { extractServe, makeDriven, runShipped } from './packed.ts';
import { startOnStandIn } from './standInHost.ts';

/** How one test wants its service; each test has a service of its own. */
export type ServiceOptions = Omit<TrainingOptions, 'clock'>;

export interface OpenedConsole extends RunningConsole {
  readonly page: Page;
  readonly operator: Operator;
}

interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface Fixtures {
  processorSeconds: void;
  skipped: void;
  serviceOptions: ServiceOptions;
  /** Further keys of the deployment file. */
  deployment: Readonly<Record<string, unknown>>;
  /** What this computer has set already; without anything it is a first run. */
  preferences: Readonly<Record<string, unknown>>;
  /** What the desktop application on the stand-in finds in its environment besides. */
  environment: Readonly<Record<string, string>>;
  folder: string;
  /** The service a deployment file points at: quiet unless the test wants its script. */
  service: TrainingServer;
  /** Opens a console: on the service by default, on the embedded training with `[]`. */
  open: (args?: readonly string[]) => Promise<OpenedConsole>;
  /** The desktop application as it is shipped, with arguments with which it ends by itself. */
  runToEnd: (args: readonly string[]) => Promise<Ended>;
  /** A console on the service, at its sign-in page. */
  opened: OpenedConsole;
  /** A console signed in to the service, its incidents listed. */
  operator: Operator;
}

interface WorkerFixtures {
  /** The application that Playwright's Electron driver starts; null in the other projects. */
  driven: string | null;
}

const asOnScreen: BrowserContextOptions = {
  viewport: { width: 1440, height: 900 },
  locale: 'en-GB',
  timezoneId: 'UTC',
};

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

/** Why the desktop host cannot run on this machine (playwright.config.ts); undefined where it can. */
const withoutDesktop = process.env['FIELD_CONSOLE_NO_DESKTOP'];

export const test = base.extend<Fixtures, WorkerFixtures>({
  processorSeconds: [processorSeconds, { auto: true }],
  driven: [
    async ({}, use, worker) => {
      switch (worker.project.metadata['host']) {
        case 'desktop': {
          if (withoutDesktop !== undefined) {
            await use(null);
            break;
          }
          const { executable, remove } = await makeDriven();
          await use(executable);
          await remove();
          break;
        }
        case 'packed': {
          const { program, remove } = await extractServe();
          process.env['FIELD_CONSOLE_SERVE'] = program;
          await use(null);
          await remove();
          break;
        }
        default:
          await use(null);
      }
    },
    { scope: 'worker', auto: true, timeout: patience.step },
  ],

  // Before every other fixture, so that what cannot run here is counted as skipped and costs nothing.
  skipped: [
    async ({}, use, testInfo) => {
      const desktop = testInfo.project.metadata['host'] === 'desktop';
      testInfo.skip(
        desktop && withoutDesktop !== undefined,
        `The desktop host cannot run here: ${withoutDesktop ?? ''}`,
      );
      const spec = basename(testInfo.file, '.spec.ts');
      const reason = reasonNotToRun(testInfo.project.metadata['host'], spec, testInfo.titlePath);
      testInfo.skip(reason !== null, reason ?? '');
      await use();
    },
    { auto: true },
  ],

  serviceOptions: [{}, { option: true }],
  deployment: [{}, { option: true }],
  preferences: [{ tourDone: true }, { option: true }],
  environment: [{}, { option: true }],

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

  open: async (
    { service, folder, browser, deployment: further, preferences, environment, driven },
    use,
    testInfo,
  ) => {
    const onStandIn = testInfo.project.metadata['host'] === 'stand-in';
    const complaints: string[] = [];
    const closers: (() => Promise<unknown>)[] = [];

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
      await givePreferences(dataDir, preferences);
      if (driven !== null) {
        const app = await _electron.launch({
          executablePath: driven,
          args: ['--data-dir', dataDir, ...given],
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
      if (onStandIn) {
        const prepare = (page: Page): Promise<void> => watchComplaints(page, complaints);
        const started = startOnStandIn({
          browser,
          folder,
          dataDir,
          args: given,
          environment,
          context: asOnScreen,
          prepare,
        });
        closers.push(() => started.stop());
        const page = await started.firstPage();
        return { ...started, page, operator: new Operator(page) };
      }
      const running = await serveConsole(dataDir, given);
      closers.push(() => running.stop());
      const context = await browser.newContext(asOnScreen);
      closers.push(() => context.close());
      const page = await context.newPage();
      await watchComplaints(page, complaints);
      await page.goto(running.url);
      // A test that loads the page anew must not do so while its launch code is being exchanged.
      await page.waitForFunction((key) => sessionStorage.getItem(key) !== null, proofKey);
      return { ...running, page, operator: new Operator(page) };
    });

    for (const close of closers.reverse()) await close();
    expect(complaints, 'the page complained').toEqual([]);
  },

  runToEnd: async ({ browser, folder, environment }, use, testInfo) => {
    await use(async (args) => {
      if (testInfo.project.metadata['host'] !== 'stand-in') return runShipped(args, folder);
      const prepare = (): Promise<void> => Promise.resolve();
      const dataDir = `${folder}/data`;
      const { exited, output } = startOnStandIn({
        browser,
        folder,
        dataDir,
        args,
        environment,
        context: asOnScreen,
        prepare,
      });
      return { status: await exited, ...output() };
    });
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
