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

/**
 * Without a graphics card a page that is composed as if by one costs several times what is looked at. The map is drawn
 * as before.
 */
export const composedInSoftware = ['--disable-gpu-compositing', '--disable-gpu-rasterization'];

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

/** A headless shell in an npm package, for one system. */
const isBundled = process.platform === 'linux' && process.arch === 'x64';

/**
 * The browser of the tests: the one that the npm package `@sparticuz/chromium` has (Linux x64), so that all machines
 * run the same one and need nothing but npm. Elsewhere Playwright's own, else the system's. FIELD_CONSOLE_CHROMIUM
 * names another one: a path, or `system`.
 *
 * @throws Error when there is none, with what to install.
 */
export async function chromiumLaunch(): Promise<ChromiumLaunch> {
  const named = process.env['FIELD_CONSOLE_CHROMIUM'] ?? '';
  if (named === '' && isBundled) return bundledLaunch();
  const system = systemBrowser();
  const own = existsSync(chromium.executablePath()) ? chromium.executablePath() : undefined;
  const executablePath = named === '' ? (own ?? system) : named === 'system' ? system : named;
  if (executablePath === undefined)
    throw new Error('No Chromium found: install one, or name it in FIELD_CONSOLE_CHROMIUM');
  return { executablePath, args: common, label: `browser at ${executablePath}`, headless: true };
}

/** The system's Chromium or Chrome, where it has one. */
export const systemBrowser = (): string | undefined => systemBrowsers.find((path) => existsSync(path));

async function bundledLaunch(): Promise<ChromiumLaunch> {
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
