/** An image tile as its first bytes describe it. */
export interface ImageFacts {
  readonly type: 'png' | 'jpg' | 'webp' | 'avif';
  /** Null where the format keeps them deeper inside (AVIF). */
  readonly width: number | null;
  readonly height: number | null;
  /** The last bytes are those the format ends with, or it has no such mark. */
  readonly whole: boolean;
}

const ascii = (bytes: Uint8Array, from: number, length: number): string =>
  String.fromCharCode(...bytes.subarray(from, from + length));

/** Tells an image by its bytes, never by a name. Null for anything else. */
export function readImage(bytes: Uint8Array): ImageFacts | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (ascii(bytes, 0, 8) === '\x89PNG\r\n\x1a\n') {
    const known = bytes.byteLength >= 24 && ascii(bytes, 12, 4) === 'IHDR';
    return {
      type: 'png',
      width: known ? view.getUint32(16) : null,
      height: known ? view.getUint32(20) : null,
      whole: known && ascii(bytes, bytes.byteLength - 8, 4) === 'IEND',
    };
  }
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return readJpeg(view);
  if (ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 4) === 'WEBP') return readWebp(bytes, view);
  if (ascii(bytes, 4, 4) === 'ftyp' && ['avif', 'avis'].includes(ascii(bytes, 8, 4))) {
    return { type: 'avif', width: null, height: null, whole: bytes.byteLength > 64 };
  }
  return null;
}

/** Walks the segments to the frame header. */
function readJpeg(view: DataView): ImageFacts {
  const facts: ImageFacts = { type: 'jpg', width: null, height: null, whole: false };
  let at = 2;
  while (at + 9 <= view.byteLength) {
    if (view.getUint8(at) !== 0xff) return facts;
    const marker = view.getUint8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) {
      return { ...facts, height: view.getUint16(at + 5), width: view.getUint16(at + 7), whole: true };
    }
    at += 2 + view.getUint16(at + 2);
  }
  return facts;
}

function readWebp(bytes: Uint8Array, view: DataView): ImageFacts {
  const length = bytes.byteLength;
  // RIFF counts what follows its own eight bytes; a file that was cut has less.
  const whole = length >= 30 && view.getUint32(4, true) + 8 <= length + 1;
  const facts = { type: 'webp' as const, whole };
  if (length < 30) return { ...facts, width: null, height: null };
  switch (ascii(bytes, 12, 4)) {
    case 'VP8 ':
      return {
        ...facts,
        width: view.getUint16(26, true) & 0x3fff,
        height: view.getUint16(28, true) & 0x3fff,
      };
    case 'VP8L': {
      const bits = view.getUint32(21, true);
      return { ...facts, width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8X': {
      const three = (at: number): number => view.getUint16(at, true) + view.getUint8(at + 2) * 65_536 + 1;
      return { ...facts, width: three(24), height: three(27) };
    }
    default:
      return { ...facts, width: null, height: null };
  }
}
