import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { basemapFolder, buildBasemap } from '../../../build/basemap.ts';

test('the committed basemap is what the build makes of Natural Earth', async () => {
  const made = await buildBasemap();
  expect(Object.keys(made).length).toBeGreaterThan(0);
  for (const [name, text] of Object.entries(made)) {
    expect(text === (await readFile(basemapFolder + name, 'utf8')), name).toBe(true);
  }
});
