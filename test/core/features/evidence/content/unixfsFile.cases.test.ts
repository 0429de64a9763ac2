import fc from 'fast-check';
import { exporter } from 'ipfs-unixfs-exporter';
import { importer } from 'ipfs-unixfs-importer';
import { fixedSize } from 'ipfs-unixfs-importer/chunker';
import { balanced, trickle } from 'ipfs-unixfs-importer/layout';
import { CID } from 'multiformats/cid';
import { expect, it } from 'vitest';
import { readFile } from '../../../../../src-main/core/features/evidence/content/unixfsFile.ts';
import { casesOf } from '../../../../support/campaign.ts';
import { someBytes } from './fetchRig.ts';

const gathered = async (pieces: AsyncIterable<Uint8Array>): Promise<Buffer> => {
  const parts: Uint8Array[] = [];
  for await (const piece of pieces) parts.push(piece);
  return Buffer.concat(parts);
};

it('reads every file that the importer makes as the exporter does, from any byte on', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 20_000 }),
      fc.integer({ min: 100, max: 2_000 }),
      fc.integer({ min: 2, max: 9 }),
      fc.boolean(),
      fc.boolean(),
      fc.double({ min: 0, max: 1, noNaN: true }),
      async (length, chunkSize, links, rawLeaves, asTrickle, part) => {
        const blocks = new Map<string, Uint8Array>();
        const store = {
          put: (cid: CID, bytes: Uint8Array): CID => {
            blocks.set(cid.toString(), bytes);
            return cid;
          },
          async *get(cid: CID): AsyncGenerator<Uint8Array> {
            await Promise.resolve();
            yield blocks.get(cid.toString()) ?? new Uint8Array(0);
          },
        };
        let root: CID | null = null;
        for await (const { cid } of importer([{ content: [someBytes(length, length + 1)] }], store as never, {
          cidVersion: 1,
          rawLeaves,
          chunker: fixedSize({ chunkSize }),
          layout: asTrickle
            ? trickle({ maxChildrenPerNode: links })
            : balanced({ maxChildrenPerNode: links }),
        })) {
          root = CID.parse(cid.toString());
        }
        if (root === null) throw new Error('Nothing was imported');
        const entry = await exporter(root, store as never);
        if (entry.type !== 'file' && entry.type !== 'raw') throw new Error('No file');
        const whole = await gathered(entry.content());
        const offset = Math.floor(part * length);
        const sizes: number[] = [];
        const read = await gathered(
          readFile({
            root,
            source: { get: (cid) => Promise.resolve(blocks.get(cid.toString()) ?? new Uint8Array(0)) },
            offset,
            onSize: (bytes) => sizes.push(bytes),
          }),
        );
        expect(read.equals(whole.subarray(offset))).toBe(true);
        expect(sizes).toEqual([length]);
      },
    ),
    { numRuns: casesOf({ part: 100, whole: 2_000 }) },
  );
});
