import { ESLint } from 'eslint';
import { getFileInfo } from 'prettier';
import { expect, it } from 'vitest';

/** A build that runs beside the checks writes this file and removes it while they look for files. */
const passing = 'electron.vite.config.ts.1795415148940-a226a9dd3a2a8.mjs';

it.each(['eslint.config.js', 'build/lint/typed.config.mjs'])(
  '%s leaves out what a build writes for a moment',
  async (config) => {
    const eslint = new ESLint({ overrideConfigFile: config });
    expect(await eslint.isPathIgnored(passing)).toBe(true);
    expect(await eslint.isPathIgnored('electron.vite.config.ts')).toBe(false);
  },
);

it('so does formatting', async () => {
  const about = await getFileInfo(passing, { ignorePath: ['.gitignore', '.prettierignore'] });
  expect(about.ignored).toBe(true);
});
