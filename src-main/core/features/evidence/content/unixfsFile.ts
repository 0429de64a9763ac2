import * as dagPb from '@ipld/dag-pb';
import { UnixFS } from 'ipfs-unixfs';
import type { CID } from 'multiformats/cid';
import * as raw from 'multiformats/codecs/raw';
import { inlineBytes, type BlockSource } from './blocks.ts';
import { ContentTrouble } from './contentTrouble.ts';

/** Trees of importers have few levels: with 174 links in a node, four levels hold 5 GB. */
const deepest = 32;
/** Smaller leaves on average could only serve to keep the reader busy. */
const leastLeafBytes = 64;
const fewBlocks = 4_096;

export interface FileReading {
  readonly root: CID;
  readonly source: BlockSource;
  /** Bytes of the file that are stored already. Blocks entirely before them are not asked for. */
  readonly offset: number;
  /** Called once, with the file's length from the root. */
  readonly onSize: (bytes: number) => void;
}

interface Node {
  readonly cid: CID;
  readonly start: number;
  /** The size that its parent claims; null for the root. */
  readonly bytes: number | null;
  readonly depth: number;
}

/**
 * The bytes of a UnixFS file from `offset` on, block by block in order, with at most one block in memory.
 *
 * `ipfs-unixfs-exporter` is not used: it reads ahead even when its bytes are taken slowly, recurses as deep as a graph
 * claims, and a block missing below the second level becomes an unhandled rejection. Tests compare this reader with it.
 *
 * @throws ContentTrouble when it is no file, or an inconsistent one.
 */
export async function* readFile({ root, source, offset, onSize }: FileReading): AsyncGenerator<Uint8Array> {
  const open: Node[] = [{ cid: root, start: 0, bytes: null, depth: 0 }];
  let blocks = 0;
  let given = 0;
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.bytes !== null && node.start + node.bytes <= offset) continue;
    blocks += 1;
    if (blocks > fewBlocks && given < (blocks - fewBlocks) * leastLeafBytes)
      throw new ContentTrouble('malformed');
    const block = inlineBytes(node.cid) ?? (await source.get(node.cid));
    const { data, children } = openNode(node, block);
    const total = data.byteLength + children.reduce((sum, { bytes }) => sum + bytes, 0);
    if (node.bytes === null) onSize(total);
    else if (node.bytes !== total) throw new ContentTrouble('malformed');
    if (children.length > 0 && node.depth >= deepest) throw new ContentTrouble('malformed');
    const wanted = data.subarray(Math.min(data.byteLength, Math.max(0, offset - node.start)));
    if (wanted.byteLength > 0) {
      given += wanted.byteLength;
      yield wanted;
    }
    let start = node.start + total;
    for (const child of children.toReversed()) {
      start -= child.bytes;
      open.push({ ...child, start, depth: node.depth + 1 });
    }
  }
}

function openNode(
  { cid, depth }: Node,
  block: Uint8Array,
): {
  readonly data: Uint8Array;
  readonly children: readonly { readonly cid: CID; readonly bytes: number }[];
} {
  if (cid.code === raw.code) return { data: block, children: [] };
  if (cid.code !== dagPb.code) throw new ContentTrouble(depth === 0 ? 'not-a-file' : 'malformed');
  let links: readonly dagPb.PBLink[];
  let unixfs: UnixFS;
  try {
    const node = dagPb.decode(block);
    links = node.Links;
    unixfs = UnixFS.unmarshal(node.Data ?? new Uint8Array(0));
  } catch {
    throw new ContentTrouble(depth === 0 ? 'not-a-file' : 'malformed');
  }
  if (unixfs.type !== 'file' && unixfs.type !== 'raw') {
    throw new ContentTrouble(depth === 0 ? 'not-a-file' : 'malformed');
  }
  if (links.length !== unixfs.blockSizes.length) throw new ContentTrouble('malformed');
  const children = links.map(({ Hash }, index) => {
    const bytes = Number(unixfs.blockSizes[index] ?? 0n);
    // No file has a child without bytes, and a graph could claim a thousand million of them.
    if (!Number.isSafeInteger(bytes) || bytes <= 0) throw new ContentTrouble('malformed');
    return { cid: Hash, bytes };
  });
  return { data: unixfs.data ?? new Uint8Array(0), children };
}
