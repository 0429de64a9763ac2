import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeLaunchFile } from '../../../src-main/hosts/browser/launchFile.ts';
import { startBrowserHost, type BrowserHost } from '../../../src-main/hosts/browser/server.ts';
import { openPageFiles } from '../../../src-main/hosts/pages.ts';
import { StillClock } from '../../support/clock.ts';
import { createRecordingLogger, type RecordingLogger } from '../../support/ports.ts';
import { FakeConsole } from './console.ts';

/** A browser host over a fake console, with a built page of two files and a secret beside it. */
export interface HostUnderTest {
  readonly folder: string;
  readonly host: BrowserHost;
  readonly fake: FakeConsole;
  readonly clock: StillClock;
  readonly log: RecordingLogger;
  /** What the launch file was given so far. */
  readonly launchUrls: string[];
  end(): Promise<void>;
}

/**
 * @param assets further files of the page, by name
 * @param dataDir the data folder that the host is told; nothing is read or written there
 */
export async function startHostUnderTest(
  assets: Readonly<Record<string, Uint8Array>> = {},
  dataDir = '/data/console',
): Promise<HostUnderTest> {
  const folder = await mkdtemp(join(tmpdir(), 'field-console-hosts-'));
  const root = join(folder, 'renderer');
  await mkdir(join(root, 'assets'), { recursive: true });
  await writeFile(
    join(root, 'index.html'),
    '<meta name="csp-nonce" nonce="__CSP_NONCE__"><title>page</title>',
  );
  await writeFile(join(root, 'assets', 'index-abc.js'), 'export {};');
  await writeFile(join(root, 'assets', 'index-abc.js.map'), '{}');
  for (const [name, bytes] of Object.entries(assets)) await writeFile(join(root, 'assets', name), bytes);
  await writeFile(join(folder, 'secret.txt'), 'secret');
  const fake = new FakeConsole();
  const clock = new StillClock();
  const log = createRecordingLogger();
  const launchUrls: string[] = [];
  const host = await startBrowserHost({
    app: fake,
    clock,
    logger: log,
    pages: await openPageFiles({ root }),
    version: '9.9.9',
    dataDir,
    port: 0,
    onLaunchUrl: async (url) => {
      launchUrls.push(url);
      await writeLaunchFile({ folder, url });
    },
  });
  const end = async (): Promise<void> => {
    const closing = host.close();
    clock.advance(10_000);
    await closing;
    await rm(folder, { recursive: true, force: true });
  };
  return { folder, host, fake, clock, log, launchUrls, end };
}
