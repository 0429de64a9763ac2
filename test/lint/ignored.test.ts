import { ESLint } from 'eslint';
import { spawnSync } from 'node:child_process';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { expect, it } from 'vitest';

/** A build that runs beside the checks writes this file and removes it while they look for files. */
const passing = 'electron.vite.config.ts.1795415148940-a226a9dd3a2a8.mjs';

it('lint leaves out what a build writes for a moment', async () => {
  const eslint = new ESLint();
  expect(await eslint.isPathIgnored(passing)).toBe(true);
  expect(await eslint.isPathIgnored('electron.vite.config.ts')).toBe(false);
});

it('so does formatting', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'format-'));
  for (const name of ['.gitignore', '.oxfmtrc.json']) await copyFile(name, join(folder, name));
  for (const name of [passing, 'other.mjs']) await writeFile(join(folder, name), 'let  crooked=1');
  const oxfmt = resolve('node_modules/oxfmt/bin/oxfmt');
  const { stdout } = spawnSync(process.execPath, [oxfmt, '--list-different'], {
    cwd: folder,
    encoding: 'utf8',
  });
  expect(stdout.trim()).toBe('other.mjs');
  await rm(folder, { recursive: true });
});
