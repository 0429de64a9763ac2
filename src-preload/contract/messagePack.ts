/** How much one MessagePack value may hold before it is built. */
export interface PackLimits {
  /** Arrays and maps inside each other; a value outside of any has depth 0. */
  readonly depth: number;
  /** Values in all, keys included. */
  readonly values: number;
  /** Whether byte strings may be among them. */
  readonly bytes: boolean;
}

type Head =
  | { readonly kind: 'refused' }
  /** A value whose `length` bytes follow. */
  | { readonly kind: 'scalar' | 'text' | 'bytes'; readonly length: number }
  /** A value whose length, or whose number of members, stands in the next `digits` bytes. */
  | { readonly kind: 'text' | 'bytes' | 'array' | 'map'; readonly digits: 1 | 2 | 4 }
  | { readonly kind: 'array' | 'map'; readonly length: number };

/** The one first byte that the specification gives no meaning. */
const refusedToken = 0xc1;

const named: Readonly<Record<number, Head>> = {
  0xc0: { kind: 'scalar', length: 0 },
  0xc2: { kind: 'scalar', length: 0 },
  0xc3: { kind: 'scalar', length: 0 },
  0xc4: { kind: 'bytes', digits: 1 },
  0xc5: { kind: 'bytes', digits: 2 },
  0xc6: { kind: 'bytes', digits: 4 },
  0xca: { kind: 'scalar', length: 4 },
  0xcb: { kind: 'scalar', length: 8 },
  0xcc: { kind: 'scalar', length: 1 },
  0xcd: { kind: 'scalar', length: 2 },
  0xce: { kind: 'scalar', length: 4 },
  0xcf: { kind: 'scalar', length: 8 },
  0xd0: { kind: 'scalar', length: 1 },
  0xd1: { kind: 'scalar', length: 2 },
  0xd2: { kind: 'scalar', length: 4 },
  0xd3: { kind: 'scalar', length: 8 },
  0xd9: { kind: 'text', digits: 1 },
  0xda: { kind: 'text', digits: 2 },
  0xdb: { kind: 'text', digits: 4 },
  0xdc: { kind: 'array', digits: 2 },
  0xdd: { kind: 'array', digits: 4 },
  0xde: { kind: 'map', digits: 2 },
  0xdf: { kind: 'map', digits: 4 },
};

/** What each first byte means, by the MessagePack specification. */
const heads: readonly Head[] = Array.from({ length: 256 }, (_, token): Head => {
  if (token < 0x80 || token >= 0xe0) return { kind: 'scalar', length: 0 };
  if (token < 0x90) return { kind: 'map', length: token & 0x0f };
  if (token < 0xa0) return { kind: 'array', length: token & 0x0f };
  if (token < 0xc0) return { kind: 'text', length: token & 0x1f };
  return named[token] ?? { kind: 'refused' };
});

/**
 * Whether `source` is exactly one MessagePack value of nil, booleans, numbers, texts, arrays and maps with
 * texts as keys, within `limits`. Nothing is built: a hostile value is refused at the cost of its bytes.
 *
 * Every extension is refused. A decoder's extensions make references, records and objects of other classes
 * out of them, and a value with shared references can take hours to walk.
 */
export function isPlainPack(source: Uint8Array, limits: PackLimits): boolean {
  const view = new DataView(source.buffer, source.byteOffset, source.byteLength);
  /** What is missing of each open array and map; a map wants a key whenever that is even. */
  const open: { missing: number; readonly map: boolean }[] = [];
  let values = 0;
  let at = 0;
  do {
    values += 1;
    const head = heads[source[at] ?? refusedToken];
    at += 1;
    if (head === undefined || head.kind === 'refused' || values > limits.values) return false;
    let length: number;
    if ('length' in head) length = head.length;
    else {
      if (at + head.digits > source.length) return false;
      length = readNumber(view, at, head.digits);
      at += head.digits;
    }
    const parent = open.at(-1);
    if (parent !== undefined) {
      if (parent.map && parent.missing % 2 === 0 && head.kind !== 'text') return false;
      parent.missing -= 1;
    }
    switch (head.kind) {
      case 'array':
      case 'map': {
        const missing = head.kind === 'map' ? 2 * length : length;
        if (open.length >= limits.depth || missing > limits.values - values) return false;
        open.push({ missing, map: head.kind === 'map' });
        break;
      }
      case 'bytes':
        if (!limits.bytes) return false;
        at += length;
        break;
      case 'scalar':
      case 'text':
        at += length;
    }
    while (open.at(-1)?.missing === 0) open.pop();
  } while (open.length > 0 && at < source.length);
  return open.length === 0 && at === source.length;
}

function readNumber(view: DataView, at: number, digits: 1 | 2 | 4): number {
  switch (digits) {
    case 1:
      return view.getUint8(at);
    case 2:
      return view.getUint16(at);
    case 4:
      return view.getUint32(at);
  }
}
