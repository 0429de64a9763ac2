import { chromium } from '@playwright/test';
import { existsSync } from 'node:fs';
import process from 'node:process';

/** A Chromium that Playwright can start, and the words by which a report names it. */
export interface ChromiumLaunch {
  readonly executablePath: string;
  readonly args: string[];
  readonly label: string;
  readonly headless: boolean;
}

/** No WebGL: a map that is drawn in software costs more than all the rest of a page. */
export const withoutWebgl = (args: readonly string[]): string[] => [
  ...args.filter((arg) => !arg.includes('swiftshader')),
  '--disable-3d-apis',
];

const systemBrowsers = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
];

/** WebGL without a graphics card, and no traffic of the browser's own. */
const common = [
  '--no-sandbox',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

/**
 * Finds the browser for the end-to-end tests: FIELD_CONSOLE_CHROMIUM, else the system's, else
 * Playwright's own where it was installed, else the one that the npm package `@sparticuz/chromium`
 * carries (Linux x64), so that a machine with nothing but npm runs them. FIELD_CONSOLE_BUNDLED_CHROMIUM=1
 * asks for that last one.
 *
 * @throws Error when there is none, with what to install.
 */
export async function chromiumLaunch(): Promise<ChromiumLaunch> {
  const named = process.env['FIELD_CONSOLE_CHROMIUM'];
  if (named) return { executablePath: named, args: common, label: `Chromium at ${named}`, headless: true };
  const bundledOnly = process.env['FIELD_CONSOLE_BUNDLED_CHROMIUM'] === '1';
  const found = [...systemBrowsers, chromium.executablePath()].find((path) => existsSync(path));
  const system = bundledOnly ? undefined : found;
  if (system) return { executablePath: system, args: common, label: `browser at ${system}`, headless: true };
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error('No Chromium found: install one and name it in FIELD_CONSOLE_CHROMIUM');
  }
  // The package unpacks the system libraries it needs only where it believes to run on Lambda.
  process.env['AWS_EXECUTION_ENV'] ??= 'AWS_Lambda_nodejs22.x';
  const { default: bundled } = await import('@sparticuz/chromium');
  const executablePath = await bundled.executablePath();
  return {
    executablePath,
    args: [...common, '--headless=shell'],
    label: 'Chromium of the npm package @sparticuz/chromium',
    headless: true,
  };
}
