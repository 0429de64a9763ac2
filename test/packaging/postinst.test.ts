import { spawnSync } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

/** Whether a program without rights gets a user namespace here. */
const hasNamespaces = spawnSync('unshare', ['--user', '--map-root-user', 'true']).status === 0;

/** The package's script on a helper of the test's own. `unshare` is the real one. */
describe.skipIf(process.platform !== 'linux' || !hasNamespaces)('what installs the Debian package', () => {
  let folder: string;
  let helper: string;
  let script: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'field-console-postinst-'));
    helper = join(folder, 'chrome-sandbox');
    script = join(folder, 'postinst');
    const text = await readFile(join(import.meta.dirname, '../../build/deb/postinst'), 'utf8');
    const moved = text
      .replace('/usr/lib/field-console/chrome-sandbox', helper)
      .replaceAll('/etc/apparmor.d', join(folder, 'apparmor.d'));
    await writeFile(script, moved);
    await writeFile(helper, '');
    await chmod(helper, 0o755);
    // Only root may become another user.
    await wrap('setpriv', 'while [ "$1" != unshare ]; do shift; done; exec "$@"');
    await wrap('dpkg-statoverride', 'exit 1');
  });
  afterEach(() => rm(folder, { recursive: true }));

  const wrap = async (name: string, words: string): Promise<void> => {
    await writeFile(join(folder, name), `#!/bin/sh\n${words}\n`);
    await chmod(join(folder, name), 0o755);
  };
  const run = (program: string, ...args: string[]): number | null =>
    spawnSync(program, args, { env: { PATH: `${folder}:${process.env['PATH'] ?? ''}` } }).status;
  const mode = async (): Promise<string> => ((await stat(helper)).mode & 0o7777).toString(8);
  /** The same where the kernel gives no further namespace, as `user.max_user_namespaces=0` does for the whole system. */
  const withoutNamespaces = (step: string): number | null =>
    run(
      ...['unshare', '--user', '--map-root-user', 'sh', '-c'],
      'echo 0 > /proc/sys/user/max_user_namespaces && exec sh "$0" "$1"',
      ...[script, step],
    );

  test('leaves the sandbox to user namespaces where there are any', async () => {
    await chmod(helper, 0o4755);
    expect(run('sh', script, 'configure')).toBe(0);
    expect(await mode()).toBe('755');
  });

  test('lets the sandbox’s helper run as root where there are none', async () => {
    expect(withoutNamespaces('configure')).toBe(0);
    expect(await mode()).toBe('4755');
  });

  test('changes nothing in another step, or against an administrator’s own mode', async () => {
    expect(withoutNamespaces('abort-upgrade')).toBe(0);
    expect(await mode()).toBe('755');
    await wrap('dpkg-statoverride', 'exit 0');
    expect(withoutNamespaces('configure')).toBe(0);
    expect(await mode()).toBe('755');
  });
});
