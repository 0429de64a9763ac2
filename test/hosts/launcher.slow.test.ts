import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { beforeEach, describe, expect, it } from 'vitest';
import { isHere } from '../kiosk/programs.ts';
import { launcherRig, standIn } from './support/launcherRig.ts';

const at = launcherRig();

describe.skipIf(process.platform === 'win32')('the launcher', () => {
  beforeEach(() => at.install());

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'passes on a %s that only it was sent',
    async (signal) => {
      const { child, text, ended } = at.run(...at.launcher());
      await expect.poll(text).toContain('up\n');
      child.kill(signal);
      expect(await ended).toBe(0);
      if (signal !== 'SIGHUP') expect(text()).toContain('closed\n');
    },
  );

  it.skipIf(process.platform !== 'linux' || !isHere('script'))(
    'does not pass Ctrl+C on, which an Electron outside of the terminal’s group therefore does not hear',
    async () => {
      // In a session of its own it hears only what the launcher sends: two of one signal may reach it as one.
      const executable = join(at.root, 'node_modules/electron/dist/electron');
      await writeFile(`${executable}.mjs`, standIn);
      await writeFile(executable, `#!/bin/sh\nexec setsid '${process.execPath}' '${executable}.mjs' "$@"\n`);
      const [node, args] = at.launcher();
      const command = `exec ${[node, ...args].map((part) => `'${part}'`).join(' ')}`;
      const { child, text, ended } = at.run('script', ['-qec', command, '/dev/null']);
      await expect.poll(text).toContain('up\r\n');
      child.stdin?.write('\u0003');
      await expect.poll(text).toContain('^C');
      process.kill(Number(/parent (\d+)/.exec(text())?.[1]), 'SIGTERM');
      expect(await ended).toBe(0);
      expect(text().match(/SIG\w+/g)).toEqual(['SIGTERM']);
    },
  );
});
