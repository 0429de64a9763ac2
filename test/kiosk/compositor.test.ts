import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isHere, makeSocketFolder, plainUser } from './programs.ts';

const program = resolve('out/main/serve.js');
const missing = ['cage', 'Xwayland', 'Xvfb', 'import', 'convert', 'chromium'].filter((name) => !isHere(name));
if (!existsSync(program)) missing.push('a build');

/**
 * The kiosk of the browser host as an administrator sets it up: a compositor, the console in it, and the
 * browser that the console opens. The compositor's screen is a window of a virtual X server, so that a
 * picture of it can be taken.
 */
describe.skipIf(missing.length > 0)(`a kiosk in a real compositor (missing: ${missing.join(', ')})`, () => {
  const user = plainUser();
  const size = { width: 1024, height: 768 };
  let folder: string;
  let display: string;
  const children: ChildProcess[] = [];

  const start = (command: string, args: readonly string[], env: Record<string, string>): ChildProcess => {
    const child = spawn(command, args, {
      ...user,
      cwd: folder,
      detached: true,
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
      env: { PATH: process.env['PATH'], HOME: folder, XDG_RUNTIME_DIR: folder, ...env },
    });
    children.push(child);
    return child;
  };

  beforeAll(async () => {
    makeSocketFolder();
    folder = mkdtempSync(join(tmpdir(), 'field-console-compositor-'));
    // As every machine with a screen has it; the tests' own flags draw without a graphics card.
    const browser = join(folder, 'browser');
    const drawing = '--use-angle=swiftshader --enable-unsafe-swiftshader --disable-background-networking';
    writeFileSync(browser, `#!/bin/sh\nexec chromium ${drawing} "$@"\n`);
    chmodSync(browser, 0o755);
    mkdirSync(join(folder, 'data'));
    chmodSync(folder, 0o700);
    if (user !== null) {
      chownSync(folder, user.uid, user.gid);
      chownSync(join(folder, 'data'), user.uid, user.gid);
    }

    // The server says on a pipe which display it took.
    const screen = `${String(size.width)}x${String(size.height)}x24`;
    const server = start('Xvfb', ['-displayfd', '3', '-screen', '0', screen], {});
    const [number] = (await once(server.stdio[3] as NodeJS.ReadableStream, 'data')) as [Buffer];
    display = `:${number.toString().trim()}`;
    start(
      'cage',
      [
        ...['-d', '--', process.execPath, program, '--kiosk', '--training'],
        ...['--browser', browser, '--data-dir', join(folder, 'data')],
      ],
      { DISPLAY: display, WLR_BACKENDS: 'x11', WLR_RENDERER: 'pixman' },
    );
  }, 60_000);

  afterAll(async () => {
    for (const child of children.reverse()) {
      if (child.exitCode !== null || child.pid === undefined) continue;
      const ended = once(child, 'exit');
      process.kill(-child.pid, 'SIGKILL');
      await ended;
    }
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
  });

  /** How bright each corner's surroundings and the whole are, 0 to 1; a bare compositor is black. */
  function brightness(): { corners: number[]; whole: number } | null {
    const path = process.env['FIELD_CONSOLE_KIOSK_PICTURE'] ?? join(folder, 'screen.png');
    const env = { ...process.env, DISPLAY: display };
    if (spawnSync('import', ['-window', 'root', path], { env }).status !== 0) return null;
    const mean = (crop: string): number =>
      Number(
        spawnSync('convert', [path, '-crop', crop, '-format', '%[fx:mean]', 'info:'], {
          encoding: 'utf8',
        }).stdout,
      );
    const box = 60;
    const right = size.width - box;
    const bottom = size.height - box;
    return {
      corners: [
        `${String(box)}x${String(box)}+0+0`,
        `${String(box)}x${String(box)}+${String(right)}+0`,
        `${String(box)}x${String(box)}+0+${String(bottom)}`,
        `${String(box)}x${String(box)}+${String(right)}+${String(bottom)}`,
      ].map(mean),
      whole: mean(`${String(size.width)}x${String(size.height)}+0+0`),
    };
  }

  it('fills the whole screen with the sign-in page', async () => {
    // Day, as nothing tells this browser of a dark system: paper white up to every corner.
    await expect
      .poll(() => brightness()?.corners.every((corner) => corner > 0.4) === true, {
        interval: 2_000,
      })
      .toBe(true);
    expect(brightness()?.whole).toBeGreaterThan(0.6);
  });
});
