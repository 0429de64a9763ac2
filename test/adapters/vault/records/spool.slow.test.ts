import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bytesOf, fileId, hashed, mebibyte, readBack, sharedFolders } from './support.ts';

const shared = sharedFolders();

test('the pieces in which a file comes change nothing', async () => {
  const { records } = await shared.newVault();
  const bytes = bytesOf(2 * mebibyte + 7);
  const facts = await hashed(bytes);
  let number = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(mebibyte + 5), { maxLength: 8 }), async (cuts) => {
      const file = await records.spool.receive(fileId((number += 1)));
      let at = 0;
      for (const cut of cuts) {
        // Not waited for: writes follow one another all the same.
        void file.write(Uint8Array.from(bytes.subarray(at, at + cut)));
        at += cut;
      }
      await file.write(bytes.subarray(at));
      expect(await file.finish()).toEqual(facts);
      expect((await readBack(records, fileId(number))).bytes.equals(bytes)).toBe(true);
      await records.spool.remove(fileId(number));
    }),
    { numRuns: 15 },
  );
  expect(await records.spool.list()).toEqual(new Map());
});
