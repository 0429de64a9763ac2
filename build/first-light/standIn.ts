import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { startOnStandIn } from '../../test/e2e/support/standInHost.ts';
import { chromiumLaunch, composedInSoftware } from '../../test/support/chromium.ts';
import type { Application, Running } from './application.ts';

/** The built application on the stand-in of Electron (docs/adr/0031), to try the steps themselves. */
export async function standInApplication(folder: string): Promise<Application> {
  const { executablePath, args } = await chromiumLaunch();
  const browser = await chromium.launch({
    executablePath,
    args: [...args, ...composedInSoftware, '--ignore-certificate-errors'],
  });
  const start = (given: readonly string[], inspected: boolean): Running => {
    const at = given.indexOf('--data-dir');
    const { pid, exited, output } = startOnStandIn({
      ...{ browser, folder, inspected },
      dataDir: at === -1 ? join(folder, 'unused') : (given[at + 1] ?? folder),
      args: given.filter((_, index) => at === -1 || (index !== at && index !== at + 1)),
      environment: {},
      context: { viewport: { width: 1440, height: 900 }, locale: 'en-GB' },
      prepare: () => Promise.resolve(),
    });
    return { pid, exited, output, quit: () => process.kill(pid, 'SIGTERM') };
  };
  return {
    host: 'desktop host on stand-in',
    started: 'the build, on the stand-in',
    cannot: { notifications: 'Headless Chromium gives no page this permission.' },
    start: (given) => start(given, false),
    startInspected: (given) => Promise.resolve(start(given, true)),
    close: () => browser.close(),
  };
}
