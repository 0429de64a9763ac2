import * as dagPb from '@ipld/dag-pb';
import { UnixFS } from 'ipfs-unixfs';
import type { CID } from 'multiformats/cid';
import * as raw from 'multiformats/codecs/raw';
import { inlineBytes, type BlockSource } from './blocks.ts';
import { ContentTrouble } from './contentTrouble.ts';

/** Importers make trees of a few levels: 174 links in a node hold 5 GB in four. */
const deepest = 32;
/** Leaves of less than this on average are made to keep a reader busy. */
const leastLeafBytes = 64;
const fewBlocks = 4_096;

export interface FileReading {
  readonly root: CID;
  readonly source: BlockSource;
  /** Bytes of the file that are there already: blocks that lie wholly before are not asked for. */
  readonly offset: number;
  /** Called once, when the root says how long the file is. */
  readonly onSize: (bytes: number) => void;
}

interface Node {
  readonly cid: CID;
  readonly start: number;
  /** What its parent says that it holds; null for the root. */
  readonly bytes: number | null;
  readonly depth: number;
}

/**
 * The bytes of a UnixFS file from `offset` on, block by block and in order, with no more than one block in memory.
 *
 * Not by `ipfs-unixfs-exporter`: it reads on however slowly its bytes are taken, recurses as deep as a graph says, and a
 * block that is missing below the second level is an unhandled rejection there. Tests hold this against it.
 *
 * @throws ContentTrouble for what is no file, or no consistent one.
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
    // A child without a byte is in no file, and a thousand million of them would be asked for.
    if (!Number.isSafeInteger(bytes) || bytes <= 0) throw new ContentTrouble('malformed');
    return { cid: Hash, bytes };
  });
  return { data: unixfs.data ?? new Uint8Array(0), children };
}
