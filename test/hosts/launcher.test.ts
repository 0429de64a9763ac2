import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { chmod, copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sandboxProblem, sandboxWords } from '../../build/sandbox.mjs';
import { isHere, plainUser } from '../kiosk/programs.ts';

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

const helper = (): string => join(root, 'node_modules/electron/dist/chrome-sandbox');

/**
 * A stand-in for Electron: it says its arguments, closes at the first signal in a while, and dies of a second
 * one, as Electron restores the system's default (electron.md, fact 17). Or it aborts, as without a sandbox.
 */
const standIn = `#!${process.execPath}
const say = (text) => process.stdout.write(text + '\\n');
say('electron ' + JSON.stringify(process.argv.slice(2)));
if (process.env.STAND_IN === 'aborts') process.kill(process.pid, 'SIGTRAP');
let signals = 0;
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {
  signals += 1;
  say(signal);
  if (signals > 1) process.kill(process.pid, 'SIGKILL');
  setTimeout(() => { say('closed'); process.exit(0); }, 1000);
});
setInterval(() => undefined, 1000);
say('parent ' + process.ppid);
say('up');
`;

/** The launcher among stand-ins for what npm and the build bring. */
async function install(): Promise<void> {
  const files: Record<string, string> = {
    'node_modules/electron/path.txt': 'electron',
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

interface Running {
  readonly child: ChildProcess;
  text(): string;
  readonly ended: Promise<number | null>;
}

/** Runs a program as a plain user, and gathers all that it writes. */
function run(program: string, args: readonly string[], environment: Record<string, string> = {}): Running {
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
}

const launcher = (...args: string[]): [string, string[]] => [
  process.execPath,
  [join(root, 'build/launch.mjs'), 'desktop', ...args],
];

const development = (): [string, string[]] => [
  process.execPath,
  [join(root, 'build/launch.mjs'), 'dev', '--training'],
];

describe.skipIf(process.platform === 'win32')('the launcher', () => {
  beforeEach(install);

  it('starts the folder, in which Electron reads the application’s name', async () => {
    const { child, text, ended } = run(...launcher('--training'));
    await expect.poll(text).toContain('up\n');
    expect(text()).toContain(`electron ${JSON.stringify([root, '--training'])}\n`);
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
  });

  it('takes Electron from a folder of one’s own, also where nothing was downloaded (fact 26)', async () => {
    const own = join(root, 'own');
    await mkdir(own);
    const executable = process.platform === 'darwin' ? 'Electron.app/Contents/MacOS/Electron' : 'electron';
    await mkdir(join(own, executable, '..'), { recursive: true });
    await writeFile(join(own, executable), standIn);
    await chmod(join(own, executable), 0o755);
    await rm(join(root, 'node_modules/electron/path.txt'));
    await rm(join(root, 'node_modules/electron/dist'), { recursive: true });
    const { child, text, ended } = run(...launcher(), { ELECTRON_OVERRIDE_DIST_PATH: own });
    await expect.poll(text).toContain('up\n');
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'passes on a %s that only it was sent',
    async (signal) => {
      const { child, text, ended } = run(...launcher());
      await expect.poll(text).toContain('up\n');
      child.kill(signal);
      expect(await ended).toBe(0);
      if (signal !== 'SIGHUP') expect(text()).toContain('closed\n');
    },
  );

  it.skipIf(process.platform !== 'linux' || !isHere('script'))(
    'leaves Ctrl+C to the terminal, which sends it to Electron too: a second one would kill it while it closes',
    async () => {
      const [node, args] = launcher();
      // A shell that stayed would get the signal too, and some then say 130 whatever their program said.
      const command = `exec ${[node, ...args].map((part) => `'${part}'`).join(' ')}`;
      const { child, text, ended } = run('script', ['-qec', command, '/dev/null']);
      await expect.poll(text).toContain('up\r\n');
      child.stdin?.write('\u0003');
      expect(await ended).toBe(0);
      expect(text()).toContain('closed\r\n');
    },
  );

  it.skipIf(process.platform !== 'linux' || !isHere('script'))(
    'does not pass Ctrl+C on, which an Electron outside of the terminal’s group therefore does not hear',
    async () => {
      // In a session of its own it hears only what the launcher sends: two of one signal may reach it as one.
      const executable = join(root, 'node_modules/electron/dist/electron');
      await writeFile(`${executable}.mjs`, standIn);
      await writeFile(executable, `#!/bin/sh\nexec setsid '${process.execPath}' '${executable}.mjs' "$@"\n`);
      const [node, args] = launcher();
      const command = `exec ${[node, ...args].map((part) => `'${part}'`).join(' ')}`;
      const { child, text, ended } = run('script', ['-qec', command, '/dev/null']);
      await expect.poll(text).toContain('up\r\n');
      child.stdin?.write('\u0003');
      await expect.poll(text).toContain('^C');
      process.kill(Number(/parent (\d+)/.exec(text())?.[1]), 'SIGTERM');
      expect(await ended).toBe(0);
      expect(text().match(/SIG\w+/g)).toEqual(['SIGTERM']);
    },
  );

  it.skipIf(process.platform !== 'linux')(
    'says why Electron aborted, what mends it, and that the browser is taken instead',
    async () => {
      const path = `${join(root, 'path')}:${process.env['PATH'] ?? ''}`;
      const { text, ended } = run(...launcher(), { STAND_IN: 'aborts', PATH: path });
      expect(await ended).toBe(0);
      expect(text()).toContain(`sudo chown root:root '${helper()}'\n`);
      expect(text()).toContain(`sudo chmod 4755 '${helper()}'\n`);
      expect(text()).toContain(
        'Electron could not start (ended by SIGTRAP): starting the console in a browser instead.\n',
      );
      expect(text()).toMatch(/browser host\n$/);
    },
  );

  it('develops on the desktop where Electron’s binary is', async () => {
    const { text, ended } = run(...development());
    expect(await ended).toBe(0);
    expect(text()).toBe('electron-vite dev -- --training\n');
  });

  it('develops in a browser where it is not, and downloads nothing', async () => {
    await rm(join(root, 'node_modules/electron/dist/electron'));
    const { text, ended } = run(...development());
    expect(await ended).toBe(0);
    expect(text()).toBe(
      'Electron’s binary is not here: the console runs in a browser.\ndevelopment in a browser --training\n',
    );
  });

  it.skipIf(process.platform !== 'linux' || process.getuid?.() !== 0)(
    'says that Electron is not started as root, and why',
    () => {
      const [node, args] = launcher();
      const { stderr, stdout } = spawnSync(node, args, {
        encoding: 'utf8',
        // An Electron that is started all the same ends by itself: nothing else in this process runs meanwhile.
        env: { ...process.env, DISPLAY: ':99', STAND_IN: 'aborts' },
      });
      expect(stderr).toMatch(
        /as root only without its sandbox.*another user: starting the console in a browser/,
      );
      expect(stdout).toBe('browser host\n');
    },
  );
});

describe.skipIf(process.platform === 'win32')('a system’s namespaces', () => {
  const binary = '/opt/app/electron';
  /** A system as its files under /proc/sys and /etc/apparmor.d say it is. */
  async function system(
    settings: Record<string, string>,
    { profile = '', tries = true as boolean | null } = {},
  ): Promise<Parameters<typeof sandboxProblem>[1]> {
    for (const [name, value] of Object.entries(settings)) {
      await mkdir(join(root, 'sys', name, '..'), { recursive: true });
      await writeFile(join(root, 'sys', name), `${value}\n`);
    }
    await mkdir(join(root, 'profiles', 'local'), { recursive: true });
    await writeFile(join(root, 'profiles', 'app'), profile);
    return { settings: join(root, 'sys'), profiles: join(root, 'profiles'), tryNamespace: () => tries };
  }
  const restricted = { 'kernel/apparmor_restrict_unprivileged_userns': '1' };

  it.each([
    ['Ubuntu 24.04', restricted, 'kernel.apparmor_restrict_unprivileged_userns is 1'],
    ['Debian, closed', { 'kernel/unprivileged_userns_clone': '0' }, 'kernel.unprivileged_userns_clone is 0'],
    ['none allowed', { 'user/max_user_namespaces': '0' }, 'user.max_user_namespaces is 0'],
  ])('are kept from programs: %s', async (_name, settings, reason) => {
    const problem = sandboxProblem(binary, await system(settings));
    expect(problem).toEqual({ reason, helper: '/opt/app/chrome-sandbox' });
    if (problem !== null) expect(sandboxWords(problem).join('\n')).toContain(reason);
  });

  it('are kept from programs where making one is refused', async () => {
    expect(sandboxProblem(binary, await system({}, { tries: false }))).toMatchObject({
      reason: 'making one was refused',
    });
  });

  it.each([
    ['nothing is restricted', { 'kernel/apparmor_restrict_unprivileged_userns': '0' }, {}],
    ['a profile of AppArmor names the program', restricted, { profile: `profile app ${binary} {` }],
    ['nothing can be tried', {}, { tries: null }],
  ])('are there: %s', async (_name, settings, more) => {
    expect(sandboxProblem(binary, await system(settings, more))).toBeNull();
  });

  it.skipIf(process.getuid?.() !== 0)('are not needed beside a setuid helper of root', async () => {
    const program = join(root, 'electron');
    const beside = join(root, 'chrome-sandbox');
    const here = await system(restricted);
    await writeFile(beside, '');
    await chmod(beside, 0o4755);
    expect(sandboxProblem(program, here)).toBeNull();
    await chmod(beside, 0o755);
    expect(sandboxProblem(program, here)).not.toBeNull();
    await chmod(beside, 0o4750);
    expect(sandboxProblem(program, here)).not.toBeNull();
  });

  it('name the helper so that a shell takes it as one word', () => {
    const words = sandboxWords({ reason: 'x', helper: "/home/ann/it's here/chrome-sandbox" });
    const shown = words
      .find((line) => line.includes('chmod'))
      ?.trim()
      .replace('sudo chmod 4755', 'printf %s');
    const { stdout } = spawnSync('sh', ['-c', shown ?? ''], { encoding: 'utf8' });
    expect(stdout).toBe("/home/ann/it's here/chrome-sandbox");
  });
});
