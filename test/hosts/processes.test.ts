import { existsSync, readFileSync } from 'node:fs';
import { mkdir, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { describe, expect, it } from 'vitest';
import { hasModes } from '../adapters/support.ts';
import { mountSmallDisk, ran } from '../support/smallDisk.ts';
import { proofHeader } from '../../src-preload/contract/index.ts';
import { until } from '../support/clock.ts';
import { endlessMbtiles } from '../support/mapFiles.ts';
import { ProcessorTime } from '../support/processorTime.ts';
import { ask, openPage, originOf } from './support/page.ts';
import { serve, type Program } from './support/process.ts';
import { launch, serving } from './support/serving.ts';

const at = serving();

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
    const program = at.start();
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
    const program = at.start();
    await program.ready();
    program.child.kill('SIGINT');
    expect(await program.kill('SIGINT')).toEqual({ code: 0, signal: null });
  });

  it('keeps its data to this user', async () => {
    await at.start().ready();
    expect((await stat(at.folder)).mode & 0o777).toBe(0o700);
    for (const name of ['launch.html', 'owner.json', 'owner.lock']) {
      expect((await stat(join(at.folder, name))).mode & 0o777).toBe(0o600);
    }
  });

  it('starts once per data folder: a second start names the first and leaves with 3', async () => {
    const first = at.start();
    const url = await first.ready();
    const second = at.start();
    expect(await second.ended).toEqual({ code: 3, signal: null });
    expect(second.stdout).toBe('');
    expect(second.stderr).toContain(`process ${first.child.pid}`);
    expect(second.stderr).toContain(new URL('/', url).href);
    expect(second.stderr).not.toContain('launch=');
    await openPage(url);
  });

  it('starts again after SIGKILL', async () => {
    const first = at.start();
    await first.ready();
    await first.kill('SIGKILL');
    await openPage(await at.start().ready());
  });

  it.for(['full', 'read-only'] as const)(
    'starts on a %s disk, has one owner there, and opens a browser',
    async (kind, { skip }) => {
      const disk = join(at.folder, 'disk');
      const temporary = join(at.folder, 'temporary');
      for (const name of [disk, temporary]) await mkdir(name);
      const unmount = mountSmallDisk(disk, 3);
      skip(unmount === null, 'this user may not mount a small disk');
      const data = join(disk, 'data');
      const opened = join(at.folder, 'opened');
      await writeFile(join(at.folder, 'xdg-open'), `#!/bin/sh\ncp "$1" "${opened}"\n`, { mode: 0o755 });
      const environment = {
        DISPLAY: ':0',
        PATH: `${at.folder}:${process.env['PATH'] ?? ''}`,
        TMPDIR: temporary,
        XDG_RUNTIME_DIR: temporary,
      };
      const begin = (...args: string[]): Program => {
        const program = serve(['--data-dir', data, ...args], environment);
        at.started.push(program);
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
        await Promise.all(at.started.map((program) => program.kill('SIGKILL')));
        unmount?.();
      }
    },
  );

  it.runIf(hasModes)(
    'starts with pipes in the place of its documents, and ends when it is asked to',
    async () => {
      const before = at.start();
      await before.ready();
      await before.kill('SIGTERM');
      const names = ['deployments.json', 'preferences.json', 'maps.json', 'owner.json', 'recovery.json'];
      for (const name of names) {
        await rm(join(at.folder, name), { force: true });
        ran('mkfifo', join(at.folder, name));
      }
      const program = at.start();
      await openPage(await program.ready());
      expect(await program.kill('SIGTERM')).toEqual({ code: 0, signal: null });
    },
  );

  it('ends when it is asked to in the middle of a map that is read without end, and leaves no reader', async () => {
    const program = at.start();
    const url = await program.ready();
    const page = await openPage(url);
    page.acknowledgePushes();
    const map = endlessMbtiles();
    const announced = { fileName: 'a.mbtiles', bytes: map.byteLength };
    page.send({ kind: 'call', id: 1, verb: 'beginMapImport', request: announced });
    const { result } = await page.message('reply');
    const { importId } = result.ok ? (result.value as { readonly importId: string }) : { importId: '' };
    const headers = { origin: originOf(url), cookie: page.cookie, [proofHeader]: page.proof };
    const answer = ask(url, `/spool/${importId}`, { method: 'PUT', headers, body: map });
    answer.catch(() => undefined);
    await page.message('push', ({ push }) => push.slices.maps?.imports[0]?.state === 'checking');
    const reader = new ProcessorTime(program.child.pid ?? 0);
    const before = reader.look();
    await until(() => reader.look() > before + 0.2, 'the reader to compute');
    expect(await program.kill('SIGTERM')).toEqual({ code: 0, signal: null });
    expect(reader.isAnyAlive()).toBe(false);
  });

  it('writes no launch code and no credentials to its log', async () => {
    const program = at.start();
    await openPage(await program.ready());
    const launch = await readFile(join(at.folder, 'launch.html'), 'utf8');
    await program.kill('SIGTERM');
    const log = await readFile(join(at.folder, 'logs', 'console.log'), 'utf8');
    expect(log).toContain('page-admitted');
    const codes = [program.stdout, launch].map((text) => /launch=([\w-]{43})/.exec(text)?.[1] ?? 'none');
    for (const code of codes) {
      expect(code).toHaveLength(43);
      expect(log).not.toContain(code);
    }
  });

  it('stays up with a deployment file that is missing, and does not fall back to training', async () => {
    const program = at.start('--deployment', join(at.folder, 'missing.json'));
    const page = await openPage(await program.ready());
    const { push } = await page.message('push');
    expect(push.slices.app?.training).toBe(false);
    expect(push.slices.app?.problem).not.toBeNull();
    expect(push.slices.training).toBeNull();
  });

  it('says when the data folder cannot be used', async () => {
    const file = join(at.folder, 'file');
    await writeFile(file, '');
    const program = serve(['--no-open', '--data-dir', file]);
    at.started.push(program);
    expect(await program.ended).toMatchObject({ code: 1 });
    expect(program.stderr).toContain(file);
  });

  it.each([[['--bad']], [['--password', 'hunter2']], [['--port', 'x']]])(
    'refuses %j with 2',
    async (args) => {
      const program = at.start(...args);
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

describe('the launcher', () => {
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
      for (const [, from] of text.matchAll(/\bimport\b[\w\s{}*,$]*?from\s*["']([^."'][^"']*)["']/g)) {
        if (from !== undefined && !isBuiltin(from)) foreign.add(`${name}: ${from}`);
      }
    }
    expect([...foreign]).toEqual(['main/desktop.js: electron']);
  });
});
