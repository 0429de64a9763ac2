import { spawnSync } from 'node:child_process';
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { beforeEach, describe, expect, it } from 'vitest';
import { sandboxProblem, sandboxWords } from '../../build/sandbox.mjs';
import { isHere } from '../kiosk/programs.ts';
import { launcherRig, standIn } from './support/launcherRig.ts';

const at = launcherRig();
const helper = (): string => join(at.root, 'node_modules/electron/dist/chrome-sandbox');
/** For a test that asks only for the end, and not whether a second signal comes before it. */
const closesAtOnce = { STAND_IN_CLOSES_AFTER_MS: '0' };

describe.skipIf(process.platform === 'win32')('the launcher', () => {
  beforeEach(() => at.install());

  it('starts the folder, in which Electron reads the application’s name', async () => {
    const { child, text, ended } = at.run(...at.launcher('--training'), closesAtOnce);
    await expect.poll(text).toContain('up\n');
    expect(text()).toContain(`electron ${JSON.stringify([at.root, '--training'])}\n`);
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
  });

  it('takes Electron from a folder of one’s own, also where nothing was downloaded (fact 26)', async () => {
    const own = join(at.root, 'own');
    await mkdir(own);
    const executable = process.platform === 'darwin' ? 'Electron.app/Contents/MacOS/Electron' : 'electron';
    await mkdir(join(own, executable, '..'), { recursive: true });
    await writeFile(join(own, executable), standIn);
    await chmod(join(own, executable), 0o755);
    await rm(join(at.root, 'node_modules/electron/path.txt'));
    await rm(join(at.root, 'node_modules/electron/dist'), { recursive: true });
    const { child, text, ended } = at.run(...at.launcher(), {
      ...closesAtOnce,
      ELECTRON_OVERRIDE_DIST_PATH: own,
    });
    await expect.poll(text).toContain('up\n');
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
  });

  it.skipIf(process.platform !== 'linux' || !isHere('script'))(
    'leaves Ctrl+C to the terminal, which sends it to Electron too: a second one would kill it while it closes',
    async () => {
      const [node, args] = at.launcher();
      // A shell that stayed would get the signal too, and some then say 130 whatever their program said.
      const command = `exec ${[node, ...args].map((part) => `'${part}'`).join(' ')}`;
      const { child, text, ended } = at.run('script', ['-qec', command, '/dev/null']);
      await expect.poll(text).toContain('up\r\n');
      child.stdin?.write('\u0003');
      expect(await ended).toBe(0);
      expect(text()).toContain('closed\r\n');
    },
  );

  it.skipIf(process.platform !== 'linux')(
    'says why Electron aborted, what mends it, and that the browser is taken instead',
    async () => {
      const path = `${join(at.root, 'path')}:${process.env['PATH'] ?? ''}`;
      const { text, ended } = at.run(...at.launcher(), { STAND_IN: 'aborts', PATH: path });
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
    const { text, ended } = at.run(...at.development());
    expect(await ended).toBe(0);
    expect(text()).toBe('electron-vite dev -- --training\n');
  });

  it.skipIf(process.platform !== 'linux')('says in development too what mends the sandbox', async () => {
    const viteAbort = 'process.exit(1)';
    await writeFile(join(at.root, 'node_modules/electron-vite/bin/electron-vite.js'), viteAbort);
    const path = `${join(at.root, 'path')}:${process.env['PATH'] ?? ''}`;
    const { text, ended } = at.run(...at.development(), { PATH: path });
    expect(await ended).toBe(1);
    expect(text()).toContain(`sudo chmod 4755 '${helper()}'\n`);
  });

  it('takes no Electron of another version than the one that npm installed', async () => {
    await writeFile(join(at.root, 'node_modules/electron/dist/version'), '1.2.2');
    const { text, ended } = at.run(...at.development());
    expect(await ended).toBe(0);
    expect(text()).toContain('Electron’s binary is not here: the console runs in a browser.\n');
  });

  it('develops in a browser where it is not, and downloads nothing', async () => {
    await rm(join(at.root, 'node_modules/electron/dist/electron'));
    const { text, ended } = at.run(...at.development());
    expect(await ended).toBe(0);
    expect(text()).toBe(
      'Electron’s binary is not here: the console runs in a browser.\ndevelopment in a browser --training\n',
    );
  });

  it.skipIf(process.platform !== 'linux' || process.getuid?.() !== 0)(
    'says that Electron is not started as root, and why',
    () => {
      const [node, args] = at.launcher();
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
      await mkdir(join(at.root, 'sys', name, '..'), { recursive: true });
      await writeFile(join(at.root, 'sys', name), `${value}\n`);
    }
    await mkdir(join(at.root, 'profiles', 'local'), { recursive: true });
    await writeFile(join(at.root, 'profiles', 'app'), profile);
    return { settings: join(at.root, 'sys'), profiles: join(at.root, 'profiles'), tryNamespace: () => tries };
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
    const program = join(at.root, 'electron');
    const beside = join(at.root, 'chrome-sandbox');
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
