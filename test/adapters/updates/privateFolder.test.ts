import { createHash } from 'node:crypto';
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPrivateFolder, privateFolderOf } from '../../../src-main/adapters/updates/privateFolder.ts';
import { stagePackage } from '../../../src-main/core/features/updates/staging.ts';
import type { PrivateFolder, ReleaseSource } from '../../../src-main/core/features/updates/updateHost.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'field-console-private-'));
});
afterEach(() => {
  rmSync(dataDir, { recursive: true, force: true });
});

describe('a file of the private folder', () => {
  it.each(['a file', 'a link'])('is never begun where %s lies already', async (what) => {
    const target = join(dataDir, 'precious');
    writeFileSync(target, 'precious');
    const folder = privateFolderOf(dataDir);
    mkdirSync(folder);
    const taken = join(folder, 'known.package');
    if (what === 'a link') symlinkSync(target, taken);
    else writeFileSync(taken, 'precious');
    await expect(createPrivateFolder(dataDir, () => 'known').begin()).rejects.toMatchObject({
      code: 'EEXIST',
    });
    expect(readFileSync(target, 'utf8')).toBe('precious');
    expect(readFileSync(taken, 'utf8')).toBe('precious');
  });
});

describe('a package on its way into the private folder', () => {
  const bytes = Buffer.from('a whole package');
  const wanted = {
    file: 'package.deb',
    bytes: bytes.byteLength,
    sha512: createHash('sha512').update(bytes).digest('base64'),
  };
  const source: ReleaseSource = {
    read: () => Promise.reject(new Error('not asked')),
    pieces: async function* () {
      yield await Promise.resolve(bytes);
    },
  };
  const stage = (folder: PrivateFolder) =>
    stagePackage({
      source,
      folder,
      wanted,
      signal: new AbortController().signal,
      onProgress: () => undefined,
    });

  it('is kept when what lies there is what was signed', async () => {
    expect(await stage(createPrivateFolder(dataDir))).toMatchObject({ kind: 'kept' });
  });

  it('is refused and removed when something else lies there than what was written', async () => {
    const honest = createPrivateFolder(dataDir);
    const changed: PrivateFolder = {
      ...honest,
      begin: async () => {
        const copy = await honest.begin();
        const finish = async (): Promise<void> => {
          await copy.finish();
          const whole = readFileSync(copy.path);
          whole[3] = (whole[3] ?? 0) ^ 1;
          writeFileSync(copy.path, whole);
        };
        return { ...copy, finish };
      },
    };
    expect(await stage(changed)).toEqual({ kind: 'refused', fault: 'changed' });
    expect(await readdir(privateFolderOf(dataDir))).toEqual([]);
  });

  it('is refused when something was added to it', async () => {
    const honest = createPrivateFolder(dataDir);
    const longer: PrivateFolder = {
      ...honest,
      begin: async () => {
        const copy = await honest.begin();
        const finish = async (): Promise<void> => {
          await copy.finish();
          appendFileSync(copy.path, 'x');
        };
        return { ...copy, finish };
      },
    };
    expect(await stage(longer)).toEqual({ kind: 'refused', fault: 'changed' });
  });
});
