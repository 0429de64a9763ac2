import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { assetManifest } from '../../build/assets.ts';

interface Asset {
  readonly path: string;
  readonly script: string;
  readonly source: string;
  readonly bytes: number;
  readonly sha256: string;
}

describe('the assets of build/assets', () => {
  it('are what the manifest says, each made by a script that names its file', async () => {
    const listed = JSON.parse(readFileSync('build/assets/manifest.json', 'utf8')) as Asset[];
    expect(await assetManifest()).toEqual(listed);
    expect(listed.length).toBeGreaterThan(5);
    for (const { path, script } of listed) {
      expect.soft(existsSync(script), script).toBe(true);
      expect.soft(readFileSync(script, 'utf8'), `${script} makes ${path}`).toContain(path.split('/').at(-1));
    }
  });
});
