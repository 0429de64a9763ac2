import { spawn, type ChildProcess } from 'node:child_process';
import { chmod, copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { afterEach, beforeEach } from 'vitest';
import { plainUser } from '../../kiosk/programs.ts';

/**
 * A stand-in for Electron: it says its arguments, closes at the first signal in a while, and dies of a second
 * one, as Electron restores the system's default (electron.md, fact 17). Or it aborts, as without a sandbox.
 */
export const standIn = `#!${process.execPath}
const say = (text) => process.stdout.write(text + '\\n');
say('electron ' + JSON.stringify(process.argv.slice(2)));
if (process.env.STAND_IN === 'aborts') process.kill(process.pid, 'SIGTRAP');
let signals = 0;
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {
  signals += 1;
  say(signal);
  if (signals > 1) process.kill(process.pid, 'SIGKILL');
  setTimeout(() => { say('closed'); process.exit(0); }, Number(process.env.STAND_IN_CLOSES_AFTER_MS ?? 1000));
});
setInterval(() => undefined, 1000);
say('parent ' + process.ppid);
say('up');
`;

async function installIn(root: string): Promise<void> {
  const files: Record<string, string> = {
    'node_modules/electron/path.txt': 'electron',
    'node_modules/electron/package.json': '{"version":"1.2.3"}',
    'node_modules/electron/dist/version': 'v1.2.3',
    'node_modules/electron/dist/electron': standIn,
    'node_modules/electron/dist/chrome-sandbox': '',
    'out/main/desktop.js': '',
    'out/main/serve.js': `process.stdout.write('browser host\\n');`,
    'out/preload/index.cjs': '',
    'out/renderer/index.html': '',
    'node_modules/electron-vite/bin/electron-vite.js': `console.log('electron-vite', process.argv.slice(2).join(' '))`,
    'build/dev/main.ts': `console.log('development in a browser', process.argv.slice(2).join(' '))`,
    // Refuses, as unshare does on a system that keeps namespaces from programs.
    'path/unshare': '#!/bin/sh\nexit 1\n',
  };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(root, path, '..'), { recursive: true });
    await writeFile(join(root, path), text);
  }
  await mkdir(join(root, 'build'), { recursive: true });
  for (const name of [
    'launch.mjs',
    'electron-binary.mjs',
    'node-options.mjs',
    'sandbox.mjs',
    'terminal.mjs',
  ]) {
    await copyFile(resolve('build', name), join(root, 'build', name));
  }
  await chmod(join(root, 'node_modules/electron/dist/electron'), 0o755);
  await chmod(join(root, 'path/unshare'), 0o755);
}

export interface Running {
  readonly child: ChildProcess;
  text(): string;
  readonly ended: Promise<number | null>;
}

export interface LauncherRig {
  /** A folder of the test's own. */
  readonly root: string;
  /** The launcher among stand-ins for what npm and the build bring. */
  install(): Promise<void>;
  /** Runs a program as a plain user, and gathers all that it writes. */
  run(program: string, args: readonly string[], environment?: Record<string, string>): Running;
  launcher(...args: string[]): [string, string[]];
  development(): [string, string[]];
}

export function launcherRig(): LauncherRig {
  let root: string;
  let children: ChildProcess[];

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'field-console-launcher-'));
    children = [];
    // The tests may run as root, which starts no Electron: then the launcher runs as a user that owns nothing.
    await chmod(root, 0o755);
  });
  afterEach(async () => {
    for (const child of children) child.kill('SIGKILL');
    await rm(root, { recursive: true, force: true });
  });

  return {
    get root() {
      return root;
    },
    install: () => installIn(root),
    run: (program, args, environment = {}) => {
      const child = spawn(program, args, {
        cwd: root,
        stdio: ['pipe', 'pipe', 'pipe'],
        // Away from the terminal in which the tests may run.
        detached: true,
        env: { ...process.env, DISPLAY: ':99', npm_lifecycle_event: undefined, ...environment },
        ...plainUser(),
      });
      children.push(child);
      let text = '';
      child.stdout.setEncoding('utf8').on('data', (more: string) => (text += more));
      child.stderr.setEncoding('utf8').on('data', (more: string) => (text += more));
      const ended = new Promise<number | null>((done) => child.once('close', done));
      return { child, text: () => text, ended };
    },
    launcher: (...args) => [process.execPath, [join(root, 'build/launch.mjs'), 'desktop', ...args]],
    development: () => [process.execPath, [join(root, 'build/launch.mjs'), 'dev', '--training']],
  };
}
