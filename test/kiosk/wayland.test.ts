import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { beforeAll, describe, expect, it } from 'vitest';
import { patience } from '../support/patience.ts';
import { isHere, makeSocketFolder, plainUser } from './programs.ts';

const script = resolve('build/first-light/wayland.sh');
const user = plainUser();
const missing = isHere('cage') ? 'nothing' : 'cage';

/** As the workflow "first-light" runs Electron, here with a shell in its place. */
describe.skipIf(missing !== 'nothing')(`a Wayland without a screen (missing: ${missing})`, () => {
  beforeAll(makeSocketFolder);

  const run = (path: string, ...command: string[]) => {
    const folder = mkdtempSync(join(tmpdir(), 'field-console-wayland-'));
    try {
      return spawnSync('sh', [script, ...command], {
        ...user,
        cwd: '/',
        encoding: 'utf8',
        timeout: patience.step,
        env: { PATH: path, HOME: folder, DISPLAY: ':99' },
      });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };
  const path = process.env['PATH'] ?? '';

  it('is what a program on it finds, and no X11', () => {
    const { stdout, status } = run(
      path,
      'sh',
      '-c',
      'echo "$XDG_SESSION_TYPE $WAYLAND_DISPLAY ${DISPLAY-none}"',
    );
    expect(stdout.trim()).toMatch(/^wayland wayland-\d+ none$/);
    expect(status).toBe(0);
  });

  it('ends with the status of the program, words of which stay whole', () => {
    const { stdout, status } = run(path, 'sh', '-c', 'echo "$1"; exit 7', 'sh', 'two words');
    expect(stdout).toBe('two words\n');
    expect(status).toBe(7);
  });

  it('says that nothing was run where the compositor does not start', () => {
    const folder = mkdtempSync(join(tmpdir(), 'field-console-wayland-'));
    try {
      chmodSync(folder, 0o755);
      writeFileSync(join(folder, 'cage'), '#!/bin/sh\nexit 0\n', { mode: 0o755 });
      const { stderr, status } = run(`${folder}:${path}`, 'true');
      expect(stderr).toContain('cage did not run the command.');
      expect(status).toBe(70);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
