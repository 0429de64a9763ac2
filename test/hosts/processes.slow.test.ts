import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { describe, expect, it } from 'vitest';
import { openPage } from './support/page.ts';
import { Program, serve } from './support/process.ts';
import { launch, serving } from './support/serving.ts';

const at = serving();

describe('serve', () => {
  it('lets a restarted browser in through the launch file', async () => {
    const program = at.start();
    const printed = await program.ready();
    const launch = async (): Promise<string> =>
      /url=([^"]+)"/.exec(await readFile(join(at.folder, 'launch.html'), 'utf8'))?.[1] ?? '';
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

  it.skipIf(process.platform !== 'linux')(
    'opens the launch file in a browser, again on a second start, and never names a code',
    async () => {
      const opened = join(at.folder, 'opened');
      const program = join(at.folder, 'xdg-open');
      await writeFile(program, `#!/bin/sh\necho "$@" >> "${opened}"\n`, { mode: 0o755 });
      const environment = { DISPLAY: ':0', PATH: `${at.folder}:${process.env['PATH'] ?? ''}` };
      const lines = async (): Promise<string[]> =>
        existsSync(opened) ? (await readFile(opened, 'utf8')).trim().split('\n') : [];
      const launchFile = join(at.folder, 'launch.html');
      const first = serve(['--data-dir', at.folder], environment);
      at.started.push(first);
      await first.ready();
      await expect.poll(lines).toEqual([launchFile]);
      const second = serve(['--data-dir', at.folder], environment);
      at.started.push(second);
      expect(await second.ended).toMatchObject({ code: 3 });
      await expect.poll(lines).toEqual([launchFile, launchFile]);
    },
  );

  it('takes the port it is given, and says when it cannot', async () => {
    const first = at.start();
    const { port } = new URL(await first.ready());
    const other = await mkdtemp(join(tmpdir(), 'field-console-serve-'));
    const second = serve(['--no-open', '--data-dir', other, '--port', port]);
    at.started.push(second);
    expect(await second.ended).toMatchObject({ code: 1 });
    expect(second.stderr).toContain('EADDRINUSE');
    await first.kill('SIGTERM');
    const third = serve(['--no-open', '--data-dir', other, '--port', port]);
    at.started.push(third);
    expect(new URL(await third.ready()).port).toBe(port);
    await third.kill('SIGTERM');
    await rm(other, { recursive: true, force: true });
  });

  it('takes the policy that the command line names, and starts in its safest form when that is bad', async () => {
    const policy = join(at.folder, 'policy.json');
    for (const [text, shown] of [
      [
        '{"version":1,"kiosk":{"mode":"operator"},"logLevel":"debug"}',
        { source: 'command-line', problem: null },
      ],
      ['{"version":1,"kiosk":{"mode":"operator"},"typo":1}', { source: 'invalid', exports: false }],
    ] as const) {
      await writeFile(policy, text);
      const program = at.start('--policy', policy);
      const { push } = await (await openPage(await program.ready())).message('push');
      expect(push.slices.policy).toMatchObject({ path: policy, kiosk: 'operator', ...shown });
      expect(await program.kill('SIGTERM')).toMatchObject({ code: 0 });
    }
  });

  it('ends as a kiosk by its administrator’s code, after the page has its answer', async () => {
    const made = spawnSync(process.execPath, [resolve(import.meta.dirname, '../../build/kiosk-code.ts')], {
      input: 'correct horse\n',
      encoding: 'utf8',
    });
    const policy = join(at.folder, 'policy.json');
    const kiosk = { mode: 'operator', leave: made.stdout.trimEnd() };
    await writeFile(policy, JSON.stringify({ version: 1, kiosk }));
    const program = at.start('--policy', policy);
    const page = await openPage(await program.ready());
    const leaveKiosk = async (id: number, code: string) => {
      page.send({ kind: 'call', id, verb: 'leaveKiosk', request: { code } });
      return (await page.message('reply', (message) => message.id === id)).result;
    };
    expect(await leaveKiosk(1, 'correct house')).toMatchObject({ failure: { code: 'wrong-password' } });
    expect(program.child.exitCode).toBeNull();
    expect(await leaveKiosk(2, 'correct horse')).toEqual({ ok: true, value: null });
    expect(await program.ended).toEqual({ code: 0, signal: null });
    const log = await readFile(join(at.folder, 'logs', 'console.log'), 'utf8');
    expect(log).toContain('kiosk-left');
    expect(log).not.toMatch(/correct|scrypt/);
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
      electron_config_cache: join(at.folder, 'cache'),
      TMPDIR: at.folder,
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
    expect((await readdir(at.folder)).filter((name) => name !== 'cache')).toEqual([]);
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
  it.skipIf(process.platform !== 'linux')('serves the browser host where there is no display', async () => {
    const program = launch('desktop', '--no-open', '--data-dir', at.folder);
    const url = await program.ready();
    expect(program.stderr).toMatch(/^There is no display: starting the console in a browser instead\.$/m);
    expect(await program.kill('SIGTERM')).toEqual({ code: 0, signal: null });
    expect(program.stdout).toBe(`Console ready at ${url}\n`);
  });

  it.skipIf(process.platform === 'win32')('ends when the shell of an npm script ends', async () => {
    const shell = spawn(
      'sh',
      ['-c', `"${process.execPath}" build/launch.mjs serve --no-open --data-dir "${at.folder}"; true`],
      { stdio: 'ignore', env: { ...process.env, npm_lifecycle_event: 'serve' } },
    );
    const owner = (): boolean => existsSync(join(at.folder, 'launch.html'));
    await expect.poll(owner).toBe(true);
    shell.kill('SIGKILL');
    await expect.poll(owner).toBe(false);
  });
});
