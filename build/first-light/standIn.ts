import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { startOnStandIn } from '../../test/e2e/support/standInHost.ts';
import { chromiumLaunch } from '../../test/support/chromium.ts';
import type { Application } from './application.ts';

/** The built application on the stand-in of Electron (docs/adr/0031), to try the steps themselves. */
export async function standInApplication(folder: string): Promise<Application> {
  const { executablePath, args } = await chromiumLaunch();
  const browser = await chromium.launch({ executablePath, args: [...args, '--ignore-certificate-errors'] });
  return {
    host: 'desktop host on stand-in',
    cannot: { notifications: 'Headless Chromium gives no page this permission.' },
    start: (given) => {
      const at = given.indexOf('--data-dir');
      const started = startOnStandIn({
        ...{ browser, folder },
        dataDir: at === -1 ? join(folder, 'unused') : (given[at + 1] ?? folder),
        args: given.filter((_, index) => at === -1 || (index !== at && index !== at + 1)),
        environment: {},
        context: { viewport: { width: 1440, height: 900 }, locale: 'en-GB' },
        prepare: () => Promise.resolve(),
      });
      const { pid, exited, output } = started;
      return { pid, exited, output, quit: () => process.kill(pid, 'SIGTERM') };
    },
    close: () => browser.close(),
  };
}
