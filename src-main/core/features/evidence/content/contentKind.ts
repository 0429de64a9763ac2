import type { ContentKind } from '../../../../../src-preload/contract/index.ts';
import {
  ascii,
  imageFormat,
  imageSize,
  type ImageFormat,
  type ImageSize,
} from '../../../base/imageHeader.ts';
import type { GifFrames } from './gifFrames.ts';

/** The kind of a file, found from its bytes. */
export interface ContentFacts {
  readonly kind: ContentKind;
  /** The type for the page: never the one that a gateway or an item declares. */
  readonly mediaType: string;
  readonly ending: string;
  /** Pixels; null when it is no picture. */
  readonly width: number | null;
  readonly height: number | null;
}

/** How much of the beginning is read, bytes. It includes the dimensions, even behind a camera's embedded preview. */
export const headBytes = 256 * 1024;

/** A picture with more than 100 megapixels would take too much memory to decode. */
const mostPixels = 100_000_000;
/**
 * Of an animation a browser holds about three whole pictures at once: the frame before, the one being decoded and the
 * one shown. Further frames fill a cache with a bound: in Chromium, 1,000 frames of 1080p take no more memory than 300
 * of them, and no more than 8 frames of 32 megapixels.
 */
const mostHeld = 3;
/** All frames together: as many pixels as were measured. */
const mostAnimated = 2_100_000_000;
const mostSide = 32_767;

const unknown: ContentFacts = {
  kind: 'other',
  mediaType: 'application/octet-stream',
  ending: 'bin',
  width: null,
  height: null,
};

/**
 * Decides which files are shown and which can only be saved. Pictures are JPEG, PNG, WebP, AVIF and GIF, video is MP4
 * and WebM. All else is `other`, also SVG, HTML and PDF, which could run code. A picture whose dimensions cannot be
 * read or are too large is `too-large`: it is saved and never decoded.
 *
 * @param head the first bytes, `headBytes` of them where the file is that long
 * @param frames has taken the whole file
 */
export function contentFacts(head: Uint8Array, frames: GifFrames): ContentFacts {
  const format = imageFormat(head);
  if (format === null) return videoFacts(head) ?? unknown;
  try {
    const size = imageSize(format, head);
    if (format !== 'gif' || size === null) return picture(format, size);
    return picture(format, frames.extent(size), frames);
  } catch {
    // The file ends within its header.
    return unknown;
  }
}

function picture(
  format: ImageFormat,
  size: ImageSize | null,
  frames: Pick<GifFrames, 'count' | 'pixels'> = { count: 1, pixels: 0 },
): ContentFacts {
  const held = Math.min(Math.max(frames.count, 1), mostHeld);
  const fits =
    size !== null &&
    size.width > 0 &&
    size.height > 0 &&
    size.width <= mostSide &&
    size.height <= mostSide &&
    held * size.width * size.height <= mostPixels &&
    frames.pixels <= mostAnimated;
  return {
    kind: fits ? 'picture' : 'too-large',
    mediaType: `image/${format}`,
    ending: format === 'jpeg' ? 'jpg' : format,
    width: size?.width ?? null,
    height: size?.height ?? null,
  };
}

/** Brands of MP4 files from cameras and drones. */
const mp4Brands = /^(?:isom|iso[2-9]|mp4[12]|avc1|M4V |dash|mmp4|MSNV|3gp\d)$/;

function videoFacts(head: Uint8Array): ContentFacts | null {
  if (ascii(head, 4, 4) === 'ftyp' && mp4Brands.test(ascii(head, 8, 4))) return video('mp4');
  // The document type is in the first element; writers put it in different places.
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
