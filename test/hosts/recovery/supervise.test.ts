import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDocuments } from '../../../src-main/adapters/documents.ts';
import { findBrowser, kioskArguments } from '../../../src-main/hosts/browser/kioskBrowser.ts';
import { superviseBrowser, type SupervisedBrowser } from '../../../src-main/hosts/browser/supervise.ts';
import { createVirtualClock, stepUntil, until, type VirtualClock } from '../../support/clock.ts';
import { createRecordingLogger, type RecordingLogger } from '../../support/ports.ts';

// The browsers of these tests are shell scripts.
describe.skipIf(process.platform === 'win32')('the browser of a kiosk', () => {
  let folder: string;
  let clock: VirtualClock;
  let logger: RecordingLogger;
  let done: string[];
  let urls: number;
  let kiosk: SupervisedBrowser;

  const events = (name: string): number => logger.lines.filter(({ event }) => event === name).length;
  const started = (): number => events('kiosk-browser-started');
  /** 0 until the browser has written it. */
  const pidOf = (): number => {
    const file = join(folder, 'pid');
    return existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;
  };

  /** Starts a supervised browser that does `script`; resolves when it runs. */
  async function open(script: string): Promise<void> {
    const program = join(folder, 'browser');
    const lines = ['#!/bin/sh', `echo "$@" >> '${folder}/arguments'`, `echo $$ > '${folder}/pid'`, script];
    await writeFile(program, `${lines.join('\n')}\n`, { mode: 0o700 });
    kiosk = await superviseBrowser({
      clock,
      logger,
      documents: createDocuments(folder),
      dataDir: folder,
      program,
      environment: { PATH: process.env['PATH'], NOTIFY_SOCKET: '/run/notify', WATCHDOG_USEC: '1' },
      issueUrl: () => {
        urls += 1;
        return `http://127.0.0.1:1/#launch=secret-${String(urls)}`;
      },
      stoppedPage: '/opt/stopped.html',
      relaunch: () => void done.push('relaunch'),
      onStopped: () => void done.push('stopped'),
    });
    await until(() => started() === 1, 'the browser');
    await until(() => pidOf() > 0, 'its process id');
  }
  /** Moves the clock until so many browsers were started. */
  const untilStarted = (count: number): Promise<void> =>
    stepUntil(clock, () => started() === count, { what: 'the next browser', stepMs: 100 });

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'field-console-kiosk-'));
    clock = createVirtualClock();
    logger = createRecordingLogger();
    done = [];
    urls = 0;
  });
  afterEach(async () => {
    await kiosk.close();
    expect(await readdir(join(folder, 'kiosk-browser'))).toEqual([]);
    expect(clock.pending()).toBe(0);
    await rm(folder, { recursive: true, force: true });
  });

  it('gets its launch code from a file of its own, and nothing of the service manager', async () => {
    await open(`env > '${folder}/environment'; exec sleep 600`);
    await until(() => existsSync(join(folder, 'environment')), 'the environment');
    expect(await readFile(join(folder, 'environment'), 'utf8')).not.toMatch(/NOTIFY|WATCHDOG/);
    const given = await readFile(join(folder, 'arguments'), 'utf8');
    expect(given).not.toContain('secret');
    const [profile = ''] = await readdir(join(folder, 'kiosk-browser'));
    const page = join(folder, 'kiosk-browser', profile, 'open.html');
    expect(given).toContain(`--app=file://${page}`);
    expect(await readFile(page, 'utf8')).toContain('secret-1');
    expect((await stat(page)).mode & 0o777).toBe(0o600);
  });

  it('is replaced when no page of it comes in within 30 s, and left alone when one does', async () => {
    await open('exec sleep 600');
    const first = pidOf();
    await clock.advance(29_999);
    expect(started()).toBe(1);
    await clock.advance(1);
    await untilStarted(2);
    expect(() => process.kill(first, 0)).toThrow();
    kiosk.onPage();
    await clock.advance(600_000);
    expect(started()).toBe(2);
    expect(urls).toBe(2);
  });

  it('is replaced when its page is away for 15 s, and not when it comes back', async () => {
    await open('exec sleep 600');
    const page = kiosk.onPage();
    page.closed();
    await clock.advance(14_999);
    const again = kiosk.onPage();
    await clock.advance(600_000);
    expect(started()).toBe(1);
    again.closed();
    await clock.advance(15_000);
    await untilStarted(2);
  });

  it('is replaced when its page leaves a push unanswered for 20 s', async () => {
    await open('exec sleep 600');
    const page = kiosk.onPage();
    page.sent();
    await clock.advance(19_000);
    page.answered();
    page.sent();
    await clock.advance(19_999);
    expect(events('recovery-reload')).toBe(0);
    await clock.advance(1);
    expect(events('recovery-reload')).toBe(1);
    // The socket of what was killed ends afterwards, and is no second trouble.
    page.closed();
    await untilStarted(2);
    kiosk.onPage();
    await clock.advance(60_000);
    expect(started()).toBe(2);
  });

  it('that ends repeatedly is started three times more, and then the console has to be restarted', async () => {
    await open('exit 1');
    for (const [before, waitMs] of [1_000, 5_000, 20_000].entries()) {
      await until(() => events('recovery-reload') === before + 1, 'its end');
      await clock.advance(waitMs);
      await until(() => started() === before + 2, 'the next browser');
    }
    await until(() => done.length > 0, 'the end');
    expect(done).toEqual(['relaunch']);
    expect(started()).toBe(4);
  });

  it('shows what to do when the console was restarted too often', async () => {
    const relaunches = [1, 2, 3].map((ago) => clock.wallNow() - ago * 60_000);
    await writeFile(
      join(folder, 'recovery.json'),
      JSON.stringify({ format: 1, relaunches, gpuOffSince: null }),
    );
    await open('exec sleep 600');
    kiosk.workerLost();
    await untilStarted(2);
    await until(() => done.length > 0, 'the end');
    expect(done).toEqual(['stopped']);
    await expect
      .poll(async () => await readFile(join(folder, 'arguments'), 'utf8'))
      .toContain('--app=file:///opt/stopped.html');
    await clock.advance(600_000);
    expect(started()).toBe(2);
  });

  it.runIf(process.platform === 'linux')(
    'that a killed console left is ended, and nothing else that has its number',
    async () => {
      const root = join(folder, 'kiosk-browser');
      const left = join(root, 'profile-left');
      const other = join(root, 'profile-other');
      for (const path of [left, other]) await mkdir(path, { recursive: true });
      const orphan = spawn('sh', ['-c', 'sleep 600; true', `--user-data-dir=${left}`], { stdio: 'ignore' });
      const stranger = spawn('sleep', ['600'], { stdio: 'ignore' });
      const gone = once(orphan, 'exit');
      await symlink(`${hostname()}-${String(orphan.pid)}`, join(left, 'SingletonLock'));
      await symlink(`${hostname()}-${String(stranger.pid)}`, join(other, 'SingletonLock'));
      await open('exec sleep 600');
      await gone;
      expect(stranger.exitCode).toBeNull();
      expect(stranger.signalCode).toBeNull();
      expect(await readdir(root)).toHaveLength(1);
      stranger.kill();
    },
  );
});

describe('finding a browser', () => {
  it('takes the first of the known names that can be run', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'field-console-find-'));
    const find = (): Promise<string | null> =>
      findBrowser({ platform: 'linux', environment: { PATH: `relative:${folder}` } });
    expect(await find()).toBeNull();
    await writeFile(join(folder, 'google-chrome'), '', { mode: 0o700 });
    await writeFile(join(folder, 'firefox'), '', { mode: 0o700 });
    expect(await find()).toBe(join(folder, 'google-chrome'));
    await writeFile(join(folder, 'chromium'), '', { mode: 0o700 });
    expect(await find()).toBe(join(folder, 'chromium'));
    expect(await findBrowser({ platform: 'win32', environment: { ProgramFiles: folder } })).toBeNull();
    await rm(folder, { recursive: true });
  });

  it('never takes a browser’s sandbox away, and speaks Wayland where there is nothing else', () => {
    const of = (environment: Record<string, string>): string[] =>
      kioskArguments({ profile: '/p', page: '/p/open.html', environment });
    expect(of({}).some((argument) => /sandbox|remote-debugging|disable-web-security/.test(argument))).toBe(
      false,
    );
    expect(of({ WAYLAND_DISPLAY: 'wayland-0' })).toContain('--ozone-platform=wayland');
    expect(of({ WAYLAND_DISPLAY: 'wayland-0', DISPLAY: ':0' })).not.toContain('--ozone-platform=wayland');
  });
});
