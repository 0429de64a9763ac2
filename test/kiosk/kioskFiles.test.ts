import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { exitStatus } from '../../src-main/cli/app.ts';
import { patience } from '../support/patience.ts';
import { headlessCompositor, isHere, makeSocketFolder, plainUser } from './programs.ts';

const linux = resolve('build/kiosk/linux');
const unit = readFileSync(join(linux, 'field-console-kiosk.service'), 'utf8');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'field-console-kiosk-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe('the systemd unit', () => {
  it.skipIf(!isHere('systemd-analyze'))('is one that systemd accepts without a remark', () => {
    const path = join(folder, 'field-console-kiosk.service');
    writeFileSync(path, unit.replaceAll('/usr/lib/field-console/kiosk', linux));
    const verified = spawnSync('systemd-analyze', ['verify', '--man=no', path], { encoding: 'utf8' });
    expect({ status: verified.status, said: verified.stderr }).toEqual({ status: 0, said: '' });
  });

  it('is ended by its script, which ends the console first', () => {
    expect(unit).toMatch(/^KillMode=mixed$/m);
  });

  it('starts a console again that broke, and leaves one alone that was left or refused', () => {
    expect(unit).toMatch(/^Restart=on-failure$/m);
    const prevented = /^RestartPreventExitStatus=(.*)$/m.exec(unit)?.[1]?.split(' ').map(Number);
    expect(prevented).toEqual([exitStatus.refused, exitStatus.owned]);
    expect(unit).toMatch(/^WatchdogSec=\d+$/m);
  });
});

const noCage = !isHere('cage') || !isHere('Xwayland') || process.platform !== 'linux';
describe.skipIf(noCage)('the start script, in the real compositor (needs cage and Xwayland)', () => {
  /** Starts the script with a console that is these lines of shell. */
  function start(lines: string, args: readonly string[] = []): ChildProcess {
    const user = plainUser();
    makeSocketFolder();
    const program = join(folder, 'console');
    writeFileSync(program, `#!/bin/sh\n${lines}\n`);
    chmodSync(program, 0o755);
    chmodSync(folder, 0o700);
    if (user !== null) chownSync(folder, user.uid, user.gid);
    return spawn(join(linux, 'field-console-kiosk'), [...args], {
      ...user,
      cwd: folder,
      timeout: patience.step,
      stdio: 'ignore',
      env: {
        PATH: process.env['PATH'],
        HOME: folder,
        XDG_RUNTIME_DIR: folder,
        RUNTIME_DIRECTORY: folder,
        FIELD_CONSOLE_PROGRAM: program,
        ...headlessCompositor,
      },
    });
  }
  const said = (): string => readFileSync(join(folder, 'said'), 'utf8');

  it.each([exitStatus.done, exitStatus.failed, exitStatus.owned, 75])(
    'ends with the status %i of its console',
    async (status) => {
      expect(await once(start(`exit ${String(status)}`), 'exit')).toEqual([status, null]);
    },
  );

  it('gives its options on as they are', async () => {
    const args = ['--policy', '/srv/a policy.json', '$(id)'];
    await once(start(`printf '%s\\n' "$@" > said`, args), 'exit');
    expect(said()).toBe('--kiosk\n--ozone-platform=wayland\n--policy\n/srv/a policy.json\n$(id)\n');
  });

  it('lets the console close before the compositor ends', async () => {
    const script = start(
      `closed() { sleep 1; [ -S "$XDG_RUNTIME_DIR/$WAYLAND_DISPLAY" ] && echo closed > said; exit 0; }
      trap closed TERM
      : > running
      while :; do sleep 0.1; done`,
    );
    const ended = once(script, 'exit');
    await expect.poll(() => existsSync(join(folder, 'running'))).toBe(true);
    script.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    expect(said()).toBe('closed\n');
  });
});

describe.skipIf(!isHere('python3'))('files for other systems (read by python3)', () => {
  const read = (path: string, how: string) =>
    spawnSync('python3', ['-c', `import sys, plistlib, xml.dom.minidom as dom\n${how}`, resolve(path)], {
      encoding: 'utf8',
    });

  it('names the console and its account for Shell Launcher', () => {
    const how =
      'd = dom.parse(sys.argv[1])\nprint([s.getAttribute("Shell") for s in d.getElementsByTagName("Shell")][1])';
    expect(read('build/kiosk/windows/ShellLauncher.xml', how).stdout.trim()).toBe(
      '"C:\\Program Files\\Field Console\\Field Console.exe" --kiosk --supervised',
    );
  });

  it('starts the console again on Windows after each status but those that another start would not change', () => {
    const how =
      'd = dom.parse(sys.argv[1])\nprint([(a.getAttribute("ReturnCode"), a.getAttribute("Action")) for a in d.getElementsByTagName("ReturnCodeAction")], [a.getAttribute("Action") for a in d.getElementsByTagName("DefaultAction")])';
    const left = [exitStatus.done, exitStatus.refused, exitStatus.owned];
    expect(read('build/kiosk/windows/ShellLauncher.xml', how).stdout.trim()).toBe(
      `[${left.map((status) => `('${String(status)}', 'DoNothing')`).join(', ')}] ['RestartShell']`,
    );
  });

  it('starts the console again on macOS unless it was left', () => {
    const how = 'p = plistlib.load(open(sys.argv[1], "rb"))\nprint(p["ProgramArguments"], p["KeepAlive"])';
    expect(read('build/kiosk/macos/org.fieldconsole.kiosk.plist', how).stdout.trim()).toBe(
      "['/Applications/Field Console.app/Contents/MacOS/Field Console', '--kiosk', '--supervised'] {'SuccessfulExit': False}",
    );
  });

  it('has a configuration profile whose payloads are told apart', () => {
    const how =
      'p = plistlib.load(open(sys.argv[1], "rb"))\nids = [c["PayloadUUID"] for c in p["PayloadContent"]]\nprint(len(ids), len(set(ids)))';
    expect(read('build/kiosk/macos/field-console-kiosk.mobileconfig', how).stdout.trim()).toBe('2 2');
  });
});
