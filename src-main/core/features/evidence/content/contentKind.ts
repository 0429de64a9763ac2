import type { ContentKind } from '../../../../../src-preload/contract/index.ts';

/** What a file is, by its own bytes. */
export interface ContentFacts {
  readonly kind: ContentKind;
  /** The type that a page gets; never what a gateway or an item declares. */
  readonly mediaType: string;
  readonly ending: string;
  /** Pixels; null where it is no picture. */
  readonly width: number | null;
  readonly height: number | null;
}

/** How much of the beginning is looked at, bytes: dimensions lie within, also behind a camera's own preview. */
export const headBytes = 256 * 1024;

/** A picture beyond this would take more memory to decode than a console has to give: 100 megapixels. */
const mostPixels = 100_000_000;
const mostSide = 32_767;

const unknown: ContentFacts = {
  kind: 'other',
  mediaType: 'application/octet-stream',
  ending: 'bin',
  width: null,
  height: null,
};

interface Size {
  readonly width: number;
  readonly height: number;
}

const ascii = (bytes: Uint8Array, from: number, length: number): string =>
  String.fromCharCode(...bytes.subarray(from, from + length));

/**
 * Tells what is shown from what is only saved. Pictures are JPEG, PNG, WebP, AVIF and GIF, video is MP4 and WebM;
 * all else (SVG, HTML and PDF among it, which could act) is `other`. A picture whose dimensions cannot be read, or
 * whose pixels would fill the memory, is `too-large`: it is saved and never decoded.
 *
 * @param head the first bytes, `headBytes` of them where there are so many
 */
export function contentFacts(head: Uint8Array): ContentFacts {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  try {
    return pictureFacts(head, view) ?? videoFacts(head) ?? unknown;
  } catch {
    // It ends within its header.
    return unknown;
  }
}

function pictureFacts(head: Uint8Array, view: DataView): ContentFacts | null {
  if (ascii(head, 0, 8) === '\x89PNG\r\n\x1a\n') {
    const size =
      ascii(head, 12, 4) === 'IHDR' ? { width: view.getUint32(16), height: view.getUint32(20) } : null;
    return picture('png', size);
  }
  if (head[0] === 0xff && head[1] === 0xd8 && head[2] === 0xff) return picture('jpeg', jpegSize(view));
  if (/^GIF8[79]a$/.test(ascii(head, 0, 6))) {
    return picture('gif', { width: view.getUint16(6, true), height: view.getUint16(8, true) });
  }
  if (ascii(head, 0, 4) === 'RIFF' && ascii(head, 8, 4) === 'WEBP')
    return picture('webp', webpSize(head, view));
  if (ascii(head, 4, 4) === 'ftyp' && ['avif', 'avis'].includes(ascii(head, 8, 4))) {
    return picture('avif', avifSize(head, view));
  }
  return null;
}

function picture(format: 'png' | 'jpeg' | 'gif' | 'webp' | 'avif', size: Size | null): ContentFacts {
  const fits =
    size !== null &&
    size.width > 0 &&
    size.height > 0 &&
    size.width <= mostSide &&
    size.height <= mostSide &&
    size.width * size.height <= mostPixels;
  return {
    kind: fits ? 'picture' : 'too-large',
    mediaType: `image/${format}`,
    ending: format === 'jpeg' ? 'jpg' : format,
    width: size?.width ?? null,
    height: size?.height ?? null,
  };
}

/** Walks the segments to the frame header. */
function jpegSize(view: DataView): Size | null {
  let at = 2;
  while (at + 9 <= view.byteLength) {
    if (view.getUint8(at) !== 0xff) return null;
    const marker = view.getUint8(at + 1);
    // Bytes that fill up to the next marker.
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

function webpSize(head: Uint8Array, view: DataView): Size | null {
  switch (ascii(head, 12, 4)) {
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

/** The largest of the file's image extents (`ispe`): a grid's whole, or the picture itself. */
function avifSize(head: Uint8Array, view: DataView): Size | null {
  let size: Size | null = null;
  for (let at = head.indexOf(0x69); at >= 0 && at + 16 <= head.byteLength; at = head.indexOf(0x69, at + 1)) {
    if (ascii(head, at, 4) !== 'ispe') continue;
    const [width, height] = [view.getUint32(at + 8), view.getUint32(at + 12)];
    if (size === null || width * height > size.width * size.height) size = { width, height };
  }
  return size;
}

/** Brands under which MP4 files of cameras and drones come. */
const mp4Brands = /^(?:isom|iso[2-9]|mp4[12]|avc1|M4V |dash|mmp4|MSNV|3gp\d)$/;

function videoFacts(head: Uint8Array): ContentFacts | null {
  if (ascii(head, 4, 4) === 'ftyp' && mp4Brands.test(ascii(head, 8, 4))) return video('mp4');
  // Its kind stands within the first element, wherever its writer put it.
  const ebml = head[0] === 0x1a && head[1] === 0x45 && head[2] === 0xdf && head[3] === 0xa3;
  return ebml && ascii(head, 0, 256).includes('webm') ? video('webm') : null;
}

const video = (format: 'mp4' | 'webm'): ContentFacts => ({
  kind: 'video',
  mediaType: `video/${format}`,
  ending: format,
  width: null,
  height: null,
});
