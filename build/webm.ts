/** Writes a WebM file with its length and an index of its key frames, so that a player can go to any time of it. */

const idOf = (id: number) => {
  const bytes: number[] = [];
  for (let rest = id; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return bytes;
};

/** A length in eight bytes, the first of which says so. */
const lengthOf = (length: number) => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(length));
  bytes[0] = 0x01;
  return bytes;
};

const element = (id: number, ...parts: readonly Uint8Array[]) => {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from(idOf(id)), lengthOf(body.byteLength), body]);
};

const unsigned = (id: number, value: number) => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return element(id, bytes);
};

const float = (id: number, value: number) => {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value);
  return element(id, bytes);
};

const text = (id: number, value: string) => element(id, Buffer.from(value));

interface Chunk {
  readonly key: boolean;
  readonly ms: number;
  readonly data: Uint8Array;
}
interface Video {
  readonly width: number;
  readonly height: number;
  readonly ms: number;
  readonly chunks: readonly Chunk[];
}

export function webmOf({ width, height, ms, chunks }: Video): Buffer {
  const header = element(
    0x1a45dfa3,
    unsigned(0x4286, 1),
    unsigned(0x42f7, 1),
    unsigned(0x42f2, 4),
    unsigned(0x42f3, 8),
    text(0x4282, 'webm'),
    unsigned(0x4287, 2),
    unsigned(0x4285, 2),
  );
  const info = element(
    0x1549a966,
    unsigned(0x2ad7b1, 1_000_000),
    float(0x4489, ms),
    text(0x4d80, 'Field Console'),
    text(0x5741, 'Field Console'),
  );
  const tracks = element(
    0x1654ae6b,
    element(
      0xae,
      unsigned(0xd7, 1),
      unsigned(0x73c5, 1),
      unsigned(0x83, 1),
      text(0x86, 'V_VP8'),
      element(0xe0, unsigned(0xb0, width), unsigned(0xba, height)),
    ),
  );
  const groups: [Chunk, ...Chunk[]][] = [];
  for (const chunk of chunks) {
    if (chunk.key) groups.push([chunk]);
    else groups.at(-1)?.push(chunk);
  }
  const clusters = groups.map(([first, ...rest]) => ({
    ms: first.ms,
    bytes: element(
      0x1f43b675,
      unsigned(0xe7, first.ms),
      ...[first, ...rest].map(({ key, ms: at, data }) => {
        const head = Buffer.alloc(4);
        head[0] = 0x81;
        head.writeInt16BE(at - first.ms, 1);
        head[3] = key ? 0x80 : 0;
        return element(0xa3, head, data);
      }),
    ),
  }));
  const cuesAt = (from: number) => {
    let place = from;
    const points = clusters.map(({ ms: time, bytes }) => {
      const point = element(
        0xbb,
        unsigned(0xb3, time),
        element(0xb7, unsigned(0xf7, 1), unsigned(0xf1, place)),
      );
      place += bytes.byteLength;
      return point;
    });
    return element(0x1c53bb6b, ...points);
  };
  // All numbers have eight bytes: the index is as long wherever it points to.
  const front = info.byteLength + tracks.byteLength;
  const cues = cuesAt(front + cuesAt(0).byteLength);
  const segment = element(0x18538067, info, tracks, cues, ...clusters.map(({ bytes }) => bytes));
  return Buffer.concat([header, segment]);
}
