import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { isBuiltin } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { mountSmallDisk, ran } from '../support/smallDisk.ts';
import { openPage } from './support/page.ts';
import { ensureBuilt, Program, serve } from './support/process.ts';

// One file for all that needs the build: two files at once would build it at once.
let folder: string;
let started: Program[];

beforeAll(() => ensureBuilt(), 120_000);
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'field-console-serve-'));
  started = [];
});
afterEach(async () => {
  await Promise.all(started.map((program) => program.kill('SIGKILL')));
  await rm(folder, { recursive: true, force: true });
});

const start = (...args: string[]): Program => {
  const program = serve(['--no-open', '--data-dir', folder, ...args]);
  started.push(program);
  return program;
};

/** Writes until the disk has no room for a byte. */
async function fill(path: string): Promise<never> {
  const file = await open(path, 'w');
  try {
    for (;;) await file.write(new Uint8Array(1_024));
  } finally {
    await file.close();
  }
}

describe('serve', () => {
  it('prints the ready line once and nothing else, carries a page, and leaves with 0 on SIGTERM', async () => {
    const program = start();
    const url = await program.ready();
    const page = await openPage(url);
    const { push } = await page.message('push');
    expect(push.base).toBeNull();
    expect(push.slices.app).toMatchObject({ host: 'browser', training: true });
    page.socket.pause();
    expect(await program.kill('SIGTERM')).toEqual({ code: 0, signal: null });
    expect(program.stdout).toBe(`Console ready at ${url}\n`);
    page.socket.terminate();
  });

  it('leaves with 0 on SIGINT, also when it comes twice or before it is ready', async () => {
    const program = start();
    await program.ready();
    program.child.kill('SIGINT');
    expect(await program.kill('SIGINT')).toEqual({ code: 0, signal: null });
  });

  it('keeps its data to this user', async () => {
    await start().ready();
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    for (const name of ['launch.html', 'owner.json', 'owner.lock']) {
      expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
    }
  });

  it('lets a restarted browser in through the launch file', async () => {
    const program = start();
    const printed = await program.ready();
    const launch = async (): Promise<string> =>
      /url=([^"]+)"/.exec(await readFile(join(folder, 'launch.html'), 'utf8'))?.[1] ?? '';
    const first = await launch();
    expect(first).not.toBe(printed);
    await openPage(first);
    const second = await launch();
    expect(second).not.toBe(first);
    await openPage(second);
    await openPage(printed);
    expect(await program.kill('SIGTERM')).toMatchObject({ code: 0 });
    await expect(launch()).rejects.toThrow('ENOENT');
  });

  it('starts once per data folder: a second start names the first and leaves with 3', async () => {
    const first = start();
    const url = await first.ready();
    const second = start();
    expect(await second.ended).toEqual({ code: 3, signal: null });
    expect(second.stdout).toBe('');
    expect(second.stderr).toContain(`process ${first.child.pid}`);
    expect(second.stderr).toContain(new URL('/', url).href);
    expect(second.stderr).not.toContain('launch=');
    await openPage(url);
  });

  it.skipIf(process.platform !== 'linux')(
    'opens the launch file in a browser, again on a second start, and never names a code',
    async () => {
      const opened = join(folder, 'opened');
      const program = join(folder, 'xdg-open');
      await writeFile(program, `#!/bin/sh\necho "$@" >> "${opened}"\n`, { mode: 0o755 });
      const environment = { DISPLAY: ':0', PATH: `${folder}:${process.env['PATH'] ?? ''}` };
      const lines = async (): Promise<string[]> =>
        existsSync(opened) ? (await readFile(opened, 'utf8')).trim().split('\n') : [];
      const launchFile = join(folder, 'launch.html');
      const first = serve(['--data-dir', folder], environment);
      started.push(first);
      await first.ready();
      await expect.poll(lines, { timeout: 20_000 }).toEqual([launchFile]);
      const second = serve(['--data-dir', folder], environment);
      started.push(second);
      expect(await second.ended).toMatchObject({ code: 3 });
      await expect.poll(lines, { timeout: 20_000 }).toEqual([launchFile, launchFile]);
    },
  );

  it('starts again after SIGKILL', async () => {
    const first = start();
    await first.ready();
    await first.kill('SIGKILL');
    await openPage(await start().ready());
  });

  it.for(['full', 'read-only'] as const)(
    'starts on a %s disk, has one owner there, and opens a browser',
    async (kind, { skip }) => {
      const disk = join(folder, 'disk');
      const temporary = join(folder, 'temporary');
      for (const name of [disk, temporary]) await mkdir(name);
      const unmount = mountSmallDisk(disk, 3);
      skip(unmount === null, 'this user may not mount a small disk');
      const data = join(disk, 'data');
      const opened = join(folder, 'opened');
      await writeFile(join(folder, 'xdg-open'), `#!/bin/sh\ncp "$1" "${opened}"\n`, { mode: 0o755 });
      const environment = {
        DISPLAY: ':0',
        PATH: `${folder}:${process.env['PATH'] ?? ''}`,
        TMPDIR: temporary,
        XDG_RUNTIME_DIR: temporary,
      };
      const begin = (...args: string[]): Program => {
        const program = serve(['--data-dir', data, ...args], environment);
        started.push(program);
        return program;
      };
      try {
        const before = begin('--no-open');
        await before.ready();
        await before.kill('SIGTERM');
        if (kind === 'full') await expect(fill(join(disk, 'filling'))).rejects.toThrow('ENOSPC');
        else expect(ran('mount', '-o', 'remount,ro', disk)).toBe(true);
        const first = begin();
        await first.ready();
        await expect.poll(() => existsSync(opened) && readFileSync(opened, 'utf8')).toContain('#launch=');
        const launch = /url=([^"]+)"/.exec(await readFile(opened, 'utf8'))?.[1] ?? '';
        const page = await openPage(launch);
        page.socket.terminate();
        const second = begin('--no-open');
        expect(await second.ended).toEqual({ code: 3, signal: null });
        if (kind === 'read-only') {
          // Whoever comes when the disk is well again meets the owner too.
          expect(ran('mount', '-o', 'remount,rw', disk)).toBe(true);
          expect(await begin('--no-open').ended).toEqual({ code: 3, signal: null });
        }
        expect(await first.kill('SIGTERM')).toEqual({ code: 0, signal: null });
        expect(first.stderr).toBe('');
        expect((await readdir(temporary)).filter((name) => name.includes('launch'))).toEqual([]);
      } finally {
        await Promise.all(started.map((program) => program.kill('SIGKILL')));
        unmount?.();
      }
    },
  );

  it('takes the port it is given, and says when it cannot', async () => {
    const first = start();
    const { port } = new URL(await first.ready());
    const other = await mkdtemp(join(tmpdir(), 'field-console-serve-'));
    const second = serve(['--no-open', '--data-dir', other, '--port', port]);
    started.push(second);
    expect(await second.ended).toMatchObject({ code: 1 });
    expect(second.stderr).toContain('EADDRINUSE');
    await first.kill('SIGTERM');
    const third = serve(['--no-open', '--data-dir', other, '--port', port]);
    started.push(third);
    expect(new URL(await third.ready()).port).toBe(port);
    await third.kill('SIGTERM');
    await rm(other, { recursive: true, force: true });
  });

  it('writes no launch code and no credentials to its log', async () => {
    const program = start();
    await openPage(await program.ready());
    const launch = await readFile(join(folder, 'launch.html'), 'utf8');
    await program.kill('SIGTERM');
    const log = await readFile(join(folder, 'logs', 'console.log'), 'utf8');
    expect(log).toContain('page-admitted');
    const codes = [program.stdout, launch].map((text) => /launch=([\w-]{43})/.exec(text)?.[1] ?? 'none');
    for (const code of codes) {
      expect(code).toHaveLength(43);
      expect(log).not.toContain(code);
    }
  });

  it('takes the policy that the command line names, and starts in its safest form when that is bad', async () => {
    const policy = join(folder, 'policy.json');
    for (const [text, shown] of [
      [
        '{"version":1,"kiosk":{"mode":"operator"},"logLevel":"debug"}',
        { source: 'command-line', problem: null },
      ],
      ['{"version":1,"kiosk":{"mode":"operator"},"typo":1}', { source: 'invalid', exports: false }],
    ] as const) {
      await writeFile(policy, text);
      const program = start('--policy', policy);
      const { push } = await (await openPage(await program.ready())).message('push');
      expect(push.slices.policy).toMatchObject({ path: policy, kiosk: 'operator', ...shown });
      expect(await program.kill('SIGTERM')).toMatchObject({ code: 0 });
    }
  });

  it('ends as a kiosk by its administrator’s code, after the page has its answer', async () => {
    const made = spawnSync(process.execPath, [resolve(import.meta.dirname, '../../build/kiosk-code.mjs')], {
      input: 'correct horse\n',
      encoding: 'utf8',
    });
    const policy = join(folder, 'policy.json');
    const kiosk = { mode: 'operator', leave: made.stdout.trimEnd() };
    await writeFile(policy, JSON.stringify({ version: 1, kiosk }));
    const program = start('--policy', policy);
    const page = await openPage(await program.ready());
    const leaveKiosk = async (id: number, code: string) => {
      page.send({ kind: 'call', id, verb: 'leaveKiosk', request: { code } });
      return (await page.message('reply', (message) => message.id === id)).result;
    };
    expect(await leaveKiosk(1, 'correct house')).toMatchObject({ failure: { code: 'wrong-password' } });
    expect(program.child.exitCode).toBeNull();
    expect(await leaveKiosk(2, 'correct horse')).toEqual({ ok: true, value: null });
    expect(await program.ended).toEqual({ code: 0, signal: null });
    const log = await readFile(join(folder, 'logs', 'console.log'), 'utf8');
    expect(log).toContain('kiosk-left');
    expect(log).not.toMatch(/correct|scrypt/);
  });

  it('stays up with a deployment file that is missing, and does not fall back to training', async () => {
    const program = start('--deployment', join(folder, 'missing.json'));
    const page = await openPage(await program.ready());
    const { push } = await page.message('push');
    expect(push.slices.app?.training).toBe(false);
    expect(push.slices.app?.problem).not.toBeNull();
    expect(push.slices.training).toBeNull();
  });

  it('says when the data folder cannot be used', async () => {
    const file = join(folder, 'file');
    await writeFile(file, '');
    const program = serve(['--no-open', '--data-dir', file]);
    started.push(program);
    expect(await program.ended).toMatchObject({ code: 1 });
    expect(program.stderr).toContain(file);
  });

  it.each([[['--bad']], [['--password', 'hunter2']], [['--port', 'x']]])(
    'refuses %j with 2',
    async (args) => {
      const program = start(...args);
      expect(await program.ended).toEqual({ code: 2, signal: null });
      expect(program.stdout).toBe('');
      expect(program.stderr).toContain('Usage:');
      expect(program.stderr).not.toContain('hunter2');
    },
  );

  it.each([
    ['--version', /^\d+\.\d+\.\d+\n$/],
    ['--help', /^Usage: /],
  ])('answers %s on standard output', async (option, expected) => {
    const program = serve([option]);
    expect(await program.ended).toMatchObject({ code: 0 });
    expect(program.stdout).toMatch(expected);
  });
});

const electronIsHere = existsSync(resolve('node_modules/electron/path.txt'));

/** Runs the download against a mirror, giving up after 2 s without a byte. */
async function download(answer: RequestListener): Promise<{ said: string; asked: number }> {
  let asked = 0;
  const mirror = createServer((request, response) => {
    asked += 1;
    answer(request, response);
  });
  await new Promise<void>((listening) => mirror.listen(0, '127.0.0.1', listening));
  const { port } = mirror.address() as AddressInfo;
  const program = new Program(
    [
      '--input-type=module',
      '--eval',
      `import { downloadElectron } from './build/electron-binary.mjs';
       process.stdout.write(String(await downloadElectron(process.execPath, 2_000)));`,
    ],
    {
      ELECTRON_MIRROR: `http://127.0.0.1:${port}/`,
      electron_config_cache: join(folder, 'cache'),
      TMPDIR: folder,
    },
  );
  await program.ended;
  mirror.closeAllConnections();
  await new Promise((closed) => mirror.close(closed));
  return { said: program.stdout, asked };
}

describe.skipIf(electronIsHere || process.platform === 'win32')('a download of Electron', () => {
  it('is given up when the mirror accepts and then says nothing', async () => {
    const { said, asked } = await download(() => undefined);
    expect(asked).toBe(1);
    expect(said).toBe('nothing was received for 2 s');
  });

  it('is given up when it stops in the middle, and leaves no half of a file', async () => {
    const { said } = await download((_request, response) => {
      response.writeHead(200, { 'content-length': '1000000' });
      response.write('x'.repeat(1_000));
    });
    expect(said).toBe('nothing was received for 2 s');
    expect((await readdir(folder)).filter((name) => name !== 'cache')).toEqual([]);
  });

  it('is refused when its digest is another', async () => {
    const { said } = await download((_request, response) => response.end('not Electron'));
    expect(said).toMatch(/checksum/i);
    expect(existsSync(resolve('node_modules/electron/path.txt'))).toBe(false);
  });

  it('says why when the mirror refuses', async () => {
    const { said } = await download((_request, response) => response.writeHead(404).end());
    expect(said).toContain('404');
  });
});

describe('the launcher', () => {
  const launch = (...args: string[]): Program => new Program(['build/launch.mjs', ...args]);

  it.skipIf(process.platform !== 'linux')('serves the browser host where there is no display', async () => {
    const program = launch('desktop', '--no-open', '--data-dir', folder);
    const url = await program.ready();
    expect(program.stderr).toMatch(/^There is no display: starting the console in a browser instead\.$/m);
    expect(await program.kill('SIGTERM')).toEqual({ code: 0, signal: null });
    expect(program.stdout).toBe(`Console ready at ${url}\n`);
  });

  it.skipIf(process.platform === 'win32')('ends when the shell of an npm script ends', async () => {
    const shell = spawn(
      'sh',
      ['-c', `"${process.execPath}" build/launch.mjs serve --no-open --data-dir "${folder}"; true`],
      { stdio: 'ignore', env: { ...process.env, npm_lifecycle_event: 'serve' } },
    );
    const owner = (): boolean => existsSync(join(folder, 'launch.html'));
    await expect.poll(owner, { timeout: 20_000 }).toBe(true);
    shell.kill('SIGKILL');
    await expect.poll(owner, { timeout: 20_000 }).toBe(false);
  });

  it('passes on arguments and exit status', async () => {
    const refused = launch('serve', '--bad');
    expect(await refused.ended).toMatchObject({ code: 2 });
    expect(refused.stderr).toContain('Unknown option --bad.');
    expect(await launch('else').ended).toMatchObject({ code: 2 });
  });
});

describe('the build', () => {
  it('has a preload that is one CommonJS file with nothing of the schemas', async () => {
    expect(await readdir(resolve('out/preload'))).toEqual(['index.cjs']);
    const preload = await readFile(resolve('out/preload/index.cjs'), 'utf8');
    expect([...preload.matchAll(/require\(["'](.+?)["']\)/g)].map(([, name]) => name)).toEqual(['electron']);
    expect(preload).not.toContain('zod');
    expect(preload.length).toBeLessThan(10_000);
  });

  it('holds no source map and needs no module that is not built in', async () => {
    const names = await readdir(resolve('out'), { recursive: true });
    expect(names.filter((name) => name.endsWith('.map'))).toEqual([]);
    const foreign = new Set<string>();
    for (const name of names.filter((file) => file.startsWith('main') && file.endsWith('.js'))) {
      const text = await readFile(resolve('out', name), 'utf8');
      for (const [, from] of text.matchAll(/^import .*?from ["']([^."'][^"']*)["']/gm)) {
        if (from !== undefined && !isBuiltin(from)) foreign.add(`${name}: ${from}`);
      }
    }
    expect([...foreign]).toEqual(['main/desktop.js: electron']);
  });
});
