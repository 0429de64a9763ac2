import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { expect, test } from 'vitest';
import { pack, sha256Of, type Packed } from './support/packed.ts';

/** The bill of materials of the archive, whatever the version in its name. */
async function bill({ dist }: Packed): Promise<string> {
  const [name = 'none'] = (await readdir(dist)).filter((file) => file.endsWith('.cdx.json'));
  return sha256Of(join(dist, name));
}

test.skipIf(process.platform !== 'linux')(
  'the same commit packed again gives the same archive',
  async () => {
    const packed = await pack();
    const again = await pack();
    try {
      expect(await sha256Of(again.archive)).toBe(await sha256Of(packed.archive));
      expect(await bill(again)).toBe(await bill(packed));
    } finally {
      await Promise.all([packed.remove(), again.remove()]);
    }
  },
  300_000,
);
