export type ImageFormat = 'png' | 'jpeg' | 'gif' | 'webp' | 'avif';

/** Pixels. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

export const ascii = (bytes: Uint8Array, from: number, length: number): string =>
  String.fromCharCode(...bytes.subarray(from, from + length));

/** Recognises an image by its first bytes, never by a name. Null for anything else. */
export function imageFormat(bytes: Uint8Array): ImageFormat | null {
  if (ascii(bytes, 0, 8) === '\x89PNG\r\n\x1a\n') return 'png';
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'jpeg';
  if (/^GIF8[79]a$/.test(ascii(bytes, 0, 6))) return 'gif';
  if (ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 4) === 'WEBP') return 'webp';
  return ascii(bytes, 4, 4) === 'ftyp' && ['avif', 'avis'].includes(ascii(bytes, 8, 4)) ? 'avif' : null;
}

/**
 * The size in an image's header; null when the header does not say it.
 *
 * @throws RangeError when the bytes end within the header
 */
export function imageSize(format: ImageFormat, bytes: Uint8Array): ImageSize | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  switch (format) {
    case 'png':
      return ascii(bytes, 12, 4) === 'IHDR'
        ? { width: view.getUint32(16), height: view.getUint32(20) }
        : null;
    case 'jpeg':
      return jpegSize(view);
    case 'gif':
      return { width: view.getUint16(6, true), height: view.getUint16(8, true) };
    case 'webp':
      return webpSize(bytes, view);
    case 'avif':
      return avifSize(bytes, view);
  }
}

/** Reads the segments up to the frame header. */
function jpegSize(view: DataView): ImageSize | null {
  let at = 2;
  while (at + 9 <= view.byteLength) {
    if (view.getUint8(at) !== 0xff) return null;
    const marker = view.getUint8(at + 1);
    // Fill bytes before the next marker.
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    at += 2 + view.getUint16(at + 2);
  }
  return null;
}

function webpSize(bytes: Uint8Array, view: DataView): ImageSize | null {
  switch (ascii(bytes, 12, 4)) {
    case 'VP8 ':
      return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
    case 'VP8L': {
      const bits = view.getUint32(21, true);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8X': {
      const three = (at: number): number => view.getUint16(at, true) + view.getUint8(at + 2) * 65_536 + 1;
      return { width: three(24), height: three(27) };
    }
    default:
      return null;
  }
}

/** The largest image extent (`ispe`) in the file: that of a whole grid, or of the picture itself. */
function avifSize(bytes: Uint8Array, view: DataView): ImageSize | null {
  let size: ImageSize | null = null;
  for (
    let at = bytes.indexOf(0x69);
    at >= 0 && at + 16 <= bytes.byteLength;
    at = bytes.indexOf(0x69, at + 1)
  ) {
    if (ascii(bytes, at, 4) !== 'ispe') continue;
    const [width, height] = [view.getUint32(at + 8), view.getUint32(at + 12)];
    if (size === null || width * height > size.width * size.height) size = { width, height };
  }
  return size;
}
