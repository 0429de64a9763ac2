import { UnixFS } from 'ipfs-unixfs';
import { importFile, type ImporterOptions } from 'ipfs-unixfs-importer';
import { balanced } from 'ipfs-unixfs-importer/layout';
import { varint } from 'multiformats';
import { CID } from 'multiformats/cid';
import * as raw from 'multiformats/codecs/raw';
import { create as createDigest } from 'multiformats/hashes/digest';
import { sha256 } from 'multiformats/hashes/sha2';
import { createHash, hash } from 'node:crypto';
import type { CidProfile } from '../../../../../src-preload/contract/index.ts';
import type { SpooledFacts } from '../../../vault/records.ts';

const chunkBytes = 256 * 1024;
/** The bytes that are hashed at a time: one chunk of the largest profile, four of the others. */
const blockBytes = 1024 * 1024;
/**
 * CID version, and links in a node of the tree: 174 is the old default of Kubo and the importer; 1,024 belongs to the
 * profile that both call `unixfs-v1-2025`, with chunks of 1 MiB.
 */
const shapes = {
  'v1-raw-256k': { cidVersion: 1, links: 174 },
  'v0-256k': { cidVersion: 0, links: 174 },
  'v1-raw-1m': { cidVersion: 1, links: 1024 },
} as const satisfies Record<CidProfile, { readonly cidVersion: 0 | 1; readonly links: number }>;

/** The codec of a node (dag-pb). A leaf of a CIDv0 has it too. */
const nodeCodec = 0x70;

const noBytes = new Uint8Array(0);
/** Drops the tree's nodes: only the CID of the last one is needed. */
const sink = { put: (cid: CID): CID => cid };

/** A hashed chunk: its CID, and what its parent node says about it. */
interface Leaf {
  readonly cid: CID;
  /** The size of the leaf's block. */
  readonly size: bigint;
  readonly unixfs?: UnixFS;
}

/**
 * The importer pulls leaves, but chunks are hashed as they come. The queue between them holds only the leaves since the
 * importer's last turn, never bytes.
 */
class LeafQueue {
  readonly #leaves: Leaf[] = [];
  #ended = false;
  #wake = (): void => undefined;

  push(leaf: Leaf): void {
    this.#leaves.push(leaf);
    this.#wake();
  }

  end(): void {
    this.#ended = true;
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Leaf> {
    for (;;) {
      for (let leaf = this.#leaves.shift(); leaf; leaf = this.#leaves.shift()) yield leaf;
      if (this.#ended) return;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}

/** One profile's tree: takes leaves, gives the root's CID. */
class Tree {
  readonly profile: CidProfile;
  readonly #leaves = new LeafQueue();
  readonly #root: Promise<CID>;

  constructor(profile: CidProfile) {
    this.profile = profile;
    const { cidVersion, links } = shapes[profile];
    const leaves = this.#leaves;
    const options: ImporterOptions = {
      cidVersion,
      rawLeaves: cidVersion === 1,
      layout: balanced({ maxChildrenPerNode: links }),
      blockWriteConcurrency: 1,
      // The importer's own function would copy every chunk twice, and hold 174 chunks at a time.
      bufferImporter: async function* () {
        for await (const leaf of leaves) yield () => Promise.resolve({ ...leaf, block: noBytes });
      },
    };
    this.#root = importFile({ content: [] }, sink, options).then(({ cid }) => cid);
    // An abandoned hashing never awaits it.
    this.#root.catch(() => undefined);
  }

  /** A leaf that is the bytes themselves. */
  addRaw(bytes: Uint8Array): void {
    const cid = CID.create(1, raw.code, digestOf(hash('sha256', bytes, 'buffer')));
    this.#leaves.push({ cid, size: BigInt(bytes.byteLength) });
  }

  /** The bytes in a UnixFS file node in a dag-pb node, hashed piece by piece without a copy. */
  addWrapped(bytes: Uint8Array): void {
    const { head, tail } = wrapOf(bytes.byteLength);
    const digest = createHash('sha256').update(head).update(bytes).update(tail).digest();
    this.#leaves.push({
      cid: CID.create(0, nodeCodec, digestOf(digest)),
      size: BigInt(head.byteLength + bytes.byteLength + tail.byteLength),
      // Gives the number of file bytes below, without the bytes.
      unixfs: new UnixFS({ type: 'file', blockSizes: [BigInt(bytes.byteLength)] }),
    });
  }

  async root(): Promise<CID> {
    this.#leaves.end();
    return this.#root;
  }
}

const digestOf = (digest: Buffer): ReturnType<typeof createDigest> =>
  createDigest(sha256.code, new Uint8Array(digest));

/** A protobuf varint. */
const variable = (value: number): Uint8Array =>
  varint.encodeTo(value, new Uint8Array(varint.encodingLength(value)));

/**
 * The bytes before and after the content in a leaf of a CIDv0: PBNode { Data: UnixFS { Type: File, Data: bytes,
 * filesize } }. For an empty file there is no inner Data field.
 */
function wrapOf(bytes: number): { readonly head: Uint8Array; readonly tail: Uint8Array } {
  const type = [0x08, 0x02];
  const data = bytes > 0 ? [0x12, ...variable(bytes)] : [];
  const tail = Uint8Array.of(0x18, ...variable(bytes));
  const inner = type.length + data.length + bytes + tail.length;
  return { head: Uint8Array.of(0x0a, ...variable(inner), ...type, ...data), tail };
}

/**
 * Hashes bytes under every profile at once, whatever their pieces are. Holds one block in memory, and for each tree the
 * leaves of one node.
 */
export class ProfileHashing {
  readonly #whole = createHash('sha256');
  readonly #small = new Tree('v1-raw-256k');
  readonly #wrapped = new Tree('v0-256k');
  readonly #large = new Tree('v1-raw-1m');
  /** The bytes of a block that is not full yet. */
  readonly #rest = new Uint8Array(blockBytes);
  #waiting = 0;
  #bytes = 0;

  /** Does not hold `bytes`. Between two calls the event loop must get a turn, or leaves pile up (32 bytes each). */
  write(bytes: Uint8Array): void {
    this.#bytes += bytes.byteLength;
    for (let at = 0; at < bytes.byteLength;) {
      const room = blockBytes - this.#waiting;
      const part = bytes.subarray(at, at + room);
      at += part.byteLength;
      if (part.byteLength === blockBytes) {
        this.#take(part);
        continue;
      }
      this.#rest.set(part, this.#waiting);
      this.#waiting += part.byteLength;
      if (this.#waiting < blockBytes) continue;
      this.#waiting = 0;
      this.#take(this.#rest);
    }
  }

  /** To be called once, after the last byte. */
  async finish(): Promise<SpooledFacts> {
    if (this.#waiting > 0 || this.#bytes === 0) this.#take(this.#rest.subarray(0, this.#waiting));
    const trees = [this.#small, this.#wrapped, this.#large];
    const computed = await Promise.all(
      trees.map(async (tree) => ({ profile: tree.profile, cid: (await tree.root()).toString() })),
    );
    return { bytes: this.#bytes, sha256: this.#whole.digest('hex'), computed };
  }

  /** A whole block, or the last one. */
  #take(block: Uint8Array): void {
    this.#whole.update(block);
    this.#large.addRaw(block);
    for (let at = 0; at < block.byteLength || at === 0; at += chunkBytes) {
      const chunk = block.subarray(at, at + chunkBytes);
      this.#small.addRaw(chunk);
      this.#wrapped.addWrapped(chunk);
    }
  }
}
